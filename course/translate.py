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

from course import ROOT, command
from course.notebook import NAVIGATION, by_name, english, place, read, root_of, text, twin, write


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
    for name in cells.keys() - by_name(ours).keys():
        print(f"cell {name} is gone in English, and dropped in Chinese")
    for cell in ours.cells:
        translated = cells.get(cell.id)
        if translated is None or (cell.id in changed and cell.cell_type == "code"):
            translated = deepcopy(cell)
        if cell.id in changed:
            translated.metadata["waiting"] = True
        theirs.cells.append(translated)


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Mark what has changed in English alone, and list what waits."""
    revision = arguments[0] if arguments else "HEAD"
    for path in english(root):
        ours, theirs = read(path), read(twin(path))
        before, then = committed(path, revision), committed(twin(path), revision)
        kept = {cell.id for cell in theirs.cells if cell.source == then.get(cell.id)}
        kept |= {cell.id for cell in ours.cells} - {cell.id for cell in theirs.cells}
        changed = {cell.id for cell in ours.cells if cell.source != before.get(cell.id)}
        follow(ours, theirs, changed & kept - {*NAVIGATION, "checker", "try"})
        write(twin(path), text(theirs))
        for cell in theirs.cells:
            if "waiting" in cell.metadata:
                print(f"{place(twin(path), cell)}: waits for a translation")


if __name__ == "__main__":
    command(main)
