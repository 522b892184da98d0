"""Bring up to date what is derived from a change.

    python -m course.update [notebook …]    the chapters named, by the file of either language, or
                                            each in which something differs from the last commit

The diagrams of these chapters are drawn from the variables. What JupyterLab adds to a notebook is
taken out, new cells get names, and diagrams, navigation and the READMEs' tables get their places.
Then each notebook whose code or stored outputs differ from the last commit is run and recorded.

All this happens in a copy of the course, and only when all of it has worked is each file that
differs replaced, in one step. So on an error nothing is written.
"""

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course import ROOT, CourseError, command, editions, stamp
from course.notebook import (
    chinese,
    code_cells,
    committed,
    english,
    notebooks,
    pictures,
    place,
    printed,
    read,
    twin,
    write,
)
from course.pictures import redraw
from course.record import recorded

# Beside the notebooks, what a step reads or writes.
OTHERS = ("README.md", "README.zh.md", "CITATION.cff", "pyproject.toml", "images/*")
Files = dict[str, bytes]  # by their names relative to the root of a course


def files(root: Path) -> Files:
    """What is derived in a course, and what it is derived from."""
    paths = notebooks(root) + [path for pattern in OTHERS for path in root.glob(pattern)]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def named(arguments: list[str], root: Path) -> list[Path]:
    """The English notebooks of the chapters named. Raises CourseError if there is no such one."""
    paths = [Path(argument).resolve() for argument in arguments]
    for path in paths:
        read(path)
        if path not in notebooks(root):
            raise CourseError(f"{place(path)}: no chapter; call it notebooks/NN_topic.ipynb")
    return sorted({twin(path) if path in chinese(root) else path for path in paths})


def changed(root: Path) -> list[Path]:
    """The English notebooks of the chapters in which something differs from the last commit.

    That is a notebook in either language, the module with the figures, or an image. Raises
    CourseError if git does not know the course.
    """
    git = ["git", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]
    status = subprocess.run(git, cwd=root, capture_output=True, text=True)
    if status.returncode:
        why = status.stderr.strip().splitlines()[0]
        raise CourseError(f"{why}; name the chapter: `make update NB=notebooks/NN_topic.ipynb`")
    different = {entry[3:].partition(".")[0] for entry in status.stdout.split("\0")}

    def holds(path: Path) -> set[str]:
        figures = {f"images/{cell.metadata.get('diagram')}" for cell in read(path).cells}
        module = f"course/figures/{path.stem.partition('_')[2]}"
        return figures | {module, f"notebooks/{path.stem}", f"notebooks/zh/{path.stem}"}

    return [path for path in english(root) if different & holds(path)]


def news(path: Path, before: list[NotebookNode]) -> Iterator[str]:
    """A line for each cell that prints what no cell did before, or shows another plot."""
    known = {line for cell in before for line in printed(cell).splitlines()}
    plots = [plot for cell in before for plot in pictures(cell)]
    for cell in code_cells(read(path)):
        new = [line for line in printed(cell).splitlines() if line not in known]
        if new:
            yield f"{place(path, cell)}: prints {new[0]!r}, which no cell did before; is it meant?"
        if any(plot not in plots for plot in pictures(cell)):
            yield f"{place(path, cell)}: another plot; look at it"


def derive(path: Path, root: Path) -> list[str]:
    """Record a notebook in a copy of a course if its code or outputs are not those last committed.

    Returns what is new in it. Raises CourseError if a cell raises.
    """
    if not path.exists():
        return []
    before = code_cells(committed(root / place(path)))
    if code_cells(read(path)) == before:
        return []
    print(f"running {place(path)}")
    with contextlib.redirect_stdout(None):
        write(path, recorded(path))
    return list(news(path, before)) if before else []


def untranslated(path: Path) -> list[str]:
    """The names of the cells whose code one edition has and the other has not."""
    ours, theirs = (
        {cell.id: cell.cell_type == "code" and editions.code(cell) for cell in read(file).cells}
        for file in (path, twin(path))
    )
    return [name for name in ours | theirs if ours.get(name) != theirs.get(name)]


def replace(root: Path, before: Files, after: Files) -> None:
    """Put what differs in place. Raises CourseError, first, if such a file changed meanwhile."""
    different = [name for name in before | after if before.get(name) != after.get(name)]
    now = files(root)
    for name in different:
        if now.get(name) != before.get(name):
            raise CourseError(f"{name}: saved while this ran, and kept; run `make update` again")
    for name in different:
        if name in after:
            write(root / name, after[name])
        else:
            (root / name).unlink()
            print(f"removed {name}")
    if not different:
        print("nothing to do")


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Bring the chapters named, or those that changed, up to date; on an error, write nothing."""
    before, paths = files(root), named(arguments, root) or changed(root)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve()
        for name, content in before.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(content)
        paths = [copy / place(path) for path in paths]
        with contextlib.redirect_stdout(None):  # what is written there is none of the user's
            for path in paths:
                redraw(path)
            stamp.main([], copy)
        both = [notebook for path in paths for notebook in (path, twin(path))]
        new = [line for notebook in both for line in derive(notebook, root)]
        replace(root, before, files(copy))
        for line in new:
            print(line)
        for path in paths:
            if twin(path).exists() and (cells := untranslated(path)):
                where = f"{place(twin(path))}: {', '.join(cells)}"
                print(f"{where} not as in English; make the same change, or run `make waiting`")


if __name__ == "__main__":
    command(main)
