"""Every way in which a notebook can go wrong is planted, and must be caught.

FAULTS has a row per fault: its name, what it does to chapter 1 or 3, and the checks that see it,
all of them: with those switched off, it would be missed. What only a kernel can see is planted in
several cells of one copy, and nbval must name these cells and no others.
"""

import base64
import io
import re
import shutil
import subprocess
import sys

import checks
import figures
import pytest
import test_cells
import test_editions
import test_repository
from course import ROOT, read, text
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from PIL import Image

FIRST, COST = "01_lookup.ipynb", "03_cost.ipynb"


def at(notebook, name):
    """The cell with this id."""
    return next(cell for cell in notebook.cells if cell.id == name)


def stored(notebook, name, old, new):
    """Change the stored text of a cell."""
    output = at(notebook, name).outputs[0]
    where = output if "text" in output else output["data"]
    key = "text" if "text" in output else "text/plain"
    assert old in where[key]
    where[key] = where[key].replace(old, new, 1)


def source(notebook, name, old, new):
    """Change the source of a cell."""
    cell = at(notebook, name)
    assert old in cell.source
    cell.source = cell.source.replace(old, new, 1)


def append(notebook, name, line):
    """Add a line to the source of a cell."""
    at(notebook, name).source += f"\n{line}"


def add(notebook, cell, place=5):
    """Insert a cell."""
    cell.id = "planted"
    notebook.cells.insert(place, cell)


def another_png():
    """The bytes of some picture, as base64."""
    data = io.BytesIO()
    Image.new("RGB", (640, 260), "red").save(data, "PNG")
    return base64.b64encode(data.getvalue()).decode()


def tag(notebook, name, word):
    """Put a tag on a cell."""
    at(notebook, name).metadata["tags"] = [word]


def count(notebook, name, number):
    """Change the count of a cell, and of its output."""
    cell = at(notebook, name)
    cell.execution_count = number
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = number


def unrun(notebook, name):
    """Leave a cell as it is before it runs."""
    count(notebook, name, None)
    at(notebook, name).outputs = []


def clear(notebook):
    """Leave all cells as they are before they run."""
    for cell in checks.code_cells(notebook):
        unrun(notebook, cell.id)


def drop(notebook, name):
    """Delete a cell."""
    notebook.cells.remove(at(notebook, name))


def swap(notebook, one, two):
    """Exchange two cells."""
    i, j = (notebook.cells.index(at(notebook, name)) for name in (one, two))
    notebook.cells[i], notebook.cells[j] = notebook.cells[j], notebook.cells[i]


def stderr(notebook, name):
    """Store a line on stderr."""
    at(notebook, name).outputs.append(new_output("stream", name="stderr", text="careful\n"))


def replot(notebook, name, data):
    """Replace or, without data, remove the stored plot of a cell."""
    cell = at(notebook, name)
    for output in checks.pictures(cell):
        if data:
            output["data"]["image/png"] = data
        else:
            cell.outputs.remove(output)


def exchange(notebook, one, two):
    """Let one diagram's cell carry the picture of another."""
    at(notebook, one).source = at(notebook, two).source


