"""Run a notebook's cells once, in order, as plain Python in this process.

This one run gives all that depends on the notebook's variables: the outputs, the frames of
diagrams, the computed numbers, and the verdicts of the exercises. build.py writes them,
check/executed.py checks them.
"""

import ast
import hashlib
import io
import json
import linecache
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NamedTuple, TextIO

import matplotlib
import matplotlib.pyplot as plt
import torch
from IPython.core.pylabtools import print_figure
from IPython.lib.pretty import pretty
from nbformat import NotebookNode
from nbformat.v4 import new_output
from torch.random import fork_rng

from course import CourseError
from course.checker import WORDS
from course.diagrams import Frame, arguments_for, draw_diagram
from course.exhibits import exhibit_of
from course.notebook import Exercise, Notebook, headings, is_stub, solution_code

Namespace = dict[str, Any]  # the variables of a notebook, by name
CELL_SECONDS = 60  # for an answer
NBVAL_SECONDS = 300  # for a cell, as in pyproject.toml
# Simplified by thresholds, a curve would move by a pixel with a rounding error.
PLOT_STYLE: Any = {"path.simplify": False}


@dataclass
class CellRun:
    """The results of running one cell; None where it has nothing of the kind."""

    outputs: list[NotebookNode] | None = None
    frames: list[Frame] | None = None  # of a diagram
    exhibit: dict[str, Any] | None = None  # the numbers of an exhibit on the web
    computed: dict[str, float | Exception] = field(default_factory=dict)  # by expression
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)  # by language and answer
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)  # of tensors, by variable


class NotebookRun(NamedTuple):
    """The results of running a notebook, and the variables that its cells leave."""

    cell_runs: dict[str, CellRun]  # by the cell's id
    namespace: Namespace


def run_notebook(notebook: Notebook) -> NotebookRun:
    """Run the cells of an English notebook in an empty folder.

    The exercises are answered in both languages. Cells whose outputs are kept (too slow, or
    different each time) run only if the code above one of them has changed; no other cell may need
    them. Torch's generator is kept apart from what is drawn, computed and answered between cells.
    Raises CourseError if a cell raises.
    """
    namespace: Namespace = {"__name__": "__main__"}
    cell_runs: dict[str, CellRun] = {}
    skipped_ids = ids_of_current_kept_cells(notebook)
    with clean_process_state():
        for cell in notebook.cells:
            cell_run = cell_runs[cell.id] = CellRun()
            place = notebook.place_of(cell)
            if cell.cell_type == "code" and not is_stub(cell) and cell.id not in skipped_ids:
                with cell_time_limit(place):
                    cell_run.outputs = execute(cell.source, namespace, place)
                require_no_stderr(cell_run.outputs, place)
                cell_run.shapes = shapes_of_tensors(namespace)
            with fork_rng(devices=[]):  # the notebooks run on the CPU
                if "diagram" in cell.metadata:
                    cell_run.frames = draw_diagram(notebook, cell, namespace)
                if exhibit := exhibit_of(notebook, cell):
                    cell_run.exhibit = exhibit(**arguments_for(exhibit, namespace, place))
                for expression in cell.metadata.get("computed", {}).values():
                    cell_run.computed[expression] = evaluate_number(expression, namespace)
                if is_stub(cell):
                    cell_run.verdicts = judge_answers(notebook, cell.id, namespace)
    return NotebookRun(cell_runs, namespace)


@contextmanager
def cell_time_limit(place: str) -> Iterator[None]:
    """Raise CourseError if what is inside takes as long as nbval would not wait for."""
    try:
        with time_limit(NBVAL_SECONDS):
            yield
    except TimeUp as error:
        raise CourseError(f"{place}: {error}; correct it") from None


