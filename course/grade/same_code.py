"""Find the code of a student's own in a handed-in notebook, to compare it with that of others."""

import ast
import re
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

from course.grade.files import cell_sources
from course.notebook import Notebook, solution_code

FEWEST_OWN_LINES = 2  # one plain expression is found by many
PRINTING = ("check", "display", "print")
MAGIC_LINE = re.compile(r"^\s*[%!].*", re.MULTILINE)
COMMENT = re.compile(r"\s*#.*")


def answers_of(original: Notebook, path: Path) -> frozenset[tuple[int, str]]:
    """Return the numbers of the exercises that a file answers, and the code of each such cell.

    Left out is a cell of which fewer than two lines are the student's own.
    """
    answers = set()
    for source in cell_sources(path, "code"):
        lines = code_lines(source)
        if len({line.strip() for line in lines} - lines_of_chapter(original)) < FEWEST_OWN_LINES:
            continue
        for number, exercise in enumerate(original.exercises(), 1):
            name = exercise.name
            is_answer = rf"^def +{name}\(|^{name} *=(?!=)|\bcheck\(\s*{name}\s*="
            if re.search(is_answer, source, re.MULTILINE):
                answers.add((number, "\n".join(lines)))
    return frozenset(answers)


@cache
def lines_of_chapter(original: Notebook) -> set[str]:
    """Return the lines of code in a chapter, with those of its solutions."""
    solutions = [solution_code(exercise.solution) for exercise in original.exercises()]
    sources = [*(cell.source for cell in original.code_cells), *solutions]
    return {line.strip() for source in sources for line in code_lines(source)}


def code_lines(source: str) -> list[str]:
    """Return the lines of a cell as Python itself would lay them out.

    Comments, docstrings, imports, magics, and calls that only print or check are left out.
    """
    source = MAGIC_LINE.sub("", source)
    with warnings.catch_warnings(), suppress(Exception):  # whatever a stranger's file holds
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(body := getattr(node, "body", None), list):
                body[:] = [each for each in body if not is_without_effect(each)]
        return [line for line in ast.unparse(tree).splitlines() if line]
    lines = (COMMENT.sub("", line).strip() for line in source.splitlines())
    return [line for line in lines if line and not line.startswith("check(")]


def is_without_effect(statement: ast.stmt) -> bool:
    """Return whether a statement changes no answer: an import, a docstring, a call that prints."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
            return True
        case ast.Expr(ast.Call(ast.Name(name))):
            return name in PRINTING
    return False
