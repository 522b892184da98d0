"""Change things at random, one at a time in a copy of the course, and count what the checks catch.

    python -m course.mutate [N [SEED [class …]]]      N mutations of each class; 20 and 1 unless told

A class is a kind of place and a kind of change. A mutation that provably changes nothing, because a
run prints and draws the same, does not count. The first missed one of each class is shown.
"""

import ast
import base64
import io
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode
from PIL import Image

from course import editions, live, repository, rules
from course.cells import steps
from course.notebook import (
    ROOT,
    SOLUTION,
    CourseError,
    code_cells,
    command,
    comparable,
    english,
    find,
    markdown_cells,
    pictures,
    read,
    root_of,
    text,
)
from course.stamp import NAVIGATION, stamped

COPIED = ["course", "notebooks", "images", "tests", ".github", ".ci", "Makefile", "conftest.py"]
COPIED += ["README.md", "README.zh.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"]
COPIED += ["requirements.txt", "constraints.txt", "pyproject.toml"]
SHOWN = 5  # missed ones of a class
ENGLISH = "one two three four five six seven eight nine ten eleven twelve thirteen".split()
ORDINALS = "first second third fourth fifth sixth".split()
NEXT = dict(zip([*ENGLISH[:-1], *ORDINALS[:-1]], [*ENGLISH[1:], *ORDINALS[1:]], strict=True))
NEXT |= dict(zip("一二两三四五六七八九十", [*"二三三四五六七八九十", "十一"], strict=True))
VALUES = {word: str(n) for n, word in enumerate(ENGLISH, 1)} | {"两": "2"}
VALUES |= {word: str(n) for n, word in enumerate("一二三四五六七八九十", 1)}
NUMBER = re.compile(rf"\d[\d,]*(?:\.\d+)?|\b(?:{'|'.join(NEXT)})\b|[一二两三四五六七八九十]", re.IGNORECASE)


class Mutation(NamedTuple):
    """What is changed: a short description, and the new content of each file."""

    what: str
    files: dict[Path, bytes]


def change(path: Path, *edits: tuple[str, Callable[[NotebookNode], None]]) -> dict[Path, bytes]:
    """The new content of a notebook in which some cells, given by id, are edited."""
    notebook = read(path)
    for name, edit in edits:
        edit(find(notebook, name, path))
    return {path: text(notebook).encode()}


def both(path: Path, name: str, edit: Callable[[NotebookNode], None]) -> dict[Path, bytes]:
    """The same edit in a cell of both editions."""
    return change(path, (name, edit)) | change(path.parent / "zh" / path.name, (name, edit))


def respell(start: int, end: int, new: str) -> Callable[[NotebookNode], None]:
    """An edit of a cell's source."""

    def edit(cell: NotebookNode) -> None:
        cell.source = cell.source[:start] + new + cell.source[end:]

    return edit


def successor(number: str) -> str:
    """The number plus one, in figures (its last digit's place) or as a word."""
    if not number[0].isdigit():
        new = NEXT[number.lower()]
        return new.capitalize() if number[0].isupper() else new
    digits = number.replace(",", "")
    places = len(digits.partition(".")[2])
    new = f"{float(digits) + 10**-places:.{places}f}"
    return f"{int(new):,}" if "," in number else new


def spots(cell: NotebookNode) -> list[re.Match]:
    """The numbers of a cell's prose: not in pictures, addresses or blocks of code."""
    hidden = r"\]\([^)]*\)|^```.*?^```"
    prose = re.sub(hidden, lambda m: " " * len(m[0]), cell.source, flags=re.DOTALL | re.MULTILINE)
    return [spot for spot in NUMBER.finditer(prose) if "," != spot[0][-1]]


def kind_of(cell: NotebookNode) -> str:
    """The class of a Markdown cell's prose."""
    if "diagram" in cell.metadata:
        return "alt text"
    if cell.id.startswith("try"):
        return "solution" if cell.id.endswith("-solution") else "exercise"
    return "prose"


