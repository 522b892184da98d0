"""Make what is derived: nothing else writes it.

    python -m course.build [notebook …]     bring notebooks up to date: those named, by the file of
                                            either language, or all

A chapter is run once, in English. From that run come the diagrams, the outputs of both editions,
and what the exercises say; from the notebooks the names of new cells, the navigation, the minutes,
and the tables of chapters in the READMEs. What is stored stays as it is where it shows the same: a
picture that another processor drew, the version of another build of PyTorch.
"""

import base64
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course import ROOT, CourseError, checker, command, run
from course import notebook as nb
from course.derived import MINUTES, derived_pages, minutes, navigation, notes_line, origin_line
from course.diagrams import Frame, encode, frames, same_picture
from course.exhibits import DATA_FOLDER, EXHIBITS

Files = dict[Path, bytes]
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("citations", "computed", "diagram", "kept", "wrong")
# How JupyterLab and Colab are told to fold a cell; the mark is its first line, `# @title …`.
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
DIAGRAM = re.compile(r"!\[(.*)\]\([^)\s]*\)\s*", re.DOTALL)
RANDOM_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")
# The version of PyTorch whose outputs are stored.
PINNED_TORCH = re.search(r"\ntorch==(\S+)", (ROOT / "requirements.txt").read_text())[1]
DECIMAL = re.compile(r"-?\d+\.\d+")


def name_cells(notebook: NotebookNode) -> None:
    """Name each diagram after its figure, and a cell whose id is random after the cell before."""
    taken, before = set(nb.by_id(notebook)), "title"
    for cell in notebook.cells:
        wanted = f"diagram-{cell.metadata['diagram']}" if "diagram" in cell.metadata else cell.id
        if RANDOM_ID.fullmatch(wanted):
            stem = re.sub(r"^after-|-\d+$", "", before)
            names = [f"after-{stem}", *(f"after-{stem}-{k}" for k in range(2, 99))]
            wanted = next(name for name in names if name not in taken)
        if wanted not in taken:
            cell.id = wanted
            taken.add(wanted)
        before = cell.id


def tidy(path: Path) -> NotebookNode:
    """A notebook with all that needs no run, and without what JupyterLab adds to it.

    Raises CourseError if metadata of ours is misspelt.
    """
    notebook = nb.read(path)
    notebook.metadata = METADATA
    for cell in notebook.cells:
        for key in set(cell.metadata) - set(CELL_METADATA):
            if meant := get_close_matches(key, CELL_METADATA, cutoff=0.8):
                why = f"{key} in its metadata means nothing; call it {meant[0]}"
                raise CourseError(f"{nb.name_of(path, cell)}: {why}")
        cell.metadata = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        if cell.id == "checker":
            cell.source = checker.cell_source(nb.edition(path).language)
        if nb.is_folded(cell):
            cell.metadata |= FOLDED
    name_cells(notebook)
    nb.find(notebook, "nav-top", path).source = navigation(path)
    bottom = notes_line(path) + navigation(path) + origin_line(path)
    nb.find(notebook, "nav-bottom", path).source = bottom
    if "try" in nb.by_id(notebook):
        words = nb.edition(path)
        exercises = f"## {words.headings['try']}\n\n{words.instructions}{words.answers}"
        nb.find(notebook, "try", path).source = exercises
    title = nb.find(notebook, "title", path)
    twin = nb.twin(path)
    english = nb.read(twin) if nb.is_chinese(path) and twin.exists() else notebook
    title.source = MINUTES.sub(rf"\g<1>{minutes(english)}", title.source)
    for number, cell in enumerate(nb.code_cells(notebook), 1):
        cell.execution_count = number
    return notebook


def diagram_bytes(file: Path, drawn: list[Frame]) -> bytes:
    """The bytes of a diagram: those that are stored if they show what was drawn."""
    old = file.read_bytes() if file.exists() else b""
    return old if old and same_picture(frames(old), drawn) else encode(drawn)


def exhibit_bytes(file: Path, data: dict) -> bytes:
    """The bytes of an exhibit's numbers: those that are stored if none differs by a level of 255.

    A table that another processor trained differs by less.
    """
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    new = json.dumps(data) + "\n"
    pairs = zip(DECIMAL.findall(old), DECIMAL.findall(new), strict=False)
    near = all(abs(float(before) - float(after)) < 1 / 255 for before, after in pairs)
    same_text = DECIMAL.sub("", old) == DECIMAL.sub("", new)
    return (old if near and same_text else new).encode()


def embed(cell: NotebookNode, data: bytes, where: str) -> None:
    """Put a picture into a diagram's cell, as base64 on one line."""
    match = DIAGRAM.fullmatch(cell.source)
    if not match or not match[1].strip():
        raise CourseError(f"{where}: a diagram's cell holds `![what it shows]()` and nothing else")
    cell.source = f"![{match[1]}](data:image/webp;base64,{base64.b64encode(data).decode()})"


def same_output(old: NotebookNode, new: NotebookNode) -> bool:
    """Whether a stored output shows what a fresh one does: the same text, or picture."""
    one, two = (dict(output.get("data", {}), text=output.get("text", "")) for output in (old, new))
    pngs = [base64.b64decode(data.pop("image/png", b"")) for data in (one, two)]
    if old.output_type != new.output_type or one != two or any(pngs) != all(pngs):
        return False
    return not any(pngs) or same_picture(*map(frames, pngs))


