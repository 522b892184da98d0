"""Run notebooks from a clean kernel and store what they print.

    python -m course.record [notebook …]    all, or those named with their twins in the other
                                            language; a second run changes nothing

Each notebook runs in an empty folder. A cell that raises stops the program, and nothing is
written. Timings differ from run to run, so a plot of timings (a cell with `timing` in its
metadata) is kept for as long as the code above it and the picture are those whose digest
is stored there.
"""

import base64
import hashlib
import re
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from torch.random import fork_rng

from course import CourseError, command
from course.cells import steps
from course.live import hints
from course.notebook import (
    METADATA,
    code_cells,
    notebooks,
    pictures,
    place,
    read,
    text,
    twin,
    write,
)
from course.pictures import frames, same_picture

BUILD = re.compile(r"(?<=PyTorch version: )([\d.]+)\+\w+")
SECONDS = 300  # for one cell; far above what any needs, so that a slow machine is not an error


def digest(notebook: NotebookNode, cell: NotebookNode) -> str:
    """SHA-256 (hex) of what a plot of timings rests on: the code down to it, and its pictures."""
    result = hashlib.sha256()
    for other in notebook.cells:
        if other.cell_type == "code":
            result.update(other.source.encode())
        if other.id == cell.id:
            break
    for output in pictures(cell):
        result.update(base64.b64decode(output["data"]["image/png"]))
    return result.hexdigest()


def run(path: Path) -> NotebookNode:
    """The notebook as a clean run leaves it. Raises CourseError if a cell raises."""
    notebook = read(path)
    for cell in code_cells(notebook):
        cell.execution_count = None  # so that an error can name the cell that ran last
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"],  # of the kernel itself, not of the cells
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            ran = [cell for cell in code_cells(notebook) if cell.execution_count is not None]
            why = getattr(error, "ename", type(error).__name__)
            why += f": {error.evalue}" if hasattr(error, "evalue") else ""
            message = f"{place(path, *ran[-1:])}: {why}; correct it, nothing was written"
            raise CourseError(message) from None
    return notebook


def recorded(path: Path) -> str:
    """The text of a notebook with fresh outputs.

    The version is stored without the tag of a build; beside each wrong answer of an exercise, what
    its check says to it. A stored plot stays where the fresh one shows
    the same, and a plot of timings for as long as it holds.
    """
    stored = {cell.id: cell for cell in read(path).cells}
    notebook = run(path)
    notebook.metadata = METADATA  # the kernel adds to it
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "text" in output:
                output.text = BUILD.sub(r"\1", output.text)
        old = stored[cell.id]
        holds = "timing" in cell.metadata and digest(notebook, old) == cell.metadata["timing"]
        for fresh, kept in zip(pictures(cell), pictures(old), strict=False):
            one, two = (base64.b64decode(p["data"]["image/png"]) for p in (kept, fresh))
            if holds or same_picture(frames(one), frames(two)):
                fresh["data"]["image/png"] = kept["data"]["image/png"]
        if "timing" in cell.metadata:
            cell.metadata["timing"] = digest(notebook, cell)
    for step in steps(path, notebook):
        if "wrong" in step.cell.metadata:
            with fork_rng():
                step.cell.metadata["wrong"] = hints(path, step)
    return text(notebook)


def main(arguments: list[str]) -> None:
    """Record notebooks one after the other, so that a plot of timings has the machine to itself."""
    paths = [Path(argument).resolve() for argument in arguments]
    for path in dict.fromkeys([*paths, *map(twin, paths)]) or notebooks():
        print(f"running {place(path)}")
        write(path, recorded(path))


if __name__ == "__main__":
    command(main)
