"""What nbval cannot see. Each check takes a notebook and yields a line for each thing wrong.

A line names the file, the cell and what to do. CHECKS, at the end, lists them all.
"""

import ast
import io
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import figures
import nbformat
from course import ROOT, place, text
from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageStat
from record import CELL_METADATA, METADATA, digest, pictures
from stamp import NAVIGATION, stamped

Problems = Iterator[str]

# Tags that may stand on a cell, each with its reason. None is needed: nbval compares every output.
TAGS: dict[str, str] = {}
BODY_CELLS = 29  # prose and code, without title, navigation, diagrams, summary and exercises
CODE_LINES, PLOT_LINES = 12, 15
# Cells that may be longer, each with its reason.
LONG_CELLS = {
    "script": "chapter 10: a whole program for two processes",
    "launch": "chapter 10: starts it, and stops it whatever happens",
}
MAX_BYTES = 500_000
LANGUAGE_WORDS = re.compile(
    r"\b(simply|just|obviously|easy|easily|trivial\w*)\b|显然|轻松|只需|简单地", re.IGNORECASE
)
HEADING = re.compile(r"^(#{1,6}) +(\S.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
# Two or more decimals, or thousands in groups. A minus sign is a matter of typography.
LONG_NUMBER = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{2,})(?![\d.]*\d)")
# Numbers that no cell prints, each with its source.
PUBLISHED = {
    "50,257": "tokens of GPT-2 (Radford et al. 2019, section 2.3)",
    "1,024": "positions of GPT-2 (same paper)",
    "1.24": "亿: the 124 million parameters of the smallest GPT-2 (same paper)",
}
PRIVATE = re.compile(
    r"/(?:home|Users|root|work|tmp)/[\w./-]+|[A-Z]:\\Users\\\w+"
    r"|gh[pousr]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{12,}|sk-[\w-]{20,}|hf_\w{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|(?:password|passwd|secret|api_?key|token)\s*=\s*['\"][^'\"]{8,}",
    re.IGNORECASE,
)
REFERENCE = tomllib.loads((ROOT / "tests/reference.toml").read_text(encoding="utf-8"))["tensor"]
EXERCISE = re.compile(r"try-\d+")
SOLUTION = re.compile(
    r"<details>\n<summary>[^<]+</summary>\n\n.+\n```python\n(.+)\n```\n\n</details>", re.DOTALL
)


def pixels(data: bytes) -> Image.Image:
    """The decoded picture of a PNG's bytes."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def same_picture(stored: bytes, fresh: bytes, tolerance: float = 0.5) -> bool:
    """Whether two PNGs show the same.

    The sizes are equal, and the mean absolute difference of the channels, which run from 0 to 255,
    is at most `tolerance`. 0.5 lets another build of FreeType move the edges of letters; a line
    that moved, or another colour in a cell, is above it.
    """
    one, two = pixels(stored), pixels(fresh)
    if one.size != two.size:
        return False
    return max(ImageStat.Stat(ImageChops.difference(one, two)).mean) <= tolerance


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The Markdown cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def syntax(cell: NotebookNode) -> ast.Module:
    """The syntax tree of a code cell; empty if it is not Python (`plain_python` reports that)."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def counts(path: Path, notebook: NotebookNode) -> Problems:
    """Every code cell was run once, in order: its count is its place. nbval skips a null count."""
    cells = code_cells(notebook)
    if not cells:
        yield f"{place(path)}: no code cell, so nothing is compared; a chapter runs code"
    for number, cell in enumerate(cells, 1):
        if cell.execution_count != number:
            found = cell.execution_count
            yield f"{place(path, cell)}: count is {found}, not {number}; run `make record`"
        for output in cell.outputs:
            if output.get("execution_count", number) != number:
                yield f"{place(path, cell)}: its output has another count; run `make record`"


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
                yield f"{place(path, cell)}: tag {tag} is not on the list in checks.py; remove it"
        if cell.cell_type == "code" and "nbval" in cell.source.lower():
            yield f"{place(path, cell)}: an NBVAL_ comment; remove it"


