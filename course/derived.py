"""What is said of a notebook elsewhere, read off the notebooks as they are stored.

The navigation of each, its minutes, and what README.md and TEACHING.md say of the chapters. Written
by hand, in TEACHING.md, is how hard one is.
"""

import os
import re
from itertools import takewhile
from pathlib import Path

from nbformat import NotebookNode

from course import CourseError
from course import notebook as nb
from course.addresses import colab, stored_repository

# What stands between such comments in a page is derived: `<!-- chapters -->`.
DERIVED = re.compile(r"(<!-- (chapters|goals) -->\n).*(<!-- end of \2 -->)", re.DOTALL)
# The last promise under the title: `- **Time** about 8 minutes`.
MINUTES = re.compile(
    r"(?<=^- \*\*)([^*]+\*\* (?:about |约 ?)?)(\d+)(?!.*^- )", re.MULTILINE | re.DOTALL
)
# A reader who thinks along: words a minute, seconds for a line of code in view, for a picture.
WORDS_A_MINUTE, SECONDS_A_LINE, SECONDS_A_PICTURE = 120, 8, 40
EXERCISES = re.compile(r"(?:the exercises|练习) (\d+)")  # and how long they take
FIRST_SENTENCE = re.compile(r"(?<=\n\n).+?(?:[.?](?= |$)|[。？]|$)", re.MULTILINE)
PROMISE = re.compile(r"^- (\*\*[^*]+\*\*.+)", re.MULTILINE)


def minutes(notebook: NotebookNode) -> int:
    """How long an English chapter takes to its summary, exercises apart."""
    body = takewhile(lambda cell: cell.id not in ("summary", "try"), notebook.cells)
    body = [cell for cell in body if cell.id not in nb.NAVIGATION]
    texts = [c for c in body if c.cell_type == "markdown" and "diagram" not in c.metadata]
    words = sum(len(re.findall(r"\w+", nb.prose(cell))) for cell in texts)
    code = [cell for cell in body if cell.cell_type == "code" and not nb.is_folded(cell)]
    lines = sum(len(cell.source.splitlines()) for cell in code)
    pictures = sum("diagram" in c.metadata or "plt.show()" in c.source for c in body)
    seconds = SECONDS_A_LINE * lines + SECONDS_A_PICTURE * pictures
    return round(words / WORDS_A_MINUTE + seconds / 60)


def relative(goal: Path, path: Path) -> str:
    """A link that leads from a notebook to a file."""
    return Path(os.path.relpath(goal, path.resolve().parent)).as_posix()


def navigation(path: Path) -> str:
    """The navigation of one notebook, as Markdown; a note leads back to its chapter."""
    words = nb.edition(path)
    if nb.is_note(path):
        before, after = filter(None, [nb.chapter_of(path)]), []
    else:
        chapters = sorted(path.parent.glob(nb.NUMBERED))
        here = chapters.index(path)
        before, after = chapters[:here][-1:], chapters[here + 1 :][:1]
    links = [f"[{words.contents}]({relative(nb.root_of(path) / words.readme, path)})"]
    links += [f"[← {nb.title(chapter)}]({relative(chapter, path)})" for chapter in before]
    links += [f"[{nb.title(chapter)} →]({relative(chapter, path)})" for chapter in after]
    links.append(f"[{words.colab_label}]({colab(path, stored_repository(nb.root_of(path)))})")
    links.append(f"[{words.other_label}]({relative(nb.twin(path), path)})")
    return " | ".join(links)


def origin_line(path: Path) -> str:
    """The last line of a notebook, which may be met alone: where it is from, and its license."""
    return "\n\n" + nb.edition(path).origin.format(stored_repository(nb.root_of(path)))


def notes_line(path: Path) -> str:
    """The line that leads from a chapter's end to its notes; nothing if it has none."""
    links = [f"[{nb.title(note)}]({relative(note, path)})" for note in nb.notes_of(path)]
    return f"{nb.edition(path).notes_label} {' · '.join(links)}\n\n" if links else ""


