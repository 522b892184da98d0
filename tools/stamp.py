"""Put what is derived into its place.

    python tools/stamp.py       stamp everything; a second run changes nothing

Into the notebooks go diagrams and navigation, into the README the table of chapters. A
diagram's cell has the figure's name in its metadata (`"diagram": "lookup-1"`) and its alt text
between the brackets of `![…](…)`; what stands between the parentheses is written here. The
cells `nav-top` and `nav-bottom` are written whole.
"""

import base64
import re
import sys
from pathlib import Path

from course import ROOT, notebooks, place, read, repository, text, write
from nbformat import NotebookNode

DIAGRAM = re.compile(r"!\[(?P<alt>[^\]]*)\]\([^)]*\)\s*")
NAVIGATION = ("nav-top", "nav-bottom")
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
    edition = sorted(path.parent.glob("*.ipynb"))
    here = edition.index(path)
    links = ["[Contents](../README.md)"]
    if here > 0:
        before = edition[here - 1]
        links.append(f"[← {title(read(before), before)}]({before.name})")
    if here + 1 < len(edition):
        after = edition[here + 1]
        links.append(f"[{title(read(after), after)} →]({after.name})")
    links.append(f"[Open in Colab]({colab(path, root)})")
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


def chapters(root: Path = ROOT) -> str:
    """The README's table of chapters: title, idea, minutes, Colab."""
    rows = ["| chapter | in one sentence | minutes | |", "|---|---|---|---|"]
    badge = "https://colab.research.google.com/assets/colab-badge.svg"
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        notebook = read(path)
        idea = " ".join(cell(notebook, "summary", path).source.split("\n\n")[1].split())
        minutes = re.search(r"\*\*Minutes\*\* (\d+)", cell(notebook, "title", path).source)
        if not minutes:
            raise SystemExit(f"{place(path)}, cell title: no line `- **Minutes** 8`")
        link = f"[{title(notebook, path)}](notebooks/{path.name})"
        rows.append(
            f"| {link} | {idea} | {minutes[1]} | [![Open in Colab]({badge})]({colab(path, root)}) |"
        )
    return "\n".join(rows) + "\n"


def readme(root: Path = ROOT) -> str:
    """The text of README.md with the table of chapters in place."""
    old = (root / "README.md").read_text(encoding="utf-8")
    if not CHAPTERS.search(old):
        raise SystemExit(
            "README.md: the lines <!-- chapters --> and <!-- end of chapters --> are gone"
        )
    return CHAPTERS.sub(lambda _: chapters(root), old)


def main() -> None:
    """Stamp every notebook and the README, or, on an error, nothing."""
    contents = {path: stamped(path) for path in notebooks()} | {ROOT / "README.md": readme()}
    for path, content in contents.items():
        write(path, content)


if __name__ == "__main__":
    sys.exit(main())