def plain_python(path: Path, notebook: NotebookNode) -> Problems:
    """Code is Python without magics or shell lines, which can fail without a word."""
    for cell in code_cells(notebook):
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            yield f"{place(path, cell)}: not plain Python ({error.msg}, line {error.lineno})"


def ids(path: Path, notebook: NotebookNode) -> Problems:
    """nbformat 4.5, and every cell has a name made of short words (`read` refuses equal ones)."""
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        yield f"{place(path)}: not nbformat 4.5; run `make record`"
    for cell in notebook.cells:
        name = cell.get("id", "")
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
            yield f"{place(path, cell)}: name it with short words, like look-up-one"


def metadata(path: Path, notebook: NotebookNode) -> Problems:
    """Metadata is the fixed minimum; no attachments; the file is laid out as nbformat does it."""
    if notebook.metadata != METADATA:
        yield f"{place(path)}: metadata of its own; run `make record`"
    for cell in notebook.cells:
        if extra := sorted(set(cell.metadata) - set(CELL_METADATA)):
            yield f"{place(path, cell)}: metadata {extra}; run `make record`"
        if cell.get("attachments"):
            yield f"{place(path, cell)}: an attachment, which Colab does not show; draw a diagram"
    if path.read_text(encoding="utf-8") != text(notebook):
        yield f"{place(path)}: not laid out as nbformat writes it; run `make stamp`"


def headings(path: Path, notebook: NotebookNode) -> Problems:
    """One H1, which has the chapter's number, and no level left out on the way down."""
    before = 0
    for cell in markdown_cells(notebook):
        for marks, title in HEADING.findall(FENCE.sub("", cell.source)):
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
    closing = [name for name in names if name in ("summary", "try")]
    if closing != ["summary", "try"]:
        yield f"{place(path)}: needs the cells summary and try, in this order, near its end"
    for cell in notebook.cells:
        if cell.get("id") in ("summary", "try") and not cell.source.startswith("## "):
            yield f"{place(path, cell)}: begins with a heading, `## …`"
    promises = re.findall(r"^- \*\*[^*]+\*\* \S", notebook.cells[0].source, re.MULTILINE)
    if len(promises) != 3:
        yield f"{place(path, notebook.cells[0])}: three lines: You will see, You need, Minutes"


def short(path: Path, notebook: NotebookNode) -> Problems:
    """A chapter, a cell and a file of a size that a reader can take in."""
    body = [
        cell
        for cell in notebook.cells
        if "diagram" not in cell.metadata
        and cell.id not in ("title", "summary", *NAVIGATION)
        and not cell.id.startswith("try")
    ]
    if len(body) > BODY_CELLS:
        yield f"{place(path)}: {len(body)} cells of prose and code; cut it to {BODY_CELLS}"
    for cell in code_cells(notebook):
        lines = len(cell.source.splitlines())
        limit = PLOT_LINES if "plt.show()" in cell.source else CODE_LINES
        if lines > limit and cell.id not in LONG_CELLS:
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


def reads_no_file(path: Path, notebook: NotebookNode) -> Problems:
    """No call that reads a file or leaves the folder: a notebook carries all it needs."""
    forbidden = {"open", "read_text", "read_bytes", "load", "imread", "chdir", "urlopen", "glob"}
    for cell in code_cells(notebook):
        for node in ast.walk(syntax(cell)):
            name = getattr(node, "attr", getattr(node, "id", None))
            if name in forbidden:
                yield f"{place(path, cell)}: uses {name}; a notebook reads no file"


def version_once(path: Path, notebook: NotebookNode) -> Problems:
    """`PyTorch version:` is printed once: it is the one line that nbval is told to accept."""
    times = sum("PyTorch version: " in printed(cell) for cell in code_cells(notebook))
    if times != 1:
        yield f"{place(path)}: prints the PyTorch version {times} times; print it once"


