"""Bring up to date what is derived from the notebooks, in them, in images/ and in the pages.

    python -m course.build [NOTEBOOK …]

NOTEBOOK    one to run, by its file in either language; without an argument, all are run

For example: python -m course.build notebooks/05_gradients.ipynb

A notebook is run in English, once, and again if an output has changed. From the first run come the
diagrams, the outputs of both editions, and the verdicts of the exercises; from the notebooks come
the ids of new cells, the navigation, the minutes, and the tables of chapters in the READMEs. What
is stored stays as it is where it shows the same: a picture that another processor drew, the version
of another build of PyTorch.
"""

import base64
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import torch
from nbformat import NotebookNode
from nbformat.v4 import new_output

from course import PINNED_TORCH, ROOT, CourseError, checker, run_main
from course.diagrams import Frame, decode_frames, encode_webp, same_picture
from course.differences import describe_outdated_files
from course.exercises import exercise_ids
from course.exhibits import DATA_FOLDER, exhibit_of
from course.navigation import navigation, notes_line, origin_line
from course.notebook import (
    FOLDED_METADATA,
    JUDGE,
    METADATA_EXAMPLES,
    TORCH_VERSION_LINE,
    Notebook,
    all_notebooks,
    diagram_path,
    english_notebooks,
    is_folded,
    is_stub,
    printed_text,
    relative_name,
    solution_code,
    unread_keys,
    write_if_changed,
)
from course.run import (
    CellRun,
    Namespace,
    compute_output_digest,
    default_dtype_kept,
    remove_folders,
    run_notebook,
)
from course.tables import build_pages, reading_minutes

Files = dict[Path, bytes]  # the contents that files should have
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
DIAGRAM_SOURCE = re.compile(r"!\[(.*)\]\([^)\s]*\)\s*", re.DOTALL)
RANDOM_ID = re.compile(r"[0-9a-f]{8}((-[0-9a-f]{4}){3}-[0-9a-f]{12})?")  # nbformat's, JupyterLab's
EXERCISE_NUMBER = re.compile(r"\*\*(\d+)\.\*\*")  # at the start of its prompt
DECIMAL = re.compile(r"-?\d+\.\d+")
# What to do if the checker says something else, by the verdict that it should give.
REMEDIES = {
    "not yet": "leave a `...` in the stub",
    "right": "correct the solution, or its cases",
    "wrong": "add a case that refuses it, or take it out of `wrong`",
}


