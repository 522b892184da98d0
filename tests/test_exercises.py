"""What a reader may do with a chapter after Run All: go back, and run its cells again."""

import ast
import re
from tempfile import TemporaryDirectory

import pytest

from course import CourseError
from course import notebook as nb
from course.run import execute

CHECKED = re.compile(r"^check\((\w+)=\1\)\Z", re.MULTILINE)


def sections(notebook):
    """The code cells by the headings above them, without those whose outputs are kept."""
    found = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "code" and "kept" not in cell.metadata:
            found[-1].append(cell)
        elif cell.cell_type == "markdown" and any(mark == "##" for mark, _ in nb.headings(cell)):
            found.append([])
    return [cells for cells in found if cells]


def clean_up(namespace):
    """Remove the folders that a chapter made; Python warns of those that it removes itself."""
    for value in namespace.values():
        if isinstance(value, TemporaryDirectory):
            value.cleanup()


CHAPTERS = [path for path in nb.english() if not nb.is_note(path)]


@pytest.mark.parametrize("path", CHAPTERS, ids=nb.name_of)
def test_every_section_runs_again_after_run_all(path, tmp_path, monkeypatch):
    """The stubs, which the course's one run leaves out, have run as well, and the solutions."""
    monkeypatch.chdir(tmp_path)
    notebook = nb.read(path)
    parts, namespace, fails = sections(notebook), {"__name__": "__main__"}, []
    for cell in sum(parts, []):
        execute(cell.source, namespace, nb.name_of(path, cell))
        if cell.id.endswith("-stub"):
            solution = nb.by_id(notebook)[cell.id.replace("-stub", "-solution")]
            execute(nb.solution(solution), namespace, nb.name_of(path, solution))
    for cells in parts:
        again = dict(namespace)
        try:
            for cell in cells:
                execute(cell.source, again, nb.name_of(path, cell))
        except CourseError as error:
            fails.append(f"after Run All, {error}")
        clean_up(again)
    clean_up(namespace)
    assert not fails, "\n".join(fails)


@pytest.mark.parametrize("path", nb.notebooks(), ids=nb.name_of)
def test_cases_leave_one_name(path):
    """A folded cell of cases defines the judge of what its stub checks, and nothing else."""
    cells = nb.by_id(nb.read(path))
    for name in cells:
        if not re.fullmatch(r"try-\d+-cases", name):
            continue
        checked = CHECKED.search(cells[name.replace("-cases", "-stub")].source)
        assert checked, f"{name}: the stub does not end in check(name=name)"
        body = ast.parse(cells[name].source).body
        names = [getattr(node, "name", ast.unparse(node)) for node in body]
        assert names == [f"judge_{checked[1]}"], f"{name}: {names}"
