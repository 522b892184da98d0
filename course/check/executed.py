"""What one run of a chapter shows. A rule takes its English file, what was built, and the run."""

from collections.abc import Iterable
from pathlib import Path

from course.build import Files, build_chapter, outdated
from course.check import RULES, Problems, rule
from course.check.numbers import wrong_computation
from course.checker import WORDS
from course.notebook import by_id, edition, name_of, read, remedy, solution, twin
from course.run import CellRun

Results = dict[str, CellRun]  # by the cell's name


@rule
def up_to_date(path: Path, files: Files, _: Results) -> Problems:
    """All that is derived is stored as it would be written now."""
    return (f"{line}; {remedy(path)}" for line in outdated(files))


@rule
def numbers_hold(path: Path, _: Files, ran: Results) -> Problems:
    """The expressions that compute the prose's numbers give these numbers."""
    for cell in read(path).cells:  # the editions declare the same
        result = ran.get(cell.id, CellRun())
        for key, expression in cell.metadata.get("computed", {}).items():
            value = result.computed.get(expression, KeyError("no such cell was run"))
            if why := wrong_computation(key, expression, value):
                yield f"{name_of(path, cell)}: {key}: {why}"


@rule
def answers_judged(path: Path, _: Files, ran: Results) -> Problems:
    """In each language an exercise accepts its solution, and refuses its stub and wrong answers."""
    for file in (path, twin(path)):
        language, cells = edition(file).language, by_id(read(file))
        for name, stub in cells.items():
            verdicts = ran.get(name, CellRun()).verdicts.get(language)
            if not verdicts:
                continue
            solved = solution(cells[name.replace("-stub", "-solution")])
            answers = [(stub.source, "not yet"), (solved, "right")]
            answers += [(answer, "wrong") for answer in stub.metadata.get("wrong", {})]
            for answer, kind in answers:
                verdict = verdicts.get(answer, "nothing")
                wanted = WORDS[language][kind].partition("{")[0]
                if not verdict.startswith(wanted):
                    why = f"to {answer!r} it says {verdict.strip()!r}, not {wanted!r}; correct one"
                    yield f"{name_of(file, stub)}: {why}"


def problems(path: Path, rules: Iterable = RULES[__name__]) -> Problems:
    """A line for each thing that the run of a chapter, by its English file, does not confirm."""
    files, ran = build_chapter(path)
    for one in rules:
        yield from one(path, files, ran)
