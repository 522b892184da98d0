"""What only a run of the cells shows. One run of a chapter (cells.py) serves every rule here.

A rule takes a chapter's file and a step of its run, and yields a line for each thing wrong.
"""

import base64
from collections.abc import Iterator
from pathlib import Path

from course.cells import Step, execute, steps
from course.notebook import (
    EDITIONS,
    EXERCISE,
    SOLUTION,
    CourseError,
    comparable,
    pictures,
    place,
    printed,
    read,
    root_of,
)
from course.numbers import evaluated
from course.pictures import draw, image, same_picture

Problems = Iterator[str]


def prints(path: Path, step: Step) -> Problems:
    """A cell prints what is stored, as nbval requires of a kernel; names the cell and the line."""
    if step.printed is None:
        return
    stored = comparable(printed(step.cell)).splitlines()
    fresh = [line.rstrip() for line in comparable(step.printed).splitlines()]
    stored = [line.rstrip() for line in stored if not line.startswith("<Figure size")]
    for ours, theirs in zip([*stored, ""], [*fresh, ""], strict=False):
        if ours != theirs:
            remedy = f"if {theirs!r} is right, `make record NB={place(path)}`"
            yield f"{place(path, step.cell)}: stored is {ours!r}; {remedy}"
            return


def plots(path: Path, step: Step) -> Problems:
    """The stored plots are those that the code draws."""
    if step.plots is None:
        return
    stored = [base64.b64decode(p["data"]["image/png"]) for p in pictures(step.cell)]
    same = len(stored) == len(step.plots) and all(map(same_picture, stored, step.plots))
    if not same:
        remedy = f"run `make record NB={place(path)}` and look at it"
        yield f"{place(path, step.cell)}: the stored plot is not drawn by this code; {remedy}"


def diagrams(path: Path, step: Step) -> Problems:
    """The stored diagram is drawn from the variables at this place, pixel for pixel."""
    if name := step.cell.metadata.get("diagram"):
        where = place(path, step.cell)
        try:
            file, data = draw(path, name, step.namespace)
        except CourseError as error:
            yield str(error)
            return
        old = image(root_of(path), name)
        if old is None or old.name != file or not same_picture(old.read_bytes(), data, levels=0):
            yield f"{where}: images/{file} is not what these variables draw; run `make images`"


def declared(path: Path, step: Step) -> Problems:
    """The expressions that compute the prose's numbers give these numbers."""
    for found in evaluated(step.cell.metadata.get("numbers", {}), step.namespace):
        yield f"{place(path, step.cell)}: {found}"


def exercises(path: Path, step: Step) -> Problems:
    """In each language a check refuses stub and wrong answers, and accepts the solution."""
    exercise = step.cell.id.removesuffix("-check")
    if not EXERCISE.fullmatch(exercise) or exercise == step.cell.id:
        return
    for edition in (path, path.parent / "zh" / path.name):
        cells = {cell.id: cell for cell in read(edition).cells}
        parts = [cells.get(f"{exercise}-{part}") for part in ("stub", "check", "solution")]
        solution = parts[2] and SOLUTION.fullmatch(parts[2].source)
        if None in parts or not solution:
            continue  # rules.exercises reports it
        stub, check, _ = parts
        not_yet, not_quite, correct = EDITIONS[edition.parent.name].verdicts
        trials = [(stub.source, not_yet), (solution[1], correct)]
        trials += [(f"{stub.source}\n{wrong}", not_quite) for wrong in check.metadata["wrong"]]
        for source, verdict in trials:
            where, trial = place(edition, check), dict(step.namespace)
            try:
                execute(source, trial, place(edition, stub))
                said, _ = execute(check.source, trial, where)
            except CourseError as error:
                yield f"{where}: {error}, after the answer {source!r}; catch it in the check"
                continue
            if not said.startswith(verdict):
                yield f"{where}: to {source!r} it says {said!r}, and should say {verdict!r}"
            elif verdict == not_yet and said.rstrip() != (stored := printed(check).rstrip()):
                yield f"{where}: stored is {stored!r}; run `make record NB={place(edition)}`"


RULES = [prints, plots, diagrams, declared, exercises]


def problems(path: Path) -> Problems:
    """A line for each thing that a run of one chapter shows to be wrong."""
    try:
        for step in steps(path):
            for rule in RULES:
                yield from rule(path, step)
    except CourseError as error:
        yield str(error)
