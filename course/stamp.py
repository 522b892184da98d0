"""Put what is derived into its place.

    python -m course.stamp              stamp everything; a second run changes nothing
    python -m course.stamp owner/name   and move to another public repository

Into the notebooks go diagrams and navigation, into the READMEs the tables of chapters. A
diagram's cell has the figure's name in its metadata (`"diagram": "lookup-1"`) and its alt text
between the brackets of `![…](…)`; what stands between the parentheses is written here. The
cells `nav-top` and `nav-bottom` are written whole, a new cell's random id becomes a name, a diagram
is called after its figure, and the minutes in the opening are counted.
"""

import base64
import re
from itertools import takewhile
from pathlib import Path

from nbformat import NotebookNode

from course import ROOT, CourseError, command
from course.notebook import (
    CELL_METADATA,
    CHAPTER,
    EDITIONS,
    METADATA,
    NAVIGATION,
    chinese,
    colab,
    english,
    find,
    image,
    meant,
    place,
    read,
    repository,
    root_of,
    text,
    twin,
    website,
    write,
)
from course.numbers import prose

DIAGRAM = re.compile(r"!\[(?P<alt>[^\]]*)\]\([^)]*\)\s*")
CHAPTERS = re.compile(r"(?<=<!-- chapters -->\n).*(?=<!-- end of chapters -->)", re.DOTALL)
RANDOM_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")
# The last promise under the title: `- **Time** about 8 minutes`.
MINUTES = re.compile(
    r"(?<=^- \*\*)([^*]+\*\* (?:about |约 ?)?)(\d+)(?!.*^- )", re.MULTILINE | re.DOTALL
)
WORDS, SECONDS = 150, 5  # words a minute, seconds for a line of code: a reader who thinks along


def title(path: Path) -> str:
    """A chapter's title: `1 · An embedding layer is a row look-up`."""
    return find(read(path), "title", path).source.splitlines()[0].removeprefix("# ")


def navigation(path: Path, owner: str) -> str:
    """The navigation of one notebook, as Markdown with links relative to its folder."""
    words, chapters = EDITIONS[path.parent.name], sorted(path.parent.glob(CHAPTER))
    here = chapters.index(path)
    links = [f"[{words.contents}]({words.readme})"]
    if here > 0:
        links.append(f"[← {title(chapters[here - 1])}]({chapters[here - 1].name})")
    if here + 1 < len(chapters):
        links.append(f"[{title(chapters[here + 1])} →]({chapters[here + 1].name})")
    links.append(f"[{words.colab}]({colab(path, owner)})")
    if twin(path).exists():
        links.append(f"[{words.other}]({words.other_folder}{path.name})")
    return " | ".join(links)


def diagram(target: NotebookNode, path: Path) -> str:
    """The source of a diagram's cell, with the picture inside as base64 on one line.

    Raises CourseError if the cell is no `![alt](…)`, has no alt, or names no image.
    """
    name, where, root = target.metadata["diagram"], place(path, target), root_of(path)
    match = DIAGRAM.fullmatch(target.source)
    if not match:
        raise CourseError(f"{where}: a diagram's cell holds `![alt text]()` and nothing else")
    if not match["alt"].strip():
        raise CourseError(f"{where}: no alt text; say what the figure shows between the brackets")
    file = image(root, name)
    if not file.exists():
        remedy = f"write its figure and run `make update NB={place(path)}`"
        other = meant(name, [known.stem for known in (root / "images").iterdir()])
        raise CourseError(f"{where}: no image {name}; {remedy}{other}")
    data = base64.b64encode(file.read_bytes()).decode()
    return f"![{match['alt']}](data:image/{file.suffix[1:]};base64,{data})"


def minutes(path: Path) -> int:
    """How long a chapter takes to its summary, exercises apart; the same in both languages."""
    notebook = read(twin(path) if path.parent.name == "zh" else path)
    body = takewhile(lambda cell: cell.id != "summary", notebook.cells)
    body = [c for c in body if c.id not in NAVIGATION and "diagram" not in c.metadata]
    words = sum(len(re.findall(r"\w+", prose(c))) for c in body if c.cell_type == "markdown")
    lines = sum(len(cell.source.splitlines()) for cell in body if cell.cell_type == "code")
    return round(words / WORDS + lines * SECONDS / 60)


