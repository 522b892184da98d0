"""Run notebooks from a clean kernel and store what they print.

    python tools/record.py [notebook …]     all, or those named; a second run changes nothing

Each notebook runs in an empty folder. A cell that raises stops the program, and nothing is
written. Timings differ from run to run, so a plot of timings (a cell with `timing` in its
metadata) is kept for as long as the code above it and the picture are those whose digest
is stored there.
"""

import base64
import hashlib
import sys
import tempfile
from pathlib import Path

from course import notebooks, place, read, text, write
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("diagram", "numbers", "slow", "tags", "timing", "wrong")
SECONDS = 300  # for one cell; far above what any needs, so that a slow machine is not an error


def pictures(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of a cell that are PNG pictures."""
    return [output for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]


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
    """The notebook as a clean run leaves it. Ends the program with one line if a cell raises."""
    notebook = read(path)
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute()
        except CellExecutionError as error:
            raise SystemExit(
                f"{place(path)}: {error.ename}: {error.evalue}; nothing was written"
            ) from None
        except (CellTimeoutError, DeadKernelError) as error:
            raise SystemExit(
                f"{place(path)}: {type(error).__name__}; nothing was written"
            ) from None
    notebook.metadata = METADATA
    return notebook


def recorded(path: Path) -> str:
    """The text of a notebook with fresh outputs; plots of timings kept where they hold."""
    stored = {cell.id: cell for cell in read(path).cells}
    notebook = run(path)
    for cell in notebook.cells:
        if "timing" not in cell.metadata:
            continue
        old = stored[cell.id]
        for fresh, kept in zip(pictures(cell), pictures(old), strict=False):
            if digest(notebook, old) == cell.metadata["timing"]:
                fresh["data"]["image/png"] = kept["data"]["image/png"]
        cell.metadata["timing"] = digest(notebook, cell)
    return text(notebook)


def main(paths: list[Path]) -> None:
    """Record notebooks one after the other, so that a plot of timings has the machine to itself."""
    for path in paths:
        print(f"running {place(path)}")
        write(path, recorded(path))


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]] or notebooks()))
