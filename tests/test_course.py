"""The rules of the course, and what surrounds the notebooks."""

import configparser
import re
from collections import Counter

import pytest
from nbval.plugin import IPyNbCell

from course import ROOT
from course.check import editions, executed, repository, structure
from course.notebook import (
    SANITIZE,
    chinese,
    code_cells,
    english,
    notebooks,
    place,
    read,
    twin,
)


def require(problems):
    """Fail with the lines of what is wrong, and nothing else."""
    if found := list(problems):
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.parametrize("path", english(), ids=place)
def test_run(path):
    require(executed.problems(path))


@pytest.mark.parametrize("path", notebooks(), ids=place)
def test_structure(path):
    require(structure.problems(path))


@pytest.mark.parametrize("path", english(), ids=place)
def test_editions_agree(path):
    require(editions.problems(path))


def test_no_chapter_in_chinese_alone():
    require(f"{place(p)}: there is no {place(twin(p))}" for p in chinese() if not twin(p).exists())


@pytest.mark.parametrize("rule", repository.RULES, ids=lambda rule: rule.__name__)
def test_repository(rule):
    require(rule(ROOT))


def test_nbval_collected_every_cell(request):
    if request.config.args != request.config.getini("testpaths"):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    collected = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    require(
        f"{place(path)}: nbval collected {collected[path]} of {cells} cells; see pyproject.toml"
        for path in english()
        if collected[path] != (cells := len(code_cells(read(path))))
    )


def test_nbval_forgives_one_line_only():
    rules = configparser.ConfigParser()
    rules.read(SANITIZE)
    patterns = {name: rules[name]["regex"] for name in rules.sections()}
    assert patterns == {"version": r"PyTorch version: \S+"}, "course/sanitize.cfg hides more"


def test_readme_sample_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
    assert sample.strip().splitlines()[-1].startswith("assert ")
    exec(compile(sample, "README.md", "exec"), {})
