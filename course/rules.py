"""What nbval cannot see. Each rule takes a notebook and yields a line for each thing wrong.

A line names the file, the cell and what to do. RULES, at the end, lists them all.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tokenize import TokenError

from nbformat import NotebookNode
from PIL import Image

from course import CourseError, typography
from course.editions import waits
from course.notebook import (
    CELL_METADATA,
    EDITIONS,
    EXERCISE,
    FENCE,
    METADATA,
    NAVIGATION,
    SOLUTION,
    code_cells,
    english,
    headings,
    image,
    markdown_cells,
    notebooks,
    pictures,
    place,
    printed,
    read,
    repository,
    root_of,
    text,
    without_data,
)
from course.numbers import grounded, near, prose, unfounded, values
from course.pictures import PLAYS, frames
from course.record import digest
from course.stamp import RANDOM_ID, stamped
from course.typography import CJK

Problems = Iterator[str]

# Tags that may stand on a cell, each with its reason. None is needed: nbval compares every output.
TAGS: dict[str, str] = {}
BODY_CELLS = 29  # prose and code, without title, navigation, diagrams, summary and exercises
CODE_LINES, PLOT_LINES = 12, 15
# Cells that may be longer, each with its reason.
LONG_CELLS = {
    "13_sharding launch": "starts two processes, and stops them whatever happens",
}
SEED = re.compile(r"manual_seed\((\d+)\)")
MAX_BYTES = 500_000
LANGUAGE_WORDS = re.compile(
    r"\b(simply|just|obviously|easy|easily|trivial\w*)\b|显然|轻松|只需|简单地", re.IGNORECASE
)
LINK = re.compile(r'(?<!!)\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)')
PRIVATE = re.compile(
    r"/(?:home|Users|root|work|tmp)/[\w./-]+|[A-Z]:\\Users\\\w+"
    r"|gh[pousr]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{12,}|sk-[\w-]{20,}|hf_\w{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?:password|passwd|secret|api_?key|token)\s*=\s*['\"][^'\"]{8,}",
    re.IGNORECASE,
)
HTML = re.compile(r"</?([a-zA-Z]\w*)[^>]*>")
HTML_ALLOWED = {"details", "summary", "br"}
# What a reader in Chinese is told who types a comma of his own into an answer.
HALF_WIDTH = (
    "代码里要用英文（半角）标点；要是报错 `SyntaxError: invalid character`，"
    "多半是混进了中文（全角）标点。"
)
POINTER = re.compile(r'\[(?:[Cc]hapter |第 ?)(\d+)(?: ?章)?\]\((\d\d_\w+\.ipynb) "([^"]+)"\)')
REFERENCE = re.compile(r"[Cc]hapters? \d+(?:(?:, and|,| and| to) \d+)*|第 ?\d+(?:、\d+)* ?章")
# A result with torch's four decimals; what the code computes is printed, never written there.
RESULT = re.compile(r"\d\.\d{4}")
# Modules that reach out; chapter 13's processes talk through torch.
NETWORK = {"ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "ssl", "telnetlib", "urllib"}


def syntax(cell: NotebookNode) -> ast.Module:
    """The syntax tree of a code cell; empty if it is not Python (`plain_python` reports that)."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def record(path: Path) -> str:
    """The remedy for outputs that are not those of the code."""
    return f"run `make record NB={place(path)}`"


def update(path: Path) -> str:
    """The remedy for what is not as it is derived."""
    return f"run `make update NB={place(path)}`"


def counts(path: Path, notebook: NotebookNode) -> Problems:
    """Every code cell was run once, in order: its count is its place. nbval skips a null count."""
    cells = code_cells(notebook)
    if not cells:
        yield f"{place(path)}: no code cell, so nothing is compared; a chapter runs code"
    for number, cell in enumerate(cells, 1):
        if cell.execution_count != number:
            found = cell.execution_count
            yield f"{place(path, cell)}: count is {found}, not {number}; {record(path)}"
            return  # of a new cell, all that follow are one too low
        for output in cell.outputs:
            if output.get("execution_count", number) != number:
                yield f"{place(path, cell)}: its output has another count; {record(path)}"


