"""A notebook as it is read and written, and what both editions and all tools know about it."""

import configparser
import json
import os
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from course import ROOT, CourseError, write_whole

# Of a chapter, and in the folder notes/ of a note that belongs to it.
NUMBERED = "[0-9][0-9]_*.ipynb"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("citations", "computed", "diagram", "kept", "waiting", "wrong")
# How JupyterLab and Colab are told to fold a cell; the mark is its first line, `# @title …`.
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
EMBEDDED = re.compile(r"\(data:image/\w+;base64,[^)]*\)")
NAVIGATION = ("nav-top", "nav-bottom")
# The one place that says what of an output may differ between machines; nbval reads it too.
SANITIZE = Path(__file__).with_name("sanitize.cfg")
SOLUTION = re.compile(
    r"<details>\n<summary>[^<]+</summary>\n\n.+\n```python\n(.+)\n```\n\n</details>", re.DOTALL
)
FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(\S.*)$", re.MULTILINE)
TARGET = re.compile(r"\]\([^)\n]*\)")
LINK = re.compile(r'(?<!!)\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)')


class Edition(NamedTuple):
    """The words in which the editions differ."""

    language: str
    readme: str
    contents: str
    colab: str
    other: str
    aside: str  # the notes of a chapter
    columns: str
    total: str
    origin: str  # of a notebook, at its end; the public repository is put in
    headings: dict[str, str]  # by the cell that begins with it
    instructions: str  # under the heading of the exercises


EDITIONS = {
    "en": Edition(
        language="en",
        readme="README.md",
        contents="Contents",
        colab="Open in Colab",
        other="中文",
        aside="Beside the story:",
        columns="| chapter | minutes |",
        total="all chapters, exercises and notes apart",
        origin="From [An embedding layer is a linear layer that skips the zeros]"
        "(https://github.com/{0}), under the MIT license. [Where it comes from]"
        "(https://github.com/{0}#where-it-comes-from).",
        headings={
            "summary": "In one sentence",
            "recall": "Without scrolling up",
            "try": "Try it",
            "practice": "What people do",
        },
        instructions=(
            "First run all cells once, the folded ones too. Then replace a `...`, press "
            "Shift-Enter, and read the verdict. The folded cells judge you, and there are answers "
            "in them: open them afterwards."
        ),
    ),
    "zh": Edition(
        language="zh",
        readme="README.zh.md",
        contents="目录",
        colab="在 Colab 中打开",
        other="English",
        aside="正文之外：",
        columns="| 章 | 分钟 |",
        total="各章合计，不含练习和短文",
        origin="出自课程[《嵌入层就是跳过零的线性层》](https://github.com/{0})，"
        "采用 MIT 许可证；数据出处见[“来源”](https://github.com/{0}/blob/main/README.zh.md#来源)。",
        headings={
            "summary": "一句话小结",
            "recall": "不往回翻，答得出来吗",
            "try": "试一试",
            "practice": "实践中怎么做",
        },
        instructions=(
            "先把所有单元格运行一遍，折起来的也要运行。然后把 `...` 换成你的答案，按 Shift-Enter，"
            "就能看到评判。评判的依据在折起来的单元格里，里面有答案，做完再打开。"
            "代码里要用英文（半角）标点；要是报错 `SyntaxError: invalid character`，"
            "多半是混进了中文（全角）标点。"
        ),
    ),
}


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


def edition(path: Path) -> Edition:
    """The edition that a notebook belongs to."""
    zh = root_of(path) / "notebooks/zh"
    return EDITIONS["zh" if path.resolve().is_relative_to(zh) else "en"]


def twin(path: Path) -> Path:
    """The same notebook in the other language."""
    folder, path = root_of(path) / "notebooks", path.resolve()
    if edition(path).language == "zh":
        return folder / path.relative_to(folder / "zh")
    return folder / "zh" / path.relative_to(folder)


def relative(goal: Path, path: Path) -> str:
    """A link that leads from a notebook to a file."""
    return Path(os.path.relpath(goal, path.resolve().parent)).as_posix()


def topic(path: Path) -> str:
    """What a notebook is about, as its file and the module of its figures are named."""
    return path.stem.partition("_")[2]


def stamped(root: Path = ROOT) -> str:
    """The public repository as every stored link names it, owner/name: pyproject.toml has it."""
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]["repository"]


def repository(root: Path = ROOT) -> str:
    """The public repository as GitHub names it in its workflows, elsewhere as it is stamped.

    So the web edition of a copy is right before anyone has renamed what is stored.
    """
    return os.environ.get("GITHUB_REPOSITORY") or stamped(root)


