"""Pytest's set-up: in which order the tests run."""


def pytest_collection_modifyitems(items):
    """Run the last chapters first: they take longest, and would leave a worker alone at the end.

    The tests come before them, in their own order: sorting, even in reverse, keeps equals in order.
    """
    items.sort(
        key=lambda item: item.path.name if item.path.suffix == ".ipynb" else "~", reverse=True
    )
