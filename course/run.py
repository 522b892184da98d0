"""A chapter's cells run once, in order, as plain Python in this process.

This one run gives all that rests on the chapter's variables: outputs, frames of diagrams, computed
numbers, what the exercises say to answers. build.py writes it, check/executed.py judges it.
"""

import ast
import hashlib
import io
import json
import linecache
import re
import tempfile
import traceback
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import torch
from IPython.core.pylabtools import print_figure
from IPython.lib.pretty import pretty
from nbformat import NotebookNode
from nbformat.v4 import new_output
from torch.random import fork_rng

from course import CourseError
from course.diagrams import Frame, render, variables
from course.exhibits import EXHIBITS
from course.notebook import by_id, code_cells, edition, find, name_of, solution


@dataclass
class CellRun:
    """What came of a cell: None where there is nothing of the kind."""

    outputs: list[NotebookNode] | None = None
    frames: list[Frame] | None = None  # of a diagram
    exhibit: dict | None = None  # the numbers of one on the web
    computed: dict[str, float | Exception] = field(default_factory=dict)  # by the expression
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)  # by language and answer


def digest(notebook: NotebookNode, cell: NotebookNode) -> str:
    """SHA-256 (hex) of a cell's outputs and of what they rest on: all code down to the cell."""
    names = [other.id for other in code_cells(notebook)]
    code = [other.source for other in code_cells(notebook)[: names.index(cell.id) + 1]]
    return hashlib.sha256(json.dumps([code, cell.outputs], sort_keys=True).encode()).hexdigest()


def execute(source: str, namespace: dict, where: str) -> list[NotebookNode]:
    """Run some code as a notebook would; its outputs.

    The value of a last expression is displayed and becomes `_`. Raises CourseError, which names
    the place and the error, if the code raises or is not Python.
    """
    try:
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        code = compile(tree, where, "exec")
    except SyntaxError as error:
        message = f"{where}: line {error.lineno} is not Python ({error.msg}); correct it"
        raise CourseError(message) from error
    lines = source.splitlines(keepends=True)
    linecache.cache[where] = (len(source), None, lines, where)  # for who asks for a line
    outputs, out = [], io.StringIO()

    def flush() -> None:
        if out.getvalue():
            outputs.append(new_output("stream", name="stdout", text=out.getvalue()))
            out.seek(out.truncate(0))

    def show() -> None:
        flush()
        figure = plt.gcf()
        png = print_figure(figure, fmt="png", bbox_inches="tight", base64=True)
        data = {"image/png": png, "text/plain": repr(figure)}
        outputs.append(new_output("display_data", data))
        plt.close("all")

    usual, plt.show = plt.show, show
    try:
        with redirect_stdout(out):
            exec(code, namespace)
            if last is not None:
                last = eval(compile(ast.Expression(last.value), where, "eval"), namespace)
        flush()
        if last is not None:
            namespace["_"] = last
            outputs.append(new_output("execute_result", {"text/plain": pretty(last)}))
    except (Exception, SystemExit) as error:
        calls = traceback.extract_tb(error.__traceback__)
        lines = [f"line {call.lineno}" for call in calls if call.filename == where]
        at = lines[-1] if lines else "what it displays"
        message = f"{where}: {at} raises {type(error).__name__}: {error}; correct it"
        raise CourseError(message) from error
    finally:
        plt.show = usual
    return outputs


def verdicts_of(
    path: Path, notebook: NotebookNode, exercise: str, namespace: dict
) -> dict[str, str]:
    """What an exercise's stub prints, with its own answer, the solution and recorded wrong ones.

    By the answer. Raises CourseError if the checker, the cases or an answer at the top raises.
    """
    names = ["checker", *(f"{exercise}-{part}" for part in ("cases", "stub", "solution"))]
    checker, cases, stub, solved = (find(notebook, name, path) for name in names)
    own, verdicts = dict(namespace), {}
    for cell in (checker, cases):
        execute(cell.source, own, name_of(path, cell))
    if "check(" not in stub.source:
        raise CourseError(f"{name_of(path, stub)}: it does not end in check(…); add that")
    call = stub.source[stub.source.rfind("check(") :]
    for answer in [stub.source, solution(solved), *stub.metadata.get("wrong", {})]:
        code = answer if answer == stub.source else f"{answer}\n\n\n{call}"
        outputs = execute(code, dict(own), name_of(path, stub))
        verdicts[answer] = "".join(output.get("text", "") for output in outputs)
    return verdicts


def compute(expression: str, namespace: dict) -> float | Exception:
    """The number that an expression of the metadata gives, or the exception that it raises."""
    try:
        value = eval(expression, dict(namespace))
        return float(value.detach() if isinstance(value, torch.Tensor) else value)
    except Exception as error:
        return error


def run_chapter(path: Path, pair: dict[Path, NotebookNode]) -> dict[str, CellRun]:
    """Run a chapter's English notebook in an empty folder: what came of each cell.

    `pair` has the notebooks of both languages; the exercises are answered in each.

    Cells whose outputs are kept (too slow, or different each time) run only if the code above one
    of them has changed; no other cell may need them. Torch's generator is kept apart from what is
    drawn, computed and answered between two cells. Raises CourseError if a cell raises.
    """
    notebook, namespace, ran = pair[path], {"__name__": "__main__"}, {}
    matplotlib.use("Agg")
    slow = [cell for cell in code_cells(notebook) if "kept" in cell.metadata]
    holds = all(cell.metadata["kept"] == digest(notebook, cell) for cell in slow)
    passed_by = {cell.id for cell in slow} if holds else set()
    # A chapter may set a font size; the next one must not inherit it. Simplified by thresholds, a
    # curve would move by a pixel with a rounding error.
    style = {"path.simplify": False}
    with tempfile.TemporaryDirectory() as folder, chdir(folder), matplotlib.rc_context(style):
        for cell in notebook.cells:
            result = ran[cell.id] = CellRun()
            stub = re.fullmatch(r"(try-\d+)-stub", cell.id)
            if cell.cell_type == "code" and not stub and cell.id not in passed_by:
                result.outputs = execute(cell.source, namespace, name_of(path, cell))
            with fork_rng():
                if "diagram" in cell.metadata:
                    result.frames = render(path, cell, namespace)
                if function := EXHIBITS.get(cell.id):
                    result.exhibit = function(**variables(function, namespace, name_of(path, cell)))
                for expression in cell.metadata.get("computed", {}).values():
                    result.computed[expression] = compute(expression, namespace)
                for file, other in pair.items() if stub else ():
                    if cell.id in by_id(other):
                        verdicts = verdicts_of(file, other, stub[1], namespace)
                        result.verdicts[edition(file).language] = verdicts
    return ran
