"""Rules on the Chinese edition: it says the same as the English one, cell by cell.

nbval runs the English code, which is the Chinese code but for words, and build.py gives the Chinese
edition the English outputs. So running it again would prove nothing new. Only the checks of the
exercises print other words, and they are run in both languages.
"""

import ast
import difflib
import re
from collections.abc import Callable, Iterator
from itertools import starmap
from typing import Any

from nbformat import NotebookNode

from course.answers import ends_in_question
from course.build import RANDOM_ID
from course.check import RULES, CellProblems, Problems, Rules, rule, with_advice
from course.check.numbers import unequal_numbers
from course.notebook import (
    FORMULA,
    JUDGE,
    METADATA_EXAMPLES,
    NAVIGATION,
    Notebook,
    headings,
    prose,
    solution_code,
    without_picture,
)

SPACE_OR_CHINESE = re.compile(r"[ \u3000-\u9fff\uff00-\uffef]")  # in words, and in no name in code
DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # by a docstring
# Pages in Chinese have no twin in English.
EXTERNAL_LINK = re.compile(r"\]\((https?://(?!zh\.d2l\.ai/|kexue\.fm/)[^)\s]+)")
# `make update` copies the others.
WRITTEN_METADATA = METADATA_EXAMPLES.keys() - {"wrong", "output_digest"}
# What a Markdown cell has in common with its twin, and how to read it.
SHARED_MARKUP: dict[str, Callable[[NotebookNode], Any]] = {
    "formulas": lambda cell: FORMULA.findall(without_picture(cell)),
    "levels of headings": lambda cell: [marks for marks, _ in headings(cell)],
    "questions at the end": ends_in_question,
    "links to other sites": lambda cell: sorted(EXTERNAL_LINK.findall(cell.source)),
}


def filled_cells(notebook: Notebook) -> list[NotebookNode]:
    """Return the cells that are not empty; the run reports those that are."""
    return [cell for cell in notebook.cells if cell.source.strip()]


def cell_pairs(notebook: Notebook) -> Iterator[tuple[NotebookNode, NotebookNode]]:
    """Yield each English cell and its Chinese twin, but for navigation, which holds titles."""
    for english, chinese in zip(filled_cells(notebook), filled_cells(notebook.twin), strict=True):
        if english.id not in NAVIGATION:
            yield english, chinese


def markdown_pairs(notebook: Notebook) -> Iterator[tuple[NotebookNode, NotebookNode]]:
    """Yield the pairs of Markdown cells."""
    return (pair for pair in cell_pairs(notebook) if pair[0].cell_type == "markdown")


def comparable_metadata(cell: NotebookNode) -> dict[str, Any]:
    """Return the metadata of a cell that is written by hand in both languages."""
    return {key: cell.metadata[key] for key in WRITTEN_METADATA if key in cell.metadata}


def comparable_code(cell: NotebookNode) -> str:
    """Return the code of a cell, or of a solution, without what may differ.

    That is comments, docstrings and, beside the judge of an exercise, each string with a space or
    Chinese in it: names in code have neither.
    """
    source = cell.source if cell.cell_type == "code" else solution_code(cell)
    try:
        tree = ast.parse(source)
    except SyntaxError:  # the run reports it
        return source
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Expr(ast.Constant(""))
        elif isinstance(node, ast.Constant) and JUDGE.search(source):
            node.value = "" if SPACE_OR_CHINESE.search(str(node.value)) else node.value
    return ast.unparse(tree)


@rule
def editions_share_metadata(notebook: Notebook) -> CellProblems:
    """The metadata that is written by hand is equal."""
    for english_cell, chinese_cell in cell_pairs(notebook):
        english, chinese = map(comparable_metadata, (english_cell, chinese_cell))
        for key in sorted(english | chinese):
            values = english.get(key), chinese.get(key)
            if values[0] != values[1]:
                english_part, chinese_part = unequal_part(*values), unequal_part(*values[::-1])
                parts = f"English has {english_part}, Chinese {chinese_part}"
                yield chinese_cell, f"{key} differs: {parts}; make it equal"


def unequal_part(value: Any, twin_value: Any) -> Any:
    """Return a value of the metadata; of a dictionary, only what its twin has not equal."""
    if isinstance(value, dict) and isinstance(twin_value, dict):
        return {key: text for key, text in value.items() if twin_value.get(key) != text}
    return value


@rule
def editions_share_code(notebook: Notebook) -> CellProblems:
    """The code is equal but for comments, docstrings and the words of an exercise."""
    for english_cell, chinese_cell in cell_pairs(notebook):
        english, chinese = map(comparable_code, (english_cell, chinese_cell))
        if english != chinese:
            diff = list(difflib.ndiff(english.splitlines(), chinese.splitlines()))
            english_line, chinese_line = (
                next((f"`{line[2:].strip()}`" for line in diff if line[0] == mark), "no such line")
                for mark in "-+"
            )
            values = f"English has {english_line}, Chinese {chinese_line}"
            yield chinese_cell, f"code differs: {values}; make the same change in both"


@rule
def editions_share_numbers(notebook: Notebook) -> CellProblems:
    """The prose has the same numbers, each as often."""
    for english_cell, chinese_cell in markdown_pairs(notebook):
        equal_phrases = english_cell.metadata.get("equal_phrases", {})
        texts = prose(english_cell), prose(chinese_cell)
        remedy = 'make them agree, or declare phrases: "equal_phrases": {"takes a second": "一秒"}'
        for sentence in with_advice(unequal_numbers(*texts, equal_phrases), remedy):
            yield chinese_cell, sentence


