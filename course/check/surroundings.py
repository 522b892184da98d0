"""What surrounds the notebooks: READMEs, links, pictures, versions. A rule takes the root."""

import re
import tomllib
from collections import Counter
from pathlib import Path

from course import addresses
from course import notebook as nb
from course.build import PINNED_TORCH
from course.check import Problems, rule
from course.check.numbers import unequal_numbers
from course.check.structure import dead_links, words_of
from course.check.typography import in_english, unusual
from course.derived import DERIVED, derived_pages, level
from course.diagrams import frames

OWNERS = re.compile(r"(?:github\.com|\.com/github)/([\w.-]+/[\w.-]*[\w-])")
ASKED = re.compile(r"^(\d+)\. (.+)", re.MULTILINE)  # by a chapter's exercises, in TEACHING
OTHERS = {"computationalmodelling/nbval", "pytorch/pytorch", "rasbt/LLMs-from-scratch"}


def markdown_files(root: Path) -> dict[str, str]:
    """The Markdown files of the top folder, by name."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(root.glob("*.md"))}


@rule
def tables(root: Path) -> Problems:
    """What READMEs and TEACHINGs say of the chapters is what the notebooks give."""
    for path, data in derived_pages(root).items():
        if path.read_bytes() != data:
            yield f"{path.name}: what it says of the chapters is old; run `make update`"


@rule
def taught(root: Path) -> Problems:
    """TEACHING's tree says how hard each chapter is; its list, what each exercise asks."""
    texts = markdown_files(root)
    asked = {name: dict(ASKED.findall(texts[name])) for name in ("TEACHING.md", "TEACHING.zh.md")}
    for path in nb.english(root):
        number = nb.number(path)
        if nb.is_note(path):
            continue
        if not level(path):
            yield f"TEACHING.md: put chapter {number} into the tree, with ●○○, ●●○ or ●●●"
        stubs = [cell for cell in nb.read(path).cells if cell.id.endswith("-stub")]
        for name, list_of_exercises in asked.items():
            if len(re.findall("[^;；]+", list_of_exercises.get(str(number), ""))) != len(stubs):
                why = f"say what its {len(stubs)} exercises ask, with `;` between"
                yield f"{name}, the list of exercises, {number}: {why}"


@rule
def page_links(root: Path) -> Problems:
    """Every relative link of a page leads to a file."""
    for name, text in markdown_files(root).items():
        yield from (f"{name}: {line}" for line in dead_links(text, root))


@rule
def one_owner(root: Path) -> Problems:
    """All links to the public repository name the one in pyproject.toml."""
    own, texts = addresses.stored_repository(root), markdown_files(root)
    for path in nb.notebooks(root):
        texts |= {nb.name_of(path, cell): nb.without_data(cell) for cell in nb.read(path).cells}
    for where, text in texts.items():
        sites = re.findall(r"https://[\w.-]+\.github\.io/[^/)]*/?", text)
        others = set(OWNERS.findall(text)) - {own, *OTHERS} | set(sites) - {addresses.website(own)}
        for found in sorted(others):
            yield f"{where}: {found}, and the repository is {own}; run `make rename REPO={own}`"


@rule
def version(root: Path) -> Problems:
    """The READMEs name the pinned PyTorch before any other."""
    for name in ("README.md", "README.zh.md"):
        found = re.search(r"\b\d+\.\d+\.\d+\b", markdown_files(root)[name])
        if not found or found[0] != PINNED_TORCH:
            yield f"{name}: does not name PyTorch {PINNED_TORCH}, the pinned one, before any other"


@rule
def twin_pages(root: Path) -> Problems:
    """A page has the same parts, code, and numbers in Chinese, and there it is Chinese."""
    for path in root.glob("*.zh.md"):
        name = path.name.replace(".zh", "")
        # What is made of the notebooks holds titles, which are compared there.
        texts = [DERIVED.sub("", markdown_files(root)[file]) for file in (name, path.name)]
        yield from unequal_parts(*(re.split(r"\n(?=## )", text) for text in texts), name)


def unequal_parts(ours: list[str], theirs: list[str], name: str) -> Problems:
    """What is different between the parts of a page and of its Chinese twin."""
    chinese = name.replace(".md", ".zh.md")
    if len(ours) != len(theirs):
        yield f"{name} has {len(ours)} parts and {chinese} {len(theirs)}; make them equal"
    for one, two in zip(ours, theirs, strict=False):
        where = f"{chinese}, {two.splitlines()[0]}"
        code = [re.sub(r" *#.*", "", "".join(nb.FENCE.findall(text))) for text in (one, two)]
        if code[0] != code[1].replace(" IN=zh", ""):
            yield f"{where}: what stands between ``` is not that of {name}; make it equal"
        one, two = (nb.TARGET.sub("]", nb.FENCE.sub("", text)) for text in (one, two))
        for found in unequal_numbers(one, two):
            yield f"{where}: {found}; make them agree"
        for found in [*unusual(two), *in_english(two)]:
            yield f"{where}: {found}"


@rule
def glossary(root: Path) -> Problems:
    """Each term of the Chinese glossary stands in the chapter that it names; brackets apart."""
    name = "notebooks/zh/glossary.md"
    text = (root / name).read_text(encoding="utf-8")
    for row in text.partition("|---|---|---|\n")[2].splitlines():
        found = re.fullmatch(r"\| (.+) \| .+ \| \[\d+\]\((.+)\) \|", row)
        if not found:
            yield f"{name}: `{row}`; write it like `| 行 | row | [1](01_lookup.ipynb) |`"
            continue
        chapter = root / "notebooks/zh" / found[2]
        for term in re.sub(r"（.+）", "", found[1]).split("、"):
            if not chapter.exists() or term.lower() not in words_of(chapter):
                yield f"{nb.name_of(chapter)} does not say {term}; correct {name}"


@rule
def published(root: Path) -> Problems:
    """The published tensors stand where they belong, character for character."""
    tensors = tomllib.loads((root / "tests/reference.toml").read_text(encoding="utf-8"))["tensor"]
    for tensor in tensors:
        path, name = root / f"notebooks/{tensor['chapter']}.ipynb", tensor["cell"]
        cell = nb.by_id(nb.read(path)).get(name) if path.exists() else None
        if cell is None or nb.printed(cell) != tensor["text"].strip("\n"):
            why = "is gone, or prints not what tests/reference.toml has; undo it"
            yield f"{nb.name_of(path)}, cell {name} {why}"


@rule
def images(root: Path) -> Problems:
    """Each picture is shown, once, and a moving one plays for five seconds at most."""
    cells = [cell for path in nb.english(root) for cell in nb.read(path).cells]
    used = Counter(cell.metadata.get("diagram") for cell in cells)
    for path in sorted((root / "images").iterdir()):
        if path != nb.image(root, path.stem) or not used[path.stem]:
            yield f"images/{path.name}: no notebook shows it; use it, or delete it and its function"
            continue
        if used[path.stem] > 1:
            yield f"images/{path.name}: two diagrams of this name; rename one and its function"
        if (seconds := sum(time for _, time in frames(path.read_bytes())) / 1000) > 5:
            yield f"images/{path.name} plays for {seconds} seconds; 5 are the limit"
