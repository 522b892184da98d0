"""Put what is derived into its place.

    python tools/stamp.py               stamp everything; a second run changes nothing
    python tools/stamp.py owner/name    first move to another public repository

Into the notebooks go diagrams and navigation, into the READMEs the tables of chapters. A
diagram's cell has the figure's name in its metadata (`"diagram": "lookup-1"`) and its alt text
between the brackets of `![…](…)`; what stands between the parentheses is written here. The
cells `nav-top` and `nav-bottom` are written whole.
"""

import base64
import re
import sys
from pathlib import Path
from typing import NamedTuple

from course import ROOT, notebooks, place, read, repository, text, write
from nbformat import NotebookNode

DIAGRAM = re.compile(r"!\[(?P<alt>[^\]]*)\]\([^)]*\)\s*")
NAVIGATION = ("nav-top", "nav-bottom")


class Edition(NamedTuple):
    """The words and places in which the editions differ; links are relative to the notebook."""

    readme: str
    contents: str
    colab: str
    other: str
    other_folder: str
    columns: str


# By the name of the notebooks' folder.
EDITIONS = {
    "notebooks": Edition(
        readme="../README.md",
        contents="Contents",
        colab="Open in Colab",
        other="中文",
        other_folder="zh/",
        columns="| chapter | in one sentence | minutes | Colab | 中文 |",
    ),
    "zh": Edition(
        readme="../../README.zh.md",
        contents="目录",
        colab="在 Colab 中打开",
        other="English",
        other_folder="../",
        columns="| 章 | 一句话 | 分钟 | Colab | English |",
    ),
}
CHAPTERS = re.compile(r"(?<=<!-- chapters -->\n).*(?=<!-- end of chapters -->)", re.DOTALL)


def colab(path: Path, root: Path = ROOT) -> str:
    """The address that opens a notebook of the public repository in Colab."""
    github = f"{repository(root)}/blob/main/{path.relative_to(root).as_posix()}"
    return f"https://colab.research.google.com/github/{github}"


def cell(notebook: NotebookNode, name: str, path: Path) -> NotebookNode:
    """The cell with this id. Ends the program with one line if there is none."""
    for candidate in notebook.cells:
        if candidate.get("id") == name:
            return candidate
    raise SystemExit(f"{place(path)}: no cell {name}; every chapter has one")


def title(notebook: NotebookNode, path: Path) -> str:
    """The chapter's title: `1 · An embedding layer is a row look-up`."""
    return cell(notebook, "title", path).source.splitlines()[0].removeprefix("# ")


def navigation(path: Path, root: Path = ROOT) -> str:
    """The navigation of one notebook, as Markdown with links relative to its folder."""
    words, chapters = EDITIONS[path.parent.name], sorted(path.parent.glob("*.ipynb"))
    here = chapters.index(path)
    links = [f"[{words.contents}]({words.readme})"]
    if here > 0:
        before = chapters[here - 1]
        links.append(f"[← {title(read(before), before)}]({before.name})")
    if here + 1 < len(chapters):
        after = chapters[here + 1]
        links.append(f"[{title(read(after), after)} →]({after.name})")
    links.append(f"[{words.colab}]({colab(path, root)})")
    if (path.parent / words.other_folder / path.name).exists():
        links.append(f"[{words.other}]({words.other_folder}{path.name})")
    return " | ".join(links)


def diagram(target: NotebookNode, path: Path, images: Path) -> str:
    """The source of a diagram's cell, with the figure inside as base64 on one line.

    Ends the program with one line if the cell is no `![alt](…)`, has no alt, or names no image.
    """
    name, where = target.metadata["diagram"], place(path, target)
    match = DIAGRAM.fullmatch(target.source)
    if not match:
        raise SystemExit(f"{where}: a diagram's cell holds `![alt text]()` and nothing else")
    if not match["alt"].strip():
        raise SystemExit(f"{where}: no alt text; say what the figure shows between the brackets")
    image = images / f"{name}.png"
    if not image.exists():
        known = ", ".join(sorted(file.stem for file in images.glob("*.png")))
        raise SystemExit(f"{where}: no image {name}.png; run `make images`, or use one of: {known}")
    data = base64.b64encode(image.read_bytes()).decode()
    return f"![{match['alt']}](data:image/png;base64,{data})"


def stamped(path: Path, root: Path = ROOT) -> str:
    """The text of a notebook with its diagrams and its navigation in place."""
    notebook = read(path)
    for name in NAVIGATION:
        cell(notebook, name, path).source = navigation(path, root)
    for target in notebook.cells:
        if "diagram" in target.metadata:
            target.source = diagram(target, path, root / "images")
    return text(notebook)


def chapters(folder: Path, root: Path = ROOT) -> str:
    """A README's table of the chapters in a folder: title, idea, minutes, Colab, other language."""
    words = EDITIONS[folder.name]
    badge = "https://colab.research.google.com/assets/colab-badge.svg"
    rows = [words.columns, "|---|---|---|---|---|"]
    for path in sorted(folder.glob("*.ipynb")):
        notebook = read(path)
        idea = " ".join(cell(notebook, "summary", path).source.split("\n\n")[1].split())
        minutes = re.findall(r"^- \*\*[^*]+\*\* (\d+)", notebook.cells[0].source, re.MULTILINE)
        if not minutes:
            raise SystemExit(f"{place(path)}, cell title: no line `- **Minutes** 8`")
        link = f"[{title(notebook, path)}]({path.relative_to(root).as_posix()})"
        colab_link = f"[![{words.colab}]({badge})]({colab(path, root)})"
        twin = (folder / words.other_folder / path.name).resolve()
        other = f"[{words.other}]({twin.relative_to(root).as_posix()})" if twin.exists() else ""
        rows.append(f"| {link} | {idea} | {minutes[-1]} | {colab_link} | {other} |")
    return "\n".join(rows) + "\n"


def readmes(root: Path = ROOT) -> dict[Path, str]:
    """Each README's path and its text with the table of chapters in place."""
    texts = {}
    for name, folder in (("README.md", "notebooks"), ("README.zh.md", "notebooks/zh")):
        path = root / name
        if not path.exists():
            continue
        old = path.read_text(encoding="utf-8")
        if not CHAPTERS.search(old):
            raise SystemExit(f"{name}: no lines <!-- chapters --> and <!-- end of chapters -->")
        table = chapters(root / folder, root)
        texts[path] = CHAPTERS.sub(lambda _, table=table: table, old)
    return texts


def move(new: str, root: Path = ROOT) -> None:
    """Write another owner/name wherever the present one stands, outside of the notebooks."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", new):
        raise SystemExit(f"{new}: not of the form owner/name")
    old = repository(root)
    for name in ("pyproject.toml", "README.md", "README.zh.md", "CITATION.cff"):
        if (path := root / name).exists():
            content = path.read_text(encoding="utf-8").replace(old, new)
            write(path, content.replace(f"cd {old.split('/')[1]}\n", f"cd {new.split('/')[1]}\n"))


def main(arguments: list[str]) -> None:
    """Stamp every notebook and README, or, on an error, nothing."""
    if arguments:
        move(arguments[0])
    contents = {path: stamped(path) for path in notebooks()} | readmes()
    for path, content in contents.items():
        write(path, content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
