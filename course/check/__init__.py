"""The rules of the course; CONTRIBUTING.md says which module checks what.

A rule is a function marked `@rule` and named as the sentence that must hold. It takes one object
and yields a sentence, "what is wrong; what to do", for each place where it does not hold:

- on a stored notebook, in `structure`, `exercises`, `numbers` and `editions`: the cell, or None for
  the whole notebook, and the sentence;
- on the run of a notebook, in `executed`, and on the course's root, in `repository`: one line,
  which begins with the place.

nbval compares what a kernel prints with what is stored; the rules check what it cannot see.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from nbformat import NotebookNode

CellProblems = Iterator[tuple[NotebookNode | None, str]]
Problems = Iterator[str]
Rules = Iterable[Callable[..., Iterator[Any]]]
Rule = TypeVar("Rule", bound=Callable[..., Iterator[Any]])
RULES: dict[str, list[Callable[..., Iterator[Any]]]] = defaultdict(list)  # by their module


def rule(function: Rule) -> Rule:
    """Add a function to the rules of its module."""
    RULES[function.__module__].append(function)
    return function


def with_advice(sentences: Iterable[str], advice: str) -> Problems:
    """Yield some sentences, of which the last says what to do about all of them."""
    in_order = list(sentences)
    yield from in_order[:-1]
    yield from (f"{last}; {advice}" for last in in_order[-1:])
