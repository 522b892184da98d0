"""Where the course's files are, and the one way in which a notebook is read and written."""

import tomllib
import warnings
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.warnings import DuplicateCellId

ROOT = Path(__file__).resolve().parent.parent


def notebooks(root: Path = ROOT) -> list[Path]:
    """The course's notebooks: both editions, each in reading order."""
    english = root / "notebooks"
    return sorted(english.glob("*.ipynb")) + sorted((english / "zh").glob("*.ipynb"))


def repository(root: Path = ROOT) -> str:
    """The public repository as owner/name. It stands in pyproject.toml and nowhere else by hand."""
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]["repository"]


def read(path: Path) -> NotebookNode:
    """A notebook as nbformat 4 gives it. Ends the program with one line if it is not one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nbformat would give a new id to one of two equal ones
            return nbformat.read(path, as_version=4)
    except DuplicateCellId as error:
        raise SystemExit(f"{place(path)}: {error}; rename one of the two cells") from None
    except Exception as error:
        raise SystemExit(f"{place(path)}: not a notebook ({type(error).__name__})") from None


def text(notebook: NotebookNode) -> str:
    """A notebook as it is stored: nbformat's own layout, one final newline."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path: Path, content: str) -> bool:
    """Replace a text file in one step, and only if it changes; says so. Returns whether it did."""
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return False
    part = path.with_name(path.name + ".part")
    part.write_text(content, encoding="utf-8")
    part.replace(path)
    print(f"wrote {place(path)}")
    return True


def place(path: Path, cell: NotebookNode | None = None) -> str:
    """How a message names a file, and a cell of it: `notebooks/01_lookup.ipynb, cell table`."""
    parts = path.resolve().parts
    name = "/".join(parts[parts.index("notebooks") :]) if "notebooks" in parts else path.name
    return name if cell is None else f"{name}, cell {cell.get('id', '?')}"