def shapes_of_tensors(namespace: Namespace) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the tensors among some variables."""
    tensors = {name: value for name, value in namespace.items() if isinstance(value, torch.Tensor)}
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


def rerun_problems(notebook: Notebook, namespace: Namespace) -> Iterator[str]:
    """Run each section again after Run All, from its last cell up: no order asks for more.

    `namespace` has the variables that the cells have left; the stubs and the solutions run before.
    Yields a line for each section in which a cell raises.
    """
    namespace = dict(namespace)
    with clean_process_state():
        for exercise in notebook.exercises():
            for cell, source in (
                (exercise.stub, exercise.stub.source),
                (exercise.solution, solution_code(exercise.solution)),
            ):
                execute(source, namespace, notebook.place_of(cell))
        for section in code_sections(notebook):
            section_namespace = dict(namespace)
            try:
                for cell in reversed(section):
                    place = f"{notebook.place_of(cell)}, run again from below"
                    execute(cell.source, section_namespace, place)
            except CourseError as error:
                yield str(error)
            new_names = {n: v for n, v in section_namespace.items() if v is not namespace.get(n)}
            remove_folders(new_names)  # other sections may use those made above
        remove_folders(namespace)


def remove_folders(namespace: Namespace) -> None:
    """Remove the temporary folders of a notebook; Python warns of those that it removes itself."""
    for value in namespace.values():
        if isinstance(value, tempfile.TemporaryDirectory):
            value.cleanup()


def code_sections(notebook: Notebook) -> list[list[NotebookNode]]:
    """Return the code cells by the headings above them, without those whose outputs are kept."""
    sections: list[list[NotebookNode]] = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "code" and "output_digest" not in cell.metadata:
            sections[-1].append(cell)
        elif cell.cell_type == "markdown" and any(mark == "##" for mark, _ in headings(cell)):
            sections.append([])
    return sections


@contextmanager
def default_dtype_kept() -> Iterator[None]:
    """Give the next notebook the type of numbers that torch has now, whatever this one sets."""
    dtype = torch.get_default_dtype()
    try:
        yield
    finally:
        torch.set_default_dtype(dtype)


@contextmanager
def clean_process_state() -> Iterator[None]:
    """Work in an empty folder, with the plots and warnings of a fresh process; restore them."""
    # At once: later, Matplotlib would need the plt.show that `execute` replaces.
    plt.switch_backend("Agg")
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        matplotlib.rc_context(PLOT_STYLE),  # the next notebook must not inherit a font size
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always")  # also where pytest turns warnings into errors
        warnings.showwarning = write_warning
        yield


def write_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Write a warning to stderr, also where pytest would collect it."""
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def ids_of_current_kept_cells(notebook: Notebook) -> set[str]:
    """Return the ids of the cells that need not run: their outputs are kept, and up to date."""
    kept_cells = [cell for cell in notebook.code_cells if "output_digest" in cell.metadata]
    are_current = all(
        cell.metadata["output_digest"] == compute_output_digest(notebook, cell)
        for cell in kept_cells
    )
    return {cell.id for cell in kept_cells} if are_current else set()


def compute_output_digest(notebook: Notebook, cell: NotebookNode) -> str:
    """Return the SHA-256 (hex) of a cell's outputs and of all code down to the cell."""
    code_ids = [code_cell.id for code_cell in notebook.code_cells]
    cells_above = notebook.code_cells[: code_ids.index(cell.id) + 1]
    content = [[code_cell.source for code_cell in cells_above], cell.outputs]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def require_no_stderr(outputs: list[NotebookNode], place: str) -> None:
    """Raise CourseError if a cell has written to stderr, which nbval would not accept."""
    for output in outputs:
        if output.get("name") == "stderr":
            first_line = output.text.strip().splitlines()[0]
            raise CourseError(f"{place}: writes to stderr: {first_line!r}; remove what causes it")


def execute(source: str, namespace: Namespace, place: str) -> list[NotebookNode]:
    """Run some code as a notebook would, and return its outputs.

    The value of a last expression is displayed and becomes `_`. `place` is where the code stands,
    for messages. Raises CourseError if the code raises, is no Python, or leaves a plot unshown.
    """
    statements, expression = compile_cell(source, place)
    recorder = OutputRecorder()
    usual_show = plt.show
    plt.show = recorder.record_figure  # type: ignore[assignment]
    try:
        with redirect_stdout(recorder.printed), redirect_stderr(recorder.stderr):
            exec(statements, namespace)
            value = eval(expression, namespace) if expression else None
        recorder.record_printed()
        if value is not None:
            namespace["_"] = value
            data = {"text/plain": pretty(value)}
            recorder.outputs.append(new_output("execute_result", data))
        if text := recorder.stderr.getvalue():
            recorder.outputs.append(new_output("stream", name="stderr", text=text))
    except (Exception, SystemExit) as error:
        raise CourseError(f"{place}: {describe_error(error, place)}; correct it") from error
    else:
        if plt.get_fignums():  # a kernel would show it by itself
            raise CourseError(f"{place}: a plot is not shown; end with plt.show()")
    finally:
        plt.show = usual_show
        plt.close("all")  # also those of a cell that was interrupted
    return recorder.outputs


