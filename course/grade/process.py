"""Run a notebook that was handed in, in a process of its own, which may end at any cell."""

import os
import signal
import sys
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import MagicMock

import matplotlib.pyplot as plt

from course.grade.files import cell_sources
from course.grade.judge import ALL_OTHERS, RIGHT, WRONG, HandedInNotebook, Verdict
from course.notebook import Notebook
from course.run import CELL_SECONDS

CHAPTER_SECONDS = 120  # for the course's own chapter
MOST_RUNS = 3  # of a file whose cells end its process; no chapter has more exercises
NOT_RUN = "not judged: the course's own chapter does not run here; see what its cells say"
# A server that has imported torch once forks a process for each notebook; Windows has none. It
# starts in the folder in which this command was given, where it finds the course.
CONTEXT = get_context("spawn") if sys.platform == "win32" else get_context("forkserver")
CONTEXT.set_forkserver_preload(["course.grade.judge"])
COLAB_MODULES = ("google", "google.colab")  # only Colab has them


def judge_in_process(original: Notebook, path: Path, seconds: int = CELL_SECONDS) -> list[Verdict]:
    """Return a verdict on each exercise; a file runs again without a cell that ends its process."""
    right_verdicts: dict[str, Verdict] = {}
    ended_cells: set[int] = set()
    for _ in range(MOST_RUNS):
        verdicts, ended_cell = run_in_process(original, path, ended_cells, seconds)
        right_verdicts |= {name: v for name, v in verdicts.items() if v.mark == RIGHT}
        if ended_cell is None:
            break
        ended_cells.add(ended_cell)
    verdicts |= right_verdicts
    return [verdicts.get(exercise.name, verdicts[ALL_OTHERS]) for exercise in original.exercises()]


def run_in_process(
    original: Notebook, path: Path, ended_cells: set[int], seconds: int
) -> tuple[dict[str, Verdict], int | None]:
    """Return the verdicts, by exercise, and which cell ended the process, if one did.

    A cell has some seconds, and then its process is ended. Those that ended one do not run.
    """
    receiver, sender = CONTEXT.Pipe(duplex=False)
    verdicts, running_cell = {ALL_OTHERS: Verdict("", NOT_RUN)}, None
    with TemporaryDirectory() as folder:
        arguments = (original.path, path, ended_cells, folder, seconds, sender)
        child = CONTEXT.Process(target=send_verdicts, args=arguments)
        child.start()
        sender.close()
        try:
            wait = CHAPTER_SECONDS
            while receiver.poll(wait):
                verdicts, running_cell = receiver.recv()
                if running_cell is None:
                    break  # all cells have run; a thread of the copy's may go on
                wait = 2 * seconds + 5  # for a cell that catches its interrupt, too
        except EOFError:
            pass
        finally:  # Control-C does not reach a session of its own
            end_session(child)
    return verdicts, running_cell


def end_session(process: BaseProcess) -> None:
    """End a process, and what it has started."""
    process.kill()
    if sys.platform != "win32" and process.pid:
        with suppress(OSError):  # nothing of it is left
            os.killpg(process.pid, signal.SIGKILL)
    process.join()


def send_verdicts(
    original_path: Path,
    path: Path,
    ended_cells: set[int],
    folder: str,
    seconds: int,
    connection: Connection,
) -> None:
    """Run a chapter and the copy that was handed in; send the verdicts, and the running cell."""
    if sys.platform != "win32":
        os.setsid()  # what the copy starts ends with it, unless it leaves the session, too
    plt.switch_backend("Agg")
    os.chdir(folder)
    for name in COLAB_MODULES:
        sys.modules.setdefault(name, MagicMock())  # drive.mount() does nothing
    handed_in = HandedInNotebook(Notebook(original_path), seconds, connection)
    for number, source in enumerate(cell_sources(path, "code")):
        handed_in.judge_cell(number, source, number in ended_cells)
    not_found = {ALL_OTHERS: Verdict(WRONG, handed_in.not_found)}
    connection.send((not_found | handed_in.verdicts, None))