# fault: (chapter, what it does to the notebook, the cell that the message names, the checks)
FAULTS = {
    "digit": (FIRST, lambda n: stored(n, "table", "0.3374", "0.3375"), "table", "reference"),
    "sign": (FIRST, lambda n: stored(n, "table", " 1.3010", "-1.3010"), "table", "reference"),
    "decimal": (FIRST, lambda n: stored(n, "table", "0.3374", "0.337"), "table", "reference"),
    "reference prints less": (
        FIRST,
        lambda n: stored(n, "look-up-all", ",\n       grad_fn=<EmbeddingBackward0>)", ")"),
        "look-up-all",
        "reference",
    ),
    "seed changed and recorded": (
        FIRST,
        lambda n: [
            source(n, "table", "manual_seed(123)", "manual_seed(124)"),
            stored(n, "table", "0.3374", "1.0001"),
        ],
        "table",
        "reference",
    ),
    "all cleared": (FIRST, clear, "ids", "counts numbers plots reference version_once"),
    "one cell cleared": (FIRST, lambda n: unrun(n, "batch"), "batch", "counts"),
    "counts out of order": (FIRST, lambda n: count(n, "batch", 99), "batch", "counts"),
    "count duplicated": (FIRST, lambda n: count(n, "batch", 1), "batch", "counts"),
    "cell deleted": (FIRST, lambda n: drop(n, "batch"), "plot", "counts"),
    "cells swapped": (FIRST, lambda n: swap(n, "batch", "repeats"), "batch", "counts"),
    "no code": (
        FIRST,
        lambda n: [drop(n, cell.id) for cell in checks.code_cells(n)],
        "table",
        "counts exercises numbers plots reference version_once",
    ),
    "tag that ignores": (
        FIRST,
        lambda n: tag(n, "table", "nbval-ignore-output"),
        "table",
        "nothing_ignored",
    ),
    "tag misspelt": (FIRST, lambda n: tag(n, "table", "nbval-skp"), "table", "nothing_ignored"),
    "raises-exception": (
        FIRST,
        lambda n: tag(n, "batch", "raises-exception"),
        "batch",
        "nothing_ignored",
    ),
    "comment that ignores": (
        FIRST,
        lambda n: source(n, "table", "torch.manual", "# NBVAL_IGNORE_OUTPUT\ntorch.manual"),
        "table",
        "nothing_ignored",
    ),
    "magic": (
        FIRST,
        lambda n: source(n, "batch", "batch", "%pip list\nbatch"),
        "batch",
        "plain_python",
    ),
    "stderr": (FIRST, lambda n: stderr(n, "batch"), "batch", "clean_outputs"),
    "stored error": (
        FIRST,
        lambda n: at(n, "batch").outputs.append(
            new_output("error", ename="ValueError", evalue="", traceback=[])
        ),
        "batch",
        "clean_outputs",
    ),
    "html output": (
        FIRST,
        lambda n: at(n, "batch").outputs[0]["data"].update({"text/html": "<b>3</b>"}),
        "batch",
        "clean_outputs",
    ),
    "plot lost": (FIRST, lambda n: replot(n, "plot", None), "plot", "plots"),
    "plot marked slow": (
        FIRST,
        lambda n: at(n, "plot").metadata.update(slow=True),
        "plot",
        "plots",
    ),
    "plot of timings replaced": (
        COST,
        lambda n: replot(n, "plot", another_png()),
        "plot",
        "timings",
    ),
    "code above a plot of timings edited": (
        COST,
        lambda n: source(n, "sweep", "range(10, 18)", "range(10, 19)"),
        "plot",
        "timings",
    ),
    "diagram swapped": (
        FIRST,
        lambda n: exchange(n, "diagram-lookup-1", "diagram-lookup-2"),
        "diagram-lookup-1",
        "stamps",
    ),
    "diagram unknown": (
        FIRST,
        lambda n: at(n, "diagram-lookup-1").metadata.update(diagram="lookup-7"),
        "diagram-lookup-1",
        "stamps",
    ),
    "alt text emptied": (
        FIRST,
        lambda n: setattr(
            at(n, "diagram-lookup-1"),
            "source",
            re.sub(r"^!\[.*?\]", "![]", at(n, "diagram-lookup-1").source),
        ),
        "diagram-lookup-1",
        "images stamps",
    ),
    "remote image": (
        FIRST,
        lambda n: add(n, new_markdown_cell("![A table.](https://example.org/table.png)")),
        "planted",
        "images",
    ),
    "relative image": (
        FIRST,
        lambda n: add(n, new_markdown_cell("![A table.](../images/lookup-1.png)")),
        "planted",
        "images",
    ),
    "attachment": (
        FIRST,
        lambda n: add(
            n,
            new_markdown_cell(
                "![A table.](attachment:t.png)", attachments={"t.png": {"image/png": another_png()}}
            ),
        ),
        "planted",
        "images metadata",
    ),
    "number in the prose": (
        FIRST,
        lambda n: source(n, "batch-text", "shape (2, 3)", "shape (2, 3) and 0.4321"),
        "batch-text",
        "numbers",
    ),
    "thousands in the prose": (
        COST,
        lambda n: source(n, "gpt2-why", "50,257", "50,258"),
        "gpt2-why",
        "numbers",
    ),
    "broken link": (
        FIRST,
        lambda n: source(n, "batch-text", "The same", "See [this](11_more.ipynb). The same"),
        "batch-text",
        "links",
    ),
    "navigation edited": (
        FIRST,
        lambda n: source(n, "nav-top", "02_one_hot.ipynb", "03_cost.ipynb"),
        "nav-top",
        "stamps",
    ),
    "heading skipped": (
        FIRST,
        lambda n: source(n, "table-text", "## A table", "#### A table"),
        "table-text",
        "headings",
    ),
    "second H1": (
        FIRST,
        lambda n: source(n, "table-text", "## A table", "# A table"),
        "table-text",
        "headings",
    ),
    "no title": (FIRST, lambda n: drop(n, "title"), "nav-top", "anatomy headings"),
    "no summary": (FIRST, lambda n: drop(n, "summary"), "", "anatomy"),
    "foreign package": (
        FIRST,
        lambda n: source(n, "ids", "import torch", "import pandas\nimport torch"),
        "ids",
        "imports",
    ),
    "file read": (
        FIRST,
        lambda n: source(n, "batch", "batch =", 'open("../README.md")\nbatch ='),
        "batch",
        "reads_no_file",
    ),
    "name in metadata": (
        FIRST,
        lambda n: n.metadata.update(authors=[{"name": "A. Person"}]),
        "",
        "metadata",
    ),
    "path in a cell's metadata": (
        FIRST,
        lambda n: at(n, "batch").metadata.update(path="/home/person/course"),
        "batch",
        "metadata",
    ),
    "path in the prose": (
        FIRST,
        lambda n: source(n, "batch-text", "The same", "In /home/person/course the same"),
        "batch-text",
        "private",
    ),
    "secret": (
        FIRST,
        lambda n: source(n, "batch", "batch =", 'api_key = "0123456789abcdef"\nbatch ='),
        "batch",
        "private",
    ),
    "random id": (FIRST, lambda n: setattr(at(n, "batch"), "id", "4f3a-90"), "4f3a-90", "ids"),
    "no wrong answers": (
        FIRST,
        lambda n: at(n, "try-1-check").metadata.clear(),
        "try-1-check",
        "exercises",
    ),
    "no exercises' solution": (FIRST, lambda n: drop(n, "try-1-solution"), "", "exercises"),
    "easy": (
        FIRST,
        lambda n: source(n, "batch-text", "The same", "Obviously the same"),
        "batch-text",
        "language",
    ),
    "version not printed": (
        FIRST,
        lambda n: stored(n, "ids", "PyTorch version: ", "torch "),
        "",
        "version_once",
    ),
}