class TimeUp(BaseException):
    """The end of a time limit. What catches every Exception, or an interrupt, does not catch it."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeUp inside after so many seconds, where the system has such a clock."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def raise_time_up(*_: object) -> None:
        raise TimeUp(f"it takes more than {seconds} seconds")

    handler_before = signal.signal(signal.SIGALRM, raise_time_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler_before)


def compile_cell(source: str, place: str) -> tuple[CodeType, CodeType | None]:
    """Compile some code: its statements, and its last expression, which a notebook displays.

    Raises CourseError if the code is no Python.
    """
    try:
        tree = ast.parse(source)
        expression = None
        if tree.body and isinstance(last := tree.body[-1], ast.Expr):
            tree.body.pop()
            expression = compile(ast.Expression(last.value), place, "eval")
        statements = compile(tree, place, "exec")
    except SyntaxError as error:
        problem = f"{describe_syntax_error(error)}; correct it"
        if (error.text or "").lstrip().startswith(("%", "!")):
            problem = f"line {error.lineno} is a magic; write plain Python"
        raise CourseError(f"{place}: {problem}") from error
    # The checker of the exercises quotes lines of code.
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    return statements, expression


class OutputRecorder:
    """The outputs of a cell, in the order in which it prints and shows them."""

    def __init__(self) -> None:
        """Begin without outputs."""
        self.outputs: list[NotebookNode] = []
        self.printed = io.StringIO()
        self.stderr = io.StringIO()

    def record_printed(self) -> None:
        """Turn what was printed since the last call into an output."""
        if self.printed.getvalue():
            self.outputs.append(new_output("stream", name="stdout", text=self.printed.getvalue()))
            self.printed.seek(self.printed.truncate(0))

    def record_figure(self) -> None:
        """Turn Matplotlib's figure into an output; this stands in for `plt.show`."""
        self.record_printed()
        if len(plt.get_fignums()) > 1:
            raise ValueError("two plots before one plt.show()")
        figure = plt.gcf()
        png = print_figure(figure, fmt="png", bbox_inches="tight", base64=True)
        data = {"image/png": png, "text/plain": repr(figure)}
        self.outputs.append(new_output("display_data", data))
        plt.close("all")


def describe_syntax_error(error: SyntaxError) -> str:
    """Return which line of some code is not Python, and why not."""
    code = (error.text or "").strip()
    line = f"line {error.lineno}, `{code}`," if code else f"line {error.lineno}"
    return f"{line} is not Python ({error.msg})"


def describe_error(error: BaseException, place: str) -> str:
    """Return which line of some code raised which error; the line is the innermost of the code."""
    calls = traceback.extract_tb(error.__traceback__)
    lines = [f"line {call.lineno}" for call in calls if call.filename == place]
    line = lines[-1] if lines else "what it displays"
    return f"{line} raises {type(error).__name__}: {error}"


def judge_answers(
    notebook: Notebook, stub_id: str, namespace: Namespace
) -> dict[str, dict[str, str]]:
    """Answer an exercise in each language: with its stub, its solution, and its wrong answers.

    Returns what the checker prints, by language and answer. Raises CourseError if the checker, the
    cases, the judge, or an answer at its top level raises, or if an answer takes too long.
    """
    return {
        edition_notebook.edition.language: judge_exercise(edition_notebook, exercise, namespace)
        for edition_notebook in notebook.with_twin
        for exercise in edition_notebook.exercises()
        if exercise.stub.id == stub_id
    }


def judge_exercise(notebook: Notebook, exercise: Exercise, namespace: Namespace) -> dict[str, str]:
    """Return what an exercise's checker prints, by answer; see `judge_answers`."""
    messages = WORDS[notebook.edition.language]
    not_judged = messages["not judged"].partition("{")[0]
    stopped = messages["stopped"].format(exercise.name)
    place, stub = notebook.place_of(exercise.stub), exercise.stub
    exercise_namespace = dict(namespace)
    for cell in (notebook.cell("checker"), exercise.cases):
        execute(cell.source, exercise_namespace, notebook.place_of(cell))
    if not exercise.name:
        place_of_cases = notebook.place_of(exercise.cases)
        raise CourseError(f"{place_of_cases}: defines no function `judge_…`; write it")
    if not stub.source.endswith(f"\n{exercise.check_call}"):
        raise CourseError(f"{place}: does not end in `{exercise.check_call}`; add that")
    answers = [solution_code(exercise.solution), *stub.metadata.get("wrong", {})]
    code_by_answer = {stub.source: stub.source}
    code_by_answer |= {answer: f"{answer}\n\n\n{exercise.check_call}" for answer in answers}
    verdicts = {}
    for answer, code in code_by_answer.items():
        try:
            with time_limit(CELL_SECONDS):
                outputs = execute(code, dict(exercise_namespace), place)
        except TimeUp as error:
            raise CourseError(f"{place}: {error}; correct it: {answer!r}") from error
        except CourseError as error:
            raise CourseError(f"{error}: {answer!r}") from error
        printed = [output.text for output in outputs if output.get("name") == "stdout"]
        verdicts[answer] = "".join(printed)
        if stopped in verdicts[answer]:  # Control-C, which the checker catches
            raise KeyboardInterrupt
        if not_judged in verdicts[answer]:
            reason = verdicts[answer].partition(not_judged)[2].strip()
            message = f"its judge raises {reason}, for {answer!r}; let it refuse, or correct it"
            raise CourseError(f"{notebook.place_of(exercise.cases)}: {message}")
    return verdicts


def evaluate_number(expression: str, namespace: Namespace) -> float | Exception:
    """Return the number that an expression of the metadata gives, or the exception it raises."""
    try:
        value = eval(expression, dict(namespace))
        return float(value.detach() if isinstance(value, torch.Tensor) else value)
    except (Exception, SystemExit) as error:
        return error if isinstance(error, Exception) else RuntimeError(error)
