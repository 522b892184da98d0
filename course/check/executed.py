"""Rules on one run of a notebook, in both editions."""

from course.build import NotebookBuild, build_notebook
from course.check import RULES, Problems, Rules, rule, with_advice
from course.check.names import stated_shapes
from course.check.numbers import computation_problem
from course.checker import WORDS
from course.differences import describe_outdated_files
from course.notebook import Notebook, solution_code
from course.run import CellRun, default_dtype_kept, rerun_problems

# What to do if the checker says something else, by the verdict that it should give.
REMEDIES = {
    "not yet": "leave a `...` in the stub",
    "right": "correct the solution, or its cases",
    "wrong": "add a case that refuses it, or take it out of `wrong`",
}


@rule
def stored_files_are_up_to_date(notebook_build: NotebookBuild) -> Problems:
    """All that is derived is stored as it would be written now."""
    notebook = notebook_build.notebook
    lines = describe_outdated_files(notebook_build.files, notebook.root)
    yield from with_advice(lines, notebook.update_advice)


@rule
def computed_numbers_are_right(notebook_build: NotebookBuild) -> Problems:
    """The expressions that compute the prose's numbers give these numbers."""
    for cell in notebook_build.notebook.cells:  # the editions declare the same
        cell_run = notebook_build.cell_runs.get(cell.id, CellRun())
        for number, expression in cell.metadata.get("computed", {}).items():
            value = cell_run.computed.get(expression, KeyError("no such cell was run"))
            if problem := computation_problem(number, expression, value):
                yield f"{notebook_build.notebook.place_of(cell)}: {number}: {problem}"


@rule
def comments_state_the_shapes(notebook_build: NotebookBuild) -> Problems:
    """Where a comment gives the shape of a variable in numbers, the tensor has it."""
    for notebook in notebook_build.notebook.with_twin:
        for cell in notebook.code_cells:
            shapes = notebook_build.cell_runs.get(cell.id, CellRun()).shapes
            for name, shape in stated_shapes(cell.source).items() if shapes else ():
                if shapes.get(name, shape) != shape:
                    is_not = f"{name} has the shape {shapes[name]}, not {shape}"
                    yield f"{notebook.place_of(cell)}: {is_not}; correct the comment"


@rule
def exercises_judge_answers_rightly(notebook_build: NotebookBuild) -> Problems:
    """In each language an exercise accepts its solution, and refuses its stub and wrong answers."""
    for notebook in notebook_build.notebook.with_twin:
        language = notebook.edition.language
        for _, _, stub, solution in notebook.exercises():
            verdicts = notebook_build.cell_runs.get(stub.id, CellRun()).verdicts.get(language)
            if not verdicts:
                continue
            answers = [(stub.source, "not yet"), (solution_code(solution), "right")]
            answers += [(answer, "wrong") for answer in stub.metadata.get("wrong", {})]
            for answer, kind in answers:
                verdict = verdicts.get(answer, "nothing")
                expected_start = WORDS[language][kind].partition("{")[0]
                if not verdict.startswith(expected_start):
                    says = f"it says {verdict.strip()!r}, not {expected_start!r}"
                    yield f"{notebook.place_of(stub)}: to {answer!r} {says}; {REMEDIES[kind]}"


@rule
def cells_can_be_run_again(notebook_build: NotebookBuild) -> Problems:
    """After Run All, a reader can run the cells of a section again, even from below."""
    yield from rerun_problems(notebook_build.notebook, notebook_build.namespace)


def problems(notebook: Notebook, rules: Rules = RULES[__name__]) -> Problems:
    """Run an English notebook, and yield a line for each problem that this shows."""
    with default_dtype_kept():
        notebook_build = build_notebook(notebook)
        for check in rules:
            yield from check(notebook_build)