def opening(path: Path) -> tuple[str, list[str], int]:
    """What stands under a title: the first sentence, what is promised, and the minutes.

    Raises CourseError if something is missing.
    """
    cell = nb.find(nb.read(path), "title", path)
    first, time = FIRST_SENTENCE.search(cell.source), MINUTES.search(cell.source)
    promises = PROMISE.findall(cell.source)
    wanted = ["need", "time"] if nb.is_note(path) else ["goal", "need", "time"]
    if not (first and time) or len(promises) != len(wanted):
        why = f"a sentence, and {len(wanted)} lines `- **…** …`, stand under the title"
        raise CourseError(f"{nb.name_of(path, cell)}: {why}: {', '.join(wanted)} (its minutes)")
    return first[0], promises, int(time[2])


def all_minutes(promises: list[str], time: int) -> str:
    """How long a chapter takes, `17 + 30`: to read, and its exercises; it breaks no line."""
    return "\u00a0+\u00a0".join([str(time), *EXERCISES.findall(promises[-1])])


def level(path: Path) -> str:
    """How hard a chapter is, ●○○ to ●●●, by the tree in TEACHING.md; nothing if it is not there."""
    tree = (nb.root_of(path) / "TEACHING.md").read_text(encoding="utf-8")
    found = re.search(rf"\b{nb.number(path)} \w+ (●[●○]{{2}})$", tree, re.MULTILINE)
    return found[1] if found else ""


def chapter_table(paths: list[Path]) -> str:
    """A README's table: title, first sentence, difficulty, Colab, the other language; minutes.

    Two columns are what a phone has room for.
    """
    words, name = nb.edition(paths[0]), stored_repository(nb.root_of(paths[0]))
    rows, total = [words.columns, "|---|---|"], 0
    for path in paths:
        first_sentence, _, time = opening(path)
        first = f"[{nb.title(path)}]({nb.name_of(path)})"
        links = f"[Colab]({colab(path, name)}) · [{words.other_label}]({nb.name_of(nb.twin(path))})"
        if nb.is_note(path):
            first = f"&emsp;↳ {first} · {links}"
        else:
            total += time
            first = f"**{first}**<br>{first_sentence}<br>{level(path)} {links}"
        rows.append(f"| {first} | {time} |")
    return "\n".join([*rows, f"| {words.total} | {total} |", ""])


def goal_list(paths: list[Path]) -> str:
    """For each chapter its level, minutes and first two promises, and a line for each note."""
    parts = []
    for path in paths:
        link = f"[{nb.title(path)}]({nb.name_of(path)})"
        if nb.is_note(path):
            parts[-1] += f"- ↳ {link}\n"
            continue
        _, promises, time = opening(path)
        # Without their links, which lead elsewhere.
        gain, need, _ = (re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", line) for line in promises)
        head = f"**{link}** {level(path)} {all_minutes(promises, time)}′"
        parts.append(f"{head}\n\n- {gain}\n- {need}\n")
    return "\n".join(parts)


def derived_pages(root: Path) -> dict[Path, bytes]:
    """READMEs and TEACHINGs with what they say of each chapter, from the notebooks as stored."""
    files = {}
    for path in sorted([*root.glob("README*.md"), *root.glob("TEACHING*.md")]):
        old = path.read_text(encoding="utf-8")
        if not DERIVED.search(old):
            mark = "goals" if path.name.startswith("TEACHING") else "chapters"
            why = f"put the lines <!-- {mark} --> and <!-- end of {mark} --> where they belong"
            raise CourseError(f"{path.name}: {why}")
        paths = nb.chinese(root) if path.stem.endswith(".zh") else nb.english(root)
        makers = {"chapters": chapter_table, "goals": goal_list}
        made = {name: make(paths) for name, make in makers.items() if f"<!-- {name} -->" in old}
        new = DERIVED.sub(lambda part, made=made: part[1] + made[part[2]] + part[3], old)
        files[path] = new.encode()
    return files