class NotebookBuild(NamedTuple):
    """The results of running an English notebook, and what its files should hold."""

    notebook: Notebook  # brought up to date in memory, as is its twin
    cell_runs: dict[str, CellRun]  # by the cell's id
    namespace: Namespace  # the variables that the cells leave
    files: Files


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Bring the notebooks named, or all, up to date; on an error, write nothing.

    Raises CourseError if PyTorch is not the pinned one: its version would be stored.
    """
    if torch.__version__.partition("+")[0] != PINNED_TORCH:
        remedy = f"{PINNED_TORCH} is pinned; run `rm -rf .venv`, then `make update`"
        raise CourseError(f"this is PyTorch {torch.__version__}, and {remedy}")
    stored_bytes = {notebook.path: notebook.path.read_bytes() for notebook in all_notebooks(root)}
    files = build_files(requested_notebooks(arguments, root), root)
    for path, data in stored_bytes.items():
        if path.read_bytes() != data:
            message = "saved while this ran, and kept; run it again"
            raise CourseError(f"{relative_name(path, root)}: {message}")
    for problem in describe_outdated_files(files, root, missing="is new; `git add` it"):
        print(f"mending {problem}")
    changes = [write_if_changed(path, data, root) for path, data in files.items()]
    changes += [write_if_changed(path, data, root) for path, data in build_pages(root).items()]
    if not any(changes):
        print("nothing to write; `make test` says what update cannot mend")


def build_files(notebooks_to_run: list[Notebook], root: Path) -> Files:
    """Return what the files should hold: all notebooks without a run, those to run after one.

    Raises CourseError if anything is wrong.
    """
    drafts = [read_draft(notebook) for notebook in english_notebooks(root)]
    files = {
        notebook.path: notebook.text.encode() for draft in drafts for notebook in draft.with_twin
    }
    build_pages(root)  # raises before anything is written
    for notebook in notebooks_to_run:
        print(f"running {notebook}")
        with default_dtype_kept():
            notebook_build = build_notebook(notebook)
        with default_dtype_kept():
            require_same_outputs_again(notebook, notebook_build)
        remove_folders(notebook_build.namespace)
        for problem in unexpected_verdicts(notebook_build):
            raise CourseError(problem)
        files |= notebook_build.files
    return files


def requested_notebooks(names: list[str], root: Path) -> list[Notebook]:
    """Return the English notebooks that are named, or all. Raises CourseError on a wrong name."""
    requested = [Notebook(Path(name)) for name in names]
    for name, notebook in zip(names, requested, strict=True):
        if name.startswith("-"):
            raise CourseError(f"{name}: no such option; `--help` says what this command takes")
        if notebook not in all_notebooks(root):
            message = "no notebook of the course; name one as notebooks/05_gradients.ipynb"
            raise CourseError(f"{name}: {message}")
    in_order = english_notebooks(root)
    return [n for n in in_order if n in requested or n.twin in requested] or in_order


def build_notebook(notebook: Notebook) -> NotebookBuild:
    """Run an English notebook and return what its files, and those of its twin, should hold.

    Raises CourseError if a cell raises, or a diagram can't be drawn.
    """
    draft = read_draft(notebook)
    cell_runs, namespace = run_notebook(draft)
    files: Files = {}
    for cell in draft.cells:
        cell_run = cell_runs[cell.id]
        if cell_run.frames is not None:
            picture = diagram_path(draft.root, cell.metadata["diagram"])
            files[picture] = diagram_bytes(picture, cell_run.frames)
        exhibit = exhibit_of(draft, cell)
        if exhibit and cell_run.exhibit:
            data_file = draft.root / DATA_FOLDER / f"{exhibit.__name__}.json"
            files[data_file] = exhibit_bytes(data_file, cell_run.exhibit)
        if cell_run.outputs is not None:
            cell.outputs = merge_outputs(cell, cell_run.outputs)
        if "output_digest" in cell.metadata and cell.cell_type == "code":
            cell.metadata["output_digest"] = compute_output_digest(draft, cell)
    for draft_or_twin in draft.with_twin:
        for cell in draft_or_twin.cells:
            if cell.id in cell_runs:
                store_results(draft_or_twin, cell, cell_runs[cell.id], files)
        files[draft_or_twin.path] = draft_or_twin.text.encode()
    return NotebookBuild(draft, cell_runs, namespace, files)


def require_same_outputs_again(notebook: Notebook, notebook_build: NotebookBuild) -> None:
    """Run a notebook a second time if its outputs are not those that are stored.

    Raises CourseError if a cell then prints or draws something else: nbval would never accept it.
    """
    stored_cells = Notebook(notebook.path).cells_by_id
    changed_cells = [
        cell
        for cell in notebook_build.notebook.code_cells
        if notebook_build.cell_runs[cell.id].outputs is not None
        if cell.id not in stored_cells or stored_cells[cell.id].outputs != cell.outputs
    ]
    if not changed_cells:
        return
    cell_runs, namespace = run_notebook(read_draft(notebook))
    remove_folders(namespace)
    for cell in changed_cells:
        fresh_outputs = merge_outputs(cell, cell_runs[cell.id].outputs or [])
        fresh = NotebookNode(cell, outputs=fresh_outputs)
        is_different = fresh_outputs != cell.outputs
        if "output_digest" in cell.metadata:  # its plots may differ; nbval compares its text
            is_different = printed_text(fresh) != printed_text(cell)
        if is_different:
            remedy = "print what stays the same; a time is plotted, in a cell with `output_digest`"
            raise CourseError(f"{notebook.place_of(cell)}: other outputs each time; {remedy}")


def unexpected_verdicts(notebook_build: NotebookBuild) -> Iterator[str]:
    """Yield a line for each answer whose verdict is another than that of its kind."""
    for notebook in notebook_build.notebook.with_twin:
        language = notebook.edition.language
        for _, _, stub, solution in notebook.exercises():
            verdicts = notebook_build.cell_runs.get(stub.id, CellRun()).verdicts.get(language)
            if not verdicts:
                continue
            answers = [(stub.source, "not yet"), (solution_code(solution), "right")]
            answers += [(answer, "wrong") for answer in stub.metadata.get("wrong", {})]
            for answer, kind in answers:
                verdict = verdicts.get(answer, "nothing")
                expected_start = checker.WORDS[language][kind].partition("{")[0]
                if not verdict.startswith(expected_start):
                    says = f"it says {verdict.strip()!r}, not {expected_start!r}"
                    yield f"{notebook.place_of(stub)}: to {answer!r} {says}; {REMEDIES[kind]}"


def read_draft(notebook: Notebook) -> Notebook:
    """Read a notebook and its twin anew, and bring up to date in both what needs no run."""
    draft = Notebook(notebook.path)
    for draft_or_twin in draft.with_twin:
        update_without_run(draft_or_twin)
    copy_wrong_answers(draft)
    return draft


def copy_wrong_answers(notebook: Notebook) -> None:
    """Give each Chinese stub the wrong answers of the English one: they are code."""
    chinese_cells = notebook.twin.cells_by_id if notebook.twin.exists else {}
    for exercise in notebook.exercises():
        if chinese_stub := chinese_cells.get(exercise.stub.id):
            verdicts = chinese_stub.metadata.pop("wrong", {})
            if answers := exercise.stub.metadata.get("wrong"):
                wrong = {answer: verdicts.get(answer, "") for answer in answers}
                chinese_stub.metadata["wrong"] = wrong


def update_without_run(notebook: Notebook) -> None:
    """Bring up to date, in memory, all that needs no run.

    Raises CourseError if a cell is empty, or a key of its metadata is misspelt.
    """
    assign_cell_ids(notebook)
    write_fixed_cells(notebook)
    write_metadata(notebook)
    for cell in notebook.cells:
        if not cell.source.strip():
            raise CourseError(f"{notebook.place_of(cell)}: is empty; fill it, or delete it")
    for count, cell in enumerate(notebook.code_cells, 1):
        cell.execution_count = count


def write_metadata(notebook: Notebook) -> None:
    """Keep the metadata that this course reads, not what JupyterLab adds; fold titled code.

    Raises CourseError if a key is misspelt.
    """
    notebook.node.metadata = NOTEBOOK_METADATA
    for cell in notebook.cells:
        for key in unread_keys(cell):
            if similar_keys := get_close_matches(key, METADATA_EXAMPLES, cutoff=0.8):
                message = f"{key} in its metadata means nothing; call it {similar_keys[0]}"
                raise CourseError(f"{notebook.place_of(cell)}: {message}")
        cell.metadata = {
            key: cell.metadata[key] for key in METADATA_EXAMPLES if key in cell.metadata
        }
        if is_folded(cell):
            cell.metadata |= FOLDED_METADATA


def assign_cell_ids(notebook: Notebook) -> None:
    """Give a diagram the id of its figure, and a cell with a random id one of the cell before.

    A cell after `two-rows` becomes `after-two-rows`, the next one `after-two-rows-2`; those of an
    exercise get the ids by which it is found.
    """
    assign_exercise_ids(notebook)
    used_ids, id_before = set(notebook.cells_by_id), "title"
    for cell in notebook.cells:
        cell_id = f"diagram-{cell.metadata['diagram']}" if "diagram" in cell.metadata else cell.id
        if RANDOM_ID.fullmatch(cell_id):
            stem = id_before.removeprefix("after-")
            if stem not in used_ids:  # the number of a cell after the same one, no part of its name
                stem = re.sub(r"-\d+$", "", stem)
            candidates = [f"after-{stem}", *(f"after-{stem}-{k}" for k in range(2, 99))]
            cell_id = next(candidate for candidate in candidates if candidate not in used_ids)
        if cell_id not in used_ids:
            cell.id = cell_id
            used_ids.add(cell_id)
        id_before = cell.id


def assign_exercise_ids(notebook: Notebook) -> None:
    """Give the four cells of exercise 3, where their ids are random, those that begin `try-3`."""
    used_ids, cells = set(notebook.cells_by_id), notebook.cells
    for exercise_cells in zip(cells, cells[1:], cells[2:], cells[3:], strict=False):
        prompt, cases, _, solution = exercise_cells
        number = EXERCISE_NUMBER.match(prompt.source)
        if number and JUDGE.search(cases.source) and solution_code(solution):
            ids = exercise_ids(number[1])
            for cell, cell_id in zip(exercise_cells, ids, strict=True):
                if RANDOM_ID.fullmatch(cell.id) and cell_id not in used_ids:
                    cell.id = cell_id


def write_fixed_cells(notebook: Notebook) -> None:
    """Write the navigation, the exercises' heading and checker, and the minutes of the title."""
    edition, links = notebook.edition, navigation(notebook)
    notebook.cell("nav-top").source = links
    notebook.cell("nav-bottom").source = notes_line(notebook) + links + origin_line(notebook)
    if "try" in notebook.cells_by_id:
        heading = f"## {edition.fixed_headings['try']}"
        instructions = edition.instructions + edition.answers_warning
        notebook.cell("try").source = f"{heading}\n\n{instructions}"
    if "checker" in notebook.cells_by_id:
        notebook.cell("checker").source = checker.cell_source(edition.language)
    title, minutes = notebook.cell("title"), reading_minutes(notebook.english)
    stored = edition.minutes_pattern.search(title.source)
    if stored and abs(int(stored[2]) - minutes) >= 1:  # a typo should not touch five more files
        title.source = edition.minutes_pattern.sub(rf"\g<1>{round(minutes)}", title.source)


