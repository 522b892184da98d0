"""A chapter's cells run once, in order, as plain Python in this process.

Plots, diagrams, exercises and the numbers of the prose are all judged from this one run (live.py).
"""

import ast
import contextlib
import io
import os
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import matplotlib
import matplotlib.pyplot as plt
from IPython.core.pylabtools import print_figure
from IPython.lib.pretty import pretty
from nbformat import NotebookNode

from course import CourseError
from course.notebook import EXERCISE, place, read


class Step(NamedTuple):
    """What is there after a cell: all variables so far and, if it ran, what it printed, plotted."""

    cell: NotebookNode
    namespace: dict
    printed: str | None = None
    plots: list[bytes] | None = None


def execute(source: str, namespace: dict, where: str) -> tuple[str, list[bytes]]:
    """Run some code as a notebook would: what it prints and displays, and its plots as PNGs.

    The value of a last expression is displayed and becomes `_`. Raises CourseError, which names
    the place and the error, if the code raises or is not Python.
    """
    try:
        tree, out, plots = ast.parse(source), io.StringIO(), []
    except SyntaxError as error:
        message = f"{where}: line {error.lineno} is not Python ({error.msg}); correct it"
        raise CourseError(message) from error
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None

    def show() -> None:
        plots.append(print_figure(plt.gcf(), fmt="png", bbox_inches="tight", base64=False))
        plt.close("all")

    usual, plt.show = plt.show, show
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(tree, where, "exec"), namespace)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), where, "eval"), namespace)
                if value is not None:
                    namespace["_"] = value
                    print(pretty(value))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        message = f"{where}: line {line} raises {type(error).__name__}: {error}"
        raise CourseError(message) from error
    finally:
        plt.show = usual
    return out.getvalue(), plots


def steps(path: Path, notebook: NotebookNode | None = None) -> Iterator[Step]:
    """Run a notebook's cells and stop after each one, Markdown cells included.

    Left out are cells marked `slow` or `timing` and the checks of the exercises: no other cell may
    need them. The folder is an empty one. Raises CourseError if a cell raises.
    """
    matplotlib.use("Agg")
    namespace = {"__name__": "__main__"}
    here = Path.cwd()
    # A chapter may set a font size; the next one must not inherit it.
    with tempfile.TemporaryDirectory() as folder, matplotlib.rc_context():
        os.chdir(folder)
        try:
            for cell in (notebook or read(path)).cells:
                skipped = {"slow", "timing"} & set(cell.metadata)
                skipped = skipped or EXERCISE.fullmatch(cell.id.removesuffix("-check"))
                if cell.cell_type == "code" and not skipped:
                    yield Step(cell, namespace, *execute(cell.source, namespace, place(path, cell)))
                else:
                    yield Step(cell, namespace)
        finally:
            os.chdir(here)
