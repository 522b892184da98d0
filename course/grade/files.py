"""Tell of a file that was handed in whose it is, of which notebook it is a copy, what it holds."""

import re
import warnings
from collections.abc import Container
from contextlib import suppress
from functools import cache
from pathlib import Path
from unicodedata import normalize
from zipfile import is_zipfile

import nbformat
from nbformat.warnings import MissingIDFieldWarning

from course.grade.judge import CHECK_CALL
from course.grade.tables import GRADES_NAME, TOTALS_NAME
from course.notebook import Notebook, all_notebooks

EMPTY = "not judged: the file is empty"
ZIPPED = "not judged: the file is zipped; unpack it"
NO_NOTEBOOK = "not judged: it is no notebook"
NO_CODE = "not judged: it holds no cell of code"
# A folder or a file as Moodle and Canvas name it. Before Moodle's name stands the assignment's
# folder, and Moodle's number is another for each assignment.
MOODLE_NAME = re.compile(r"(?:(.*)/)?([^/]+)_(\d+)_assignsubmission_")
CANVAS_NAME = re.compile(r"(?:^|/)([^/]+?)(?:_LATE)?(_\d+)_\d{3,}_")
SUFFIX = re.compile(r"(\.ipynb)?\.\w+$", re.IGNORECASE)
# What browsers, JupyterLab, Colab, desktops and students add to the name of a copy.
ADDED_TO_COPY = re.compile(
    r"^((copy|copie|c[oó]pia|kopie)[ _](of|de|di|von)[ _]+)+|"
    r"([ _-]*(\(\d+\)|[的の]?(副本|コピー)|"
    r"(?<=[ _-])(copy|copie|c[oó]pia|kopie|checkpoint|colab|final|v\d)[ \d]*))+[ _-]*$",
    re.IGNORECASE,
)


def handed_in_names(folder: Path) -> list[str]:
    """Return the files below a folder, but for the tables and hidden ones, such as .DS_Store."""
    paths = sorted(filter(Path.is_file, folder.rglob("*")))
    names = [path.relative_to(folder).as_posix() for path in paths]
    tables = (GRADES_NAME, TOTALS_NAME)
    return [name for name in names if name not in tables and not re.search(r"(^|/)\.", name)]


def names_of_several(names: list[str]) -> set[str]:
    """Return the names to which Moodle gives two numbers in one assignment, which is a folder."""
    numbers: dict[tuple[str | None, str], set[str]] = {}
    for match in filter(None, (MOODLE_NAME.match(normalize("NFC", name)) for name in names)):
        assignment, student, number = match.groups()
        numbers.setdefault((assignment, student), set()).add(number)
    return {student for (_, student), several in numbers.items() if len(several) > 1}


def student_depth(chapters: dict[str, str]) -> int:
    """Return how many folders stand above those that name students, from chapters by file.

    That many under which the fewest students have several files of a chapter; of equals, the
    fewest.
    """
    depths = range(1 + max((name.count("/") for name in chapters), default=0))

    def count_kept_apart(depth: int) -> int:
        students = {name: student_of(name, depth=depth).casefold() for name in chapters}
        return len({(students[name], chapter) for name, chapter in chapters.items()})

    return max(depths, key=count_kept_apart)


def student_of(name: str, shared_names: Container[str] = (), depth: int = 0) -> str:
    """Return whose a file is, by a name which may hold folders.

    A learning platform's name counts first, with Canvas's number, or Moodle's where several
    students share it. Then what the file's name holds beside a chapter's; then the folder at a
    depth, among those that are more than a chapter's name, or the last; then the file's name.
    """
    name = normalize("NFC", name)  # macOS takes é apart
    stripped = " -_=+@"  # a table would take =a for a formula
    if moodle := MOODLE_NAME.match(name):
        _, student, number = moodle.groups()
        return (f"{student}_{number}" if student in shared_names else student).strip(stripped)
    if canvas := CANVAS_NAME.search(name):
        return "".join(canvas.groups()).strip(stripped)
    *folders, file_name = SUFFIX.sub("", name).split("/")
    chapter_names = "|".join(original.path.stem for original in originals())
    # With one of the separators around it, and the marks that Colab puts.
    chapter_part = rf"([ _-]*)“?(?:{chapter_names})(?:[._]ipynb)?”?([ _-]*)"
    *folders, rest_of_name = [
        re.sub(chapter_part, put_separator, part) for part in [*folders, file_name]
    ]
    *folders, rest_of_name = [
        part.strip(stripped) for part in [*folders, ADDED_TO_COPY.sub("", rest_of_name)]
    ]
    if rest_of_name and re.search(chapter_names, file_name):
        return rest_of_name
    candidates = [part for part in [*folders, rest_of_name] if part] or [name.strip(stripped)]
    return candidates[min(depth, len(candidates) - 1)]


def put_separator(chapter_part: re.Match[str]) -> str:
    """Return what stands between the parts of a name without its chapter's: `Li-Lei`."""
    return chapter_part[1] or chapter_part[2]


@cache
def originals() -> list[Notebook]:
    """Return the chapters and notes of both editions, each read once."""
    return all_notebooks()


def original_of(path: Path) -> Notebook | None:
    """Return the notebook that a file is a copy of, by its title, its name or its exercises."""
    lines = {line for text in cell_sources(path, "markdown") for line in text.splitlines()}
    by_title = [original for original in originals() if f"# {original.title}" in lines]
    by_name = [original for original in originals() if original.path.stem in path.stem]
    candidates = [original for original in by_title if original in by_name] + by_title + by_name
    return candidates[0] if candidates else original_by_exercises(path)


def original_by_exercises(path: Path) -> Notebook | None:
    """Return the one chapter of which a file checks exercises, in the language of most cells."""
    sources = set(cell_sources(path, "code"))
    checked_names = {name for source in sources for name in CHECK_CALL.findall(source)}
    names_by_original = {
        original: {exercise.name for exercise in original.exercises()} for original in originals()
    }
    checked_names &= set().union(*names_by_original.values())
    candidates = [
        original
        for original, names in names_by_original.items()
        if checked_names and checked_names <= names
    ]
    if len({original.path.stem for original in candidates}) != 1:
        return None

    def count_shared_cells(original: Notebook) -> int:
        return len(sources & {cell.source for cell in original.code_cells})

    return max(candidates, key=count_shared_cells)


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook, which some editors begin with a byte order mark."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingIDFieldWarning)  # a cell's place is enough
        return nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)


def cell_sources(path: Path, cell_type: str) -> list[str]:
    """Return the sources of a notebook's cells of a type; none if it is no notebook."""
    with suppress(Exception):  # whatever a stranger's file holds
        notebook = read_notebook(path)
        return [cell.source for cell in notebook.cells if cell.cell_type == cell_type]
    return []


def reason_without_code(path: Path) -> str:
    """Return why a file has no cells of code."""
    if not path.read_bytes().strip():
        return EMPTY
    if is_zipfile(path):
        return ZIPPED
    with suppress(Exception):  # whatever a stranger's file holds
        read_notebook(path)
        return NO_CODE
    return NO_NOTEBOOK
