"""A notebook as it is read and written, and what both editions and all tools know about it."""

import configparser
import json
import re
import subprocess
import tomllib
import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbformat.warnings import DuplicateCellId

from course import ROOT, CourseError

CHAPTER = "[0-9][0-9]_*.ipynb"  # how a chapter's file is named
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("diagram", "jupyter", "numbers", "slow", "tags", "timing", "waiting", "wrong")
DATA = re.compile(r"\(data:image/\w+;base64,[^)]*\)")
NAVIGATION = ("nav-top", "nav-bottom")
EXERCISE = re.compile(r"try-\d+")
# The one place that says what of an output may differ between machines; nbval reads it too.
SANITIZE = Path(__file__).with_name("sanitize.cfg")
SOLUTION = re.compile(
    r"<details>\n<summary>[^<]+</summary>\n\n.+\n```python\n(.+)\n```\n\n</details>", re.DOTALL
)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(\S.*)$", re.MULTILINE)


class Edition(NamedTuple):
    """The words and places in which the editions differ; links are relative to the notebook."""

    language: str
    readme: str
    contents: str
    colab: str
    other: str
    other_folder: str
    columns: str
    total: str
    verdicts: tuple[str, str, str]  # how a check begins: no answer, a wrong one, the right one
    headings: dict[str, str]  # by the cell that begins with it


# By the name of the notebooks' folder.
EDITIONS = {
    "notebooks": Edition(
        language="en",
        readme="../README.md",
        contents="Contents",
        colab="Open in Colab",
        other="中文",
        other_folder="zh/",
        columns="| chapter | minutes | Colab | 中文 |",
        total="in all, exercises apart",
        verdicts=("not yet: ", "not quite: ", "correct"),
        headings={"summary": "In one sentence", "recall": "Without scrolling up", "try": "Try it"},
    ),
    "zh": Edition(
        language="zh",
        readme="../../README.zh.md",
        contents="目录",
        colab="在 Colab 中打开",
        other="English",
        other_folder="../",
        columns="| 章 | 分钟 | Colab | English |",
        total="合计，不含练习",
        verdicts=("尚未作答：", "不对：", "正确"),
        headings={"summary": "一句话小结", "recall": "不往回翻，答得出来吗", "try": "试一试"},
    ),
}


def english(root: Path = ROOT) -> list[Path]:
    """The chapters of the English edition, in reading order."""
    return sorted((root / "notebooks").glob(CHAPTER))


def chinese(root: Path = ROOT) -> list[Path]:
    """The chapters of the Chinese edition, in reading order."""
    return sorted((root / "notebooks/zh").glob(CHAPTER))


def notebooks(root: Path = ROOT) -> list[Path]:
    """The course's notebooks: both editions, each in reading order."""
    return english(root) + chinese(root)


def root_of(path: Path) -> Path:
    """The root of the course that a notebook belongs to: this one, or a copy of it."""
    return path.resolve().parents[2 if path.parent.name == "zh" else 1]


def twin(path: Path) -> Path:
    """The same chapter in the other language."""
    folder = path.parent
    return (folder.parent if folder.name == "zh" else folder / "zh") / path.name


def repository(root: Path = ROOT) -> str:
    """The public repository as owner/name. It stands in pyproject.toml and nowhere else by hand."""
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]["repository"]


def colab(path: Path, owner: str) -> str:
    """The address that opens a notebook of the public repository, owner/name, in Colab."""
    github = f"{owner}/blob/main/{path.resolve().relative_to(root_of(path)).as_posix()}"
    return f"https://colab.research.google.com/github/{github}"


def image(root: Path, name: str) -> Path:
    """The file of a diagram, still or moving."""
    return root / f"images/{name}.webp"


def meant(name: str, known: Iterable[str]) -> str:
    """The end of a remedy: the diagram of a similar name, if there is one."""
    return "".join(f" or call the diagram {near}" for near in get_close_matches(name, known, 1))


