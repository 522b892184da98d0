"""Rules on one run of a notebook, in both editions."""

from course.build import NotebookBuild, build_notebook, unexpected_verdicts
from course.check import RULES, Problems, Rules, rule, with_advice
from course.check.names import stated_shapes
from course.check.numbers import computation_problem
from course.differences import describe_outdated_files
from course.notebook import Notebook
from course.run import CellRun, default_dtype_kept, rerun_problems


@rule
def stored_files_are_up_to_date(notebook_build: NotebookBuild) -> Problems:
    """All that is derived is stored as it would be written now."""
    notebook = notebook_build.notebook
    files, advice = notebook_build.files, notebook.update_advice
    if not all(path.exists() for path in files):  # made before, and not added to git
        advice += ", then `git add` what is missing"
    yield from with_advice(describe_outdated_files(files, notebook.root), advice)


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
    yield from unexpected_verdicts(notebook_build)


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