def clean_outputs(path: Path, notebook: NotebookNode) -> Problems:
    """Nothing on stderr, no error, no picture but PNG: nbval compares none of those usefully."""
    kinds = {"text/plain", "image/png"}
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"{place(path, cell)}: output on stderr; write code that does not warn"
            elif output.output_type == "error":
                yield f"{place(path, cell)}: stored {output.ename}; catch it and print its message"
            elif extra := sorted(set(output.get("data", {})) - kinds):
                yield f"{place(path, cell)}: output of the kind {extra}; print text or plot a PNG"


def nothing_ignored(path: Path, notebook: NotebookNode) -> Problems:
    """No tag and no NBVAL_ comment takes a cell out of the comparison."""
    for cell in notebook.cells:
        for tag in cell.metadata.get("tags", []):
            if tag not in TAGS:
                yield f"{place(path, cell)}: tag {tag} is not in TAGS, course/rules.py; remove it"
        if cell.cell_type == "code" and "nbval" in cell.source.lower():
            yield f"{place(path, cell)}: an NBVAL_ comment; remove it"


def plain_python(path: Path, notebook: NotebookNode) -> Problems:
    """Code is Python without magics or shell lines, which can fail without a word."""
    for cell in code_cells(notebook):
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            found = f"line {error.lineno} is not plain Python ({error.msg})"
            yield f"{place(path, cell)}: {found}; correct it"


def ids(path: Path, notebook: NotebookNode) -> Problems:
    """nbformat 4.5, and every cell has a name made of short words (`read` refuses equal ones)."""
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        yield f"{place(path)}: not nbformat 4.5; open it in JupyterLab and save it"
    for cell in notebook.cells:
        name, figure = cell.get("id", ""), cell.metadata.get("diagram")
        random = RANDOM_ID.fullmatch(name)
        if random or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
            remedy = "use a name like `two-rows`, the same in both languages"
            if random:
                remedy = f"{update(path)}, which gives one"
            yield f"{place(path, cell)}: its id is no name of short words; {remedy}"
        elif figure and name != f"diagram-{figure}" and image(root_of(path), figure).exists():
            yield f"{place(path, cell)}: its id is diagram-{figure}; {update(path)}"


def metadata(path: Path, notebook: NotebookNode) -> Problems:
    """Metadata is the fixed minimum; no attachments; the file is laid out as nbformat does it."""
    if notebook.metadata != METADATA:
        extra = ", ".join(k for k in notebook.metadata if notebook.metadata[k] != METADATA.get(k))
        yield f"{place(path)}: JupyterLab added to its metadata ({extra}); {update(path)}"
    for cell in notebook.cells:
        if extra := sorted(set(cell.metadata) - set(CELL_METADATA)):
            yield f"{place(path, cell)}: metadata {', '.join(extra)}; {update(path)}"
        if cell.get("attachments"):
            remedy = "delete it and draw a figure (CONTRIBUTING.md)"
            yield f"{place(path, cell)}: an attachment, which Colab does not show; {remedy}"
    if path.read_text(encoding="utf-8") != text(notebook):
        yield f"{place(path)}: not laid out as nbformat writes it; {update(path)}"


def seeds(path: Path, notebook: NotebookNode) -> Problems:
    """Every seed is the published walkthrough's, 123."""
    for cell in code_cells(notebook):
        for found in SEED.findall(cell.source):
            if int(found) != 123:
                yield f"{place(path, cell)}: seed {found}; use 123, as everywhere"


def heading_levels(path: Path, notebook: NotebookNode) -> Problems:
    """One H1, which has the chapter's number, and no level left out on the way down."""
    before = 0
    for cell in markdown_cells(notebook):
        for marks, title in headings(cell):
            if (len(marks) == 1) != (cell is notebook.cells[0]):
                yield f"{place(path, cell)}: `{marks} {title}`: the one H1 stands in the first cell"
            if len(marks) > before + 1:
                yield f"{place(path, cell)}: `{marks} {title}` skips a level; use fewer #"
            before = len(marks)
    number = int(path.name[:2])
    if not re.match(rf"# {number} · \S", notebook.cells[0].source):
        yield f"{place(path, notebook.cells[0])}: the title begins `# {number} · `"


