"""The cells run as plain Python in this process: plots are drawn again, exercises answered.

A plot must be, but for rounding, the picture that is stored. The stub of an exercise and each wrong
answer must be refused, the solution accepted. Cells marked `slow` or `timing` are left out: no
exercise may need them. The Chinese edition has the same code (test_editions.py), so its stubs,
checks and solutions run among the English cells.
"""

import base64
import contextlib
import io
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest
from checks import EXERCISE, SOLUTION, code_cells, same_picture
from course import ROOT, place, read
from IPython.core.pylabtools import print_figure
from record import pictures

VERDICTS = {
    "notebooks": ("not yet: ", "not quite: ", "correct"),
    "zh": ("还没有：", "不对：", "正确"),
}


def run(path, cell, source, namespace):
    """What a cell prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, place(path, cell), "exec"), namespace)
    except Exception as error:
        raise AssertionError(f"{place(path, cell)}: raises {error!r} after\n{source}") from error
    return printed.getvalue()


def answer(path: Path, exercise: str, namespace: dict) -> None:
    """Try the stub, the solution and each wrong answer of an exercise of one edition."""
    not_yet, not_quite, correct = VERDICTS[path.parent.name]
    cells = {cell.id: cell for cell in read(path).cells}
    stub, check = cells[f"{exercise}-stub"], cells[f"{exercise}-check"]
    solution = SOLUTION.fullmatch(cells[f"{exercise}-solution"].source)[1]
    trials = [(stub.source, not_yet), (solution, correct)]
    trials += [(f"{stub.source}\n{wrong}", not_quite) for wrong in check.metadata["wrong"]]
    for source, verdict in trials:
        trial = dict(namespace)
        run(path, stub, source, trial)
        said = run(path, check, check.source, trial)
        assert said.startswith(verdict) and said.count("\n") == 1, (
            f"{place(path, check)}: to\n{source}\nit says {said!r}, not {verdict!r}"
        )
        if source == stub.source:
            stored = check.outputs[0].text
            assert said == stored, f"{place(path, check)}: stored {stored!r}; run `make record`"


def check_cells(path: Path, editions: list[Path]) -> None:
    """Run a notebook's cells, compare its plots, answer its exercises in each edition."""
    namespace = {"__name__": "__main__"}
    drawn = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plt, "show", lambda: drawn.append(picture()))
        for cell in code_cells(read(path)):
            exercise = cell.id.removesuffix("-check")
            if EXERCISE.fullmatch(exercise):
                for edition in editions:
                    answer(edition, exercise, namespace)
            elif not {"slow", "timing"} & set(cell.metadata):
                run(path, cell, cell.source, namespace)
                stored = [base64.b64decode(p["data"]["image/png"]) for p in pictures(cell)]
                for old, new in zip(stored, drawn, strict=True):
                    assert same_picture(old, new), (
                        f"{place(path, cell)}: the stored plot is not drawn by this code; "
                        "run `make record`"
                    )
                drawn.clear()


def picture() -> bytes:
    """The present figure as the kernel's inline backend would store it."""
    data = print_figure(plt.gcf(), fmt="png", bbox_inches="tight", base64=False)
    plt.close("all")
    return data


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=place)
def test_cells(path):
    matplotlib.use("Agg")
    chinese = path.parent / "zh" / path.name
    check_cells(path, [path, *([chinese] if chinese.exists() else [])])
