"""What only a run of the cells shows. One run of a chapter (cells.py) serves every rule here.

A rule takes a chapter's file, a step of its run and the cells of both editions by name, and yields
a line for each thing wrong.
"""

import base64
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode
from torch.random import fork_rng

from course import CourseError
from course.cells import Step, execute, steps
from course.notebook import (
    EDITIONS,
    EXERCISE,
    SOLUTION,
    comparable,
    image,
    pictures,
    place,
    printed,
    read,
    root_of,
    twin,
)
from course.numbers import evaluated, numbers, prose
from course.pictures import draw, frames, same_picture

Problems = Iterator[str]
Editions = dict[Path, dict[str, NotebookNode]]


def prints(path: Path, step: Step, _: Editions) -> Problems:
    """A cell prints what is stored, as nbval requires of a kernel; names the cell and the line."""
    if step.printed is None:
        return
    stored = [line.rstrip() for line in comparable(printed(step.cell)).splitlines()]
    fresh = [line.rstrip() for line in comparable(step.printed).splitlines()]
    for ours, theirs in zip([*stored, ""], [*fresh, ""], strict=False):
        if ours != theirs:
            remedy = f"if {theirs!r} is right, `make record NB={place(path)}`"
            yield f"{place(path, step.cell)}: stored is {ours!r}; {remedy}"
            return


def plots(path: Path, step: Step, _: Editions) -> Problems:
    """The stored plots are those that the code draws."""
    if step.plots is None:
        return
    stored = [frames(base64.b64decode(p["data"]["image/png"])) for p in pictures(step.cell)]
    fresh = map(frames, step.plots)
    same = len(stored) == len(step.plots) and all(map(same_picture, stored, fresh))
    if not same:
        remedy = f"run `make record NB={place(path)}` and look at it"
        yield f"{place(path, step.cell)}: the stored plot is not drawn by this code; {remedy}"


def diagrams(path: Path, step: Step, _: Editions) -> Problems:
    """The stored diagram is drawn from the variables at this place."""
    if name := step.cell.metadata.get("diagram"):
        where = place(path, step.cell)
        try:
            drawn = draw(path, step.cell, step.namespace)
        except CourseError as error:
            yield str(error)
            return
        old = image(root_of(path), name)
        if not old.exists() or not same_picture(frames(old.read_bytes()), drawn):
            remedy = f"run `make update NB={place(path)}`"
            yield f"{where}: images/{old.name} is not what these variables draw; {remedy}"


def declared(path: Path, step: Step, editions: Editions) -> Problems:
    """The expressions that compute the prose's numbers give these numbers."""
    if "numbers" not in step.cell.metadata:
        return

    @cache  # the editions declare the same, and some expressions train a model
    def compute(expression: str) -> object:
        return eval(expression, dict(step.namespace))

    for edition, cells in editions.items():
        cell = cells[step.cell.id]
        found = numbers(prose(cell), EDITIONS[edition.parent.name].language)
        for problem in evaluated(cell.metadata.get("numbers", {}), found, compute):
            yield f"{place(edition, cell)}: {problem}"


def told(path: Path, cells: dict, exercise: str, source: str, namespace: dict) -> str:
    """What the check of an exercise says to an answer. Raises CourseError if it raises."""
    stub, check, trial = cells[f"{exercise}-stub"], cells[f"{exercise}-check"], dict(namespace)
    try:
        execute(source, trial, place(path, stub))
        return execute(check.source, trial, place(path, check))[0].rstrip()
    except CourseError as error:
        message = f"{error}, after the answer {source!r}; catch it in the check"
        raise CourseError(f"{place(path, check)}: {message}") from error


def hints(path: Path, step: Step) -> dict[str, str]:
    """What a check says to each wrong answer in its metadata."""
    exercise, cells = step.cell.id.removesuffix("-check"), {c.id: c for c in read(path).cells}
    stub = cells[f"{exercise}-stub"].source
    return {
        wrong: told(path, cells, exercise, f"{stub}\n{wrong}", step.namespace)
        for wrong in step.cell.metadata["wrong"]
    }


def exercises(path: Path, step: Step, editions: Editions) -> Problems:
    """In each language a check accepts the solution, and refuses the stub and wrong answers.

    To each wrong answer it says what is recorded in the metadata, so the hints are read too.
    """
    exercise = step.cell.id.removesuffix("-check")
    if not EXERCISE.fullmatch(exercise) or exercise == step.cell.id:
        return
    for edition, cells in editions.items():
        stub, check = cells[f"{exercise}-stub"], cells[f"{exercise}-check"]
        solution = SOLUTION.fullmatch(cells[f"{exercise}-solution"].source)[1]
        not_yet, not_quite, correct = EDITIONS[edition.parent.name].verdicts
        trials = [(stub.source, printed(check).rstrip(), not_yet), (solution, correct, correct)]
        for wrong, hint in check.metadata["wrong"].items():
            trials.append((f"{stub.source}\n{wrong}", hint, not_quite))
        for source, stored, verdict in trials:
            where = place(edition, check)
            try:
                said = told(edition, cells, exercise, source, step.namespace)
            except CourseError as error:
                yield str(error)
                continue
            if not said.startswith(verdict):
                yield f"{where}: to {source!r} it says {said!r}, and should say {verdict!r}"
            elif said != stored:
                remedy = f"run `make record NB={place(edition)}`"
                yield f"{where}: to {source!r} it says {said!r}, stored is {stored!r}; {remedy}"


RULES = [prints, plots, diagrams, declared, exercises]


def problems(path: Path) -> Problems:
    """A line for each thing that a run of one chapter shows to be wrong."""
    try:
        editions = {file: {c.id: c for c in read(file).cells} for file in (path, twin(path))}
        for step in steps(path):
            with fork_rng():  # what is judged between two cells takes no random number from them
                found = [problem for rule in RULES for problem in rule(path, step, editions)]
            yield from found
    except CourseError as error:
        yield str(error)