def anatomy(path: Path, notebook: NotebookNode) -> Problems:
    """The fixed opening and close, and the three promises under the title."""
    names = [cell.get("id", "?") for cell in notebook.cells]
    if names[:2] != ["title", "nav-top"]:
        yield f"{place(path)}: begins with {names[:2]}, not with title and nav-top"
    if names[-1] != "nav-bottom":
        yield f"{place(path)}: ends with {names[-1]}, not with nav-bottom"
    fixed = ["summary", "recall", "try", "open"]
    if [name for name in names if name in fixed] != fixed:
        yield f"{place(path)}: needs the cells {' and '.join(fixed)}, in this order, near its end"
    for cell in notebook.cells:
        words = EDITIONS[path.parent.name].headings.get(cell.get("id"))
        if words and not cell.source.startswith(f"## {words}\n"):
            yield f"{place(path, cell)}: begins with the heading `## {words}`"
    promises = re.findall(r"^- \*\*[^*]+\*\* \S", notebook.cells[0].source, re.MULTILINE)
    if len(promises) != 3:
        yield f"{place(path, notebook.cells[0])}: three lines: You will see, You need, Time"


def short(path: Path, notebook: NotebookNode) -> Problems:
    """A chapter, a cell and a file of a size that a reader can take in."""
    body = [
        cell
        for cell in notebook.cells
        if "diagram" not in cell.metadata
        and cell.id not in ("title", "summary", "recall", "open", *NAVIGATION)
        and not cell.id.startswith("try")
    ]
    if len(body) > BODY_CELLS:
        remedy = f"{BODY_CELLS} are the limit, join two"
        yield f"{place(path)}: {len(body)} cells of prose and code; {remedy}"
    for cell in code_cells(notebook):
        lines = len(cell.source.splitlines())
        longer = "plt.show()" in cell.source or cell.id.endswith("-check")
        limit = PLOT_LINES if longer else CODE_LINES
        if lines > limit and f"{path.stem} {cell.id}" not in LONG_CELLS:
            yield f"{place(path, cell)}: {lines} lines; split it, {limit} are the limit"
    if (size := path.stat().st_size) > MAX_BYTES:
        yield f"{place(path)}: {size:,} bytes; {MAX_BYTES:,} are the limit"


def imports(path: Path, notebook: NotebookNode) -> Problems:
    """Only the standard library, torch and matplotlib, so that a notebook runs anywhere alone."""
    allowed = sys.stdlib_module_names | {"torch", "matplotlib"}
    for cell in code_cells(notebook):
        for node in ast.walk(syntax(cell)):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or "."]
            for module in modules:
                if module.split(".")[0] not in allowed:
                    yield f"{place(path, cell)}: imports {module}; use stdlib, torch, matplotlib"
                elif module.split(".")[0] in NETWORK:
                    yield f"{place(path, cell)}: imports {module}; a notebook needs no network"


def no_result_in_code(path: Path, notebook: NotebookNode) -> Problems:
    """No number with the four decimals of a printed tensor stands in the code."""
    for cell in code_cells(notebook):
        for found in RESULT.findall(cell.source):
            yield f"{place(path, cell)}: the code holds a result, {found}…; compute it"


def reads_no_file(path: Path, notebook: NotebookNode) -> Problems:
    """No call that reads a file or leaves the folder: a notebook carries all it needs."""
    forbidden = {"open", "read_text", "read_bytes", "load", "imread", "chdir", "urlopen", "glob"}
    for cell in code_cells(notebook):
        for node in ast.walk(syntax(cell)):
            name = getattr(node, "attr", getattr(node, "id", None))
            if name in forbidden:
                yield f"{place(path, cell)}: uses {name}; a notebook reads no file"


def version_once(path: Path, notebook: NotebookNode) -> Problems:
    """The PyTorch version is printed once; stored is the pinned one, without the tag of a build."""
    lines = [(c, printed(c)) for c in code_cells(notebook) if "PyTorch version: " in printed(c)]
    if len(lines) != 1:
        yield f"{place(path)}: prints the PyTorch version {len(lines)} times; print it once"
    pin = re.search(r"^torch==(\S+)$", (root_of(path) / "requirements.txt").read_text(), re.M)
    for cell, line in lines:
        if pin and f"PyTorch version: {pin[1]}" not in line.splitlines():
            yield f"{place(path, cell)}: stored is {line!r}, pinned {pin[1]}; {record(path)}"


