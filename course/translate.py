"""For who writes no Chinese: mark the Chinese cells whose English twins changed, and list them.

    python -m course.translate [revision]     changed since then; HEAD unless told

A cell that is new in English is copied, one that is gone is dropped, changed code is copied. Such a
cell has `"waiting": true` in its metadata, and with WAITING=1 in the environment the tests pass it
by. On the main branch none waits. Whoever translates it deletes the mark.
"""

import json
import subprocess
from copy import deepcopy
from pathlib import Path

from nbformat import NotebookNode

from course import ROOT, CourseError, command
from course.notebook import NAVIGATION, by_name, english, name_of, read, root_of, text, twin, write


def committed(path: Path, revision: str) -> dict[str, str]:
    """The cells of a notebook at a revision of git by id; none if it was not there."""
    root = root_of(path)
    git = ["git", "show", f"{revision}:{path.relative_to(root).as_posix()}"]
    shown = subprocess.run(git, cwd=root, capture_output=True, encoding="utf-8")
    cells = json.loads(shown.stdout)["cells"] if shown.returncode == 0 else []
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def follow(ours: NotebookNode, theirs: NotebookNode, changed: set[str]) -> None:
    """Give the Chinese notebook the cells of the English one, in its order; mark the changed."""
    cells = {cell.id: cell for cell in theirs.cells}
    theirs.cells = []
    for cell in ours.cells:
        translated = cells.get(cell.id)
        if translated is None or (cell.id in changed and cell.cell_type == "code"):
            translated = deepcopy(cell)
        if cell.id in changed:
            translated.metadata["waiting"] = True
        theirs.cells.append(translated)


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Mark what has changed in English alone, and list what waits."""
    revision, waiting = arguments[0] if arguments else "HEAD", []
    git = ["git", "cat-file", "-e", revision]
    if subprocess.run(git, cwd=root, capture_output=True).returncode:
        raise CourseError(f"no revision {revision} in git; try make waiting SINCE=origin/main")
    for path in english(root):
        ours, theirs = read(path), read(twin(path))
        before, then = committed(path, revision), committed(twin(path), revision)
        kept = {cell.id for cell in theirs.cells if cell.source == then.get(cell.id)}
        kept |= {cell.id for cell in ours.cells} - {cell.id for cell in theirs.cells}
        changed = {cell.id for cell in ours.cells if cell.source != before.get(cell.id)}
        gone, saved = set(by_name(theirs)) - set(by_name(ours)), committed(twin(path), "HEAD")
        for cell in theirs.cells:
            if cell.id in gone and cell.source != saved.get(cell.id):
                why = "English has no such cell, and git not this text; rename it, or commit"
                raise CourseError(f"{name_of(twin(path), cell)}: {why}")
            if cell.id in gone:
                print(f"{name_of(twin(path), cell)}: gone in English, and dropped here")
        follow(ours, theirs, changed & kept - {*NAVIGATION, "checker", "try"})
        write(twin(path), text(theirs))
        waiting += [
            name_of(twin(path), cell) for cell in theirs.cells if "waiting" in cell.metadata
        ]
    for cell in waiting:
        print(f"{cell}: waits for a translation")
    if not waiting:
        print(f"nothing waits since {revision}; before it: make waiting SINCE=origin/main")


if __name__ == "__main__":
    command(main)
