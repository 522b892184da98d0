"""The comparison with other versions: what is not right is named, and is no agreement."""

import shutil
import sys
from pathlib import Path

import pytest
from nbformat import v4, write

from course import CourseError, versions


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A course of one notebook: a right cell, a wrong one, and one that nbval skips."""
    shutil.copytree(versions.ROOT / "course", tmp_path / "course")
    (tmp_path / "notebooks").mkdir()
    skip, cells = {"tags": ["nbval-skip"]}, [v4.new_markdown_cell("Text.", id="text")]
    for name, stored, metadata in [("right", "1", {}), ("wrong", "2", {}), ("left-out", "1", skip)]:
        output = v4.new_output("stream", text=stored)
        cell = {"id": name, "metadata": metadata, "outputs": [output], "execution_count": 1}
        cells.append(v4.new_code_cell("print(1, end='')", **cell))
    write(v4.new_notebook(cells=cells), tmp_path / "notebooks/01_one.ipynb")
    monkeypatch.setattr(versions, "ROOT", tmp_path)
    return tmp_path


def compare(root):
    return versions.verdict(versions.compare(Path(sys.executable), root / "alone"))


def test_every_cell_that_is_not_right_is_named(root):
    agrees, words = compare(root)
    counts = "2 of 3 cells compared, 1 mismatches (01_one wrong), 1 errors (01_one left-out)"
    assert not agrees and words.splitlines()[0] == counts


def test_no_notebook_is_no_agreement(root):
    (root / "notebooks/01_one.ipynb").unlink()
    with pytest.raises(CourseError, match="no tests ran"):
        compare(root)


def test_a_failed_step_is_one_line():
    with pytest.raises(CourseError) as error:
        versions.call("counting", "count again", sys.executable, "-c", "print('a'); 1 / 0")
    wanted = "counting failed (ZeroDivisionError: division by zero); count again"
    assert str(error.value) == wanted
