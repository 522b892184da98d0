"""Notebooks: which there are, how one is read and written, what is in its cells."""

import json
import re
from collections import Counter
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course import ROOT, CourseError, write_whole
from course.languages import EDITIONS, Edition

# Of a chapter, and in the folder notes/ of a note that belongs to it.
NUMBERED = "[0-9][0-9]_*.ipynb"
EMBEDDED = re.compile(r"\(data:image/\w+;base64,[^)]*\)")
NAVIGATION = ("nav-top", "nav-bottom")
# What of an output may differ between machines, by the file that tells nbval, too.
[PATTERN] = re.findall("^regex: (.+)", (ROOT / "course/sanitize.cfg").read_text(), re.MULTILINE)
VERSION = re.compile(PATTERN)
SOLUTION = re.compile(
    r"<details>\n<summary>[^<]+</summary>\n\n.+\n```python\n(.+)\n```\n\n</details>", re.DOTALL
)
FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(\S.*)$", re.MULTILINE)
TARGET = re.compile(r"\]\([^)\n]*\)")


def in_order(folder: Path) -> list[Path]:
    """The notebooks of an edition in reading order: each chapter, then its notes."""
    paths = [*folder.glob(NUMBERED), *folder.glob(f"notes/{NUMBERED}")]
    return sorted(paths, key=lambda path: (path.name[:2], is_note(path), path.name))


def english(root: Path = ROOT) -> list[Path]:
    """The chapters and notes of the English edition."""
    return in_order(root / "notebooks")


def chinese(root: Path = ROOT) -> list[Path]:
    """The chapters and notes of the Chinese edition."""
    return in_order(root / "notebooks/zh")


def notebooks(root: Path = ROOT) -> list[Path]:
    """All notebooks of the course."""
    return english(root) + chinese(root)


def is_note(path: Path) -> bool:
    """Whether a notebook is a note beside a chapter."""
    return path.parent.name == "notes"


def number(path: Path) -> int:
    """The number of a chapter; of a note, that of its chapter."""
    return int(path.name[:2])


def chapter_of(note: Path) -> Path | None:
    """The chapter that a note belongs to; None if there is none of its number."""
    return next(note.parent.parent.glob(f"{note.name[:2]}_*.ipynb"), None)


def notes_of(chapter: Path) -> list[Path]:
    """The notes beside a chapter."""
    return sorted(chapter.parent.glob(f"notes/{chapter.name[:2]}_*.ipynb"))


def root_of(path: Path) -> Path:
    """The root of the course that a notebook belongs to: this one, or a copy of it."""
    folders = [folder for folder in path.resolve().parents if folder.name == "notebooks"]
    return folders[0].parent if folders else ROOT


def is_chinese(path: Path) -> bool:
    """Whether a notebook is of the Chinese edition."""
    return path.resolve().is_relative_to(root_of(path) / "notebooks/zh")


def edition(path: Path) -> Edition:
    """The edition that a notebook belongs to."""
    return EDITIONS["zh" if is_chinese(path) else "en"]


def twin(path: Path) -> Path:
    """The same notebook in the other language."""
    english, chinese = root_of(path) / "notebooks", root_of(path) / "notebooks/zh"
    here, there = (chinese, english) if is_chinese(path) else (english, chinese)
    return there / path.resolve().relative_to(here)


def topic(path: Path) -> str:
    """What a notebook is about, as its file and the module of its figures are named."""
    return path.stem.partition("_")[2]


def image(root: Path, diagram: str) -> Path:
    """The file of a diagram, still or moving."""
    return root / f"images/{diagram}.webp"


def read(path: Path) -> NotebookNode:
    """A notebook as nbformat 4 gives it. Raises CourseError if it is none."""
    if not path.exists():
        raise CourseError(f"{name_of(path)}: no such notebook; add it, or correct its name")
    stored = path.read_text(encoding="utf-8")
    try:
        names = Counter(cell.get("id") for cell in json.loads(stored)["cells"])
        # Before nbformat renames one of two.
        if twice := [str(name) for name, count in names.items() if count > 1]:
            why = "rename one in a text editor, as in the other language"
            raise CourseError(f"{name_of(path)}: two cells have the id {twice[0]}; {why}")
        return nbformat.reads(stored, as_version=4)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"not a notebook ({error}); mend it in a text editor (a conflict of git's?)"
        raise CourseError(f"{name_of(path)}: {why}, or get it back from git") from None


def text(notebook: NotebookNode) -> str:
    """A notebook as it is stored: nbformat's own layout, one final newline."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path: Path, data: bytes) -> bool:
    """Replace a file in one step, and only if it changes; says so, and whether it did."""
    if path.exists() and path.read_bytes() == data:
        return False
    write_whole(path, data)
    print(f"wrote {name_of(path)}")
    return True


def name_of(path: Path, cell: NotebookNode | None = None) -> str:
    """A file as it is called from the root, and a cell in it: `notebooks/01_rows.ipynb, cell a`."""
    absolute, root = path.resolve(), root_of(path)
    name = absolute.relative_to(root) if absolute.is_relative_to(root) else absolute
    return name.as_posix() + ("" if cell is None else f", cell {cell.get('id', '?')}")


def remedy(path: Path) -> str:
    """What to do about whatever is derived and is not as it should be."""
    return f"run `make update NB={name_of(path)}`"


def by_id(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The cells by their ids, in order."""
    return {cell.get("id"): cell for cell in notebook.cells}


def find(notebook: NotebookNode, name: str, path: Path) -> NotebookNode:
    """The cell with this id. Raises CourseError if there is none."""
    cell = by_id(notebook).get(name)
    if cell is None:
        why = f"no cell has the id {name}; add it, or get it back from git"
        raise CourseError(f"{name_of(path)}: {why}")
    return cell


def title(path: Path) -> str:
    """A chapter's title: `1 · An embedding layer is a row look-up`. CourseError if it has none."""
    cell = find(read(path), "title", path)
    if not cell.source.startswith("# "):
        raise CourseError(f"{name_of(path, cell)}: write the title, `# 5 · What it claims`")
    return cell.source.splitlines()[0].removeprefix("# ")


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The Markdown cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def without_data(cell: NotebookNode) -> str:
    """The source of a cell without the bytes of its picture."""
    return EMBEDDED.sub("()", cell.source)


def prose(cell: NotebookNode) -> str:
    """What is read in a Markdown cell, alt texts and code in a line included; no block of code."""
    return TARGET.sub("]", FENCE.sub("", cell.source))


def headings(cell: NotebookNode) -> list[tuple[str, str]]:
    """The headings of a Markdown cell, each as its # marks and its words."""
    return HEADING.findall(FENCE.sub("", cell.source))


def solution(cell: NotebookNode) -> str:
    """The code in an exercise's folded solution; nothing if the cell is none."""
    match = SOLUTION.fullmatch(cell.source)
    return match[1] if match else ""


def plots(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of a code cell that are PNG pictures."""
    return [output for output in cell.outputs if "image/png" in output.get("data", {})]


def is_folded(cell: NotebookNode) -> bool:
    """Whether a cell is code that a reader need not see."""
    return cell.cell_type == "code" and cell.source.startswith("# @title ")


def printed(cell: NotebookNode) -> str:
    """All text that a code cell has stored, as a reader sees it."""
    shown = [output for output in cell.outputs if output not in plots(cell)]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in shown]
    return "\n".join(text.rstrip("\n") for text in texts)