def merge_outputs(cell: NotebookNode, fresh: list[NotebookNode]) -> list[NotebookNode]:
    """A cell's outputs after a run: each stored one that shows the same, else the fresh one."""
    for output in fresh:
        if "text" in output:
            output.text = nb.VERSION.sub(f"PyTorch version: {PINNED_TORCH}", output.text)
    pairs = zip_longest(cell.outputs, fresh)
    merged = [old if old and same_output(old, new) else new for old, new in pairs if new]
    for output in merged:
        if output.output_type == "execute_result":
            output.execution_count = cell.execution_count
    return merged


def build_chapter(path: Path) -> tuple[Files, dict[str, run.CellRun]]:
    """What the files of a chapter should hold, and the run of its English notebook.

    Raises CourseError if a cell raises, or a diagram can't be drawn.
    """
    pair = {file: tidy(file) for file in (path, nb.twin(path)) if file == path or file.exists()}
    notebook, root, files = pair[path], nb.root_of(path), {}
    ran = run.run_chapter(path, pair)
    cells = {file: nb.by_id(other) for file, other in pair.items()}
    for cell in notebook.cells:
        result = ran[cell.id]
        if result.frames:
            image = nb.image(root, cell.metadata["diagram"])
            files[image] = diagram_bytes(image, result.frames)
        if result.exhibit:
            numbers = root / DATA_FOLDER / f"{EXHIBITS[cell.id].__name__}.json"
            files[numbers] = exhibit_bytes(numbers, result.exhibit)
        if result.outputs is not None:
            cell.outputs = merge_outputs(cell, result.outputs)
        if "kept" in cell.metadata:
            cell.metadata["kept"] = run.digest(notebook, cell)
        for file in pair:
            own = cells[file].get(cell.id)
            if own is None:
                continue
            if result.frames:
                embed(own, files[image], nb.name_of(file, own))
            elif result.verdicts:
                store_verdicts(own, result.verdicts[nb.edition(file).language])
            elif own.cell_type == cell.cell_type == "code":
                own.outputs = deepcopy(cell.outputs)
                if "kept" in cell.metadata:
                    own.metadata["kept"] = cell.metadata["kept"]
    return files | {file: nb.text(own).encode() for file, own in pair.items()}, ran


def store_verdicts(stub: NotebookNode, verdicts: dict[str, str]) -> None:
    """Store what an exercise says to its stub, and to each wrong answer."""
    fresh = new_output("stream", name="stdout", text=verdicts[stub.source])
    stub.outputs = merge_outputs(stub, [fresh])
    wrong = {answer: verdicts[answer].rstrip() for answer in stub.metadata.get("wrong", {})}
    stub.metadata |= {"wrong": wrong} if wrong else {}


def outdated(files: Files) -> Iterator[str]:
    """A line for each file, or each cell of one, that is not stored as it was built."""
    for path, data in files.items():
        if path.exists() and path.read_bytes() == data:
            continue
        if path.suffix != ".ipynb":
            yield f"{nb.name_of(path)}: {'not what the notebooks give' if path.exists() else 'new'}"
            continue
        old, new = nb.read(path), nbformat.reads(data.decode(), as_version=4)
        stored = nb.by_id(old)
        different = [cell for cell in new.cells if stored.get(cell.id) != cell]
        for cell in different:
            yield f"{nb.name_of(path, cell)}: {what_differs(stored.get(cell.id), cell)}"
        if not different:
            what = "metadata" if old.metadata != new.metadata else "layout as JSON"
            yield f"{nb.name_of(path)}: its {what} is not the usual one"


def what_differs(old: NotebookNode | None, new: NotebookNode) -> str:
    """What is different between a stored cell and the built one."""
    if old is None:
        return "is new, or stored under another id"
    if new.cell_type == "code":
        lines = (nb.printed(cell).splitlines() for cell in (old, new))
        for stored, fresh in zip_longest(*lines, fillvalue=""):
            if stored != fresh:
                return f"stored is {stored!r}, and the code prints {fresh!r}"
        if nb.plots(old) != nb.plots(new):
            return "the stored plot is not the one that this code draws; look at it"
    parts = [part for part in new if old.get(part) != new[part]]
    return f"its {' and '.join(parts)} is not what is derived"


def named(arguments: list[str], root: Path) -> list[Path]:
    """The English notebooks that are named, or all. Raises CourseError if there is no such one."""
    paths = [Path(argument).resolve() for argument in arguments]
    for path in paths:
        if path not in nb.notebooks(root):
            why = "no notebook of the course; name one as notebooks/05_gradients.ipynb"
            raise CourseError(f"{path}: {why}")
    chosen = {nb.twin(path) if path in nb.chinese(root) else path for path in paths}
    return sorted(chosen) or nb.english(root)


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Bring the notebooks named, or all, up to date; on an error, write nothing."""
    before = {path: path.read_bytes() for path in nb.notebooks(root)}
    files = {path: nb.text(tidy(path)).encode() for path in nb.notebooks(root)}
    derived_pages(root)  # raises before anything is written
    for path in named(arguments, root):
        print(f"running {nb.name_of(path)}")
        files |= build_chapter(path)[0]
    for path, data in before.items():
        if path.read_bytes() != data:
            raise CourseError(f"{nb.name_of(path)}: saved while this ran, and kept; run it again")
    for line in outdated(files):
        print(f"mending {line}")
    wrote = [nb.write(path, data) for path, data in files.items()]
    wrote += [nb.write(path, data) for path, data in derived_pages(root).items()]
    if not any(wrote):
        print("nothing to write; `make test` says what update cannot mend")


if __name__ == "__main__":
    command(main)