def stamps(path: Path, notebook: NotebookNode) -> Problems:
    """Diagrams and navigation are what the stamp tool would write now."""
    try:
        expected = stamped(path, repository(root_of(path)))
    except CourseError as error:
        yield str(error)
        return
    for cell, fresh in zip(notebook.cells, expected.cells, strict=True):
        if cell.source != fresh.source:
            yield f"{place(path, cell)}: not what the stamp tool writes; {update(path)}"


def images(path: Path, notebook: NotebookNode) -> Problems:
    """Every image is a diagram in a cell of its own, and has a sentence for who cannot see it."""
    for cell in markdown_cells(notebook):
        prose = without_data(cell)
        if "diagram" in cell.metadata:
            alt = prose[2 : prose.find("](")]
            if alt and (len(alt) < 30 or alt[-1] not in ".。"):
                remedy = "say what the figure shows, in 30 characters or more"
                yield f"{place(path, cell)}: the alt text is no sentence; {remedy}"
        elif "![" in prose or "<img" in prose.lower():
            yield f"{place(path, cell)}: an image outside of a diagram's cell; see CONTRIBUTING.md"
        for tag in HTML.findall(re.sub(r"`[^`]*`", "", FENCE.sub("", prose))):
            if tag.lower() not in HTML_ALLOWED:
                yield f"{place(path, cell)}: <{tag}>, which not every reader shows; use Markdown"
    if not any("diagram" in cell.metadata for cell in notebook.cells):
        yield f"{place(path)}: no diagram; a chapter has at least one"


def in_chinese(path: Path, notebook: NotebookNode) -> Problems:
    """In the Chinese edition nothing is left in English, and all is written as Chinese is."""
    if path.parent.name != "zh":
        return
    for cell in notebook.cells:
        if cell.id in NAVIGATION or "waiting" in cell.metadata:  # editions.py sees those
            continue
        source, code = without_data(cell), cell.source
        if cell.cell_type == "markdown":
            for line in re.sub(r"`[^`]*`", "", FENCE.sub("", source)).splitlines():
                if len(re.findall(r"[A-Za-z]{2,}", line)) >= 3 and not CJK.search(line):
                    yield f"{place(path, cell)}: in English: {line[:40]}…; say it in Chinese"
            for found in typography.problems(source):
                yield f"{place(path, cell)}: {found}"
            code = match[1] if (match := SOLUTION.fullmatch(source)) else ""
        for found in typography.problems_in_code(code):
            yield f"{place(path, cell)}: {found}"
        if cell.id == "try" and HALF_WIDTH not in source:
            yield f"{place(path, cell)}: say {HALF_WIDTH}"


def plots(path: Path, notebook: NotebookNode) -> Problems:
    """A cell that shows a plot has stored one, and a chapter has at least one."""
    shows = [cell for cell in code_cells(notebook) if "plt.show()" in cell.source]
    if not shows:
        yield f"{place(path)}: no live plot; a chapter has at least one"
    for cell in code_cells(notebook):
        if (found := len(pictures(cell))) != (wanted := cell.source.count("plt.show()")):
            yield f"{place(path, cell)}: {found} stored plots, not {wanted}; {record(path)}"
        if wanted and "slow" in cell.metadata:
            yield f"{place(path, cell)}: a slow plot is compared with nothing; plot in another cell"


def timings(path: Path, notebook: NotebookNode) -> Problems:
    """A plot of timings is the one that was recorded with the present code."""
    if any(waits(cell) for cell in notebook.cells):
        return  # whoever translates it records it
    for cell in code_cells(notebook):
        if "timing" in cell.metadata and cell.metadata["timing"] != digest(notebook, cell):
            yield f"{place(path, cell)}: the plot is not from this code; {record(path)}"


def links(path: Path, notebook: NotebookNode) -> Problems:
    """Every relative link leads to a file."""
    for cell in markdown_cells(notebook):
        for target in LINK.findall(cell.source):
            if "://" not in target and not (path.parent / target.partition("#")[0]).exists():
                yield f"{place(path, cell)}: {target} does not exist; correct the link"


