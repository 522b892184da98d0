"""Pytest's set-up: where nbval's kernels come from."""

import re

import warm


def pytest_configure(config):
    """Prepare the forked kernels in the process that will run notebooks."""
    # The controller of several workers runs no notebook; without workers there is no controller.
    works = hasattr(config, "workerinput") or not config.option.numprocesses
    if works and warm.available():
        warm.install()


def order(item):
    """The last chapters first: they take longest and would leave a worker alone. Tests before them.

    A name without a number, such as JupyterLab's Untitled.ipynb, is for a test to complain of.
    """
    number = re.match(r"\d+", item.path.name)
    return -99 if item.path.suffix != ".ipynb" else -int(number[0]) if number else 0


def pytest_collection_modifyitems(items):
    """Run what takes longest first."""
    items.sort(key=order)
