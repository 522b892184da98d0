"""Set pytest up: the threads of torch, and the report of a failing cell."""

import gc
import os
from collections.abc import Generator

import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile

from course import CourseError
from course.differences import describe_output_difference
from course.notebook import Notebook

# Three workers share the cores: a second thread of torch, which kernels inherit, would only wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.pop("MPLBACKEND", None)  # a kernel's plots are to come inline
# Garbage collection is slow with torch loaded: collect less often.
gc.set_threshold(100_000, 50, 50)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Say in one line why a notebook can't be read, without nbformat's traceback."""
    report = yield
    if report.failed and isinstance(collector, IPyNbFile):
        try:
            _ = Notebook(collector.path).node
        except CourseError as error:
            report.longrepr = str(error)  # of equal ones from its workers, xdist shows one
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Begin the report of a failing cell, which nbval counts, with its id and what to do.

    Of a CourseError only its line is shown, as by the course's commands.
    """
    report = yield
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, CourseError):
        report.longrepr = str(error)
    elif report.failed and isinstance(item, IPyNbCell):
        notebook = Notebook(item.path)
        remedy = "correct the code"
        if str(error) == "Cell outputs differ":
            fresh = NotebookNode(item.cell, outputs=item.test_outputs)
            remedy = f"{describe_output_difference(item.cell, fresh)}; if the new ones are right, "
            remedy += notebook.update_advice
        place = notebook.place_of(item.cell)
        report.longrepr = f"{place}: {error}; {remedy}\n{report.longrepr}"
    return report
