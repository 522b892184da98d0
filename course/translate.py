"""For who writes no Chinese: mark the Chinese cells whose English twins changed, and list them.

    python -m course.translate [revision]     changed since then; HEAD unless told

A cell that is new in English is copied, one that is gone is dropped, changed code is copied. Such a
cell has `"waiting": true` in its metadata, and with WAITING=1 in the environment the tests pass it
by. On the main branch none waits. Whoever translates it deletes the mark.
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


def changed_cells(path: Path, revision: str) -> set[str]:
    """The cells of an English notebook that changed since then, while their Chinese twins did not.

    What `make update` writes does not count.
    """
    new = []
    for file in (path, twin(path)):
        saved = committed(file, revision)
        new.append({cell.id for cell in read(file).cells if differs(cell, saved)})
    return new[0] - new[1] - {*NAVIGATION, "checker", "try"}


def differs(cell: NotebookNode, saved: dict[str, NotebookNode]) -> bool:
    """Whether a cell is new, or has another text than one that was saved."""
    return cell.id not in saved or cell.source != saved[cell.id].source


def gone(path: Path) -> list[NotebookNode]:
    """The Chinese cells that English no longer has. Raises CourseError if git lacks their text."""
    names, saved = by_name(read(path)), committed(twin(path), "HEAD")
    cells = [cell for cell in read(twin(path)).cells if cell.id not in names]
    for cell in cells:
        if differs(cell, saved):
            why = "English has no such cell, and git not this text; rename it, or commit"
            raise CourseError(f"{name_of(twin(path), cell)}: {why}")
    return cells


def follow(path: Path, revision: str) -> NotebookNode:
    """The Chinese notebook with the cells of the English one, in its order; the changed wait.

    A mark goes that was not there at the revision, if the English is as it was.
    """
    notebook, cells, changed = read(twin(path)), [], changed_cells(path, revision)
    translated, saved = by_name(notebook), committed(twin(path), revision)
    for ours in read(path).cells:
        new = ours.id not in translated or (ours.id in changed and ours.cell_type == "code")
        cell = ours if new else translated[ours.id]
        if cell.id in changed:
            cell.metadata["waiting"] = True
        elif cell.id in saved and "waiting" not in saved[cell.id].metadata:
            cell.metadata.pop("waiting", None)
        cells.append(cell)
    notebook.cells = cells
    return notebook


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Mark what has changed in English alone, and list what waits."""
    revision, waiting = arguments[0] if arguments else "HEAD", []
    git = ["git", "cat-file", "-e", revision]
    if subprocess.run(git, cwd=root, capture_output=True).returncode:
        raise CourseError(f"no revision {revision} in git; try make waiting SINCE=origin/main")
    for path in english(root):
        for cell in gone(path):
            print(f"{name_of(twin(path), cell)}: gone in English, and dropped here")
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
