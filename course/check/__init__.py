"""What is required of the course: CONTRIBUTING.md says which module looks at what.

Its rules are functions that yield a line for each thing wrong: the file, the cell, what to do.
nbval compares what a kernel prints with what is stored; here is what it cannot see.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator

Problems = Iterator[str]
RULES: dict[str, list[Callable]] = defaultdict(list)  # by the module's name


def rule(function: Callable) -> Callable:
    """Put a function among the rules of its module."""
    RULES[function.__module__].append(function)
    return function
