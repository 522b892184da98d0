"""A notebook as it is stored. A rule takes its file and the notebook.

It yields what is wrong with a cell, or with None, the whole.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from course import notebook as nb
from course.check import RULES, Problems, numbers, rule
from course.check.typography import in_english, unusual

Found = Iterator[tuple[NotebookNode | None, str]]
MAX_BYTES = 500_000
NEAR = 4  # cells; in the whole notebook, every seventh number plus one would be found somewhere
COLUMNS = 88
PARTS = ("cases", "stub", "solution")  # of an exercise, after its prompt
# The cells that every chapter has, and every note, in this order.
FIXED = ["title", "nav-top", "summary", "recall", "try", "open", "nav-bottom"]
FIXED_IN_NOTES = ["title", "nav-top", "practice", "nav-bottom"]
BANNED = re.compile(
    r"\b(simply|just|obviously|easy|easily|trivial\w*)\b|显然|轻松|只需|简单地", re.IGNORECASE
)
# Of a formula, besides the names of the code: indices, e, and what is transposed.
LETTERS = set("ijkteT")
HTML = re.compile(r"</?([a-zA-Z]\w*)[^>]*>")
HTML_ALLOWED = {"details", "summary", "br"}
LINK = re.compile(r'(?<!!)\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)')
POINTER = re.compile(r'\[(?:[Cc]hapter |第 ?)(\d+)(?: ?章)?\]\(([\w/.]+\.ipynb) "([^"]+)"\)')
# A result with torch's four decimals; what the code computes is printed, never written there.
RESULT = re.compile(r"\d\.\d{4}")
# Modules that reach out; chapter 14's processes talk through torch.
NETWORK = {"ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "ssl", "telnetlib", "urllib"}
MODULES = (sys.stdlib_module_names | {"torch", "matplotlib"}) - NETWORK
# Importing these logs to stderr where CUDA's compiler is installed and no GPU is.
LOGGING_MODULES = ("torch.utils.benchmark", "torch.utils.cpp_extension")


@rule
def size_and_names(path: Path, notebook: NotebookNode) -> Found:
    """Of a size that every reader shows, its cells named in words."""
    if (size := path.stat().st_size) > MAX_BYTES:
        yield None, f"{size:,} bytes; {MAX_BYTES:,} are the limit"
    for cell in notebook.cells:
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell.id):
            yield cell, "its id is no name; use one like `two-rows`, or run `make update`"


@rule
def anatomy(path: Path, notebook: NotebookNode) -> Found:
    """The fixed opening and close."""
    cells, fixed = nb.by_id(notebook), FIXED_IN_NOTES if nb.is_note(path) else FIXED
    found = [name for name in cells if name in fixed]
    if found != fixed:
        yield None, f"has the cells {found}; wanted are, in this order, {fixed}"
        return
    for name, heading in nb.edition(path).headings.items():
        if name in fixed and not cells[name].source.startswith(f"## {heading}\n"):
            yield cells[name], f"does not begin with `## {heading}`; put that heading there"


@rule
def titled(path: Path, notebook: NotebookNode) -> Found:
    """A chapter has its number in the title, and a diagram; a note of a chapter asks a question."""
    title, number = notebook.cells[0], nb.number(path)
    if nb.is_note(path):
        if not nb.chapter_of(path):
            yield None, f"there is no chapter {number}, to which it belongs; rename it"
        if not re.match(r".+[?？](\n|$)", title.source):
            yield title, "the title of a note is its question, with a `?`"
        return
    if not title.source.startswith(f"# {number} · "):
        yield title, f"the title does not begin with `# {number} · `; give it the file's number"
    if len([*path.parent.glob(f"{path.name[:2]}_*.ipynb")]) > 1:
        yield None, f"another chapter has the number {number}, too; renumber one"
    if not any("diagram" in cell.metadata for cell in notebook.cells):
        yield None, "no diagram; a chapter has at least one"


@rule
def one_title(path: Path, notebook: NotebookNode) -> Found:
    """One H1, in the first cell; the web edition is not built if a level is skipped."""
    for cell in nb.markdown_cells(notebook):
        found = [words for marks, words in nb.headings(cell) if marks == "#"]
        for words in found[cell is notebook.cells[0] :]:
            yield cell, f"`# {words}`: the one H1 stands in the first cell"


@rule
def stands_alone(path: Path, notebook: NotebookNode) -> Found:
    """The standard library, torch and matplotlib; no network, and nothing hidden from nbval.

    The run is of plain Python, in an empty folder: it reports magics, and files that are read.
    """
    for cell in nb.code_cells(notebook):
        try:
            nodes = list(ast.walk(ast.parse(cell.source)))
        except SyntaxError:
            continue  # the run reports it
        imports = [name for node in nodes if isinstance(node, ast.Import) for name in node.names]
        modules = [name.name for name in imports]
        modules += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
        for module in modules:
            if module.split(".")[0] not in MODULES:
                yield cell, f"imports {module}; use stdlib, torch, matplotlib"
            if module.startswith(LOGGING_MODULES):
                yield cell, f"imports {module}, which logs to stderr on some machines; use timeit"
        if "nbval" in cell.source.lower():
            yield cell, "an NBVAL_ comment hides it from nbval; remove it"


@rule
def code_style(path: Path, notebook: NotebookNode) -> Found:
    """Lines fit the web's column, no printed result stands there, every seed is the published."""
    for cell in nb.code_cells(notebook):
        for line in cell.source.splitlines():
            if len(line) > COLUMNS:
                start = line.strip()[:30]
                yield cell, f"`{start}…` has {len(line)} columns, {COLUMNS} are the limit"
        for found in RESULT.findall(cell.source):
            yield cell, f"the code holds a result, {found}…; compute it (a setting: 1e-4)"
        for seed in re.findall(r"manual_seed\((\d+)\)", cell.source):
            if seed != "123":
                yield cell, f"seed {seed}; use 123, as everywhere"


