"""The README, the versions and the links: what surrounds the notebooks."""

import configparser
import re

import pytest
from packaging.specifiers import SpecifierSet

from course import ROOT, repository
from course.notebook import SANITIZE
from course.repository import pinned


@pytest.mark.parametrize("rule", repository.RULES, ids=lambda rule: rule.__name__)
def test_rule(rule):
    if found := list(rule(ROOT)):
        pytest.fail("\n".join(found), pytrace=False)


def test_the_reader_installs_four_packages():
    text = (ROOT / "requirements.txt").read_text().splitlines()
    assert text[0] == "-c constraints.txt"
    assert set(pinned(ROOT, "requirements.txt")) == {"torch", "jupyterlab", "matplotlib", "nbval"}


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
def test_pinned_versions_admit_every_supported_python(python):
    for distribution in repository.installed(ROOT).values():
        admitted = distribution.metadata.get("Requires-Python") or ""
        assert SpecifierSet(admitted).contains(python), (
            f"{distribution.name} {distribution.version} needs Python {admitted}; pin an older one"
        )


def test_nbval_forgives_one_line_only():
    rules = configparser.ConfigParser()
    rules.read(SANITIZE)
    patterns = {name: rules[name]["regex"] for name in rules.sections()}
    assert patterns == {"version": r"PyTorch version: \S+"}, "course/sanitize.cfg hides more"


def test_readme_sample_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
    lines = sample.strip().splitlines()
    assert len(lines) <= 10, f"README.md: the sample has {len(lines)} lines; 10 are the limit"
    assert lines[-1].startswith("assert "), "README.md: the sample ends in an assert"
    exec(compile(sample, "README.md", "exec"), {})