def renamed(text: str, old: str, new: str) -> str:
    """A text with all its links moved to another public repository, owner/name."""
    folders = [f"cd {name.split('/')[1]}\n" for name in (old, new)]
    return text.replace(old, new).replace(website(old), website(new)).replace(*folders)


def torch_pin(root: Path = ROOT) -> str:
    """The version of PyTorch that requirements.txt names."""
    requirements = (root / "requirements.txt").read_text()
    return re.search(r"^torch==(\S+)$", requirements, re.MULTILINE)[1]


def colab(path: Path, name: str = "") -> str:
    """The address that opens a notebook of a public repository in Colab: this one, unless told."""
    root = root_of(path)
    github = f"{name or repository(root)}/blob/main/{path.resolve().relative_to(root).as_posix()}"
    return f"https://colab.research.google.com/github/{github}"


def website(repository: str) -> str:
    """Where GitHub Pages shows the web edition of a repository, owner/name."""
    user, name = repository.split("/")
    return f"https://{user}.github.io/{name}/"


def image(root: Path, diagram: str) -> Path:
    """The file of a diagram, still or moving."""
    return root / f"images/{diagram}.webp"


def read(path: Path) -> NotebookNode:
    """A notebook as nbformat 4 gives it. Raises CourseError if it is none."""
    if not path.exists():
        known = ", ".join(place(chapter) for chapter in english(root_of(path)))
        raise CourseError(f"{place(path)}: no such file; there are {known or 'no notebooks'}")
    stored = path.read_text(encoding="utf-8")
    try:
        names = Counter(cell.get("id") for cell in json.loads(stored)["cells"])
        # Before nbformat renames one of two.
        if twice := [str(name) for name, count in names.items() if count > 1]:
            why = "rename one in a text editor, as in the other language"
            raise CourseError(f"{place(path)}: two cells have the id {twice[0]}; {why}")
        return nbformat.reads(stored, as_version=4)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"not a notebook ({error}); mend it in a text editor (a conflict of git's?)"
        raise CourseError(f"{place(path)}: {why}, or get it back from git") from None


def text(notebook: NotebookNode) -> str:
    """A notebook as it is stored: nbformat's own layout, one final newline."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path: Path, content: str | bytes) -> None:
    """Replace a file in one step, and only if it changes; says so."""
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and path.read_bytes() == data:
        return
    write_whole(path, data)
    print(f"wrote {place(path)}")


def place(path: Path, cell: NotebookNode | None = None) -> str:
    """How a message names a file, and a cell of it: `notebooks/01_lookup.ipynb, cell table`."""
    absolute = path.resolve()
    root = root_of(path) if path.suffix == ".ipynb" else ROOT
    name = absolute.relative_to(root) if absolute.is_relative_to(root) else absolute
    return name.as_posix() + ("" if cell is None else f", cell {cell.get('id', '?')}")


def remedy(path: Path) -> str:
    """What to do about whatever is derived and is not as it should be."""
    return f"run `make update NB={place(path)}`"


def by_name(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The cells by their ids, in order."""
    return {cell.get("id"): cell for cell in notebook.cells}


def find(notebook: NotebookNode, name: str, path: Path) -> NotebookNode:
    """The cell with this id. Raises CourseError if there is none."""
    if name not in by_name(notebook):
        raise CourseError(f"{place(path)}: no cell has the id {name}; get it back from git")
    return by_name(notebook)[name]


def title(path: Path) -> str:
    """A chapter's title: `1 · An embedding layer is a row look-up`. CourseError if it has none."""
    cell = find(read(path), "title", path)
    if not cell.source.startswith("# "):
        raise CourseError(f"{place(path, cell)}: write the title, `# 5 · What it claims`")
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


def waits(cell: NotebookNode) -> bool:
    """Whether a Chinese cell waits for its translation, and that is allowed here."""
    return "waiting" in cell.metadata and bool(os.environ.get("WAITING"))


def is_folded(cell: NotebookNode) -> bool:
    """Whether a cell is code that a reader need not see."""
    return cell.cell_type == "code" and cell.source.startswith("# @title ")


def printed(cell: NotebookNode) -> str:
    """All text that a code cell has stored, as a reader sees it."""
    shown = [output for output in cell.outputs if output not in plots(cell)]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in shown]
    return "\n".join(text.rstrip("\n") for text in texts)


def comparable(output: str) -> str:
    """An output without what may differ between machines: the rules of course/sanitize.cfg."""
    rules = configparser.ConfigParser()
    rules.read(SANITIZE)
    for name in rules.sections():
        output = re.sub(rules[name]["regex"], rules[name]["replace"], output)
    return output
