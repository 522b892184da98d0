"""The lists of chapters in README.md and TEACHING.md, and the minutes that they name.

All of it is read off the notebooks as they are stored, but for a chapter's level: that is written
by hand, in the tree of TEACHING.md.
"""

import re
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from course import CourseError
from course.languages import edition_of_page
from course.notebook import (
    NAVIGATION,
    Notebook,
    chapters,
    chinese_notebooks,
    english_notebooks,
    is_folded,
    prose,
)

# The part of a page that is derived stands between comments: `<!-- chapters -->`.
DERIVED_PART = re.compile(r"(<!-- (chapters|goals) -->\n).*(<!-- end of \2 -->)", re.DOTALL)
# With time to think, as readers have taken it.
WORDS_PER_MINUTE, SECONDS_PER_LINE, SECONDS_PER_PICTURE = 100, 10, 45
FIRST_SENTENCE = re.compile(r"(?<=\n\n).+?(?:[.?](?= |$)|[。？]|$)", re.MULTILINE)
PROMISE_LINE = re.compile(r"^- (\*\*[^*]+\*\*.+)", re.MULTILINE)
LINK_TEXT = re.compile(r"\[([^]]+)\]\([^)]*\)")


class Opening(NamedTuple):
    """The first sentence under a notebook's title, the promises after it, and the minutes."""

    first_sentence: str
    promises: list[str]  # the goal, what is needed, the time; a note has no goal
    minutes: int


def build_pages(root: Path) -> dict[Path, bytes]:
    """Return what the READMEs and TEACHINGs should hold, by their files.

    Raises CourseError if a page has no place for its list, a notebook's opening lacks a part, or
    TEACHING.md gives a chapter no level.
    """
    pages = {}
    for path in sorted([*root.glob("README*.md"), *root.glob("TEACHING*.md")]):
        stored = path.read_text(encoding="utf-8")
        if not DERIVED_PART.search(stored):
            mark = "goals" if path.name.startswith("TEACHING") else "chapters"
            remedy = f"put the lines <!-- {mark} --> and <!-- end of {mark} --> where they belong"
            raise CourseError(f"{path.name}: {remedy}")
        is_chinese = edition_of_page(path.name).language == "zh"
        notebooks = chinese_notebooks(root) if is_chinese else english_notebooks(root)

        def fill(part: re.Match[str], notebooks: list[Notebook] = notebooks) -> str:
            list_of = chapter_list if part[2] == "chapters" else goal_list
            return part[1] + list_of(notebooks) + part[3]

        pages[path] = DERIVED_PART.sub(fill, stored).encode()
    return pages


def chapter_list(notebooks: list[Notebook]) -> str:
    """Return a README's list: title, level, minutes and first sentence of a chapter; its notes."""
    totals = map(sum, zip(*map(minutes_of, chapters(notebooks)), strict=True))
    parts = [notebooks[0].edition.minutes_template.format(join_minutes(totals))]
    for notebook in notebooks:
        first_sentence, _, minutes = read_opening(notebook)
        if notebook.is_note:
            parts[-1] += f"<br>\n<small>↳ [{notebook.title}]({notebook})\u00a0{minutes}′</small>"
        else:
            parts.append(f"{chapter_line(notebook)}<br>\n{first_sentence}")
    return "\n\n".join(parts) + "\n"


def chapter_line(chapter: Notebook) -> str:
    """Return a chapter's title, which is a link, its level and its minutes."""
    figures = f"{level(chapter)}\u00a0{join_minutes(minutes_of(chapter))}′"
    return f"**[{chapter.title}]({chapter})** {figures}"


def goal_list(notebooks: list[Notebook]) -> str:
    """Return TEACHING's list: level, minutes, goal and needs of a chapter; a line for each note."""
    parts: list[str] = []
    for notebook in notebooks:
        if notebook.is_note:
            if parts:  # else a rule says that the note's chapter is missing
                parts[-1] += f"- ↳ [{notebook.title}]({notebook})\n"
            continue
        goal, need, _ = (
            LINK_TEXT.sub(r"\1", promise) for promise in read_opening(notebook).promises
        )
        parts.append(f"{chapter_line(notebook)}\n\n- {goal}\n- {need}\n")
    return "\n".join(parts)


def read_opening(notebook: Notebook) -> Opening:
    """Read what is under a notebook's title. Raises CourseError if something is missing."""
    cell = notebook.cell("title")
    first_sentence = FIRST_SENTENCE.search(cell.source)
    minutes = notebook.edition.minutes_pattern.search(cell.source)
    promises = PROMISE_LINE.findall(cell.source)
    wanted = ["need", "time"] if notebook.is_note else ["goal", "need", "time"]
    if not (first_sentence and minutes) or len(promises) != len(wanted):
        remedy = f"a sentence, and {len(wanted)} lines `- **…** …`, stand under the title"
        where = notebook.place_of(cell)
        raise CourseError(f"{where}: {remedy}: {', '.join(wanted)} (its minutes)")
    return Opening(first_sentence[0], promises, int(minutes[2]))


def reading_minutes(notebook: Notebook) -> float:
    """Return how many minutes an English notebook takes to its summary, without exercises."""
    before_summary = takewhile(lambda cell: cell.id not in ("summary", "try"), notebook.cells)
    body = [cell for cell in before_summary if cell.id not in NAVIGATION]
    texts = [c for c in body if c.cell_type == "markdown" and "diagram" not in c.metadata]
    words = sum(len(re.findall(r"\w+", prose(cell))) for cell in texts)
    code = [cell for cell in body if cell.cell_type == "code" and not is_folded(cell)]
    lines = sum(len(cell.source.splitlines()) for cell in code)
    pictures = sum("diagram" in cell.metadata or "plt.show()" in cell.source for cell in body)
    seconds = SECONDS_PER_LINE * lines + SECONDS_PER_PICTURE * pictures
    return words / WORDS_PER_MINUTE + seconds / 60


def minutes_of(chapter: Notebook) -> list[int]:
    """Return a chapter's minutes of reading, and of exercises where it says them."""
    _, promises, minutes = read_opening(chapter)
    return [minutes, *map(int, chapter.edition.exercise_minutes_pattern.findall(promises[-1]))]


def join_minutes(minutes: Iterable[int]) -> str:
    """Return minutes of reading and of exercises, `17 + 30`, on one line."""
    return "\u00a0+\u00a0".join(map(str, minutes))


def level(chapter: Notebook) -> str:
    """Return how hard a chapter is, ●○○ to ●●●. Raises CourseError if TEACHING.md does not say."""
    tree = (chapter.root / "TEACHING.md").read_text(encoding="utf-8")
    name = f"{chapter.number} {chapter.topic}"
    match = re.search(rf"\b{name} (●[●○]{{2}})$", tree, re.MULTILINE)
    if not match:
        raise CourseError(f"TEACHING.md: put `{name}` into the tree, with ●○○, ●●○ or ●●●")
    return match[1]
