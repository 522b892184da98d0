"""The notebooks of the course: their files, and what is in their cells."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from course import NUMBERED_FILE, ROOT, CourseError, require_line, write_atomically
from course.exercises import exercise_ids, exercise_numbers, part_of_exercise
from course.languages import EDITIONS, Edition

NAVIGATION = ("nav-top", "nav-bottom")
EMBEDDED_PICTURE = re.compile(r"\(data:image/\w+;base64,[^)]*\)")
# The line whose end nbval ignores, by the pattern of its configuration.
TORCH_VERSION_LINE = re.compile(
    require_line("course/sanitize.cfg", "regex: ", r"PyTorch version: \S+")
)
FOLDED_SOLUTION = re.compile(
    r"<details>\n<summary>[^<]+</summary>\n\n.+\n```python\n(.+)\n```\n\n</details>", re.DOTALL
)
# The keys of a cell's metadata that this course reads, each with a value of its form.
METADATA_EXAMPLES: dict[str, str | dict[str, str]] = {
    "citations": {"754": "the number of the standard"},
    "computed": {"45": "(onehot == 0).sum()"},
    "diagram": "two-rows",
    "equal_phrases": {"takes a second": "一秒"},
    "handout": "fold",
    "libraries": "peft transformers",
    "neutral_heading": {"en": "Three inputs", "zh": "三种输入"},
    "output_digest": "0123abcd",
    "search_words": {"en": "one-hot", "zh": "独热"},
    "wrong": {"ids = 1": ""},
}
# How JupyterLab and Colab are told to fold a cell that begins with `# @title …`.
FOLDED_METADATA = {"jupyter": {"source_hidden": True}, "cellView": "form"}
FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(\S.*)$", re.MULTILINE)
# How many cells away the source of a number may be. Beyond, one wrong number in seven would pass.
MAX_CELLS_TO_SOURCE = 4
JUDGE = re.compile(r"^def judge_(\w+)\(", re.MULTILINE)
LINK_TARGET = re.compile(r"\]\([^)\n]*\)")


class Exercise(NamedTuple):
    """The four cells of an exercise."""

    prompt: NotebookNode
    cases: NotebookNode
    stub: NotebookNode
    solution: NotebookNode

    @property
    def name(self) -> str:
        """The name of the answer, by which its judge is called; empty if there is no judge."""
        match = JUDGE.search(self.cases.source)
        return match[1] if match else ""

    @property
    def check_call(self) -> str:
        """The call in which the stub ends, and which judges the answer."""
        return f"check({self.name}={self.name})"


class Notebook:
    """A chapter or a note in one language.

    Its cells are read from its file when they are first needed. Two notebooks are equal if their
    files are the same; each object holds cells of its own.
    """

    def __init__(self, path: Path) -> None:
        """Take the path of its file, which is made absolute: equal files have equal paths."""
        self.path = path.resolve()

    def __eq__(self, other: object) -> bool:
        """Return whether the other is a notebook with the same file."""
        return isinstance(other, Notebook) and self.path == other.path

    def __hash__(self) -> int:
        """Return the hash of the path."""
        return hash(self.path)

    def __str__(self) -> str:
        """Return the name of the file from the root of its course, for messages and links."""
        return relative_name(self.path, self.root)

    __repr__ = __str__

    @cached_property
    def root(self) -> Path:
        """The root of its course: this one, or a copy of it."""
        folders = [folder for folder in self.path.parents if folder.name == "notebooks"]
        return folders[0].parent if folders else ROOT

    @property
    def is_chinese(self) -> bool:
        """Whether it belongs to the Chinese edition."""
        return self.path.is_relative_to(self.root / "notebooks/zh")

    @property
    def edition(self) -> Edition:
        """The edition that it belongs to."""
        return EDITIONS["zh" if self.is_chinese else "en"]

    @cached_property
    def twin(self) -> "Notebook":
        """The same notebook in the other language; its file may be missing."""
        english, chinese = self.root / "notebooks", self.root / "notebooks/zh"
        edition_folder, twin_folder = english, chinese
        if self.is_chinese:
            edition_folder, twin_folder = chinese, english
        twin = Notebook(twin_folder / self.path.relative_to(edition_folder))
        twin.twin = self  # so that a change in one is seen from the other
        return twin

    @property
    def with_twin(self) -> list["Notebook"]:
        """This notebook and its twin, if that exists."""
        return [self, self.twin] if self.twin.exists else [self]

    @property
    def english(self) -> "Notebook":
        """The English one of the two languages; this one if there is no other."""
        return self.twin if self.is_chinese and self.twin.exists else self

    @property
    def exists(self) -> bool:
        """Whether its file exists."""
        return self.path.exists()

    @property
    def is_note(self) -> bool:
        """Whether it is a note beside a chapter."""
        return self.path.parent.name == "notes"

    @property
    def number(self) -> int:
        """The number of the chapter; of a note, that of its chapter."""
        return int(self.path.name[:2])

    @property
    def topic(self) -> str:
        """The name after the number, as the module of its figures has it."""
        return self.path.stem.partition("_")[2]

    @property
    def chapters_with_same_number(self) -> list["Notebook"]:
        """The chapters of its number and language: exactly one, unless something is wrong."""
        folder = self.path.parent.parent if self.is_note else self.path.parent
        return [Notebook(path) for path in sorted(folder.glob(f"{self.path.name[:2]}_*.ipynb"))]

    @property
    def notes(self) -> list["Notebook"]:
        """The notes beside a chapter."""
        paths = self.path.parent.glob(f"notes/{self.path.name[:2]}_*.ipynb")
        return [Notebook(path) for path in sorted(paths)]

    @cached_property
    def node(self) -> NotebookNode:
        """The content as nbformat 4 gives it. Raises CourseError if the file is no notebook."""
        if not self.exists:
            raise CourseError(f"{self}: no such notebook; add it, or correct its name")
        try:
            stored = self.path.read_text(encoding="utf-8")
            # nbformat would rename one of two cells with the same id.
            id_counts = Counter(cell.get("id") for cell in json.loads(stored)["cells"])
            if None in id_counts:
                remedy = 'open and save it in JupyterLab, or write one, "id": "two-rows"'
                raise CourseError(f"{self}: a cell has no id; {remedy}")
            if repeated := [cell_id for cell_id, count in id_counts.items() if count > 1]:
                remedy = "rename one in a text editor, as in the other language"
                raise CourseError(f"{self}: two cells have the id {repeated[0]}; {remedy}")
            node = nbformat.reads(stored, as_version=4)
            nbformat.validate(node)
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            nbformat.ValidationError,
        ) as error:
            remedy = "mend it in a text editor (a conflict of git's?), or get it back from git"
            reason, _, _ = str(error).partition("\n")
            raise CourseError(f"{self}: not a notebook ({reason}); {remedy}") from None
        if not node.cells:
            raise CourseError(f"{self}: has no cells; get it back from git")
        for cell in node.cells:
            self.require_metadata_form(cell)
        return node

    def require_metadata_form(self, cell: NotebookNode) -> None:
        """Raise CourseError if metadata that this course reads is not of its form."""
        for key, example in METADATA_EXAMPLES.items():
            value = cell.metadata.get(key, example)
            is_table = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
            if not (is_table if isinstance(example, dict) else isinstance(value, str)):
                problem = f"{key} in its metadata is {json.dumps(value, ensure_ascii=False)}"
                remedy = f"write it like {json.dumps({key: example}, ensure_ascii=False)}"
                raise CourseError(f"{self.place_of(cell)}: {problem}; {remedy}")

    @property
    def text(self) -> str:
        """The content as it is stored: nbformat's own layout, one final newline."""
        return nbformat.writes(self.node).rstrip("\n") + "\n"

    @property
    def cells(self) -> list[NotebookNode]:
        """All cells, in order."""
        return self.node.cells

    def cells_near(self, index: int) -> list[NotebookNode]:
        """The cells in which the source of a text's numbers may be, or a text about the code."""
        return self.cells[max(0, index - MAX_CELLS_TO_SOURCE) : index + MAX_CELLS_TO_SOURCE + 1]

    @property
    def code_cells(self) -> list[NotebookNode]:
        """The code cells, in order."""
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @property
    def markdown_cells(self) -> list[NotebookNode]:
        """The Markdown cells, in order."""
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    @property
    def cells_by_id(self) -> dict[str, NotebookNode]:
        """The cells by their ids, in order."""
        return {cell.id: cell for cell in self.cells}

    def cell(self, cell_id: str) -> NotebookNode:
        """Return the cell with an id. Raises CourseError if there is none."""
        cells = self.cells_by_id
        if cell_id not in cells:
            remedy = "add it, or get it back from git"
            raise CourseError(f"{self}: no cell has the id {cell_id}; {remedy}")
        return cells[cell_id]

    def place_of(self, cell: NotebookNode | None) -> str:
        """Return where a cell is, `notebooks/01_rows.ipynb, cell a`; of None, the notebook."""
        return str(self) if cell is None else f"{self}, cell {cell.get('id', '?')}"

    @property
    def title(self) -> str:
        """The title, `1 · An embedding layer is a row look-up`. Raises CourseError without one."""
        cell = self.cell("title")
        if not cell.source.startswith("# "):
            raise CourseError(f"{self.place_of(cell)}: write the title, `# 5 · What it claims`")
        return cell.source.splitlines()[0].removeprefix("# ")

    @property
    def libraries(self) -> list[str]:
        """What a field note imports beside torch and matplotlib, as its title cell declares it."""
        return self.cell("title").metadata.get("libraries", "").split()

    @property
    def diagrams(self) -> list[str]:
        """The names of the diagrams, in order."""
        return [cell.metadata["diagram"] for cell in self.cells if "diagram" in cell.metadata]

    def exercises(self) -> Iterator[Exercise]:
        """Yield the complete exercises, in order; a rule reports one that lacks a cell."""
        cells = self.cells_by_id
        for number in exercise_numbers(cells):
            ids = exercise_ids(number)
            if all(cell_id in cells for cell_id in ids):
                yield Exercise(*(cells[cell_id] for cell_id in ids))

    @property
    def update_advice(self) -> str:
        """The command that brings up to date what is derived from it."""
        return f"run `make update NB={self}`"


