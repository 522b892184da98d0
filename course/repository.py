"""What surrounds the notebooks: READMEs, links, versions. Each rule takes the root of a course."""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from course import CourseError
from course.notebook import FENCE, notebooks, place, read, repository, website
from course.numbers import TARGET, disagreement
from course.rules import LINK, said
from course.stamp import CHAPTERS, readmes
from course.typography import CJK, problems
from course.versions import SEEN

Problems = Iterator[str]

OWNERS = re.compile(r"(?:github\.com|googleapis\.com/github|google\.com/github)/([\w.-]+/[\w.-]+)")
OTHERS = {"computationalmodelling/nbval", "pytorch/pytorch", "rasbt/LLMs-from-scratch"}
INSTALL = "python -m pip install -r requirements.txt -r tests/requirements.txt"
PINS = ("requirements.txt", "constraints.txt", "tests/requirements.txt")
# torch's CUDA build brings these, and pins each of them itself.
UNPINNED = re.compile(r"nvidia-.*|cuda-.*|triton")
VERSION = re.compile(r"\b\d+\.\d+\.\d+\b")


def pages(root: Path) -> list[Path]:
    """The Markdown files of the top folder."""
    return sorted(root.glob("*.md"))


def pinned(root: Path, name: str) -> dict[str, Requirement]:
    """The requirements of a file by name. Raises CourseError unless each is pinned."""
    found = {}
    for line in (root / name).read_text(encoding="utf-8").splitlines():
        if not re.match(r"\w", line):
            continue
        try:
            requirement = Requirement(line)
        except InvalidRequirement as error:
            raise CourseError(f"{name}: {line}: {error}") from None
        if not re.fullmatch(r"==[\w.]+", str(requirement.specifier)):
            how = "write == and one version, without +cpu"
            raise CourseError(f"{name}: {requirement} is not pinned; {how}")
        found[canonicalize_name(requirement.name)] = requirement
    return found


def installed(root: Path) -> dict[str, metadata.Distribution]:
    """What the requirements bring on this machine, all the way down, by name.

    Raises CourseError if a package is not there.
    """
    wanted = pinned(root, "requirements.txt") | pinned(root, "tests/requirements.txt")
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
            raise CourseError(f"{name} is not installed; run `{INSTALL}`") from None
        for needed in map(Requirement, found[name].requires or []):
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return found


def pins(root: Path) -> Problems:
    """Everything is pinned, and installed are the pinned versions."""
    try:
        pins = {name: pin for file in PINS for name, pin in pinned(root, file).items()}
        present = installed(root)
    except CourseError as error:
        yield str(error)
        return
    for name, version in ((n, d.version.partition("+")[0]) for n, d in present.items()):
        if name not in pins:
            yield f"{name} {version} is needed and not pinned; run `make constraints`"
        elif not pins[name].specifier.contains(version, prereleases=True):
            yield f"{name} {version} is installed, and the pin is {pins[name]}; run `{INSTALL}`"


def stamped(root: Path) -> Problems:
    """The tables of chapters are those that the stamp tool would write now."""
    for path, text in readmes(root, repository(root)).items():
        if path.read_text(encoding="utf-8") != text:
            yield f"{path.name}: the table of chapters is old; run `make update`"


def links(root: Path) -> Problems:
    """Every relative link of a page leads to a file."""
    for path in pages(root):
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if "://" not in target and not (root / target.partition("#")[0]).exists():
                yield f"{path.name}: {target} does not exist; correct the link"


def one_owner(root: Path) -> Problems:
    """All links to the public repository name the one in pyproject.toml."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in pages(root)}
    for path in notebooks(root):
        texts |= {place(path, cell): cell.source for cell in read(path).cells}
    known = {repository(root), *OTHERS}
    for where, text in texts.items():
        for found in OWNERS.findall(text):
            if found not in known:
                yield f"{where}: {found}, not {repository(root)}; run `make stamp`"
        for found in re.findall(r"https://[\w.-]+\.github\.io/[^/)]*/?", text):
            if found != website(repository(root)):
                yield f"{where}: {found}, not {website(repository(root))}; run `make stamp`"


def commands(root: Path) -> Problems:
    """Every `make` that a page or a workflow names is a target of the Makefile; its NB is there."""
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(), re.MULTILINE))
    for path in [*pages(root), *sorted(root.glob(".github/**/*.*")), root / ".ci/run"]:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for target in re.findall(r"(?:^|`|run: |&& )make ([a-z]+)", text, re.MULTILINE):
            if target not in targets:
                yield f"{path.relative_to(root)}: the Makefile has no {target}; correct the command"
        for name in re.findall(r"NB=([\w./-]*\w)", text):
            if not (root / name).exists():
                yield f"{path.relative_to(root)}: {name} does not exist; correct NB=…"


def versions(root: Path) -> Problems:
    """The READMEs name the pinned PyTorch first, and those that `make versions` saw agree."""
    torch = str(pinned(root, "requirements.txt")["torch"].specifier)[2:]
    for name in ("README.md", "README.zh.md"):
        found = VERSION.findall((root / name).read_text(encoding="utf-8"))
        if not found or found[0] != torch:
            yield f"{name}: names PyTorch {found[:1]} first, and {torch} is pinned; correct it"
        for version in sorted(set(found) ^ set(SEEN.split())):
            yield f"{name}: {version} is named here or in SEEN, course/versions.py, but not in both"


def twin_readmes(root: Path) -> Problems:
    """The two READMEs have the same parts, code, and numbers, the second one in Chinese."""
    ours, theirs = (
        re.split(r"\n(?=## )", (root / name).read_text(encoding="utf-8"))
        for name in ("README.md", "README.zh.md")
    )
    if len(ours) != len(theirs):
        yield f"README.md has {len(ours)} parts and README.zh.md {len(theirs)}; make them equal"
    for one, two in zip(ours, theirs, strict=False):
        where = f"README.zh.md, {two.splitlines()[0]}"
        code = [re.sub(r" *#.*", "", "".join(FENCE.findall(text))) for text in (one, two)]
        code[1] = code[1].replace(" NB=notebooks/zh/01_lookup.ipynb", "")
        if code[0] != code[1].replace("notebooks/zh/", "notebooks/"):
            yield f"{where}: the code is not that of README.md; make it equal"
        # The stamped table holds titles, which are compared in the notebooks.
        one, two = (CHAPTERS.sub("", FENCE.sub("", text)) for text in (one, two))
        for found in disagreement(TARGET.sub("]", one), TARGET.sub("]", two)):
            yield f"{where}: {found}; make them agree"
        for found in problems(two):
            yield f"{where}: {found}"
        for block in two.split("\n\n"):
            prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", block)
            if len(re.findall(r"[A-Za-z]{2,}", prose)) > 5 and not CJK.search(prose):
                yield f"{where}: in English: {prose[:40]}…; say it in Chinese"


def glossary(root: Path) -> Problems:
    """Each term of the Chinese glossary stands in the chapter that it names; brackets apart."""
    name = "notebooks/zh/glossary.md"
    text = (root / name).read_text(encoding="utf-8")
    yield from (f"{name}: {found}" for found in problems(text))
    for line in text.splitlines():
        if row := re.fullmatch(r"\| (.+) \| .+ \| \[\d+\]\((.+)\) \|", line):
            chapter = root / "notebooks/zh" / row[2]
            for term in re.sub(r"（.+）", "", row[1]).split("、"):
                if not chapter.exists() or term.lower() not in said(chapter):
                    yield f"{place(chapter)} does not say {term}; correct {name}"


RULES = [glossary, pins, stamped, links, one_owner, commands, versions, twin_readmes]