@cache
def places(root: Path, kind: str) -> list[tuple[Path, str, re.Match, re.Match | None]]:
    """All numbers in one class of prose: file, cell, match, and the same number in the twin."""
    found = []
    for path in english(root):
        twins = {cell.id: cell for cell in read(path.parent / "zh" / path.name).cells}
        for cell in markdown_cells(read(path)):
            if kind_of(cell) != kind or cell.id in NAVIGATION:
                continue
            ours, theirs = spots(cell), spots(twins[cell.id])
            found += [(path.parent / "zh" / path.name, cell.id, spot, None) for spot in theirs]
            for spot in ours:
                value = VALUES.get(spot[0].lower(), spot[0])
                same = [t for t in theirs if VALUES.get(t[0], t[0]) == value]
                before = [o for o in ours if VALUES.get(o[0].lower(), o[0]) == value].index(spot)
                found.append((path, cell.id, spot, same[before] if before < len(same) else None))
    return found


def number(kind: str, twice: bool) -> Callable[[random.Random, Path], Mutation]:
    """A number plus one in a class of prose, in one edition or, twice, in both."""

    def mutate(chance: random.Random, root: Path) -> Mutation:
        known = [p for p in places(root, kind) if p[3] or not twice]
        path, name, spot, twin = chance.choice(known)
        new = successor(spot[0])
        files = change(path, (name, respell(*spot.span(), new)))
        if twice:
            other = path.parent / "zh" / path.name
            files |= change(other, (name, respell(*twin.span(), successor(twin[0]))))
        digits = len(re.sub(r"\D", "", VALUES.get(spot[0].lower(), spot[0])))
        size = " (one digit)" if digits < 2 else ""
        return Mutation(f"{path.name}, {name}: {spot[0]} → {new}{size}", files)

    return mutate


def readme(name: str) -> Callable[[random.Random, Path], Mutation]:
    """A number plus one in a README, its table of chapters included."""

    def mutate(chance: random.Random, root: Path) -> Mutation:
        source = (root / name).read_text(encoding="utf-8")
        hidden = r"\]\([^)]*\)|^```.*?^```"
        blank = re.sub(hidden, lambda m: " " * len(m[0]), source, flags=re.DOTALL | re.MULTILINE)
        spot = chance.choice([s for s in NUMBER.finditer(blank) if s[0][-1] != ","])
        new = source[: spot.start()] + successor(spot[0]) + source[spot.end() :]
        return Mutation(f"{name}: {spot[0]} → {successor(spot[0])}", {root / name: new.encode()})

    return mutate


def cell_where(
    chance: random.Random, root: Path, wanted: Callable[[NotebookNode], bool]
) -> tuple[Path, NotebookNode]:
    """A random English cell of a kind."""
    found = [(p, c) for p in english(root) for c in read(p).cells if wanted(c)]
    return chance.choice(found)


def output(chance: random.Random, root: Path) -> Mutation:
    """Another character in a stored output of both editions."""
    path, cell = cell_where(chance, root, lambda c: any(map(stored_text, c.get("outputs", []))))
    place = chance.choice([i for i, o in enumerate(cell.outputs) if stored_text(o)])
    old = stored_text(cell.outputs[place])
    at = chance.choice([i for i, letter in enumerate(old) if not letter.isspace()])
    letter = chance.choice([c for c in "0123456789-aX" if c != old[at]])

    def edit(target: NotebookNode) -> None:
        new = stored_text(target.outputs[place])
        new = new[:at] + letter + new[at + 1 :]
        if "text" in target.outputs[place]:
            target.outputs[place].text = new
        else:
            target.outputs[place]["data"]["text/plain"] = new

    return Mutation(f"{path.name}, {cell.id}: {old[at]} → {letter}", both(path, cell.id, edit))


def stored_text(output: NotebookNode) -> str:
    """What an output shows as text."""
    return output.get("text") or output.get("data", {}).get("text/plain", "")


def blotted(data: bytes, chance: random.Random) -> bytes:
    """A picture with a block of 12 × 12 pixels in some colour, as PNG or GIF like the old one."""
    with Image.open(io.BytesIO(data)) as old:
        image, kind = old.convert("RGB"), old.format
    x, y = chance.randrange(image.width - 12), chance.randrange(image.height - 12)
    image.paste(tuple(chance.randrange(256) for _ in range(3)), (x, y, x + 12, y + 12))
    packed = io.BytesIO()
    image.save(packed, kind)
    return packed.getvalue()