def notebooks_in(folder: Path) -> list[Notebook]:
    """Return the notebooks of one edition in reading order: each chapter, then its notes."""
    paths = [*folder.glob(NUMBERED_FILE), *folder.glob(f"notes/{NUMBERED_FILE}")]

    def place_in_order(notebook: Notebook) -> tuple[str, bool, str]:
        return notebook.path.name[:2], notebook.is_note, notebook.path.name

    return sorted(map(Notebook, paths), key=place_in_order)


def english_notebooks(root: Path = ROOT) -> list[Notebook]:
    """Return the chapters and notes of the English edition."""
    return notebooks_in(root / "notebooks")


def chinese_notebooks(root: Path = ROOT) -> list[Notebook]:
    """Return the chapters and notes of the Chinese edition."""
    return notebooks_in(root / "notebooks/zh")


def all_notebooks(root: Path = ROOT) -> list[Notebook]:
    """Return the chapters and notes of both editions."""
    return english_notebooks(root) + chinese_notebooks(root)


def chapters(notebooks: list[Notebook]) -> list[Notebook]:
    """Return those of some notebooks that are no notes."""
    return [notebook for notebook in notebooks if not notebook.is_note]


def relative_name(path: Path, root: Path = ROOT) -> str:
    """Return a file's name from a root; the whole path if it is not below that."""
    path = path.resolve()
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def diagram_path(root: Path, diagram: str) -> Path:
    """Return the file of a diagram, still or moving."""
    return root / f"images/{diagram}.webp"