def store_results(notebook: Notebook, cell: NotebookNode, cell_run: CellRun, files: Files) -> None:
    """Put into a cell, in either language, the results of its run in English."""
    english_cell = notebook.english.cell(cell.id)
    if cell_run.frames:
        picture = files[diagram_path(notebook.root, english_cell.metadata["diagram"])]
        embed_picture(notebook, cell, picture)
    elif is_stub(cell):
        store_verdicts(cell, cell_run.verdicts.get(notebook.edition.language, {}))
    elif cell.cell_type == english_cell.cell_type == "code":
        cell.outputs = deepcopy(english_cell.outputs)
        if "output_digest" in english_cell.metadata:
            cell.metadata["output_digest"] = english_cell.metadata["output_digest"]


def diagram_bytes(file: Path, frames: list[Frame]) -> bytes:
    """Return the bytes of a diagram: those that are stored if they show what was drawn."""
    stored = file.read_bytes() if file.exists() else b""
    is_same = bool(stored) and same_picture(decode_frames(stored), frames)
    return stored if is_same else encode_webp(frames)


def exhibit_bytes(file: Path, data: dict[str, Any]) -> bytes:
    """Return the bytes of an exhibit's numbers: those stored if none differs by a level of 255.

    A table that another processor trained differs by less.
    """
    stored = file.read_text(encoding="utf-8") if file.exists() else ""
    fresh = json.dumps(data) + "\n"
    pairs = zip(DECIMAL.findall(stored), DECIMAL.findall(fresh), strict=False)
    are_near = all(abs(float(before) - float(after)) < 1 / 255 for before, after in pairs)
    is_same_text = DECIMAL.sub("", stored) == DECIMAL.sub("", fresh)
    return (stored if are_near and is_same_text else fresh).encode()


