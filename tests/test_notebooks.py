"""The rules of the course on every notebook and on each pair of twins."""

from collections import Counter

import pytest
from nbval.plugin import IPyNbCell

from course import ROOT, editions, rules
from course.notebook import chinese, code_cells, english, notebooks, place, read, twin


def require(problems):
    """Fail with the lines of what is wrong, and nothing else."""
    if found := list(problems):
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", notebooks(), ids=place)
def test_rule(path, rule):
    require(rule(path, read(path)))


def test_course():
    require(rules.course(ROOT))


def test_editions_have_the_same_chapters():
    alone = [path for path in notebooks() if not twin(path).exists()]
    require(f"{place(p)}: there is no {place(twin(p))}; add it with the same cells" for p in alone)


@pytest.mark.parametrize("path", chinese(), ids=place)
def test_editions_agree(path):
    require(editions.problems(twin(path), path))


def test_nbval_collected_every_cell(request):
    if request.config.args != request.config.getini("testpaths"):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    collected = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    require(
        f"{place(path)}: nbval collected {collected[path]} of {cells} cells; see pyproject.toml"
        for path in english()
        if collected[path] != (cells := len(code_cells(read(path))))
    )
