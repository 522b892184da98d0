"""The Chinese edition says the same as the English one, cell by cell.

Its code is the English code but for words, and nbval runs the English code. So where the stored
outputs are equal too, running the Chinese notebook again would prove nothing new. The one place
where other words are printed, the checks of the exercises, is run in live.py.
"""

import ast
import difflib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course.notebook import (
    EXERCISE,
    NAVIGATION,
    SOLUTION,
    code_cells,
    comparable,
    headings,
    markdown_cells,
    place,
    read,
)
from course.numbers import disagreement, prose

OWN = ("timing", "waiting")  # metadata that an edition has for itself
SITE = re.compile(r"\]\((https?://[^)\s]+)")  # the address of a link to another site


class Words(ast.NodeTransformer):
    """Blanks what may differ: docstrings and, in an exercise's check, the words it prints."""

    def __init__(self, check: bool) -> None:
        """A check of an exercise may print other words."""
        self.check = check

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # noqa: N802
        """Blank a docstring."""
        if ast.get_docstring(node) is not None:
            node.body[0].value = ast.Constant("")
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        """Blank the words of a print."""
        if self.check and isinstance(node.func, ast.Name) and node.func.id == "print":
            for part in ast.walk(node):
                if isinstance(part, ast.JoinedStr):
                    part.values = [v for v in part.values if isinstance(v, ast.FormattedValue)]
                elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                    part.value = ""
        return self.generic_visit(node)


def tree(source: str, check: bool = False) -> str:
    """The syntax of some code without comments and without words that may differ."""
    try:
        return ast.unparse(Words(check).visit(ast.parse(source)))
    except SyntaxError:  # rules.plain_python reports it
        return source


def code(cell: NotebookNode) -> str:
    """The syntax of a code cell without what may differ between the languages."""
    return tree(cell.source, check=is_check(cell))


def is_check(cell: NotebookNode) -> bool:
    """Whether a cell is the check of an exercise, which prints words of its own."""
    return bool(EXERCISE.fullmatch(cell.id.removesuffix("-check")))


def difference(ours: str, theirs: str) -> str:
    """The first line of some code that each of two languages has for itself."""
    lines = list(difflib.ndiff(ours.splitlines(), theirs.splitlines()))
    one, two = (
        next((f"`{line[2:].strip()}`" for line in lines if line[0] == mark), "no such line")
        for mark in "-+"
    )
    return f"English has {one}, Chinese {two}"


def outputs(cell: NotebookNode) -> list[dict]:
    """A cell's outputs; the picture of a plot of timings does not count."""
    kept = [output.get("data") or {"text": output.get("text")} for output in cell.outputs]
    return [
        {
            kind: comparable(value) if isinstance(value, str) else value
            for kind, value in data.items()
            if kind != "image/png" or "timing" not in cell.metadata
        }
        for data in kept
    ]


def missing(english: list[NotebookNode], chinese: list[NotebookNode]) -> Iterator[str]:
    """A line for the first cell that one edition lacks, and after which cell it belongs."""
    remedy = "add it there and run `make update`"
    for ours, theirs, lacks, more in (
        (english, chinese, "Chinese", ", or run `make waiting`"),
        (chinese, english, "English", ""),
    ):
        names = [cell.id for cell in theirs]
        for before, cell in zip([None, *ours], ours, strict=False):
            if cell.id not in names:
                after = f", after cell {before.id}" if before else ""
                begins = " ".join(cell.source.split())[:30]
                where = f"cell {cell.id} ({begins!r}){after}"
                yield f"the {lacks} edition lacks {where}; {remedy}{more}"
                return


def waits(cell: NotebookNode) -> bool:
    """Whether a Chinese cell waits for its translation, and that is allowed here."""
    return "waiting" in cell.metadata and bool(os.environ.get("WAITING"))


def problems(english: Path, chinese: Path) -> Iterator[str]:
    """A line for each way in which two editions of a chapter do not say the same."""
    ours, theirs = read(english), read(chinese)
    both = f"{place(chinese)}, and {place(english)}"
    if [(c.id, c.cell_type) for c in ours.cells] != [(c.id, c.cell_type) for c in theirs.cells]:
        found = next(missing(ours.cells, theirs.cells), "the cells stand in another order")
        yield f"{both}: {found}"
        return
    for cell, twin in zip(ours.cells, theirs.cells, strict=True):
        where = f"{place(chinese, twin)}, and {place(english)}"
        kept = [
            {k: list(v) if k == "wrong" else v for k, v in c.metadata.items() if k not in OWN}
            for c in (cell, twin)
        ]
        if "waiting" in twin.metadata and not waits(twin):
            yield f"{where}: waits for a translation; translate it and delete the mark `waiting`"
        elif kept[0] != kept[1]:
            own = [{k: v for k, v in a.items() if b.get(k) != v} for a, b in (kept, kept[::-1])]
            found = f"English has {own[0]}, Chinese {own[1]}"
            yield f"{where}: metadata differs: {found}; make it equal"
    for cell, twin in zip(markdown_cells(ours), markdown_cells(theirs), strict=True):
        if waits(twin):
            continue
        where = f"{place(chinese, twin)}, and {place(english)}"
        # The navigation holds titles, which are compared where they stand.
        for found in [] if cell.id in NAVIGATION else disagreement(prose(cell), prose(twin)):
            yield f"{where}: {found}; make them agree"
        levels = [[marks for marks, _ in headings(c)] for c in (cell, twin)]
        if levels[0] != levels[1]:
            yield f"{where}: headings of the levels {levels[0]} | {levels[1]}; make them equal"
        sites = [sorted(SITE.findall(c.source)) for c in (cell, twin)]
        if sites[0] != sites[1] and cell.id not in NAVIGATION:
            own = [next(iter(set(a) - set(b)), "no other site") for a, b in (sites, sites[::-1])]
            yield f"{where}: English links to {own[0]}, Chinese to {own[1]}; make them agree"
        if match := SOLUTION.fullmatch(cell.source):
            solution = SOLUTION.fullmatch(twin.source)
            if not solution or tree(match[1]) != tree(solution[1]):
                yield f"{where}: solutions differ; make them equal"
    for cell, twin in zip(code_cells(ours), code_cells(theirs), strict=True):
        where = f"{place(chinese, twin)}, and {place(english)}"
        one, two = code(cell), code(twin)
        same = "make the same change in both, or run `make waiting`"
        if one != two:
            yield f"{where}: code differs: {difference(one, two)}; {same}"
        elif not is_check(cell) and outputs(cell) != outputs(twin):
            yield f"{where}: outputs differ; run `make record NB={place(english)}`"
