"""A reader goes back after Run All, and runs a chapter's cells again."""

import ast
from tempfile import TemporaryDirectory

import pytest

from course import CourseError
from course.notebook import all_notebooks, chapters, english_notebooks, headings, solution_code
from course.run import execute


def split_into_sections(notebook):
    """Return the code cells by the headings above them, without those whose outputs are kept."""
    sections = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "code" and "kept" not in cell.metadata:
            sections[-1].append(cell)
        elif cell.cell_type == "markdown" and any(mark == "##" for mark, _ in headings(cell)):
            sections.append([])
    return sections


def clean_up(namespace):
    """Remove the folders that a chapter made; Python warns of those that it removes itself."""
    for value in namespace.values():
        if isinstance(value, TemporaryDirectory):
            value.cleanup()


@pytest.mark.parametrize("chapter", chapters(english_notebooks()), ids=str)
def test_every_section_runs_again_after_run_all(chapter, tmp_path, monkeypatch):
    """The stubs and the solutions have run as well, which the course's one run keeps apart."""
    monkeypatch.chdir(tmp_path)
    namespace, problems = {"__name__": "__main__"}, []
    solutions = {exercise.stub.id: exercise.solution for exercise in chapter.exercises()}
    for section in split_into_sections(chapter):
        for cell in section:
            execute(cell.source, namespace, chapter.place_of(cell))
            if cell.id in solutions:
                execute(solution_code(solutions[cell.id]), namespace, chapter.place_of(cell))
    for section in split_into_sections(chapter):
        namespace_again = dict(namespace)
        try:
            for cell in section:
                execute(cell.source, namespace_again, chapter.place_of(cell))
        except CourseError as error:
            problems.append(f"after Run All, {error}")
        clean_up(namespace_again)
    clean_up(namespace)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("notebook", all_notebooks(), ids=str)
def test_cases_leave_one_name(notebook):
    """A folded cell of cases defines the judge of what its stub checks, and nothing else."""
    for exercise in notebook.exercises():
        nodes = ast.parse(exercise.cases.source).body
        [judge_name] = [getattr(node, "name", ast.unparse(node)) for node in nodes]
        name = judge_name.removeprefix("judge_")
        place = notebook.place_of(exercise.stub)
        assert exercise.stub.source.endswith(f"check({name}={name})"), place