def stamps(path: Path, notebook: NotebookNode) -> Problems:
    """Diagrams and navigation are what the stamp tool would write now."""
    try:
        expected = stamped(path, path.parents[path.parts[::-1].index("notebooks")])
    except SystemExit as error:
        yield str(error)
        return
    for cell, fresh in zip(notebook.cells, stamped_cells(expected), strict=True):
        if cell.source != fresh:
            yield f"{place(path, cell)}: not what the stamp tool writes; run `make stamp`"


def stamped_cells(content: str) -> list[str]:
    """The sources of the cells of a notebook given as text."""
    return [cell.source for cell in nbformat.reads(content, as_version=4).cells]


def images(path: Path, notebook: NotebookNode) -> Problems:
    """Every image is a diagram in a cell of its own, and has a sentence for who cannot see it."""
    for cell in markdown_cells(notebook):
        if "diagram" in cell.metadata:
            alt = cell.source[2 : cell.source.find("](")]
            if len(alt) < 30 or alt[-1] not in ".。":
                yield f"{place(path, cell)}: the alt text is no sentence; say what the figure shows"
        elif "![" in cell.source or "<img" in cell.source.lower():
            yield f"{place(path, cell)}: an image outside of a diagram's cell; see tools/figures.py"
    if not any("diagram" in cell.metadata for cell in notebook.cells):
        yield f"{place(path)}: no diagram; a chapter has at least one"


def plots(path: Path, notebook: NotebookNode) -> Problems:
    """A cell that shows a plot has stored one, and a chapter has at least one."""
    shows = [cell for cell in code_cells(notebook) if "plt.show()" in cell.source]
    if not shows:
        yield f"{place(path)}: no live plot; a chapter has at least one"
    for cell in code_cells(notebook):
        if (found := len(pictures(cell))) != (wanted := cell.source.count("plt.show()")):
            yield f"{place(path, cell)}: {found} stored plots, not {wanted}; run `make record`"
        if wanted and "slow" in cell.metadata:
            yield f"{place(path, cell)}: a slow plot is compared with nothing; plot in another cell"


def timings(path: Path, notebook: NotebookNode) -> Problems:
    """A plot of timings is the one that was recorded with the present code."""
    for cell in code_cells(notebook):
        if "timing" in cell.metadata and cell.metadata["timing"] != digest(notebook, cell):
            yield f"{place(path, cell)}: the plot is not from this code; run `make record`"


def links(path: Path, notebook: NotebookNode) -> Problems:
    """Every relative link leads to a file."""
    for cell in markdown_cells(notebook):
        for target in LINK.findall(cell.source):
            if "://" not in target and not (path.parent / target.partition("#")[0]).exists():
                yield f"{place(path, cell)}: {target} does not exist; correct the link"


def language(path: Path, notebook: NotebookNode) -> Problems:
    """No word that tells a reader who is stuck that it was easy."""
    for cell in markdown_cells(notebook):
        for word in LANGUAGE_WORDS.finditer(cell.source.partition("](data:")[0]):
            yield f"{place(path, cell)}: the word '{word[0]}'; leave it out"


def exercises(path: Path, notebook: NotebookNode) -> Problems:
    """Two or three exercises, each a prompt, a stub, a check with wrong answers, and a solution."""
    cells = {cell.get("id"): cell for cell in notebook.cells}
    numbered = [name for name in cells if name and EXERCISE.fullmatch(name)]
    if not 2 <= len(numbered) <= 3:
        yield f"{place(path)}: {len(numbered)} exercises; a chapter has two or three"
    for name in numbered:
        parts = [f"{name}-{part}" for part in ("stub", "check", "solution")]
        if missing := [part for part in parts if part not in cells]:
            yield f"{place(path)}: no cell {missing[0]}; an exercise has stub, check and solution"
            continue
        stub, check, solution = (cells[part] for part in parts)
        if "= ..." not in stub.source:
            yield f"{place(path, stub)}: the stub has no `= ...` for the reader to replace"
        if len(check.metadata.get("wrong", [])) < 3:
            yield f"{place(path, check)}: list three or more wrong answers in the metadata (wrong)"
        if not SOLUTION.fullmatch(solution.source):
            yield f"{place(path, solution)}: not <details>, <summary>, words, one block of Python"