def write_if_changed(path: Path, data: bytes, root: Path) -> bool:
    """Replace a file in one step if its content changes; print and return whether it did."""
    if path.exists() and path.read_bytes() == data:
        return False
    write_atomically(path, data)
    print(f"wrote {relative_name(path, root)}")
    return True


def without_picture(cell: NotebookNode) -> str:
    """Return a cell's source without the bytes of its picture."""
    return EMBEDDED_PICTURE.sub("()", cell.source)


def prose(cell: NotebookNode) -> str:
    """Return what is read in a Markdown cell: alt texts and code in a line, no block of code."""
    return LINK_TARGET.sub("]", CODE_BLOCK.sub("", cell.source))


def headings(cell: NotebookNode) -> list[tuple[str, str]]:
    """Return the headings of a Markdown cell, each as its # marks and its words."""
    return HEADING.findall(CODE_BLOCK.sub("", cell.source))


def solution_code(cell: NotebookNode) -> str:
    """Return the code in an exercise's folded solution; nothing if the cell is none."""
    match = FOLDED_SOLUTION.fullmatch(cell.source)
    return match[1] if match else ""


def is_stub(cell: NotebookNode) -> bool:
    """Return whether a cell is the code that the reader of an exercise completes."""
    return part_of_exercise(cell.id) == "stub"


def is_folded(cell: NotebookNode) -> bool:
    """Return whether a cell is code that begins with `# @title`."""
    return cell.cell_type == "code" and cell.source.startswith("# @title ")


def plots(cell: NotebookNode) -> list[NotebookNode]:
    """Return the outputs of a code cell that are PNG pictures."""
    return [output for output in cell.outputs if "image/png" in output.get("data", {})]


def printed_text(cell: NotebookNode) -> str:
    """Return all text that a code cell has stored, as a reader sees it."""
    outputs = [output for output in cell.outputs if output not in plots(cell)]
    texts = [out.get("text") or out.get("data", {}).get("text/plain", "") for out in outputs]
    return "\n".join(text.rstrip("\n") for text in texts)


def unread_keys(cell: NotebookNode) -> list[str]:
    """Return the keys of a cell's metadata that nothing here reads or writes."""
    return sorted(set(cell.metadata) - set(METADATA_EXAMPLES) - set(FOLDED_METADATA))