@pytest.fixture
def course(tmp_path):
    """A copy of what the checks read."""
    for folder in ("notebooks", "images"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault, course):
    chapter, plant, cell, expected = FAULTS[fault]
    path = course / "notebooks" / chapter
    notebook = read(path)
    plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")
    found = {check.__name__: list(check(path, read(path))) for check in checks.CHECKS}
    caught = {name for name, problems in found.items() if problems}
    assert caught == set(expected.split()), found
    where = f"notebooks/{chapter}" + (f", cell {cell}" if cell else "")
    assert any(where in problem for problems in found.values() for problem in problems), found


def test_equal_ids(course):
    path = course / "notebooks" / FIRST
    path.write_text(path.read_text().replace('"id": "batch"', '"id": "repeats"'))
    with pytest.raises(SystemExit, match=r"01_lookup.ipynb: .*'repeats'.*rename"):
        read(path)


@pytest.mark.parametrize("folder", ["build", "notebooks/extra", "notebooks/.hidden", "tests"])
def test_misplaced_notebook(folder, course):
    (course / folder).mkdir(parents=True, exist_ok=True)
    shutil.copy(course / "notebooks" / FIRST, course / folder / "11_more.ipynb")
    assert [f"{folder}/11_more.ipynb"] == [p.split(":")[0] for p in checks.misplaced(course)]


def test_changed_pixel(course):
    path = course / "images/lookup-1.png"
    image = Image.open(path)
    image.putpixel((700, 100), (image.getpixel((700, 100)) + 1) % 8)
    image.save(path)
    assert any("lookup-1.png is not what" in p for p in checks.diagram("lookup-1", path.parent))


def test_diagram_from_another_seed(monkeypatch):
    table = figures.table()
    monkeypatch.setattr(figures, "table", lambda: table + 0.001)
    assert any("lookup-1.png is not what" in p for p in checks.diagram("lookup-1"))


def test_missing_image(course):
    (course / "images/lookup-1.png").unlink()
    assert any(
        "lookup-1.png is missing" in p for p in checks.diagram("lookup-1", course / "images")
    )


