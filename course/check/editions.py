"""The Chinese edition says the same as the English one, cell by cell.

Its code is the English code but for words, and nbval runs the English code. So build.py gives it
the English outputs, and running the Chinese notebook again would prove nothing new. The one place
where other words are printed, the checks of the exercises, is run in both languages.

A rule takes a cell and its twin, and yields what is wrong with the pair.
"""

import ast
import difflib
import re
from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode

from course import notebook as nb
from course.check import RULES, Problems, rule
from course.check.numbers import unequal_numbers
from course.handout import ends_in_question

SAID = re.compile(r"[ \u3000-\u9fff\uff00-\uffef]")  # in words, and in no name in code
ADDRESS = re.compile(r"\]\((https?://[^)\s]+)")  # of a link to another site


def syntax(cell: NotebookNode) -> str:
    """The syntax of a cell's code, or of a solution, without what may differ.

    That is comments, docstrings and, in an exercise's cases, each string with a space or Chinese in
    it: names in code have neither.
    """
    source = cell.source if cell.cell_type == "code" else nb.solution(cell)
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the run reports it
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0].value.value = ""
        elif isinstance(node, ast.Constant) and cell.id.endswith("-cases"):
            node.value = "" if SAID.search(str(node.value)) else node.value
    return ast.unparse(tree)


# What a Markdown cell and its twin share, and how it is read off one of them.
SHARED = {
    "formulas": lambda cell: nb.FORMULA.findall(nb.without_data(cell)),
    "levels of headings": lambda cell: [marks for marks, _ in nb.headings(cell)],
    "questions at the end": ends_in_question,
    "links to other sites": lambda cell: sorted(ADDRESS.findall(cell.source)),
}


@rule
def same_metadata(ours: NotebookNode, theirs: NotebookNode) -> Problems:
    """The metadata is equal, but for what exercises say to wrong answers."""
    one, two = (
        {key: list(value) if key == "wrong" else value for key, value in cell.metadata.items()}
        for cell in (ours, theirs)
    )
    for key in sorted({key for key in one | two if one.get(key) != two.get(key)}):
        yield f"{key} differs: English has {one.get(key)}, Chinese {two.get(key)}; make it equal"


@rule
def same_code(ours: NotebookNode, theirs: NotebookNode) -> Problems:
    """The code is equal but for comments, docstrings and the words of an exercise."""
    if ours.id != "checker" and syntax(ours) != syntax(theirs):
        lines = list(difflib.ndiff(syntax(ours).splitlines(), syntax(theirs).splitlines()))
        one, two = (
            next((f"`{line[2:].strip()}`" for line in lines if line[0] == mark), "no such line")
            for mark in "-+"
        )
        yield f"code differs: English has {one}, Chinese {two}; make the same change in both"


@rule
def same_numbers(ours: NotebookNode, theirs: NotebookNode) -> Problems:
    """The prose has the same numbers, each as often."""
    if ours.cell_type == "markdown":
        found = unequal_numbers(nb.prose(ours), nb.prose(theirs))
        yield from (f"{line}; make them agree" for line in found)


@rule
def same_signs(ours: NotebookNode, theirs: NotebookNode) -> Problems:
    """What is written alike in both languages is equal: formulas, levels, addresses."""
    if ours.cell_type == "markdown":
        for what, read in SHARED.items():
            one, two = read(ours), read(theirs)
            if one != two:
                yield f"{what} differ: English has {one}, Chinese {two}; make them equal"


def missing_cell(ours: list[NotebookNode], theirs: list[NotebookNode]) -> str:
    """The first cell that one edition lacks, and after which cell it belongs."""
    for lacks, have, others, more in (
        ("Chinese", ours, theirs, ""),
        ("English", theirs, ours, ", or delete this one"),
    ):
        names = {cell.id for cell in others}
        for before, cell in zip([None, *have], have, strict=False):
            if cell.id not in names:
                after = f", after cell {before.id}" if before else ""
                begins = " ".join(cell.source.split())[:30]
                where = f"the {lacks} edition lacks cell {cell.id} ({begins!r}){after}"
                return f"{where}; add it there and run `make update`{more}"
    return "the cells stand in another order; make it equal"


def problems(english: Path, rules: Iterable = RULES[__name__]) -> Problems:
    """A line for each way in which the two editions of a chapter do not say the same."""
    chinese = nb.twin(english)
    if not chinese.exists():
        yield f"{nb.name_of(english)}: there is no {nb.name_of(chinese)}; add it, cell by cell"
        return
    ours, theirs = nb.read(english).cells, nb.read(chinese).cells
    if [(c.id, c.cell_type) for c in ours] != [(c.id, c.cell_type) for c in theirs]:
        yield f"{nb.name_of(chinese)}, and {nb.name_of(english)}: {missing_cell(ours, theirs)}"
        return
    for cell, other in zip(ours, theirs, strict=True):
        if cell.id in nb.NAVIGATION:  # titles are compared where they stand
            continue
        for one in rules:
            for found in one(cell, other):
                yield f"{nb.name_of(chinese, other)}, and {nb.name_of(english)}: {found}"