def name_new_cells(notebook: NotebookNode, other: NotebookNode | None) -> None:
    """Name every diagram after its figure, and each other cell whose id is random.

    Such a cell is called as its twin at the same place, or else after the cell before it.
    """
    taken = {cell.id for cell in notebook.cells}
    twins = [""] * len(notebook.cells)
    if other and len(other.cells) == len(notebook.cells):
        twins = ["" if RANDOM_ID.fullmatch(cell.id) else cell.id for cell in other.cells]
    for i, cell in enumerate(notebook.cells):
        figure = f"diagram-{cell.metadata.get('diagram')}"
        if "diagram" in cell.metadata and figure not in taken:
            name = figure
        elif not RANDOM_ID.fullmatch(cell.id):
            continue
        elif twins[i] and twins[i] not in taken:
            name = twins[i]
        else:
            base = notebook.cells[i - 1].id
            base = re.sub(r"-\d+$", "", base) if base.startswith("after-") else f"after-{base}"
            name = next(n for n in [base, *(f"{base}-{k}" for k in range(2, 99))] if n not in taken)
        cell.id = name
        taken.add(name)


def stamped(path: Path, owner: str, other: NotebookNode | None = None) -> NotebookNode:
    """A notebook with its names, diagrams and navigation in place."""
    notebook = read(path)
    notebook.metadata = METADATA  # JupyterLab adds to it
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
    name_new_cells(notebook, other)
    for name in NAVIGATION:
        find(notebook, name, path).source = navigation(path, owner)
    opening = find(notebook, "title", path)
    opening.source = MINUTES.sub(rf"\g<1>{minutes(path)}", opening.source)
    for target in notebook.cells:
        if "diagram" in target.metadata:
            target.source = diagram(target, path)
    return notebook


def table(paths: list[Path], owner: str) -> str:
    """A README's table of chapters: title and opening, minutes, Colab, the other language."""
    words = EDITIONS[paths[0].parent.name]
    rows, total = [words.columns, "|---|---|---|---|"], 0
    for path in paths:
        opening = find(read(path), "title", path).source
        if not MINUTES.search(opening):
            raise CourseError(f"{place(path)}, cell title: no line `- **Time** about 8 minutes`")
        first, time = opening.split("\n\n")[1], minutes(path)
        total += time
        cells = [
            f"[{title(path)}]({place(path)})<br>{first}",
            str(time),
            f"[Colab]({colab(path, owner)})",
            f"[{words.other}]({place(twin(path))})",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    rows.append(f"| {words.total} | {total} | | |")
    return "\n".join(rows) + "\n"


def readmes(root: Path, owner: str) -> dict[Path, str]:
    """Each README's path and its text with the table of chapters in place."""
    texts = {}
    for name, paths in (("README.md", english(root)), ("README.zh.md", chinese(root))):
        old = (root / name).read_text(encoding="utf-8")
        if not CHAPTERS.search(old):
            raise CourseError(f"{name}: no lines <!-- chapters --> and <!-- end of chapters -->")
        rows = table(paths, owner)
        texts[root / name] = CHAPTERS.sub(lambda _, rows=rows: rows, old)
    return texts


def moved(root: Path, texts: dict[Path, str], owner: str) -> dict[Path, str]:
    """The files outside of the notebooks, with another owner/name wherever the old one stands."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", owner):
        raise CourseError(f"{owner}: not of the form owner/name")
    old = repository(root)
    for name in ("pyproject.toml", "CITATION.cff"):
        texts[root / name] = (root / name).read_text(encoding="utf-8")
    folders = f"cd {old.split('/')[1]}\n", f"cd {owner.split('/')[1]}\n"
    sites = website(old), website(owner)
    return {
        path: text.replace(old, owner).replace(*folders).replace(*sites)
        for path, text in texts.items()
    }


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Stamp every notebook and README, or, on an error, nothing."""
    owner = arguments[0] if arguments else repository(root)
    contents = moved(root, readmes(root, owner), owner)
    for path in english(root):
        other = twin(path) if twin(path).exists() else None
        notebook = stamped(path, owner, read(other) if other else None)
        contents[path] = text(notebook)
        if other:
            contents[other] = text(stamped(other, owner, notebook))
    for path, content in contents.items():
        write(path, content)


if __name__ == "__main__":
    command(main)