# What running the cells must catch: what is done to chapter 1, and the cell that is named.
CELL_FAULTS = {
    "plot replaced": (lambda n: replot(n, "plot", another_png()), "plot"),
    "plot from other code": (lambda n: source(n, "plot", '"RdBu"', '"viridis"'), "plot"),
    "solution wrong": (
        lambda n: source(n, "try-3-solution", "rows = 13", "rows = 12"),
        "try-3-check",
    ),
    "check accepts a wrong answer": (
        lambda n: source(n, "try-3-check", "rows < truth", "rows < truth - 1"),
        "try-3-check",
    ),
    "check accepts the stub": (
        lambda n: source(n, "try-3-check", "not yet: write your number", "correct"),
        "try-3-check",
    ),
    "check raises": (
        lambda n: source(n, "try-3-check", "type(rows) is not int", "rows is None"),
        "try-3-check",
    ),
    "check's output stale": (
        lambda n: stored(n, "try-3-check", "your number", "the number"),
        "try-3-check",
    ),
}


@pytest.mark.parametrize("fault", CELL_FAULTS)
def test_fault_that_running_shows(fault, course):
    plant, cell = CELL_FAULTS[fault]
    path = course / "notebooks" / FIRST
    notebook = read(path)
    plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")
    with pytest.raises(AssertionError, match=f"{FIRST}, cell {cell}: "):
        test_cells.check_cells(path, [path])


# What one language has and the other has not.
EDITION_FAULTS = {
    "code": lambda n: source(n, "batch", "[1, 0, 2]", "[1, 0, 3]"),
    "output": lambda n: stored(n, "table", "0.3374", "0.3375"),
    "cell dropped": lambda n: drop(n, "batch"),
    "cell added": lambda n: add(n, new_code_cell("1 + 1")),
    "solution": lambda n: source(n, "try-3-solution", "rows = 13", "rows = 12"),
    "wrong answers": lambda n: at(n, "try-1-check").metadata.update(wrong=["ids = 1"]),
    "label": lambda n: source(n, "sizes", '"rows:"', '"行："'),
    "diagram": lambda n: at(n, "diagram-lookup-1").metadata.update(diagram="lookup-2"),
}


@pytest.mark.parametrize("fault", EDITION_FAULTS)
def test_fault_in_one_language(fault, course):
    english, chinese = course / "notebooks" / FIRST, course / "notebooks/zh" / FIRST
    notebook = read(chinese)
    EDITION_FAULTS[fault](notebook)
    chinese.write_text(text(notebook), encoding="utf-8")
    with pytest.raises(AssertionError, match=rf"notebooks/zh/{FIRST}.*notebooks/{FIRST}"):
        test_editions.compare(english, chinese)


@pytest.mark.parametrize("pin", ["torch>=2.13.0", "torch", "torch==2.13.*", "torch==2.13.0+cpu"])
def test_loosened_pin(pin, tmp_path):
    (tmp_path / "requirements.txt").write_text(f"-c constraints.txt\n{pin}\n")
    with pytest.raises(AssertionError, match="requirements.txt: torch.* is not pinned"):
        test_repository.requirements("requirements.txt", tmp_path)


# What only a kernel sees: planted together in one notebook, each must be named, and nothing else.
KERNEL_FAULTS = {
    "look-up-two": lambda n: stored(n, "look-up-two", "0.6957", "0.6958"),  # a digit
    "repeats": lambda n: stored(n, "repeats", "-0.2010", " 0.2010"),  # a sign
    "indexing": lambda n: stored(n, "indexing", "True", "False"),
    "batch": lambda n: at(n, "batch").outputs.clear(),  # an output deleted
    "errors": lambda n: source(n, "errors", "(4, -1)", "(5, -1)"),  # a stale output
    "negative": lambda n: source(n, "negative", "[-1]", "[0, 1"),  # an error
    "try-1-rows": lambda n: source(n, "try-1-rows", "manual_seed(14)", "manual_seed(15)"),
    "try-2-stub": lambda n: append(n, "try-2-stub", 'open("../pyproject.toml")'),
    "try-3-stub": lambda n: append(
        n, "try-3-stub", "import urllib.request\nurllib.request.urlopen('http://example.org')"
    ),
}


def test_faults_that_nbval_sees(tmp_path):
    for name in ("notebooks", "images", "tests", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    path = tmp_path / "notebooks" / FIRST
    notebook = read(path)
    for plant in KERNEL_FAULTS.values():
        plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n0", "-q", f"notebooks/{FIRST}"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    names = [cell.id for cell in checks.code_cells(notebook)]
    failed = [
        names[int(n)] for n in re.findall(rf"^FAILED .*{FIRST}::Cell (\d+)", result.stdout, re.M)
    ]
    assert set(failed) == set(KERNEL_FAULTS), result.stdout