def plot(chance: random.Random, root: Path) -> Mutation:
    """A block of pixels in a stored plot of both editions."""
    path, cell = cell_where(chance, root, pictures)
    new = blotted(base64.b64decode(pictures(cell)[0]["data"]["image/png"]), chance)

    def edit(target: NotebookNode) -> None:
        pictures(target)[0]["data"]["image/png"] = base64.b64encode(new).decode()

    return Mutation(f"{path.name}, {cell.id}: a block of pixels", both(path, cell.id, edit))


def diagram(chance: random.Random, root: Path) -> Mutation:
    """A block of pixels in a diagram, stamped into both editions."""
    file = chance.choice(sorted((root / "images").iterdir()))
    old = file.read_bytes()
    file.write_bytes(blotted(old, chance))
    try:
        files = {file: file.read_bytes()}
        for path in rules.notebooks(root):
            if f'"diagram": "{file.stem}"' in path.read_text(encoding="utf-8"):
                files[path] = text(stamped(path, repository.repository(root))).encode()
    finally:
        file.write_bytes(old)
    return Mutation(f"{file.name}: a block of pixels", files)


def literals(source: str) -> list[ast.Constant]:
    """The numbers, strings and booleans of some code, docstrings apart."""
    tree = ast.parse(source)
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    inside = {id(p) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for p in ast.walk(n)}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and node.value != ""
        and not {id(node)} & (docs | inside)
    ]


