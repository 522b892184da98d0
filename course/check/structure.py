"""A notebook as it is stored. A rule takes its file and the notebook."""

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from tokenize import TokenError

from nbformat import NotebookNode

from course.check import Problems, typography
from course.check.numbers import counted, grounded, hollow, near, unfounded, values
from course.notebook import (
    EXERCISE,
    FENCE,
    FORMULA,
    LINK,
    NAVIGATION,
    SOLUTION,
    by_name,
    code_cells,
    edition,
    english,
    headings,
    is_folded,
    is_note,
    markdown_cells,
    place,
    plots,
    printed,
    prose,
    read,
    root_of,
    solution,
    torch_pin,
    waits,
    without_data,
)

MAX_BYTES = 500_000
COLUMNS = 88
PARTS = ("cases", "stub", "solution")  # of an exercise, after its prompt
PROMPT = 60  # words
# The cells that every chapter has, and every note, in this order.
FIXED = ["title", "nav-top", "summary", "recall", "try", "open", "nav-bottom"]
FIXED_IN_NOTES = ["title", "nav-top", "practice", "nav-bottom"]
LANGUAGE_WORDS = re.compile(
    r"\b(simply|just|obviously|easy|easily|trivial\w*)\b|显然|轻松|只需|简单地", re.IGNORECASE
)
PRIVATE = re.compile(
    r"/(?:home|Users|root|work|tmp)/[\w./-]+|[A-Z]:\\Users\\\w+"
    r"|gh[pousr]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{12,}|sk-[\w-]{20,}|hf_\w{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?:password|passwd|secret|api_?key|token)\s*=\s*['\"][^'\"]{8,}",
    re.IGNORECASE,
)
# Of a formula, besides the names of the code: indices, e, and what is transposed.
LETTERS = set("ijkteT")
HTML = re.compile(r"</?([a-zA-Z]\w*)[^>]*>")
HTML_ALLOWED = {"details", "summary", "br"}
POINTER = re.compile(r'\[(?:[Cc]hapter |第 ?)(\d+)(?: ?章)?\]\(([\w/.]+\.ipynb) "([^"]+)"\)')
REFERENCE = re.compile(r"[Cc]hapters? \d+(?:(?:, and|,| and| to) \d+)*|第 ?\d+(?:、\d+)* ?章")
# A result with torch's four decimals; what the code computes is printed, never written there.
RESULT = re.compile(r"\d\.\d{4}")
# Modules that reach out (chapter 13's processes talk through torch), and calls that read a file.
NETWORK = {"ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "ssl", "telnetlib", "urllib"}
MODULES = (sys.stdlib_module_names | {"torch", "matplotlib"}) - NETWORK
FILES = {"open", "read_text", "read_bytes", "load", "imread", "chdir", "urlopen", "glob"}


def plain_python(path: Path, notebook: NotebookNode) -> Problems:
    """Code is Python without magics, which can fail without a word, and hides nothing of nbval."""
    for cell in code_cells(notebook):
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            wrong = f"line {error.lineno} is not plain Python ({error.msg})"
            yield f"{place(path, cell)}: {wrong}; correct it"
        if "nbval" in cell.source.lower():
            yield f"{place(path, cell)}: an NBVAL_ comment hides it from nbval; remove it"


def clean_outputs(path: Path, notebook: NotebookNode) -> Problems:
    """Nothing on stderr, no error, no picture but PNG: nbval compares none of those usefully."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"{place(path, cell)}: output on stderr; write code that does not warn"
            elif output.output_type == "error":
                yield f"{place(path, cell)}: stored {output.ename}; catch it and print its message"
            elif extra := sorted(set(output.get("data", {})) - {"text/plain", "image/png"}):
                yield f"{place(path, cell)}: output of the kind {extra}; print text or plot a PNG"


def size_and_names(path: Path, notebook: NotebookNode) -> Problems:
    """Of a size that every reader shows, no attachments, cells named in words."""
    if (size := path.stat().st_size) > MAX_BYTES:
        yield f"{place(path)}: {size:,} bytes; {MAX_BYTES:,} are the limit"
    for cell in notebook.cells:
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell.id) or len(cell.id) > 40:
            remedy = "use a name like `two-rows`, the same in both languages"
            yield f"{place(path, cell)}: its id is no name of short words; {remedy}"
        if cell.get("attachments"):
            remedy = "delete it and draw a figure (CONTRIBUTING.md)"
            yield f"{place(path, cell)}: an attachment, which Colab does not show; {remedy}"


def anatomy(path: Path, notebook: NotebookNode) -> Problems:
    """The fixed opening and close, and the promises under the title."""
    cells, fixed = by_name(notebook), FIXED_IN_NOTES if is_note(path) else FIXED
    names = list(cells)
    found = [name for name in names if name in fixed]
    if [*names[:2], *names[-1:]] != ["title", "nav-top", "nav-bottom"] or found != fixed:
        yield f"{place(path)}: has the cells {found}; wanted are, in this order, {fixed}"
        return
    for name, heading in edition(path).headings.items():
        if name in fixed and not cells[name].source.startswith(f"## {heading}\n"):
            yield f"{place(path)}, cell {name}: begins with the heading `## {heading}`"
    promises = re.findall(r"^- \*\*[^*]+\*\* \S", cells["title"].source, re.MULTILINE)
    wanted = ["You need", "Time"] if is_note(path) else ["Afterwards you can", "You need", "Time"]
    if len(promises) != len(wanted):
        yield f"{place(path, cells['title'])}: {len(wanted)} lines: {', '.join(wanted)}"


def chapter(path: Path, notebook: NotebookNode) -> Problems:
    """A chapter has its number in the title, a plot and a diagram."""
    if is_note(path):
        return
    if not re.match(rf"# {int(path.name[:2])} · \S", notebook.cells[0].source):
        yield f"{place(path, notebook.cells[0])}: the title begins `# {int(path.name[:2])} · `"
    if not any(map(plots, code_cells(notebook))):
        yield f"{place(path)}: no live plot; a chapter has at least one"
    if not any("diagram" in cell.metadata for cell in notebook.cells):
        yield f"{place(path)}: no diagram; a chapter has at least one"


def note(path: Path, notebook: NotebookNode) -> Problems:
    """A note belongs to a chapter, and asks one question."""
    if not is_note(path):
        return
    number = path.name[:2]
    if not list(path.parent.parent.glob(f"{number}_*.ipynb")):
        yield f"{place(path)}: there is no chapter {int(number)}, to which it belongs"
    if notebook.cells[0].source.splitlines()[0][-1] not in "?？":
        yield f"{place(path, notebook.cells[0])}: the title of a note is its question, with a `?`"


def heading_levels(path: Path, notebook: NotebookNode) -> Problems:
    """One H1, in the first cell, and no level left out on the way down."""
    before = 0
    for cell in markdown_cells(notebook):
        for marks, title in headings(cell):
            if (len(marks) == 1) != (cell is notebook.cells[0]):
                yield f"{place(path, cell)}: `{marks} {title}`: the one H1 stands in the first cell"
            if len(marks) > before + 1:
                yield f"{place(path, cell)}: `{marks} {title}` skips a level; use fewer #"
            before = len(marks)


def stands_alone(path: Path, notebook: NotebookNode) -> Problems:
    """Only the standard library, torch and matplotlib; no file, no network: it runs anywhere."""
    for cell in code_cells(notebook):
        try:
            nodes = list(ast.walk(ast.parse(cell.source)))
        except SyntaxError:  # plain_python reports it
            continue
        imports = [
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        ]
        imports += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
        for module in imports:
            if module.split(".")[0] not in MODULES:
                yield f"{place(path, cell)}: imports {module}; use stdlib, torch, matplotlib"
        for name in {getattr(node, "attr", getattr(node, "id", None)) for node in nodes} & FILES:
            yield f"{place(path, cell)}: uses {name}; a notebook reads no file"


def code_style(path: Path, notebook: NotebookNode) -> Problems:
    """Lines fit the web's column, no printed result stands there, every seed is the published."""
    for cell in code_cells(notebook):
        for line in cell.source.splitlines():
            if len(line) > COLUMNS:
                wide = f"{len(line)} columns, {COLUMNS} are the limit"
                yield f"{place(path, cell)}: `{line.strip()[:30]}…` has {wide}"
        for found in RESULT.findall(cell.source):
            yield f"{place(path, cell)}: the code holds a result, {found}…; compute it"
        for seed in re.findall(r"manual_seed\((\d+)\)", cell.source):
            if seed != "123":
                yield f"{place(path, cell)}: seed {seed}; use 123, as everywhere"


def version_once(path: Path, notebook: NotebookNode) -> Problems:
    """The PyTorch version is printed once; stored is the pinned one, without the tag of a build."""
    lines = [line for c in code_cells(notebook) for line in printed(c).splitlines()]
    found = [line for line in lines if "PyTorch version: " in line]
    pin = torch_pin(root_of(path))
    if found != [f"PyTorch version: {pin}"]:
        remedy = f"print once that it is {pin}, which is pinned"
        yield f"{place(path)}: the lines with PyTorch's version are {found}; {remedy}"


def alt_texts(path: Path, notebook: NotebookNode) -> Problems:
    """Every image is a diagram in a cell of its own, and has a sentence for who cannot see it."""
    for cell in markdown_cells(notebook):
        source = without_data(cell)
        if "diagram" in cell.metadata:
            alt = source[2 : source.rfind("](")]
            if len(alt) < 30 or alt[-1] not in ".。":
                remedy = "say what the figure shows, in 30 characters or more"
                yield f"{place(path, cell)}: the alt text is no sentence; {remedy}"
        elif "![" in source or "<img" in source.lower():
            yield f"{place(path, cell)}: an image outside of a diagram's cell; see CONTRIBUTING.md"
        for tag in HTML.findall(re.sub(r"`[^`]*`", "", FENCE.sub("", source))):
            if tag.lower() not in HTML_ALLOWED:
                yield f"{place(path, cell)}: <{tag}>, which not every reader shows; use Markdown"


def in_chinese(path: Path, notebook: NotebookNode) -> Problems:
    """In the Chinese edition nothing is left in English, and all is written as Chinese is."""
    for cell in notebook.cells if edition(path).language == "zh" else []:
        if cell.id in NAVIGATION or waits(cell):
            continue
        source, code = "", cell.source
        if cell.cell_type == "markdown":
            source, code = without_data(cell), solution(cell)
        found = [*typography.in_english(source), *typography.problems(source)]
        for line in [*found, *typography.problems_in_code(code)]:
            yield f"{place(path, cell)}: {line}"
        if cell.id == "try" and typography.HALF_WIDTH not in source:
            yield f"{place(path, cell)}: say {typography.HALF_WIDTH}"


def formulas(path: Path, notebook: NotebookNode) -> Problems:
    """The letters of a formula are names of the code; x with an index, `x_k`, is x and k."""
    code = "\n".join(cell.source for cell in code_cells(notebook))
    known = set(re.findall(r"[A-Za-z]+", code)) | LETTERS
    for cell in markdown_cells(notebook):
        for formula in FORMULA.findall(without_data(cell)):
            names = re.findall(r"(?<!\\)\b[A-Za-z]+", re.sub(r"\\[A-Za-z]+", " ", formula))
            for name in sorted(set(names) - known):
                yield f"{place(path, cell)}: no code says {name}; use the letters of the code"


def dead_links(source: str, folder: Path) -> list[str]:
    """A line for each relative link of some Markdown that leads to no file."""
    targets = [target for target in LINK.findall(source) if "://" not in target]
    dead = [target for target in targets if not (folder / target.partition("#")[0]).exists()]
    return [f"{target} does not exist; correct the link" for target in dead]


def links(path: Path, notebook: NotebookNode) -> Problems:
    """Every relative link leads to a file."""
    for cell in markdown_cells(notebook):
        yield from (f"{place(path, cell)}: {line}" for line in dead_links(cell.source, path.parent))


@cache
def said(path: Path) -> str:
    """What a chapter says, in lower case, without its navigation."""
    cells = [cell for cell in read(path).cells if cell.id not in NAVIGATION]
    return "\n".join(map(without_data, cells)).lower()


def chapter_links(path: Path, notebook: NotebookNode) -> Problems:
    """Where a chapter names another, it links to it, with a word on what the reader finds there.

    `[chapter 9](09_limits.ipynb "infinity")`: the number is the file's, and the word, which shows
    under the mouse, stands in that chapter. What the title says is needed only has to exist.
    """
    there = {int(chapter.name[:2]) for chapter in english(root_of(path))}
    for cell in markdown_cells(notebook):
        source = without_data(cell)
        for number, target, words in POINTER.findall(source):
            goal = path.parent / target
            if not goal.name.startswith(f"{int(number):02}_"):
                yield f"{place(path, cell)}: chapter {number} is not {target}; correct one"
            elif goal.exists() and words.lower() not in said(goal):
                yield f"{place(path, cell)}: {target} does not say {words!r}; use words from there"
        for found in REFERENCE.findall(POINTER.sub("", source)):
            if missing := sorted({int(n) for n in re.findall(r"\d+", found)} - there):
                yield f"{place(path, cell)}: there is no chapter {missing[0]} yet; name another"
            elif cell.id != "title":
                link = '[chapter 9](09_limits.ipynb "a word from there")'
                yield f"{place(path, cell)}: {found} is no link; write it like {link}"


def banned_words(path: Path, notebook: NotebookNode) -> Problems:
    """No word that tells a reader who is stuck that it was easy; no secret, no private folder."""
    for cell in notebook.cells:
        source = without_data(cell)
        for word in LANGUAGE_WORDS.finditer(source) if cell.cell_type == "markdown" else ():
            yield f"{place(path, cell)}: the word '{word[0]}'; leave it out"
        if cell.cell_type == "code":
            source += "\n" + printed(cell)
        for found in PRIVATE.findall(source):
            yield f"{place(path, cell)}: {found[:12]}… looks private; take it out"


def exercises(path: Path, notebook: NotebookNode) -> Problems:
    """Two to four exercises: a prompt, folded cases, a stub with wrong answers, a solution.

    A note has one at most.
    """
    cells = by_name(notebook)
    numbered = [name for name in cells if EXERCISE.fullmatch(name)]
    least, most = (0, 1) if is_note(path) else (2, 4)
    if not least <= len(numbered) <= most:
        yield f"{place(path)}: {len(numbered)} exercises; {least} to {most} are wanted"
    if not numbered:
        return
    if missing := {"checker", *(f"{n}-{p}" for n in numbered for p in PARTS)} - set(cells):
        yield f"{place(path)}: no cell {min(missing)}; an exercise has {', '.join(PARTS)}"
        return
    for name in numbered:
        prompt = cells[name]
        cases, stub, answer = (cells[f"{name}-{part}"] for part in PARTS)
        if (count := len(prose(prompt).split())) > PROMPT:
            yield f"{place(path, prompt)}: {count} words; {PROMPT} are the limit, cut"
        if not is_folded(cases):
            yield f"{place(path, cases)}: begins with `# @title`, which folds it"
        if "..." not in stub.source or not re.search(r"^check\(.+\)$", stub.source, re.MULTILINE):
            yield f"{place(path, stub)}: holds a `...` to replace, and ends in `check(…)`"
        if len(stub.metadata.get("wrong", [])) < 3:
            yield f"{place(path, stub)}: list three or more wrong answers in the metadata (wrong)"
        if not SOLUTION.fullmatch(answer.source):
            yield f"{place(path, answer)}: not <details>, <summary>, words, one block of Python"


def published(root: Path) -> list[dict[str, str]]:
    """The published tensors, each with its chapter and cell."""
    return tomllib.loads((root / "tests/reference.toml").read_text(encoding="utf-8"))["tensor"]


def reference(path: Path, notebook: NotebookNode) -> Problems:
    """The published tensors stand where they belong, character for character."""
    cells = {cell.id: printed(cell) for cell in code_cells(notebook)}
    for tensor in published(root_of(path)):
        name = tensor["cell"]
        if tensor["chapter"] == path.stem and cells.get(name) != tensor["text"].strip("\n"):
            wrong = "prints not the tensor of tests/reference.toml alone; undo what changed that"
            yield f"{place(path)}, cell {name}: {wrong}"


def founded(path: Path, notebook: NotebookNode) -> Problems:
    """Every long number of the prose is printed or written in code nearby, computed or cited."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown" or cell.id in NAVIGATION or waits(cell):
            continue
        language, metadata = edition(path).language, cell.metadata
        declared = [*metadata.get("computed", {}), *metadata.get("citations", {})]
        found = counted(prose(cell), language)
        for key in declared:
            if not values(key) or values(key) - found:
                remedy = "remove it, or write the other"
                yield f"{place(path, cell)}: {key} is declared and not in the text; {remedy}"
        for key, cited in metadata.get("citations", {}).items():
            yield from (f"{place(path, cell)}: {line}" for line in hollow(key, cited))
        code = [c for c in near(notebook.cells, index) if c.cell_type == "code"]
        try:
            grounds = grounded([*(c.source for c in code), solution(cell)], map(printed, code))
        except (SyntaxError, TokenError):
            continue  # plain_python reports it
        grounds |= set(values(" ".join(declared)))
        for value in unfounded(prose(cell), language, grounds):
            remedy = f'print it, correct it, or declare it: "computed": {{"{value}": "expression"}}'
            yield f"{place(path, cell)}: no cell near prints {value}; {remedy}"


RULES = [
    plain_python,
    clean_outputs,
    size_and_names,
    anatomy,
    chapter,
    note,
    heading_levels,
    stands_alone,
    code_style,
    version_once,
    alt_texts,
    in_chinese,
    formulas,
    links,
    chapter_links,
    banned_words,
    exercises,
    reference,
    founded,
]