def chapters(path: Path, notebook: NotebookNode) -> Problems:
    """Where a chapter names another, it links to it, with a word on what the reader finds there.

    `[chapter 9](09_limits.ipynb "infinity")`: the number is the file's, and the word, which shows
    under the mouse, stands in that chapter. What the title says is needed only has to exist.
    """
    there = {int(chapter.name[:2]) for chapter in english(root_of(path))}
    for cell in markdown_cells(notebook):
        source = without_data(cell)
        for number, target, words in POINTER.findall(source):
            goal = path.parent / target
            if not target.startswith(f"{int(number):02}_"):
                yield f"{place(path, cell)}: chapter {number} is not {target}; correct one"
            elif goal.exists() and words.lower() not in said(goal):
                yield f"{place(path, cell)}: {target} does not say {words!r}; use words from there"
        for found in REFERENCE.findall(POINTER.sub("", source)):
            if missing := sorted({int(n) for n in re.findall(r"\d+", found)} - there):
                yield f"{place(path, cell)}: there is no chapter {missing[0]} yet; name another"
            elif cell.id != "title":
                link = '[chapter 9](09_limits.ipynb "a word from there")'
                yield f"{place(path, cell)}: {found} is no link; write it like {link}"


@cache
def said(path: Path) -> str:
    """What a chapter says, in lower case, without its navigation."""
    cells = [cell for cell in read(path).cells if cell.id not in NAVIGATION]
    return "\n".join(map(without_data, cells)).lower()


def language(path: Path, notebook: NotebookNode) -> Problems:
    """No word that tells a reader who is stuck that it was easy."""
    for cell in markdown_cells(notebook):
        for word in LANGUAGE_WORDS.finditer(without_data(cell)):
            yield f"{place(path, cell)}: the word '{word[0]}'; leave it out"


def exercises(path: Path, notebook: NotebookNode) -> Problems:
    """Two to four exercises, each a prompt, a stub, a check with wrong answers, and a solution."""
    cells = {cell.get("id"): cell for cell in notebook.cells}
    numbered = [name for name in cells if name and EXERCISE.fullmatch(name)]
    if not 2 <= len(numbered) <= 4:
        yield f"{place(path)}: {len(numbered)} exercises; a chapter has two to four"
    stubs = "".join(cells[f"{name}-stub"].source for name in numbered if f"{name}-stub" in cells)
    if "def " not in stubs:
        yield f"{place(path)}: no exercise in which the reader writes a function; add one"
    for name in numbered:
        parts = [f"{name}-{part}" for part in ("stub", "check", "solution")]
        if missing := [part for part in parts if part not in cells]:
            yield f"{place(path)}: no cell {missing[0]}; an exercise has stub, check and solution"
            continue
        stub, check, solution = (cells[part] for part in parts)
        if "..." not in stub.source:
            yield f"{place(path, stub)}: the stub has no `...` for the reader to replace"
        if len(check.metadata.get("wrong", [])) < 3:
            yield f"{place(path, check)}: list three or more wrong answers in the metadata (wrong)"
        if not SOLUTION.fullmatch(solution.source):
            yield f"{place(path, solution)}: not <details>, <summary>, words, one block of Python"


def reference_tensors(root: Path) -> list[dict[str, str]]:
    """The published tensors, each with its chapter and cell."""
    return tomllib.loads((root / "tests/reference.toml").read_text(encoding="utf-8"))["tensor"]


def reference(path: Path, notebook: NotebookNode) -> Problems:
    """The published tensors stand where they belong, character for character."""
    cells = {cell.get("id"): cell for cell in code_cells(notebook)}
    for tensor in reference_tensors(root_of(path)):
        if tensor["chapter"] == path.stem:
            cell = cells.get(tensor["cell"])
            if cell is None or printed(cell) != tensor["text"].strip("\n"):
                where = f"{place(path)}, cell {tensor['cell']}"
                remedy = f"undo what changed that, then {record(path)}"
                yield f"{where}: prints not the tensor of tests/reference.toml alone; {remedy}"


