"""Judge what a class has handed in: run each notebook again, and believe none of its outputs.

python -m course.grade folder     prints a line for each notebook, and writes folder/grades.csv

An answer is judged by the course's own checker and cases, with the course's own variables,
whatever the notebook has made of its copies. Each notebook runs in a process of its own, which may
do whatever you may do: read it first, or use a machine that holds nothing of yours. What changes
PyTorch itself can still make a wrong answer pass.
"""

import csv
import json
import signal
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import nbformat

from course import CourseError, run_main
from course.checker import WORDS
from course.notebook import Notebook, all_notebooks, is_stub
from course.run import Namespace, execute

CELL_SECONDS = 60
NOT_FOUND = "no answer was found"


def main(arguments: list[str]) -> None:
    """Judge every notebook in a folder that has a chapter's name in its own."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        raise CourseError("name the folder of what was handed in: python -m course.grade folder")
    folder, rows = Path(arguments[0]).resolve(), []
    for path in sorted(folder.rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts or not (original := original_of(path)):
            continue
        verdicts = judge_in_process(original, path)
        right = sum(verdict == WORDS[original.edition.language]["right"] for verdict in verdicts)
        name = path.relative_to(folder).as_posix()
        print(f"{right} of {len(verdicts)}   {name}", flush=True)
        rows.append([name, right, len(verdicts), *verdicts])
    if not rows:
        remedy = "a notebook is found by its chapter: anna-05_gradients.ipynb"
        raise CourseError(f"{folder}: no notebook has a chapter's name in its own; {remedy}")
    with (folder / "grades.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([["notebook", "right", "of", "verdicts"], *rows])
    print(f"wrote {folder / 'grades.csv'}, with what is wrong")


def original_of(path: Path) -> Notebook | None:
    """Return the chapter that a handed-in notebook is a copy of, in its language, if any."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for notebook in all_notebooks():
        has_name = notebook.path.stem in path.stem and not notebook.is_note
        if has_name and notebook.edition.fixed_headings["try"] in text:
            return notebook
    return None


def judge_in_process(original: Notebook, path: Path, seconds: int = CELL_SECONDS) -> list[str]:
    """Return a verdict on each exercise; a cell has some seconds, and the whole is ended later."""
    receiver, sender = get_context("spawn").Pipe(duplex=False)
    arguments = (original.path, path, seconds, sender)
    child = get_context("spawn").Process(target=send_verdicts, args=arguments)
    verdicts = {exercise.name: NOT_FOUND for exercise in original.exercises()}
    with TemporaryDirectory() as folder, chdir(folder):
        child.start()
        sender.close()
        with suppress(EOFError):
            while receiver.poll(60 + 5 * seconds):
                verdicts |= [receiver.recv()]
        child.kill()
        child.join()
    return list(verdicts.values())


def send_verdicts(original_path: Path, path: Path, seconds: int, verdicts: Connection) -> None:
    """Run a chapter and the copy that was handed in; send each exercise's name and verdict."""
    matplotlib.use("Agg")
    original = Notebook(original_path)
    namespace = run_original(original)
    names = [exercise.name for exercise in original.exercises()]
    answers: Namespace = {"__name__": "__main__", "check": lambda **_: None}
    for source in code_of(path):
        error = ""
        try:
            with time_limit(seconds):
                execute(source, answers, "the cell")
        except (CourseError, KeyboardInterrupt) as reason:
            error = str(reason) or f"it takes more than {seconds} seconds"
        for name in names:
            if f"check({name}=" in source:
                namespace["answer"] = answers.get(name, ...)
                verdicts.send((name, error or judge(dict(namespace), name, seconds)))


def run_original(original: Notebook) -> Namespace:
    """Return the variables of a chapter: the checker and the judges are among them."""
    namespace: Namespace = {"__name__": "__main__"}
    for cell in original.code_cells:
        if "kept" not in cell.metadata and not is_stub(cell):
            execute(cell.source, namespace, original.place_of(cell))
    return namespace


def judge(namespace: Namespace, name: str, seconds: int) -> str:
    """Return what the course's own checker says to the variable `answer`."""
    try:
        with time_limit(seconds):
            outputs = execute(f"check({name}=answer)", namespace, "the answer")
    except (CourseError, KeyboardInterrupt) as reason:
        return str(reason) or f"it takes more than {seconds} seconds"
    return "".join(output.get("text", "") for output in outputs).strip()


def code_of(path: Path) -> list[str]:
    """Return the sources of a notebook's code cells; none if it is no notebook."""
    with suppress(nbformat.reader.NotJSONError, nbformat.ValidationError, json.JSONDecodeError):
        notebook = nbformat.read(path, as_version=4)
        return [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return []


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise KeyboardInterrupt inside after so many seconds, where the system has such a clock."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    run_main(main)
