"""Pytest's set-up: where nbval's kernels come from."""

from course import kernels


def pytest_configure(config):
    """Prepare the forked kernels in the process that will run notebooks."""
    # The controller of several workers runs no notebook; without workers there is no controller.
    works = hasattr(config, "workerinput") or not config.option.numprocesses
    if works and kernels.available():
        kernels.install()


def pytest_collection_modifyitems(items):
    """Run the last chapters first: they take longest, and would leave a worker alone at the end.

    The tests come before them, in their own order: sorting, even in reverse, keeps equals in order.
    """
    items.sort(
        key=lambda item: item.path.name if item.path.suffix == ".ipynb" else "~", reverse=True
    )
