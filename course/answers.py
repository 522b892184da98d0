"""Fold the texts that answer a question, where its answer should not stand open.

The website, the handout and the copies of readers do this. Only Python's own library can be
imported here: nothing else may be installed yet.
"""

import re
from itertools import groupby
from typing import Any

from course.exercises import part_of_exercise
from course.languages import Edition

Cell = dict[str, Any]  # of a notebook, as JSON gives it
QUESTION_MARKS = ("?", "？")
QUESTION = re.compile(r"\?(?=\s|$)|？")  # in an address, a letter follows
LEVEL_2_HEADING = re.compile("^## .*", re.MULTILINE)  # one # is a comment in code
FOLD_FIRST_PARAGRAPH = "fold first paragraph"  # in a cell's metadata; "fold" folds all of it
FOLDED_ANSWER = """<details class="answer">
<summary>{}</summary>

{}

</details>"""


def source_of(cell: Cell) -> str:
    """Return the source of a cell, which JSON has as lines."""
    return "".join(cell["source"])


def ends_in_question(cell: Cell) -> bool:
    """Return whether a text asks its reader something; what an exercise asks has a check."""
    return source_of(cell).endswith(QUESTION_MARKS) and not part_of_exercise(cell.get("id", ""))


def leaves_question(cell: Cell, was_asked: bool) -> bool:
    """Return whether a question stands under the last heading, or in it; `was_asked` above."""
    source = source_of(cell)
    headings = list(LEVEL_2_HEADING.finditer(source))
    section = source[headings[-1].start() :] if headings else source
    return bool(QUESTION.search(section)) or was_asked and not headings


def fold_answers(cells: list[Cell], edition: Edition) -> set[str]:
    """Fold the text that answers a question: it follows the code under the question.

    Returns the ids of the cells of that code.
    """
    runs = [list(run) for _, run in groupby(cells, key=lambda cell: cell["cell_type"] == "code")]
    question_code_ids = set()
    for index, run in enumerate(runs[1:], 1):
        before, after = runs[index - 1], runs[index + 1 : index + 2]
        if run[0]["cell_type"] == "code" and ends_in_question(before[-1]):
            question_code_ids |= {cell.get("id", "") for cell in run}
            more_code_follows = index + 2 < len(runs)
            for answer in after:
                fold_answer(answer, more_code_follows, edition)
    return question_code_ids


def fold_answer(texts: list[Cell], more_code_follows: bool, edition: Edition) -> None:
    """Fold the texts after a question's code, up to a heading or the next question.

    Of a text right before more code, only the first paragraph is the answer.
    """
    for cell in texts:
        source, is_question = source_of(cell), ends_in_question(cell)
        is_before_code = more_code_follows and cell is texts[-1]
        start, end = body_span(cell)
        if start:
            return
        has_heading = end < len(source)
        if not has_heading and is_question:
            end = max(source.rfind("\n\n"), 0)
        elif not has_heading and is_before_code:
            end = first_paragraph_end(source, 0, end)
        if source[:end].strip():
            fold_text(cell, 0, end, edition)
        if has_heading or is_question:
            return


def fold_stated_output(cell: Cell, edition: Edition) -> None:
    """Fold what states the output above it, as the cell's metadata says."""
    if folded_part := cell["metadata"].pop("handout", ""):
        start, end = body_span(cell)
        if folded_part == FOLD_FIRST_PARAGRAPH:
            end = first_paragraph_end(source_of(cell), start, end)
        fold_text(cell, start, end, edition)


def neutralize_heading(cell: Cell, edition: Edition) -> None:
    """Replace a heading that answers by the one in the cell's metadata."""
    if neutral := cell["metadata"].pop("neutral_heading", None):
        heading = f"## {neutral[edition.language]}"
        cell["source"] = LEVEL_2_HEADING.sub(heading, source_of(cell), count=1)


def neutralize_headings(cells: list[Cell], question_code_ids: set[str], edition: Edition) -> None:
    """Replace a heading that answers the question asked under it, or right above it."""
    cell_with_heading, is_below_question = None, False
    for cell in cells:
        if LEVEL_2_HEADING.search(source_of(cell)) and cell["cell_type"] == "markdown":
            if is_below_question:
                neutralize_heading(cell, edition)
            cell_with_heading, is_below_question = cell, False
        if cell.get("id") in question_code_ids:
            is_below_question = True
            if cell_with_heading:
                neutralize_heading(cell_with_heading, edition)


def fold_text(cell: Cell, start: int, end: int, edition: Edition) -> None:
    """Fold a part of a text, or a picture."""
    source = source_of(cell)
    folded = FOLDED_ANSWER.format(edition.show_answer_label, source[start:end].strip())
    parts = [source[:start].strip(), folded, source[end:].strip()]
    cell["source"] = "\n\n".join(filter(None, parts))


def body_span(cell: Cell) -> tuple[int, int]:
    """Return where a text begins, behind a heading before it, and where the next heading is."""
    source = source_of(cell)
    start = source.index("\n\n") if source.startswith("## ") else 0
    heading = LEVEL_2_HEADING.search(source, start)
    return start, heading.start() if heading else len(source)


def first_paragraph_end(source: str, start: int, end: int) -> int:
    """Return where the first paragraph of a part of a text ends."""
    body = source[start:end]
    blank = body.find("\n\n", len(body) - len(body.lstrip()))
    return end if blank < 0 else start + blank


def join_folded(cells: list[Cell], edition: Edition) -> list[Cell]:
    """Return the cells with those that are folded one after the other joined: one click each."""
    before_answer, after_answer = FOLDED_ANSWER.format(edition.show_answer_label, "\0").split("\0")
    joined: list[Cell] = []
    for cell in cells:
        shown = source_of(joined[-1]) if joined else ""
        if shown.endswith(after_answer) and source_of(cell).startswith(before_answer):
            text = source_of(cell).removeprefix(before_answer)
            joined[-1]["source"] = f"{shown.removesuffix(after_answer)}\n\n{text}"
        else:
            joined.append(cell)
    return joined