def founded(path: Path, notebook: NotebookNode) -> Problems:
    """Every long number of the prose is printed or written in code nearby, or declared."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown" or cell.id in NAVIGATION:
            continue
        code = [c for c in near(notebook.cells, index) if c.cell_type == "code"]
        if any(c.execution_count is None for c in code):
            continue  # counts reports it; what it would print is not known
        solutions = [m[1] for m in [SOLUTION.fullmatch(cell.source)] if m]
        try:
            grounds = grounded([*(c.source for c in code), *solutions], map(printed, code))
        except (SyntaxError, TokenError):
            continue  # plain_python reports it
        grounds |= set(values(" ".join(cell.metadata.get("numbers", {}))))
        for value in unfounded(prose(cell), EDITIONS[path.parent.name].language, grounds):
            remedy = f'print it, correct it, or declare it: "numbers": {{"{value}": "expression"}}'
            yield f"{place(path, cell)}: no cell near prints {value}; {remedy}"


def private(path: Path, notebook: NotebookNode) -> Problems:
    """No secret, and no folder of the machine that ran the notebook, in sources or outputs."""
    for cell in notebook.cells:
        content = without_data(cell)
        if cell.cell_type == "code":
            content += "\n" + printed(cell)
        for found in PRIVATE.findall(content):
            yield f"{place(path, cell)}: {found[:12]}… looks private; take it out"


RULES = [
    counts,
    clean_outputs,
    nothing_ignored,
    plain_python,
    ids,
    metadata,
    seeds,
    heading_levels,
    anatomy,
    short,
    imports,
    no_result_in_code,
    reads_no_file,
    version_once,
    stamps,
    images,
    in_chinese,
    plots,
    timings,
    links,
    chapters,
    language,
    exercises,
    reference,
    founded,
    private,
]


def diagram_file(root: Path, name: str) -> Problems:
    """A stored diagram is opaque, white, about 1,400 pixels wide; a moving one ends after 5 s."""
    path = image(root, name)
    if not path.exists():
        yield f"images/{name} is missing; run `make images`"
        return
    data, where = path.read_bytes(), f"images/{path.name}"
    shown = frames(data)
    with Image.open(path) as picture:
        if not 1300 <= picture.width <= 1500:
            yield f"{where} is {picture.width} pixels wide, not about 1,400"
        if len(shown) > 1 and picture.info["loop"] != PLAYS:
            yield f"{where} does not come to rest after {PLAYS} plays; run `make images`"
    if any(picture.getpixel((0, 0)) != (255, 255, 255) for picture, _ in shown):
        yield f"{where} has no white background; begin with `canvas`"
    if (seconds := sum(time for _, time in shown) / 1000) > 5:
        yield f"{where} plays for {seconds} seconds; 5 are the limit"


def course(root: Path) -> Problems:
    """What only the whole course shows: misplaced notebooks, unused images, equal alt texts."""
    known = notebooks(root)
    for path in sorted(root.rglob("*.ipynb")):
        hidden = {".venv", ".git", ".ipynb_checkpoints", "screenshots", "fixture", "site"}
        if path not in known and not hidden & set(path.relative_to(root).parts):
            where = path.relative_to(root).as_posix()
            yield f"{where}: no chapter; call it notebooks/NN_topic.ipynb, or delete it"
    alts: dict[str, str] = {}
    used = set()
    for path in known:
        for cell in read(path).cells:
            if name := cell.metadata.get("diagram"):
                used |= {name} if path in english(root) else set()
                alt = without_data(cell)
                if alt in alts and not alt.startswith("![]"):  # stamps reports those
                    yield f"{place(path, cell)}: the same alt text as {alts[alt]}; tell them apart"
                alts[alt] = place(path, cell)
    for file in sorted((root / "images").iterdir()):
        if file.stem not in used:
            yield f"images/{file.name}: no notebook shows it; use it or delete it"
    for name in sorted(used):
        yield from diagram_file(root, name)
    for tensor in reference_tensors(root):
        if not (root / f"notebooks/{tensor['chapter']}.ipynb").exists():
            yield f"notebooks/{tensor['chapter']}.ipynb is missing; tests/reference.toml names it"