def embed_picture(notebook: Notebook, cell: NotebookNode, data: bytes) -> None:
    """Put a picture into a diagram's cell, as base64 on one line."""
    match = DIAGRAM_SOURCE.fullmatch(cell.source)
    if not match or not match[1].strip():
        message = "is a diagram's; let it hold `![what it shows]()` and nothing else"
        raise CourseError(f"{notebook.place_of(cell)}: {message}")
    cell.source = f"![{match[1]}](data:image/webp;base64,{base64.b64encode(data).decode()})"


def store_verdicts(stub: NotebookNode, verdicts: dict[str, str]) -> None:
    """Store what an exercise says to its stub, and to each wrong answer."""
    if not verdicts:  # a rule says which cell of the exercise is missing
        return
    fresh = new_output("stream", name="stdout", text=verdicts[stub.source])
    stub.outputs = merge_outputs(stub, [fresh])
    wrong = {answer: verdicts[answer].rstrip() for answer in stub.metadata.get("wrong", {})}
    stub.metadata |= {"wrong": wrong} if wrong else {}


def merge_outputs(cell: NotebookNode, fresh_outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return a cell's outputs after a run: each stored one that shows the same, else the fresh."""
    for output in fresh_outputs:
        if "text" in output:
            line = f"PyTorch version: {PINNED_TORCH}"
            output.text = TORCH_VERSION_LINE.sub(line, output.text)
    pairs = zip_longest(cell.outputs, fresh_outputs)
    merged_outputs = [
        stored if stored and same_output(stored, fresh) else fresh
        for stored, fresh in pairs
        if fresh
    ]
    for output in merged_outputs:
        if output.output_type == "execute_result":
            output.execution_count = cell.execution_count
    return merged_outputs


def same_output(stored: NotebookNode, fresh: NotebookNode) -> bool:
    """Return whether a stored output shows what a fresh one does: the same text, or picture."""
    stored_data, fresh_data = (
        dict(output.get("data", {}), text=output.get("text", "")) for output in (stored, fresh)
    )
    pngs = [base64.b64decode(data.pop("image/png", b"")) for data in (stored_data, fresh_data)]
    if stored.output_type != fresh.output_type or stored_data != fresh_data:
        return False
    if not any(pngs):
        return True
    return all(pngs) and same_picture(*map(decode_frames, pngs))


if __name__ == "__main__":
    run_main(main)