@rule
def equal_phrases_are_used(notebook: Notebook) -> CellProblems:
    """Each phrase that is declared equal stands in its language, and both hold other numbers."""
    for english_cell, chinese_cell in markdown_pairs(notebook):
        for english, chinese in english_cell.metadata.get("equal_phrases", {}).items():
            if english not in prose(english_cell) or chinese not in prose(chinese_cell):
                problem = f"{english!r} and {chinese!r} are declared equal, and not in the texts"
                yield chinese_cell, f"{problem}; correct them"
            elif not unequal_numbers(english, chinese):
                problem = (
                    f"{english!r} and {chinese!r} are declared equal, and hold the same numbers"
                )
                yield chinese_cell, f"{problem}; remove them"


@rule
def editions_share_markup(notebook: Notebook) -> CellProblems:
    """What is written alike in both languages is equal: formulas, levels, addresses."""
    for english_cell, chinese_cell in markdown_pairs(notebook):
        for kind, read_markup in SHARED_MARKUP.items():
            english, chinese = map(read_markup, (english_cell, chinese_cell))
            if english != chinese:
                values = f"English has {english}, Chinese {chinese}"
                yield chinese_cell, f"{kind} differ: {values}; make them equal"


def unequal_cells(english: list[NotebookNode], chinese: list[NotebookNode]) -> Problems:
    """Yield a sentence for each cell that only one edition has; if there is none, on the order."""
    if sorted(cell.id for cell in english) == sorted(cell.id for cell in chinese):
        yield order_problem(english, chinese)
        return
    twins = twins_with_other_ids(english, chinese)
    yield from starmap(id_problem, twins)
    twin_ids = {cell.id for pair in twins for cell in pair}
    yield from missing_cells("Chinese", english, twin_ids.union(cell.id for cell in chinese))
    yield from missing_cells("English", chinese, twin_ids.union(cell.id for cell in english))


def order_problem(english: list[NotebookNode], chinese: list[NotebookNode]) -> str:
    """Say where the editions, which have cells of the same ids, first differ in order or type."""
    pairs = zip(english, chinese, strict=True)
    english_cell, chinese_cell = next(
        (a, b) for a, b in pairs if (a.id, a.cell_type) != (b.id, b.cell_type)
    )
    if english_cell.id == chinese_cell.id:
        return f"cell {english_cell.id} is code in one of them; make it equal"
    places = f"cell {english_cell.id} stands where the other has {chinese_cell.id}"
    return f"the cells have another order: in English {places}; make it equal"


def twins_with_other_ids(
    english: list[NotebookNode], chinese: list[NotebookNode]
) -> list[tuple[NotebookNode, NotebookNode]]:
    """Return the pairs at one place that are new, or alike but for their ids: they are twins."""
    shared_ids = {cell.id for cell in english} & {cell.id for cell in chinese}
    return [
        pair
        for pair in zip(english, chinese, strict=False)
        if not any(cell.id in shared_ids for cell in pair)
        if all(RANDOM_ID.fullmatch(cell.id) for cell in pair) or are_alike(*pair)
    ]


def are_alike(english: NotebookNode, chinese: NotebookNode) -> bool:
    """Return whether two cells are of one type, and have the same code."""
    is_same_type = english.cell_type == chinese.cell_type
    return is_same_type and comparable_code(english) == comparable_code(chinese)


def id_problem(english: NotebookNode, chinese: NotebookNode) -> str:
    """Say that two twins have different ids, and what gives them the same."""
    if RANDOM_ID.fullmatch(english.id) and RANDOM_ID.fullmatch(chinese.id):
        remedy = "run `make update`, which gives both the same id"
        return f"the English cell {english.id} and the Chinese {chinese.id} are new; {remedy}"
    return f"cell {english.id} is called {chinese.id} in Chinese; give both the same id"


def missing_cells(language: str, cells: list[NotebookNode], known_ids: set[str]) -> Problems:
    """Yield a sentence for each of some cells that the edition of a language lacks, and where."""
    alternative = ", or delete this one" if language == "English" else ""
    for cell_before, cell in zip([None, *cells], cells, strict=False):
        if cell.id not in known_ids:
            start = " ".join(cell.source.split())[:30]
            place = f", after cell {cell_before.id}" if cell_before else ""
            problem = f"the {language} edition lacks cell {cell.id} ({start!r}){place}"
            yield f"{problem}; add it there and run `make update`{alternative}"


def problems(notebook: Notebook, rules: Rules = RULES[__name__]) -> Problems:
    """Yield a line for each difference between an English notebook and its Chinese twin.

    The rules compare pairs of cells, so they are asked only if both editions have the same cells.
    """
    twin = notebook.twin
    if not twin.exists:
        yield f"{notebook}: there is no {twin}; copy this one there, and write it in Chinese"
        return
    english, chinese = filled_cells(notebook), filled_cells(twin)
    kinds = [[(cell.id, cell.cell_type) for cell in cells] for cells in (english, chinese)]
    if kinds[0] != kinds[1]:
        yield from (f"{twin}, and {notebook}: {line}" for line in unequal_cells(english, chinese))
        return
    for check in rules:
        for cell, sentence in check(notebook):
            yield f"{twin.place_of(cell)}, and {notebook}: {sentence}"
