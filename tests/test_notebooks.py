"""Every check of checks.py on every notebook, the reference tensors, and what nbval collected."""

import tomllib
from collections import Counter

import pytest
from checks import CHECKS, code_cells, misplaced
from course import ROOT, notebooks, place, read
from nbval.plugin import IPyNbCell

REFERENCE = tomllib.loads((ROOT / "tests/reference.toml").read_text())["tensor"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", notebooks(), ids=place)
def test_notebook(path, check):
    problems = list(check(path, read(path)))
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@pytest.mark.parametrize("tensor", REFERENCE, ids=lambda t: f"{t['chapter']}:{t['cell']}")
def test_reference_tensor(tensor):
    editions = [path for path in notebooks() if path.stem == tensor["chapter"]]
    assert editions, f"notebooks/{tensor['chapter']}.ipynb is missing"
    for path in editions:
        stored = [
            output["data"]["text/plain"] if "data" in output else output["text"].rstrip("\n")
            for cell in code_cells(read(path))
            if cell.id == tensor["cell"]
            for output in cell.outputs
        ]
        assert stored == [tensor["text"].strip("\n")], (
            f"{place(path)}, cell {tensor['cell']}: not the published tensor; repair the cell"
        )


def test_no_notebook_is_misplaced():
    problems = list(misplaced())
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_nbval_collected_every_cell(request):
    if request.config.args != request.config.getini("testpaths"):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    collected = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    for path in notebooks():
        cells = len(code_cells(read(path)))
        assert collected[path] == cells, (
            f"{place(path)}: nbval collected {collected[path]} of {cells} code cells"
        )