@rule
def markup(path: Path, notebook: NotebookNode) -> Found:
    """Every image is a diagram in its own cell, with a sentence for who cannot see it; no HTML."""
    for cell in nb.markdown_cells(notebook):
        source = nb.without_data(cell)
        if "diagram" in cell.metadata:
            least = 15 if nb.is_chinese(path) else 30
            if len(source) < len("![]()") + least:
                why = f"say what the figure shows in {least} letters or more"
                yield cell, f"the alt text is short; {why}"
        elif "![" in source:
            yield cell, "an image, and no `diagram` in the cell's metadata; see CONTRIBUTING.md"
        if cell.get("attachments"):
            yield cell, "an attachment, which Colab does not show; draw a figure (CONTRIBUTING.md)"
        for tag in HTML.findall(re.sub(r"`[^`]*`", "", nb.FENCE.sub("", source))):
            if tag.lower() not in HTML_ALLOWED:
                yield cell, f"<{tag}>, which not every reader shows; use Markdown"


@rule
def in_chinese(path: Path, notebook: NotebookNode) -> Found:
    """In the Chinese edition nothing is left in English, and all is set as Chinese is."""
    if not nb.is_chinese(path):
        return
    for cell in notebook.cells:
        if cell.id in nb.NAVIGATION:
            continue
        source, is_prose = nb.without_data(cell), cell.cell_type == "markdown"
        found = list(unusual(source, "md" if is_prose else "py"))
        for line in found + list(in_english(source) if is_prose else []):
            yield cell, line


@rule
def formulas(path: Path, notebook: NotebookNode) -> Found:
    """The letters of a formula are names of the code; x with an index, `x_k`, is x and k."""
    code = "\n".join(cell.source for cell in nb.code_cells(notebook))
    known = set(re.findall(r"[A-Za-z]+", code)) | LETTERS
    for cell in nb.markdown_cells(notebook):
        for formula in nb.FORMULA.findall(nb.without_data(cell)):
            names = re.findall(r"(?<!\\)\b[A-Za-z]+", re.sub(r"\\[A-Za-z]+", " ", formula))
            for name in sorted(set(names) - known):
                yield cell, f"no code says {name}; use the letters of the code"


def dead_links(source: str, folder: Path) -> list[str]:
    """A line for each relative link of some Markdown that leads to no file."""
    targets = [target for target in LINK.findall(source) if "://" not in target]
    dead = [target for target in targets if not (folder / target.partition("#")[0]).exists()]
    return [f"{target} does not exist; correct the link" for target in dead]


@rule
def links(path: Path, notebook: NotebookNode) -> Found:
    """Every relative link leads to a file."""
    for cell in nb.markdown_cells(notebook):
        yield from ((cell, line) for line in dead_links(cell.source, path.parent))


@cache
def words_of(path: Path) -> str:
    """What a chapter says, in lower case, without its navigation."""
    cells = [cell for cell in nb.read(path).cells if cell.id not in nb.NAVIGATION]
    return "\n".join(map(nb.without_data, cells)).lower()


