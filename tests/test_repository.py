"""The README, the versions and the links: what surrounds the notebooks."""

import configparser
import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from course.notebook import ROOT, SANITIZE, notebooks, place, read, repository
from course.rules import LINK
from course.stamp import readmes

README = (ROOT / "README.md").read_text(encoding="utf-8")
REPOSITORY = re.compile(
    r"(?:github\.com|googleapis\.com/github|google\.com/github)/([\w.-]+/[\w.-]+)"
)
OTHERS = {"computationalmodelling/nbval", "rasbt/LLMs-from-scratch"}
# torch's CUDA build brings these, and pins each of them itself.
UNPINNED = re.compile(r"nvidia-.*|cuda-.*|triton")
INSTALL = "python -m pip install -r requirements.txt -r tests/requirements.txt"


def requirements(name, root=ROOT):
    """The requirements of a file as {name: Requirement}; each must be pinned."""
    lines = (root / name).read_text().splitlines()
    parsed = [Requirement(line) for line in lines if re.match(r"\w", line)]
    for requirement in parsed:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), (
            f"{name}: {requirement} is not pinned; write == and one version, without +cpu"
        )
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


def test_the_reader_installs_four_packages():
    text = (ROOT / "requirements.txt").read_text().splitlines()
    assert text[0] == "-c constraints.txt"
    assert set(requirements("requirements.txt")) == {"torch", "jupyterlab", "matplotlib", "nbval"}


def installed():
    """What the requirements bring on this machine: {name: Distribution}, all the way down."""
    wanted = requirements("requirements.txt") | requirements("tests/requirements.txt")
    waiting, seen, found = list(wanted.values()), set(), {}
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), {"", *requirement.extras}
        if (name, *sorted(extras)) in seen or UNPINNED.fullmatch(name):
            continue
        seen.add((name, *sorted(extras)))
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            pytest.fail(f"{name} is not installed; run `{INSTALL}`", pytrace=False)
        for needed in map(Requirement, found[name].requires or []):
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return found


def test_installed_versions_are_the_pinned_ones():
    pins = requirements("constraints.txt") | requirements("requirements.txt")
    pins |= requirements("tests/requirements.txt")
    for name, distribution in installed().items():
        version = distribution.version
        assert name in pins, f"{name} {version} is needed and not pinned; run `make constraints`"
        assert pins[name].specifier.contains(version.partition("+")[0], prereleases=True), (
            f"{name} {version} is installed, and the pin is {pins[name]}; run `{INSTALL}`"
        )


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
def test_pinned_versions_admit_every_supported_python(python):
    for distribution in installed().values():
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
    sample = re.search(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[1]
    lines = sample.strip().splitlines()
    assert len(lines) <= 10, f"README.md: the sample has {len(lines)} lines; 10 are the limit"
    assert lines[-1].startswith("assert "), "README.md: the sample ends in an assert"
    exec(compile(sample, "README.md", "exec"), {})


def test_readmes_are_stamped():
    for path, text in readmes(ROOT, repository()).items():
        stored = path.read_text(encoding="utf-8")
        assert stored == text, f"{path.name}: the table of chapters is old; run `make stamp`"


def pages():
    """The Markdown files of the top folder."""
    return sorted(ROOT.glob("*.md"))


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_links_lead_to_files(path):
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if "://" not in target:
            found = (ROOT / target.partition("#")[0]).exists()
            assert found, f"{path.name}: {target} does not exist; correct the link"


def test_one_owner():
    links = {path.name: path.read_text(encoding="utf-8") for path in pages()}
    for path in notebooks():
        links |= {place(path, cell): cell.source for cell in read(path).cells}
    known = {repository(), *OTHERS}
    for where, source in links.items():
        for found in REPOSITORY.findall(source):
            assert found in known, f"{where}: {found}, not {repository()}; run `make stamp`"