def printed(cell: NotebookNode) -> str:
    """All text that a code cell has stored, as a reader sees it."""
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    return "\n".join(text.rstrip("\n") for text in texts)


def reference(path: Path, notebook: NotebookNode) -> Problems:
    """The published tensors stand where they belong, character for character."""
    cells = {cell.get("id"): cell for cell in code_cells(notebook)}
    for tensor in REFERENCE:
        if tensor["chapter"] == path.stem:
            cell = cells.get(tensor["cell"])
            if cell is None or printed(cell) != tensor["text"].strip("\n"):
                where = f"{place(path)}, cell {tensor['cell']}"
                yield f"{where}: not the published tensor of tests/reference.toml; repair the cell"


def numbers(path: Path, notebook: NotebookNode) -> Problems:
    """Every long number in the prose is printed by some cell of the same notebook."""
    outputs = " ".join(printed(cell) for cell in code_cells(notebook))
    shown = set(LONG_NUMBER.findall(outputs)) | set(PUBLISHED)
    # 12345 and 12,345 are one number.
    shown |= {f"{int(number):,}" for number in re.findall(r"\b\d{4,15}\b", outputs)}
    for cell in markdown_cells(notebook):
        prose = FENCE.sub("", cell.source.partition("](data:")[0])
        for number in LONG_NUMBER.findall(prose):
            if number not in shown:
                yield f"{place(path, cell)}: no cell prints {number}; print it or correct it"


def private(path: Path, notebook: NotebookNode) -> Problems:
    """No secret, and no folder of the machine that ran the notebook, in sources or outputs."""
    for cell in notebook.cells:
        content = cell.source.partition("](data:")[0]
        if cell.cell_type == "code":
            content += "\n" + printed(cell)
        for found in PRIVATE.findall(content):
            yield f"{place(path, cell)}: {found[:12]}… looks private; take it out"


CHECKS = [
    counts,
    clean_outputs,
    nothing_ignored,
    plain_python,
    ids,
    metadata,
    headings,
    anatomy,
    short,
    imports,
    reads_no_file,
    version_once,
    stamps,
    images,
    plots,
    timings,
    links,
    language,
    exercises,
    reference,
    numbers,
    private,
]


def diagram(name: str, folder: Path = figures.IMAGES) -> Problems:
    """A stored diagram has the pixels that the tool draws now, and is small, opaque, a palette."""
    path = folder / f"{name}.png"
    if not path.exists():
        yield f"images/{name}.png is missing; run `make images`"
        return
    data = path.read_bytes()
    if not same_picture(data, figures.png(name), tolerance=0):
        yield f"images/{name}.png is not what the tool draws; run `make images`"
    with Image.open(io.BytesIO(data)) as image:
        if image.mode != "P" or "transparency" in image.info:
            yield f"images/{name}.png is no opaque palette PNG; run `make images`"
        if not 1300 <= image.width <= 1500:
            yield f"images/{name}.png is {image.width} pixels wide, not about 1,400"
    if len(data) > 60_000:
        yield f"images/{name}.png is larger than 60 KB; draw less"


def misplaced(root: Path = ROOT) -> Problems:
    """Notebooks that nbval does not see, because they lie outside notebooks/ or too deep in it."""
    seen = {*(root / "notebooks").glob("*.ipynb"), *(root / "notebooks").glob("zh/*.ipynb")}
    for path in sorted(root.rglob("*.ipynb")):
        hidden = {".venv", ".git", ".ipynb_checkpoints", "screenshots"} & set(
            path.relative_to(root).parts
        )
        if path not in seen and not hidden:
            yield f"{path.relative_to(root)}: nbval does not look here; move it into notebooks/"