@rule
def chapter_links(path: Path, notebook: NotebookNode) -> Found:
    """Where a chapter names another, it links to it, with a word on what the reader finds there.

    `[chapter 9](09_limits.ipynb "infinity")`: the number is the file's, and the word, which shows
    under the mouse, stands in that chapter. What the title says is needed only has to exist.
    """
    there = set(map(nb.number, nb.english(nb.root_of(path))))
    for cell in nb.markdown_cells(notebook):
        source = nb.without_data(cell)
        for number, target, words in POINTER.findall(source):
            goal = path.parent / target
            if not goal.name.startswith(f"{int(number):02}_"):
                yield cell, f"chapter {number} is not {target}; correct one"
            elif goal.exists() and words.lower() not in words_of(goal):
                yield cell, f"{target} does not say {words!r}; use words from there"
        for found in numbers.REFERENCE.findall(POINTER.sub("", source)):
            if missing := sorted({int(n) for n in re.findall(r"\d+", found)} - there):
                yield cell, f"there is no chapter {missing[0]} yet; name another"
            elif cell.id != "title":
                link = '[chapter 9](09_limits.ipynb "a word from there")'
                yield cell, f"{found} is no link; write it like {link}"


@rule
def banned_words(path: Path, notebook: NotebookNode) -> Found:
    """No word that tells a reader who is stuck that it was easy."""
    for cell in nb.markdown_cells(notebook):
        for word in BANNED.finditer(nb.without_data(cell)):
            yield cell, f"the word '{word[0]}'; leave it out"


@rule
def exercises(path: Path, notebook: NotebookNode) -> Found:
    """Two to four exercises: a prompt, folded cases, a stub with wrong answers, a solution.

    A note has one at most.
    """
    cells = nb.by_id(notebook)
    prompts = [name for name in cells if re.fullmatch(r"try-\d+", name)]
    least, most = (0, 1) if nb.is_note(path) else (2, 4)
    if not least <= len(prompts) <= most:
        yield None, f"{len(prompts)} exercises; {least} to {most} are wanted"
    if not prompts:
        return
    if missing := {"checker", *(f"{n}-{p}" for n in prompts for p in PARTS)} - set(cells):
        yield None, f"no cell {min(missing)}; an exercise has {', '.join(PARTS)}"
        return
    for name in prompts:
        cases, stub, answer = (cells[f"{name}-{part}"] for part in PARTS)
        if not nb.is_folded(cases):
            yield cases, "does not begin with `# @title`, which folds it; add it"
        if len(stub.metadata.get("wrong", [])) < 3:
            yield stub, "list three or more wrong answers in the metadata (wrong)"
        if not nb.SOLUTION.fullmatch(answer.source):
            yield answer, "is not <details>, <summary>, words, one block of Python; write it so"


@rule
def declared(path: Path, notebook: NotebookNode) -> Found:
    """A number that is computed or cited stands in the text; a citation names a source."""
    for cell in nb.markdown_cells(notebook):
        computed, cited = (cell.metadata.get(key, {}) for key in ("computed", "citations"))
        written = numbers.numbers_in(nb.prose(cell), nb.edition(path).language)
        for key in [*computed, *cited]:
            if not numbers.figures_in(key) or numbers.figures_in(key) - written:
                yield cell, f"{key} is declared and not in the text; remove it, or correct the text"
        for key, citation in cited.items():
            if why := numbers.wrong_citation(key, citation):
                yield cell, f"{key}: {why}"


@rule
def founded(path: Path, notebook: NotebookNode) -> Found:
    """Every long number of the prose is printed or written in code nearby, computed or cited."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown" or cell.id in nb.NAVIGATION:
            continue
        near = notebook.cells[max(0, index - NEAR) : index + NEAR + 1]
        code = [other for other in near if other.cell_type == "code"]
        sources = [*(other.source for other in code), nb.solution(cell)]
        keys = [*cell.metadata.get("computed", {}), *cell.metadata.get("citations", {})]
        grounds = numbers.grounds_in(sources, [*map(nb.printed, code), *keys])
        for value in numbers.unfounded(nb.prose(cell), nb.edition(path).language, grounds):
            remedy = f'print it, correct it, or declare it: "computed": {{"{value}": "expression"}}'
            yield cell, f"no cell near prints {value}; {remedy}"


def problems(path: Path, rules: Iterable = RULES[__name__]) -> Problems:
    """A line for each thing wrong with a stored notebook."""
    notebook = nb.read(path)
    for one in rules:
        yield from (f"{nb.name_of(path, cell)}: {line}" for cell, line in one(path, notebook))
