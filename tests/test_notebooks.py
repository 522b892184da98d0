"""Every check of checks.py on every notebook, and what nbval collected."""

from collections import Counter

import pytest
from checks import CHECKS, REFERENCE, code_cells, misplaced
from course import ROOT, notebooks, place, read
from nbval.plugin import IPyNbCell


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", notebooks(), ids=place)
def test_notebook(path, check):
    problems = list(check(path, read(path)))
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.mark.parametrize("chapter", sorted({tensor["chapter"] for tensor in REFERENCE}))
def test_reference_chapter_exists(chapter):
    assert chapter in {path.stem for path in notebooks()}, f"notebooks/{chapter}.ipynb is missing"


def test_no_notebook_is_misplaced():
    problems = list(misplaced())
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_nbval_collected_every_cell(request):
    if request.config.args != request.config.getini("testpaths"):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    collected = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = len(code_cells(read(path)))
        assert collected[path] == cells, (
            f"{place(path)}: nbval collected {collected[path]} of {cells} code cells"
        )
