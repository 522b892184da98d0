"""Pytest's set-up: how many threads, and what is said of a cell that fails."""

import gc
import os

import pytest
from nbval.plugin import IPyNbCell

from course import CourseError
from course.notebook import name_of, remedy

# Two workers share two cores: a second thread of torch, which kernels inherit, would only wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Figures leave much to collect, and each collection looks at all of torch: look less often.
gc.set_threshold(100_000, 50, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """What nbval says of a cell, which it counts, begins with the cell's name and what to do.

    Of a CourseError only its line is shown, as by the course's commands.
    """
    report = yield
    found = call.excinfo and call.excinfo.value
    if isinstance(found, CourseError):
        report.longrepr = str(found)
    elif report.failed and isinstance(item, IPyNbCell):
        advice = "correct the code"
        if str(found) == "Cell outputs differ":
            advice = f"if the new ones are right, {remedy(item.path)}"
        report.longrepr = f"{name_of(item.path, item.cell)}: {found}; {advice}\n{report.longrepr}"
    return report
