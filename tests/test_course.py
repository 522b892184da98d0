"""The rules of the course, and what surrounds the notebooks."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from nbval.plugin import IPyNbCell

from course import ROOT, handout, lab
from course import notebook as nb
from course.check import RULES, editions, executed, structure, surroundings
from course.languages import EDITIONS


def require(problems):
    """Fail with the lines of what is wrong, and nothing else."""
    if found := list(problems):
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.parametrize("path", nb.english(), ids=nb.name_of)
def test_run(path):
    require(executed.problems(path))


@pytest.mark.parametrize("path", nb.notebooks(), ids=nb.name_of)
def test_structure(path):
    require(structure.problems(path))


@pytest.mark.parametrize("path", nb.english(), ids=nb.name_of)
def test_editions_agree(path):
    require(editions.problems(path))


@pytest.mark.parametrize("rule", RULES[surroundings.__name__], ids=lambda rule: rule.__name__)
def test_surroundings(rule):
    require(rule(ROOT))


def test_nbval_collected_every_cell(request):
    chosen = map(request.config.getoption, ("keyword", "markexpr", "deselect", "lf", "stepwise"))
    if request.config.args != request.config.getini("testpaths") or any(chosen):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    collected = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    require(
        f"{nb.name_of(path)}: nbval saw {collected[path]} of {cells} cells; see pyproject.toml"
        for path in nb.english()
        if collected[path] != (cells := len(nb.code_cells(nb.read(path))))
    )


def dead_links_of_a_copy(folder):
    """What the rules say of the links in a copy of the course."""
    yield from surroundings.page_links(folder)
    for path in nb.notebooks(folder):
        yield from structure.problems(path, [structure.links])


def test_copies_are_made_once(tmp_path):
    lab.copy_course(tmp_path)
    require(dead_links_of_a_copy(tmp_path))
    first, second, *_ = nb.english(tmp_path)
    first.write_text("mine")
    second.unlink()
    lab.copy_course(tmp_path)
    assert first.read_text() == "mine", "a reader's copy is overwritten"
    assert nb.read(second).cells == nb.read(nb.english()[1]).cells


def test_handout(tmp_path, capsys):
    """Nothing is missing but the solutions; no answer is shown, and the checks still judge."""
    handout.fill(tmp_path)
    require(dead_links_of_a_copy(tmp_path))
    for path in nb.notebooks():
        copy = tmp_path / nb.name_of(path)
        names = {cell.id for cell in nb.read(path).cells}
        kept = {cell.id for cell in nb.read(copy).cells}
        solutions = {name for name in names if re.fullmatch(r"try-\d-solution", name)}
        assert names - kept == solutions and (solutions or nb.is_note(path)), nb.name_of(path)
        shown = copy.read_text(encoding="utf-8")
        told = "|".join(words.answers for words in EDITIONS.values())
        assert not re.search(rf"def judge_(?!by_cases)|https://colab|{told}", shown), copy
        assert not any(cell.outputs for cell in nb.code_cells(nb.read(copy))), copy
    for folder in (nb.english(tmp_path), nb.chinese(tmp_path)):
        said = nb.by_id(nb.read(folder[0]))["errors-text"].source
        assert re.fullmatch(r"<details class.+\n</details>\n\n## .+", said, re.DOTALL), said
    space = {}
    for cell in nb.code_cells(nb.read(nb.english(tmp_path)[0])):
        exec(cell.source, space)
    for answer in ("torch.full((3, 1, 2), 3)", "3"):
        exec(f"check(ids={answer})", space)
    said = capsys.readouterr().out.splitlines()[-2:]
    assert said[0] == "✔ correct" and said[1].startswith("✘ not quite"), said


def test_an_old_python_is_told():
    old = "import sys; sys.version_info = (3, 9, 18); import course.lab"
    told = subprocess.run([sys.executable, "-c", old], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode and told.stderr.startswith("The course needs Python 3.11 or newer")
    assert told.stderr.count("\n") == 1, told.stderr


def test_a_reader_needs_python_alone():
    """`-S` hides what is installed: nothing is, when a reader or a teacher begins."""
    command = [sys.executable, "-S", "-c", "import course.lab, course.handout"]
    assert not subprocess.run(command, cwd=ROOT).returncode


def test_readme_sample_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
    assert sample.strip().splitlines()[-1].startswith("assert ")
    exec(compile(sample, "README.md", "exec"), {})
