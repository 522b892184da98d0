"""Rules on the exercises of a notebook as it is stored."""

import ast
import builtins
import re
from functools import cache
from itertools import count
from symtable import symtable

from course.check import CellProblems, rule
from course.check.names import assigned_names, defined_names, global_names, symbol_tables
from course.checker import cell_source
from course.exercises import EXERCISE_PARTS, exercise_ids, exercise_numbers
from course.notebook import JUDGE, Notebook, is_folded, solution_code

TITLE_NUMBER = re.compile(r"# @title [^\d\n]*(\d+)")  # of the exercise, in either language
CHECK_CALL = re.compile(r"^check\(", re.MULTILINE)


@rule
def exercises_are_few(notebook: Notebook) -> CellProblems:
    """A chapter has two to four exercises, a note one at most."""
    exercise_count = len(exercise_numbers(notebook.cells_by_id))
    least, most = (0, 1) if notebook.is_note else (2, 4)
    if not least <= exercise_count <= most:
        yield None, f"exercises: {exercise_count}; write {least} to {most}"


@rule
def exercise_has_all_parts(notebook: Notebook) -> CellProblems:
    """An exercise has a prompt, cases, a stub and a solution; and all together, the checker."""
    numbers_present = exercise_numbers(notebook.cells_by_id)
    expected_ids = [cell_id for number in numbers_present for cell_id in exercise_ids(number)]
    if expected_ids and "checker" not in notebook.cells_by_id:
        remedy = "copy it from another chapter"
        yield None, f"no cell checker, which judges the answers; {remedy}"
    for cell_id in expected_ids:
        if cell_id not in notebook.cells_by_id:
            yield None, f"no cell {cell_id}; an exercise has {', '.join(EXERCISE_PARTS)}"


@rule
def parts_of_an_exercise_follow_one_another(notebook: Notebook) -> CellProblems:
    """The cells of an exercise stand in their order, and none between them."""
    ids = [cell.id for cell in notebook.cells]
    for exercise in notebook.exercises():
        start = ids.index(exercise.prompt.id)
        if ids[start : start + len(exercise)] != [cell.id for cell in exercise]:
            problem = f"the cells after it are not its {', '.join(EXERCISE_PARTS)}"
            yield exercise.prompt, f"{problem}; put them there, in this order"


@rule
def exercise_bears_the_number_of_its_id(notebook: Notebook) -> CellProblems:
    """The prompt and the title of the cases show the number that stands in their ids."""
    for prompt, cases, _, _ in notebook.exercises():
        [number] = exercise_numbers([prompt.id])
        if not prompt.source.startswith(f"**{number}.**"):
            yield prompt, f"does not begin with `**{number}.**`; number it like its id"
        title_number = TITLE_NUMBER.match(cases.source)
        if is_folded(cases) and (not title_number or int(title_number[1]) != number):
            problem = f"`# @title` does not name exercise {number} first"
            yield cases, f"{problem}; number it like its id"


@rule
def cases_are_folded(notebook: Notebook) -> CellProblems:
    """Nobody reads by accident what judges an answer."""
    for exercise in notebook.exercises():
        if not is_folded(exercise.cases):
            yield exercise.cases, "does not begin with `# @title`, which folds it; add it"


@rule
def stub_has_three_wrong_answers(notebook: Notebook) -> CellProblems:
    """The metadata of a stub records answers that are refused."""
    for exercise in notebook.exercises():
        if len(exercise.stub.metadata.get("wrong", [])) < 3:
            yield exercise.stub, "list three or more wrong answers in the metadata (wrong)"


@rule
def solution_is_folded(notebook: Notebook) -> CellProblems:
    """A solution is a reason, then its code, behind a click."""
    for exercise in notebook.exercises():
        if not solution_code(exercise.solution):
            remedy = "is not <details>, <summary>, words, one block of Python; write it so"
            yield exercise.solution, remedy


@rule
def judging_cells_are_in_an_exercise(notebook: Notebook) -> CellProblems:
    """A cell that judges an answer, or has one judged, is part of an exercise by its id."""
    numbers_present = exercise_numbers(notebook.cells_by_id)
    ids = {part_id for number in numbers_present for part_id in exercise_ids(number)[1:]}
    free_number = next(number for number in count(1) if number not in numbers_present)
    free_ids = ", ".join(exercise_ids(free_number))
    for cell in notebook.code_cells:
        judges = JUDGE.search(cell.source) or CHECK_CALL.search(cell.source)
        if judges and cell.id not in ids | {"checker"}:
            remedy = f"in a text editor, call the four cells of its exercise {free_ids}"
            yield cell, f"belongs to no exercise by its id; {remedy}"


@rule
def cases_define_one_judge(notebook: Notebook) -> CellProblems:
    """The cases of an exercise define its judge, and leave no other name."""
    for exercise in notebook.exercises():
        try:
            nodes = ast.parse(exercise.cases.source).body
        except SyntaxError:
            continue  # the run reports it
        names = [getattr(node, "name", ast.unparse(node)) for node in nodes]
        if names != [f"judge_{exercise.name}"]:
            yield exercise.cases, "defines other names than one function `judge_…`; put all into it"


@rule
def judges_bind_names_of_the_page(notebook: Notebook) -> CellProblems:
    """A judge takes the page's names as defaults, for a reader's answer may use them anew."""
    names_of_page = set().union(*map(defined_names, notebook.code_cells))
    for cell in (exercise.cases for exercise in notebook.exercises()):
        names_of_judge = global_names(symbol_tables(cell)[1:])
        for name in sorted(names_of_judge - names_of_checker() - set(dir(builtins))):
            if name in names_of_page:
                yield cell, f"reads {name} of the page; write `def judge_…(answer, {name}={name})`"
            else:
                yield cell, f"reads {name}, and no cell defines it; correct the name"


@rule
def cells_keep_the_functions_of_the_checker(notebook: Notebook) -> CellProblems:
    """No cell gives a name of the checker to something else: run again, it would break `check`."""
    if "checker" not in notebook.cells_by_id:
        return
    names_defined_there = assigned_names(notebook.cell("checker"))
    for cell in notebook.code_cells:
        names = assigned_names(cell) & names_defined_there
        if names and cell.id != "checker":
            yield cell, f"defines {', '.join(sorted(names))}, as the checker does; rename it"


@cache
def names_of_checker() -> set[str]:
    """The names that the stamped cell of the checker defines, its imports among them."""
    return set(symtable(cell_source("en"), "checker", "exec").get_identifiers())
