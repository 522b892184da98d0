"""Every exercise is answered: the stub and each wrong answer are refused, the solution is accepted.

The cells run as plain Python in this process. Cells marked `slow` or `timing` in their metadata are
left out: no exercise may need them.
"""

import contextlib
import io

import matplotlib
import matplotlib.pyplot as plt
import pytest
from checks import EXERCISE, SOLUTION, code_cells
from course import notebooks, place, read

VERDICTS = {"notebooks": ("not yet", "not quite", "correct")}


def run(path, cell, source, namespace):
    """What a cell prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, place(path, cell), "exec"), namespace)
    return printed.getvalue()


@pytest.mark.parametrize("path", notebooks(), ids=place)
def test_exercises(path, monkeypatch):
    matplotlib.use("Agg")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    not_yet, not_quite, correct = VERDICTS[path.parent.name]
    notebook = read(path)
    by_id = {cell.id: cell for cell in notebook.cells}
    namespace = {"__name__": "__main__"}
    for cell in code_cells(notebook):
        exercise = cell.id.removesuffix("-check")
        if EXERCISE.fullmatch(exercise):
            stub = by_id[f"{exercise}-stub"]
            solution = SOLUTION.fullmatch(by_id[f"{exercise}-solution"].source)[1]
            trials = [(stub.source, not_yet), (solution, correct)]
            trials += [(f"{stub.source}\n{wrong}", not_quite) for wrong in cell.metadata["wrong"]]
            for source, verdict in trials:
                trial = dict(namespace)
                run(path, stub, source, trial)
                said = run(path, cell, cell.source, trial)
                assert said.startswith(verdict) and said.count("\n") == 1, (
                    f"{place(path, cell)}: to\n{source}\nit says {said!r}, not {verdict!r}"
                )
        elif not {"slow", "timing"} & set(cell.metadata):
            run(path, cell, cell.source, namespace)
