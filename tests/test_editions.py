"""The Chinese edition says the same as the English one, cell by cell.

Its code is the English code but for words, and nbval runs the English code. So where the stored
outputs are equal too, running the Chinese notebook again would prove nothing new. The one place
where other words are printed, the checks of the exercises, is run in test_cells.py.
"""

import ast

import pytest
from checks import EXERCISE, SOLUTION, code_cells
from course import ROOT, place, read

ENGLISH = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHINESE = sorted((ROOT / "notebooks/zh").glob("*.ipynb"))


class Words(ast.NodeTransformer):
    """Blanks what may differ: docstrings and, in an exercise's check, the words it prints."""

    def __init__(self, check):
        self.check = check

    def visit_FunctionDef(self, node):
        if ast.get_docstring(node) is not None:
            node.body[0].value = ast.Constant("")
        return self.generic_visit(node)

    def visit_Call(self, node):
        if self.check and isinstance(node.func, ast.Name) and node.func.id == "print":
            for part in ast.walk(node):
                if isinstance(part, ast.JoinedStr):
                    part.values = [v for v in part.values if isinstance(v, ast.FormattedValue)]
                elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                    part.value = ""
        return self.generic_visit(node)


def tree(source, check=False):
    """The syntax of some code without comments and without words that may differ."""
    return ast.dump(Words(check).visit(ast.parse(source)))


def outputs(cell):
    """A cell's outputs; the picture of a plot of timings does not count."""
    return [
        {
            kind: value
            for kind, value in (output.get("data") or {"text": output.get("text")}).items()
            if kind != "image/png" or "timing" not in cell.metadata
        }
        for output in cell.outputs
    ]


def test_editions_have_the_same_chapters():
    assert [p.name for p in ENGLISH] == [p.name for p in CHINESE], "notebooks/ and notebooks/zh/"


def compare(english, chinese):
    """Require that two editions of a chapter say the same. Names the cell and both files."""
    ours, theirs = read(english).cells, read(chinese).cells
    names = [(cell.id, cell.cell_type) for cell in ours]
    for name, twin in zip(names, [(cell.id, cell.cell_type) for cell in theirs], strict=False):
        assert name == twin, f"{place(chinese)} has cell {twin} where {place(english)} has {name}"
    assert len(ours) == len(theirs), f"{place(chinese)}, {place(english)}: numbers of cells differ"
    for cell, twin in zip(ours, theirs, strict=True):
        where = f"{place(chinese, twin)}, and {place(english)}"
        kept = [{k: v for k, v in c.metadata.items() if k != "timing"} for c in (cell, twin)]
        assert kept[0] == kept[1], f"{where}: metadata differs"
        if match := SOLUTION.fullmatch(cell.source):
            solution = SOLUTION.fullmatch(twin.source)
            assert solution and tree(match[1]) == tree(solution[1]), f"{where}: solutions differ"
    for cell, twin in zip(code_cells(read(english)), code_cells(read(chinese)), strict=True):
        where = f"{place(chinese, twin)}, and {place(english)}"
        check = bool(EXERCISE.fullmatch(cell.id.removesuffix("-check")))
        assert tree(cell.source, check) == tree(twin.source, check), f"{where}: code differs"
        if not check:
            assert outputs(cell) == outputs(twin), f"{where}: outputs differ; run `make record`"


@pytest.mark.parametrize("chinese", CHINESE, ids=place)
def test_edition(chinese):
    compare(chinese.parent.parent / chinese.name, chinese)
