"""For who writes no Chinese: mark the Chinese cells whose English twins changed, and list them.

    python -m course.translate [revision]     changed since then; HEAD unless told

A cell that is new in English is copied, and so is changed code. Such a cell has `"waiting": true`
in its metadata, and with WAITING=1 in the environment the tests pass it by. On the main branch none
waits. Whoever translates it deletes the mark.
"""

import subprocess
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course import ROOT, CourseError, command
from course.notebook import NAVIGATION, by_name, english, name_of, read, root_of, text, twin, write


def committed(path: Path, revision: str) -> dict[str, NotebookNode]:
    """The cells of a notebook at a revision of git by id; none if it was not there."""
    root = root_of(path)
    git = ["git", "show", f"{revision}:{path.relative_to(root).as_posix()}"]
    shown = subprocess.run(git, cwd=root, capture_output=True, encoding="utf-8")
    if shown.returncode:
        return {}
    return by_name(nbformat.reads(shown.stdout, as_version=4))


def differs(cell: NotebookNode, saved: dict[str, NotebookNode]) -> bool:
    """Whether a cell is new, or has another text than one that was saved."""
    return cell.id not in saved or cell.source != saved[cell.id].source


def follow(path: Path, revision: str) -> NotebookNode:
    """The Chinese notebook with the cells of the English one, in its order.

    A cell waits that is new, or that changed since the revision while its twin did not; what
    `make update` writes does not count. A mark goes that was not there at the revision, if the
    English is as it was. Raises CourseError if a Chinese cell has no English twin.
    """
    notebook, chinese = read(path), read(twin(path))
    ours, theirs = (committed(file, revision) for file in (path, twin(path)))
    translated = by_name(chinese)
    for name in translated.keys() - by_name(notebook):
        where = name_of(twin(path), translated[name])
        raise CourseError(f"{where}: English has no such cell; delete this one, too")
    chinese.cells = []
    for source in notebook.cells:
        cell = translated.get(source.id, source)
        waits = cell is source or (differs(source, ours) and not differs(cell, theirs))
        if waits and source.id not in (*NAVIGATION, "checker", "try"):
            cell = source if source.cell_type == "code" else cell
            cell.metadata["waiting"] = True
        elif cell.id in theirs and "waiting" not in theirs[cell.id].metadata:
            cell.metadata.pop("waiting", None)
        chinese.cells.append(cell)
    return chinese


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Mark what has changed in English alone, and list what waits."""
    revision, waiting = arguments[0] if arguments else "HEAD", []
    git = ["git", "cat-file", "-e", revision]
    if subprocess.run(git, cwd=root, capture_output=True).returncode:
        raise CourseError(f"no revision {revision} in git; try make waiting SINCE=origin/main")
    for path in english(root):
        theirs = follow(path, revision)
        write(twin(path), text(theirs))
        cells = [cell for cell in theirs.cells if "waiting" in cell.metadata]
        waiting += [name_of(twin(path), cell) for cell in cells]
    for name in waiting:
        print(f"{name}: waits for a translation")
    if not waiting:
        print(f"nothing waits since {revision}; before it: make waiting SINCE=origin/main")


if __name__ == "__main__":
    command(main)