def website(owner: str) -> str:
    """Where GitHub Pages shows the web edition of a repository, owner/name."""
    user, name = owner.split("/")
    return f"https://{user}.github.io/{name}/"


def read(path: Path) -> NotebookNode:
    """A notebook as nbformat 4 gives it. Raises CourseError if it is none."""
    if not path.exists():
        known = ", ".join(place(chapter) for chapter in english(root_of(path)))
        raise CourseError(f"{place(path)}: no such file; there are {known or 'no notebooks'}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nbformat would give a new id to one of two equal ones
            return nbformat.read(path, as_version=4)
    except DuplicateCellId:
        names = [cell["id"] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
        name = next(name for name in names if names.count(name) > 1)
        cells = " and ".join(str(i) for i, other in enumerate(names, 1) if other == name)
        message = f"cells {cells} have the id {name}; rename one in a text editor"
        raise CourseError(f"{place(path)}: {message}, as in the other language") from None
    except Exception as error:
        raise CourseError(f"{place(path)}: not a notebook ({type(error).__name__})") from None


def committed(path: Path, revision: str = "HEAD") -> NotebookNode:
    """A notebook as it is in git at a revision; one without cells if it was not there.

    Raises CourseError if git has no such revision.
    """
    root = root_of(path)
    name = path.resolve().relative_to(root).as_posix()
    git = ["git", "show", f"{revision}:{name}"]
    shown = subprocess.run(git, cwd=root, capture_output=True, encoding="utf-8")
    if shown.returncode and f"'{name}'" not in shown.stderr:
        raise CourseError(shown.stderr.strip().splitlines()[0])
    return nbformat.reads(shown.stdout, as_version=4) if shown.stdout else new_notebook()


def text(notebook: NotebookNode) -> str:
    """A notebook as it is stored: nbformat's own layout, one final newline."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path: Path, content: str | bytes) -> bool:
    """Replace a file in one step, and only if it changes; says so. Returns whether it did."""
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and path.read_bytes() == data:
        return False
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    print(f"wrote {place(path)}")
    return True


def place(path: Path, cell: NotebookNode | None = None) -> str:
    """How a message names a file, and a cell of it: `notebooks/01_lookup.ipynb, cell table`."""
    absolute = path.resolve()
    root = root_of(path) if path.suffix == ".ipynb" else ROOT
    name = absolute.relative_to(root) if absolute.is_relative_to(root) else absolute
    return name.as_posix() + ("" if cell is None else f", cell {cell.get('id', '?')}")


def find(notebook: NotebookNode, name: str, path: Path) -> NotebookNode:
    """The cell with this id. Raises CourseError if there is none."""
    for cell in notebook.cells:
        if cell.get("id") == name:
            return cell
    raise CourseError(
        f"{place(path)}: no cell {name}; every chapter has one (in git, if the ids were replaced)"
    )


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The Markdown cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def without_data(cell: NotebookNode) -> str:
    """The source of a cell without the bytes of its picture."""
    return DATA.sub("()", cell.source)


def headings(cell: NotebookNode) -> list[tuple[str, str]]:
    """The headings of a Markdown cell, each as its # marks and its words."""
    return HEADING.findall(FENCE.sub("", cell.source))


def pictures(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of a cell that are PNG pictures."""
    return [output for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]


def printed(cell: NotebookNode) -> str:
    """All text that a code cell has stored, as a reader sees it."""
    plots = pictures(cell)
    shown = [output for output in cell.outputs if output not in plots]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in shown]
    return "\n".join(text.rstrip("\n") for text in texts)


def comparable(output: str) -> str:
    """An output without what may differ between machines: the rules of course/sanitize.cfg."""
    rules = configparser.ConfigParser()
    rules.read(SANITIZE)
    for name in rules.sections():
        output = re.sub(rules[name]["regex"], rules[name]["replace"], output)
    return output
