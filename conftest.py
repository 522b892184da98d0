"""Pytest's set-up: where nbval's kernels come from."""

import warm


def pytest_configure(config):
    """Prepare the forked kernels in the process that will run notebooks."""
    # The controller of several workers runs no notebook; without workers there is no controller.
    works = hasattr(config, "workerinput") or not config.option.numprocesses
    if works and warm.available():
        warm.install()
