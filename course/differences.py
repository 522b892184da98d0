"""Say in which cells the stored notebooks and pictures differ from what build.py has made."""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import zip_longest
from os.path import commonprefix
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.notebook import (
    NAVIGATION,
    Notebook,
    plots,
    printed_text,
    prose,
    relative_name,
    unread_keys,
    without_picture,
)

NUMERAL = re.compile(r"-?\d+(?:[.,]\d+)*")
WORD_OR_NUMBER = re.compile(r"[\w.]+")


def describe_outdated_files(
    files: dict[Path, bytes], root: Path, missing: str = "is missing"
) -> Iterator[str]:
    """Yield a line for each file, or each cell of one, that is not stored as it was built.

    What an English cell has, too, is not said again of its Chinese twin. `missing` is what is
    said of a file that is not there.
    """
    english_lines: set[str] = set()
    for path, data in files.items():
        if path.exists() and path.read_bytes() == data:
            continue
        if path.suffix == ".ipynb":
            stored = Notebook(path)
            for line in outdated_cells(stored, nbformat.reads(data.decode(), as_version=4)):
                if line.replace(f"{stored}, ", f"{stored.english}, ") not in english_lines:
                    yield line
                    english_lines.add(line)
        else:
            problem = "not what the notebooks give" if path.exists() else missing
            yield f"{relative_name(path, root)}: {problem}"


def outdated_cells(stored: Notebook, built: NotebookNode) -> Iterator[str]:
    """Yield a line for each cell that is not stored as it was built, or one for the whole."""
    stored_cells = {cell.id: without_execution_counts(cell) for cell in stored.cells}
    built_cells = [without_execution_counts(cell) for cell in built.cells]
    changed_cells = [cell for cell in built_cells if stored_cells.get(cell.id) != cell]
    for cell in changed_cells:
        texts = ", ".join(texts_to_correct(stored, cell))
        difference = describe_difference(stored_cells.get(cell.id), cell)
        yield f"{stored.place_of(cell)}: {difference}{': ' if texts else ''}{texts}"
    if not changed_cells:
        part = "layout as JSON"
        if stored.cells != built.cells:
            part = "execution counts"
        elif stored.node.metadata != built.metadata:
            part = "metadata"
        yield f"{stored}: not the usual {part}"


def texts_to_correct(stored: Notebook, built: NotebookNode) -> list[str]:
    """Return the ids of the texts beside a code cell with numbers that it prints no more."""
    ids = list(stored.cells_by_id)
    if built.cell_type != "code" or built.id not in ids:
        return []
    printed_texts = (printed_text(cell) for cell in (stored.cell(built.id), built))
    stored_numbers, built_numbers = (numerals_in(text) for text in printed_texts)
    cells = stored.cells_near(ids.index(built.id))
    texts = [cell for cell in cells if cell.cell_type == "markdown" and cell.id not in NAVIGATION]
    old_numbers = stored_numbers - built_numbers
    return [cell.id for cell in texts if old_numbers & numerals_in(prose(cell))]


def numerals_in(text: str) -> set[str]:
    """Return the numbers of a text that are written in figures, with an ASCII minus."""
    return set(NUMERAL.findall(text.replace("−", "-")))


def without_execution_counts(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a cell without the counts of its execution, which a new cell changes."""
    copy = deepcopy(cell)
    for part in (copy, *copy.get("outputs", [])):
        part.pop("execution_count", None)
    return copy


def describe_difference(stored: NotebookNode | None, built: NotebookNode) -> str:
    """Say how a stored cell differs from the built one."""
    if stored is None:
        return "gets this id in place of another"
    descriptions = (
        describe_output_difference(stored, built),
        describe_metadata_difference(stored, built),
        describe_source_difference(stored, built),
        "is not what is derived",
    )
    return next(filter(None, descriptions))


def describe_output_difference(stored: NotebookNode, built: NotebookNode) -> str:
    """Say how what a stored cell shows differs from what it should; nothing if it does not."""
    if built.cell_type != "code":
        return ""
    lines = (printed_text(cell).splitlines() for cell in (stored, built))
    for stored_line, built_line in zip_longest(*lines, fillvalue=""):
        if stored_line != built_line:
            difference = f"stored is {stored_line!r}, and the code prints {built_line!r}"
            words, built_words = (
                sorted(WORD_OR_NUMBER.findall(line)) for line in (stored_line, built_line)
            )
            remedy = "sort what prints in another order each time, such as a set; "
            return f"{difference}; {remedy if words == built_words else ''}read the text about it"
    if plots(stored) != plots(built):
        return "the stored plot is not the one that this code draws; look at it"
    return "" if stored.outputs == built.outputs else "its outputs are not those of its code"


def describe_metadata_difference(stored: NotebookNode, built: NotebookNode) -> str:
    """Say how the metadata of a stored cell differs from what it should be, if it does."""
    if keys := unread_keys(stored):
        return f"{', '.join(keys)} in its metadata is not read here, and goes"
    keys = [
        key
        for key in sorted({*stored.metadata, *built.metadata})
        if stored.metadata.get(key) != built.metadata.get(key)
    ]
    if keys == ["output_digest"]:
        return "its output is kept, and the code above has changed; look at the output"
    return f"{', '.join(keys)} in its metadata is not what is derived" if keys else ""


def describe_source_difference(stored: NotebookNode, built: NotebookNode) -> str:
    """Say in which letters the source of a stored cell differs from what it should be."""
    if stored.source == built.source:
        return ""
    stored_text, built_text = map(without_picture, (stored, built))
    if stored_text == built_text:
        return "the picture is not the one that is derived"
    return describe_text_difference(stored_text, built_text)


def describe_text_difference(stored: str, expected: str, kind: str = "derived") -> str:
    """Say where a stored text begins to differ from another kind, in about 60 letters of each."""
    start = len(commonprefix([stored, expected]))
    stored_part, expected_part = (
        repr(text[max(0, start - 20) : start + 40]) for text in (stored, expected)
    )
    return f"stored is {stored_part}, and {kind} is {expected_part}"


def describe_line_difference(stored: str, expected: str, kind: str = "derived") -> str:
    """Say in which line two texts first differ, and where in it; nothing if they do not."""
    lines = stored.splitlines(), expected.splitlines()
    for count, (stored_line, expected_line) in enumerate(zip_longest(*lines, fillvalue=""), 1):
        if stored_line != expected_line:
            difference = describe_text_difference(stored_line, expected_line, kind)
            return f"line {count}: {difference}"
    return ""