def other_literal(source: str, node: ast.Constant) -> str:
    """Some code with another value in place of one literal."""
    value = node.value
    new = not value if isinstance(value, bool) else value + 1 if not isinstance(value, str) else ""
    if isinstance(value, str):
        new = value[:-1] + ("x" if value[-1] != "x" else "y")
    lines = source.splitlines(keepends=True)
    before = "".join(lines[: node.lineno - 1])
    start = len(before) + len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
    before = "".join(lines[: node.end_lineno - 1])
    end = len(before) + len(lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
    return source[:start] + repr(new) + source[end:]


def swap_literal(path: Path, name: str, index: int) -> dict[Path, bytes]:
    """Another value for one literal of a code cell, in both editions."""

    def edit(cell: NotebookNode) -> None:
        cell.source = other_literal(cell.source, literals(cell.source)[index])

    return both(path, name, edit)


def literal(chance: random.Random, root: Path) -> Mutation:
    """Another literal in a code cell of both editions, nothing recorded."""
    path, cell = cell_where(chance, root, lambda c: c.cell_type == "code" and literals(c.source))
    index = chance.randrange(len(literals(cell.source)))
    what = f"{path.name}, {cell.id}: {literals(cell.source)[index].value!r}"
    return Mutation(what, swap_literal(path, cell.id, index))


def seed(chance: random.Random, root: Path) -> Mutation:
    """Another seed in both editions, and the outputs recorded anew."""
    seeds = re.compile(r"(?<=manual_seed\()\d+(?=\))")
    path, cell = cell_where(
        chance, root, lambda c: c.cell_type == "code" and seeds.search(c.source)
    )
    new = str(chance.randrange(1000, 9999))
    files = both(path, cell.id, lambda c: c.update(source=seeds.sub(new, c.source, count=1)))
    return Mutation(f"{path.name}, {cell.id}: seed {new}", files | recorded(root, files))


def recorded(root: Path, files: dict[Path, bytes]) -> dict[Path, bytes]:
    """The files with the outputs of a fresh run; the checks of exercises keep theirs."""
    result = {}
    with written(files):
        runs = {step.cell.id: step for step in steps(next(iter(files)))}
        for path in files:
            notebook = read(path)
            for cell in code_cells(notebook):
                step = runs[cell.id]
                for place, output in enumerate(cell.outputs):
                    fresh = step.printed if step.printed and place == 0 else None
                    if fresh and "text" in output:
                        output.text = fresh
                    elif fresh and not pictures(cell):
                        output["data"]["text/plain"] = fresh.rstrip("\n")
                for picture, new in zip(pictures(cell), step.plots or [], strict=False):
                    picture["data"]["image/png"] = base64.b64encode(new).decode()
            result[path] = text(notebook).encode()
    return result


def link(chance: random.Random, root: Path) -> Mutation:
    """A letter more in the target of a link, in one notebook."""
    path, cell = cell_where(chance, root, lambda c: rules.LINK.search(c.source))
    spot = chance.choice(list(rules.LINK.finditer(cell.source)))
    files = change(path, (cell.id, respell(spot.end(1), spot.end(1), "x")))
    return Mutation(f"{path.name}, {cell.id}: {spot[1]}x", files)


def heading(chance: random.Random, root: Path) -> Mutation:
    """One # more before a heading, in one notebook."""
    path, cell = cell_where(chance, root, lambda c: re.match("#", c.source))
    return Mutation(f"{path.name}, {cell.id}: #", change(path, (cell.id, respell(0, 0, "#"))))


def cell_id(chance: random.Random, root: Path) -> Mutation:
    """Another id, in one notebook."""
    path, cell = cell_where(chance, root, lambda c: True)
    files = change(path, (cell.id, lambda c: c.update(id=f"{c.id}-x")))
    return Mutation(f"{path.name}, {cell.id}: id", files)


def metadata(chance: random.Random, root: Path) -> Mutation:
    """A key more, one less or another one in the metadata of a cell, in one notebook."""
    path, cell = cell_where(chance, root, lambda c: True)
    key = chance.choice([*cell.metadata, "editable"])
    edit = (lambda c: c.metadata.pop(key)) if key in cell.metadata else None
    edit = edit or (lambda c: c.metadata.update(editable=True))
    return Mutation(f"{path.name}, {cell.id}: {key}", change(path, (cell.id, edit)))


def solution(chance: random.Random, root: Path) -> Mutation:
    """Another literal in the code of a solution, in both editions."""
    path, cell = cell_where(
        chance, root, lambda c: (m := SOLUTION.fullmatch(c.source)) and literals(m[1])
    )
    index = chance.randrange(len(literals(SOLUTION.fullmatch(cell.source)[1])))

    def edit(target: NotebookNode) -> None:
        code = SOLUTION.fullmatch(target.source)[1]
        target.source = target.source.replace(code, other_literal(code, literals(code)[index]))

    return Mutation(f"{path.name}, {cell.id}: literal {index}", both(path, cell.id, edit))


def wrong(chance: random.Random, root: Path) -> Mutation:
    """The right answer, or the stub's, among the wrong ones, in both editions."""
    path, cell = cell_where(chance, root, lambda c: "wrong" in c.metadata)
    name = cell.id.removesuffix("-check")
    cells = {other.id: other for other in read(path).cells}
    right = SOLUTION.fullmatch(cells[f"{name}-solution"].source)[1]
    old = chance.choice(list(cell.metadata["wrong"]))
    new = chance.choice([right, cells[f"{name}-stub"].source])

    def edit(target: NotebookNode) -> None:
        target.metadata["wrong"][new] = target.metadata["wrong"].pop(old)

    return Mutation(f"{path.name}, {cell.id}: wrong answer {old!r}", both(path, cell.id, edit))


def pin(chance: random.Random, root: Path) -> Mutation:
    """A version plus one, of a package that this system has."""
    present = repository.installed(root)
    found = []
    for name in repository.PINS:
        for package, requirement in repository.pinned(root, name).items():
            if package in present:
                found.append((root / name, str(requirement)))
    path, line = chance.choice(found)
    new = re.sub(r"\d+$", lambda m: str(int(m[0]) + 1), line)
    content = path.read_text(encoding="utf-8").replace(f"{line}\n", f"{new}\n")
    return Mutation(f"{path.name}: {new}", {path: content.encode()})


KINDS = ("prose", "alt text", "exercise", "solution")
CLASSES = {f"number, {kind}, one edition": number(kind, False) for kind in KINDS}
CLASSES |= {f"number, {kind}, both": number(kind, True) for kind in KINDS}
CLASSES |= {f"number, {name}": readme(name) for name in ("README.md", "README.zh.md")}
CLASSES |= {"output": output, "plot": plot, "diagram": diagram, "literal": literal, "seed": seed}
CLASSES |= {"link": link, "heading": heading, "id": cell_id, "metadata": metadata}
CLASSES |= {"solution": solution, "wrong answer": wrong, "pin": pin}
RUN = {"plot", "diagram", "literal", "seed", "solution", "wrong answer"}  # need the cells' run


class written:  # noqa: N801
    """A context in which some files have another content."""

    def __init__(self, files: dict[Path, bytes]) -> None:
        """The new contents."""
        self.files = files

    def __enter__(self) -> dict[Path, bytes]:
        """Write them and return the old ones."""
        self.old = {path: path.read_bytes() for path in self.files}
        for path, data in self.files.items():
            path.write_bytes(data)
        return self.old

    def __exit__(self, *_: object) -> None:
        """Write the old ones back."""
        for path, data in self.old.items():
            path.write_bytes(data)


def still(root: Path, files: dict[Path, bytes]) -> Iterator[str]:
    """What the checks that run nothing say."""
    touched = [path for path in files if path.suffix == ".ipynb"]
    for path in touched:
        notebook = read(path)
        for rule in rules.RULES:
            yield from rule(path, notebook)
    for path in {root / "notebooks" / path.name for path in touched}:
        yield from editions.problems(path, path.parent / "zh" / path.name)
    if any(path.suffix != ".ipynb" for path in files):
        for rule in repository.RULES:
            yield from rule(root)


def caught(name: str, mutation: Mutation, root: Path) -> bool | None:
    """Whether a check sees the mutation; None if a run shows that it changes nothing."""
    chapters = {root / "notebooks" / p.name for p in mutation.files if p.suffix == ".ipynb"}
    with written(mutation.files) as originals:
        try:
            if next(still(root, mutation.files), None):
                return True
            if name not in RUN:
                return name == "output" and nbval_sees(originals, mutation.files)
            if any(next(live.problems(path), None) for path in chapters):
                return True
            if name == "literal" and any(map(nbval_fails, chapters)):
                return True
            return None if all(effect(path) == before(path) for path in chapters) else False
        except CourseError:
            return True


def nbval_sees(old: dict[Path, bytes], new: dict[Path, bytes]) -> bool:
    """Whether a stored output differs from what nbval compares it with: what a kernel printed."""
    return any(comparable(old[path].decode()) != comparable(new[path].decode()) for path in old)


def nbval_fails(path: Path) -> bool:
    """Whether nbval fails, asked only of chapters with slow cells: the others have just been run."""
    if not any("slow" in cell.metadata for cell in read(path).cells):
        return False
    words = [sys.executable, "-m", "pytest", "-n0", "-q", path]
    return subprocess.run(words, cwd=root_of(path), capture_output=True).returncode != 0


def effect(path: Path) -> list[tuple]:
    """Everything that a run of a chapter prints and plots, bit for bit."""
    return [(step.cell.id, step.printed, step.plots) for step in steps(path)]


@cache
def before(path: Path) -> list[tuple]:
    """The effect of a chapter as it stands in the repository."""
    return effect(ROOT / path.relative_to(root_of(path)))


def count(name: str, times: int, start: int) -> tuple[str, dict[str, list[bool]], list[str], int]:
    """Mutate in one class: its name, the verdicts by kind of number, what was missed, no effect."""
    chance, verdicts, missed, nothing = random.Random(f"{start} {name}"), {}, [], 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, root / part)
        for _ in range(times):
            mutation = CLASSES[name](chance, root)
            verdict = caught(name, mutation, root)
            if verdict is None:
                nothing += 1
                continue
            kind = "one digit" if mutation.what.endswith("(one digit)") else ""
            verdicts.setdefault(kind, []).append(verdict)
            if not verdict:
                missed.append(mutation.what)
    return name, verdicts, missed, nothing


def main(arguments: list[str]) -> None:
    """Print the table, then what was missed."""
    times, start, *names = [*arguments, *("20", "1")[len(arguments) :]]
    names = names or list(CLASSES)
    if unknown := sorted(set(names) - set(CLASSES)):
        raise CourseError(f"{unknown[0]}: no such class; there are {', '.join(CLASSES)}")
    print(f"{'class':34}{'planted':>8}{'caught':>8}{'share':>8}{'no effect':>11}", flush=True)
    lines = []
    with ProcessPoolExecutor(2) as pool:
        for name, verdicts, missed, nothing in pool.map(
            count, names, [int(times)] * len(names), [int(start)] * len(names)
        ):
            for kind, seen in sorted(verdicts.items()):
                share = sum(seen) / len(seen)
                title = f"{name} ({kind})" if kind else name
                print(f"{title:34}{len(seen):8}{sum(seen):8}{share:8.1%}{nothing:11}", flush=True)
            lines += [f"missed: {name}: {what}" for what in missed[:SHOWN]]
    print(*lines, sep="\n")


if __name__ == "__main__":
    command(main)
