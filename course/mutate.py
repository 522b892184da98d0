"""Change the course at random, one thing at a time in a copy, and count what the checks catch.

    python -m course.mutate [N [SEED [class …]]]    20 mutations of each class unless told

A class is a kind of place and a kind of change. A mutation that provably changes nothing, because a
run prints and draws the same, does not count. At most three missed ones of each class are shown.
"""

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
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from nbformat import NotebookNode
from PIL import Image

from course import ROOT, CourseError, command, editions, live, repository, rules
from course.cells import steps
from course.notebook import (
    FENCE,
    NAVIGATION,
    SOLUTION,
    code_cells,
    comparable,
    english,
    find,
    notebooks,
    pictures,
    read,
    root_of,
    text,
    twin,
)
from course.stamp import stamped

Files = dict[Path, bytes]  # the new content of each file that a mutation touches
Mutate = Callable[[random.Random, Path], tuple[str, Files]]  # and what it is, in a few words

COPIED = ["course", "notebooks", "images", "tests", ".github", ".ci", "Makefile", "conftest.py"]
COPIED += ["README.md", "README.zh.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"]
COPIED += ["requirements.txt", "constraints.txt", "pyproject.toml"]
SHOWN = 3
WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
RANKS = "first second third fourth fifth sixth seventh".split()
NUMERALS = "零一二三四五六七八九十"
NEXT = dict(zip([*WORDS[:-1], *RANKS[:-1]], [*WORDS[1:], *RANKS[1:]], strict=True)) | {"两": "三"}
NEXT |= dict(zip(NUMERALS, [*NUMERALS[1:], "十一"], strict=True))
VALUE = {
    word: str(n) for words in (WORDS, ["", *RANKS], NUMERALS) for n, word in enumerate(words)
} | {"两": "2"}
NUMBER = re.compile(
    rf"\d+(?:,\d{{3}})*(?:\.\d+)?|\b(?:{'|'.join(NEXT)})\b|[两{NUMERALS}]+", re.IGNORECASE
)
ADDRESS = re.compile(r"\]\([^)]*\)")
# Numbers, strings and truth values; comments and f-strings' names are passed over.
LITERAL = re.compile(
    r"(#.*)|(?<![\w.])\d[\d_]*\.?\d*(?:e-?\d+)?(?!\w)|\"[^\"\n]+\"|\bTrue\b|\bFalse\b"
)


def change(path: Path, name: str, edit: Callable[[NotebookNode], None], twice: bool) -> Files:
    """The new content of a notebook, and with `twice` of its twin, in which a cell is edited."""
    files = {}
    for file in [path, twin(path)] if twice else [path]:
        notebook = read(file)
        edit(find(notebook, name, file))
        files[file] = text(notebook).encode()
    return files


def choose(
    chance: random.Random, root: Path, wanted: Callable[[NotebookNode], bool]
) -> tuple[Path, NotebookNode]:
    """A random cell of a kind, of the English edition."""
    return chance.choice([(p, c) for p in english(root) for c in read(p).cells if wanted(c)])


def prose(source: str) -> list[re.Match]:
    """The numbers of some Markdown, at their places: not in addresses nor in blocks of code."""
    for hidden in (ADDRESS, FENCE):
        source = hidden.sub(lambda match: " " * len(match[0]), source)
    return list(NUMBER.finditer(source))


def plus_one(number: str) -> str:
    """A number plus one, in its last place: 0.69 → 0.70, two → three, 十六 → 十七."""
    if not number[0].isdigit():
        *begin, last = [number.lower()] if number.isascii() else number
        new = "".join([*begin, NEXT[last]])
        return new.capitalize() if number[0].isupper() else new
    places = len(number.partition(".")[2])
    new = float(number.replace(",", "")) + 10**-places
    return f"{new:,.{places}f}" if "," in number else f"{new:.{places}f}"


def value(number: re.Match) -> str:
    """What a number comes to, in digits."""
    return VALUE.get(number[0].lower(), number[0])


def replaced(source: str, spot: re.Match, new: str) -> str:
    """Some text with another word in one place."""
    return source[: spot.start()] + new + source[spot.end() :]


def kind_of(cell: NotebookNode) -> str:
    """The class of a Markdown cell's prose; none for other cells and the navigation."""
    if cell.cell_type != "markdown" or cell.id in NAVIGATION:
        return ""
    if cell.id.startswith("try"):
        return "solution" if cell.id.endswith("-solution") else "exercise"
    return "alt text" if "diagram" in cell.metadata else "prose"


@cache
def numbers(root: Path, kind: str) -> list[tuple[Path, str, re.Match, re.Match | None]]:
    """All numbers in one class of prose, each with the same number in the other language."""
    found = []
    for path in notebooks(root):
        cells = {cell.id: cell for cell in read(twin(path)).cells}
        for cell in read(path).cells:
            if kind_of(cell) == kind:
                ours, theirs = prose(cell.source), prose(cells[cell.id].source)
                for spot in ours:
                    nth = [value(s) for s in ours if s.start() < spot.start()].count(value(spot))
                    same = [s for s in theirs if value(s) == value(spot)][nth:]
                    found.append((path, cell.id, spot, same[0] if same else None))
    return found


def number(kind: str, twice: bool) -> Mutate:
    """A number of some prose plus one, in one edition or in both at once."""

    def mutate(chance: random.Random, root: Path) -> tuple[str, Files]:
        known = [place for place in numbers(root, kind) if place[3] or not twice]
        path, name, spot, other = chance.choice(known)
        files = {}
        for file, place in [(path, spot), (twin(path), other)][: 1 + twice]:
            new = plus_one(place[0])
            edit = lambda c, s=place, n=new: c.update(source=replaced(c.source, s, n))  # noqa: E731
            files |= change(file, name, edit, False)
        size = " (one digit)" if len(value(spot)) == 1 else ""
        return f"{path.name}, {name}: {spot[0]} → {plus_one(spot[0])}{size}", files

    return mutate


def readme(name: str) -> Mutate:
    """A number of a README plus one."""

    def mutate(chance: random.Random, root: Path) -> tuple[str, Files]:
        source = (root / name).read_text(encoding="utf-8")
        spot = chance.choice(prose(source))
        new = replaced(source, spot, plus_one(spot[0]))
        return f"{spot[0]} → {plus_one(spot[0])}", {root / name: new.encode()}

    return mutate


def source(
    pattern: str | re.Pattern, new: Callable[[re.Match], str], twice: bool = False
) -> Mutate:
    """What a pattern finds in the source of a cell, outside of pictures, replaced."""

    def spots(cell: NotebookNode) -> list[re.Match]:
        return [m for m in re.finditer(pattern, cell.source) if len(m[0]) < 1000 and new(m) != m[0]]

    def mutate(chance: random.Random, root: Path) -> tuple[str, Files]:
        code = pattern == LITERAL
        path, cell = choose(chance, root, lambda c: (c.cell_type == "code") == code and spots(c))
        index = chance.randrange(len(spots(cell)))
        old = spots(cell)[index]

        def edit(target: NotebookNode) -> None:
            spot = spots(target)[index]
            target.source = replaced(target.source, spot, new(spot))

        return f"{path.name}, {cell.id}: {old[0]!r}", change(path, cell.id, edit, twice)

    return mutate


def other_literal(literal: re.Match) -> str:
    """Another value for a literal; a comment stays as it is."""
    old = literal[0]
    if old[0] in "#TF":
        return {"True": "False", "False": "True"}.get(old, old)
    return old[:-1] + 'x"' if old[0] == '"' else plus_one(re.sub("_|e.*", "", old))


def solution(chance: random.Random, root: Path) -> tuple[str, Files]:
    """Another literal in the code of a solution, in both editions."""

    def spots(cell: NotebookNode) -> list[re.Match]:
        code = SOLUTION.fullmatch(cell.source)
        found = LITERAL.finditer(cell.source, *code.span(1)) if code else []
        return [spot for spot in found if not spot[1]]

    path, cell = choose(chance, root, spots)
    index = chance.randrange(len(spots(cell)))

    def edit(target: NotebookNode) -> None:
        spot = spots(target)[index]
        target.source = replaced(target.source, spot, other_literal(spot))

    what = f"{path.name}, {cell.id}: {spots(cell)[index][0]}"
    return what, change(path, cell.id, edit, twice=True)


def output(chance: random.Random, root: Path) -> tuple[str, Files]:
    """Another character in a stored output of both editions."""
    path, cell = choose(chance, root, lambda c: c.cell_type == "code" and rules.printed(c).strip())
    place = chance.choice([i for i, o in enumerate(cell.outputs) if any(shown(o))])
    where, key = shown(cell.outputs[place])
    at = chance.choice([i for i, letter in enumerate(where[key]) if letter.isalnum()])
    new = chance.choice([letter for letter in "0123456789aX" if letter != where[key][at]])

    def edit(target: NotebookNode) -> None:
        where, key = shown(target.outputs[place])
        where[key] = where[key][:at] + new + where[key][at + 1 :]

    return f"{path.name}, {cell.id}: {where[key][at]} → {new}", change(path, cell.id, edit, True)


def shown(output: NotebookNode) -> tuple[NotebookNode, str] | tuple[None, None]:
    """Where an output has its text: the node and the key; nothing if it has none."""
    data = output.get("data", {})
    return (output, "text") if "text" in output else (data, "text/plain") if data else (None, None)


def blotted(data: bytes, chance: random.Random) -> bytes:
    """A picture, with a block of 12 × 12 pixels in some colour in one frame."""
    with Image.open(io.BytesIO(data)) as old:
        image, kind = old.convert("RGB"), old.format
    x, y = chance.randrange(image.width - 12), chance.randrange(image.height - 12)
    image.paste(tuple(chance.randrange(256) for _ in range(3)), (x, y, x + 12, y + 12))
    packed = io.BytesIO()
    image.save(packed, kind)
    return packed.getvalue()


def plot(chance: random.Random, root: Path) -> tuple[str, Files]:
    """A block of pixels in a stored plot of both editions."""
    path, cell = choose(chance, root, pictures)
    new = blotted(base64.b64decode(pictures(cell)[0]["data"]["image/png"]), chance)

    def edit(target: NotebookNode) -> None:
        pictures(target)[0]["data"]["image/png"] = base64.b64encode(new).decode()

    return f"{path.name}, {cell.id}", change(path, cell.id, edit, twice=True)


def diagram(chance: random.Random, root: Path) -> tuple[str, Files]:
    """A block of pixels in a diagram, stamped into both editions."""
    file = chance.choice(sorted((root / "images").iterdir()))
    files, shows = {file: blotted(file.read_bytes(), chance)}, f'"diagram": "{file.stem}"'
    with written(files):
        for path in notebooks(root):
            if shows in path.read_text(encoding="utf-8"):
                files[path] = text(stamped(path, repository.repository(root))).encode()
    return file.name, files


def seed(chance: random.Random, root: Path) -> tuple[str, Files]:
    """Another seed in both editions, and what they print and plot recorded anew."""
    path, cell = choose(
        chance, root, lambda c: c.cell_type == "code" and rules.SEED.search(c.source)
    )
    new = f"manual_seed({chance.randrange(1000, 9999)})"
    edit = lambda c: c.update(source=rules.SEED.sub(new, c.source, count=1))  # noqa: E731
    files = change(path, cell.id, edit, twice=True)
    with written(files):
        runs = {step.cell.id: step for step in steps(path)}
        for file in files:
            notebook = read(file)
            for code in code_cells(notebook):
                for place, key in map(shown, code.outputs[:1]):
                    if runs[code.id].printed and not pictures(code):
                        place[key] = runs[code.id].printed.rstrip("\n") + "\n" * (key == "text")
                for picture, png in zip(pictures(code), runs[code.id].plots or [], strict=False):
                    picture["data"]["image/png"] = base64.b64encode(png).decode()
            files[file] = text(notebook).encode()
    return f"{path.name}, {cell.id}: {new}", files


def metadata(chance: random.Random, root: Path) -> tuple[str, Files]:
    """A key more, or one less, in the metadata of a cell of one edition."""
    path, cell = choose(chance, root, lambda c: True)
    key = chance.choice([*cell.metadata, "editable"])
    edit = lambda c: c.metadata.pop(key, None) or c.metadata.update({key: True})  # noqa: E731
    return f"{path.name}, {cell.id}: {key}", change(path, cell.id, edit, twice=False)


def cell_id(chance: random.Random, root: Path) -> tuple[str, Files]:
    """Another id for a cell of one edition."""
    path, cell = choose(chance, root, lambda c: True)
    edit = lambda c: c.update(id=f"{c.id}-x")  # noqa: E731
    return f"{path.name}, {cell.id}", change(path, cell.id, edit, twice=False)


def wrong(chance: random.Random, root: Path) -> tuple[str, Files]:
    """The right answer, or the stub, among the wrong ones of both editions."""
    path, cell = choose(chance, root, lambda c: "wrong" in c.metadata)
    name = cell.id.removesuffix("-check")
    cells = {other.id: other for other in read(path).cells}
    right = SOLUTION.fullmatch(cells[f"{name}-solution"].source)[1]
    old = chance.choice(list(cell.metadata["wrong"]))
    new = chance.choice([right, cells[f"{name}-stub"].source])

    def edit(target: NotebookNode) -> None:
        target.metadata["wrong"][new] = target.metadata["wrong"].pop(old)

    return f"{path.name}, {cell.id}: {old!r}", change(path, cell.id, edit, twice=True)


def pin(chance: random.Random, root: Path) -> tuple[str, Files]:
    """A version plus one, of a package that this system has."""
    present, found = repository.installed(root), []
    for name in repository.PINS:
        pins = repository.pinned(root, name).items()
        found += [
            (root / name, f"{line.name}{line.specifier}")
            for package, line in pins
            if package in present
        ]
    path, line = chance.choice(found)
    new = re.sub(r"(?<=\d\.)\d+$", lambda m: str(int(m[0]) + 1), line)
    content = path.read_text(encoding="utf-8").replace(line, new, 1)
    return f"{path.name}: {new}", {path: content.encode()}


KINDS = ("prose", "alt text", "exercise", "solution")
CLASSES = {f"number, {kind}, one edition": number(kind, False) for kind in KINDS}
CLASSES |= {f"number, {kind}, both": number(kind, True) for kind in KINDS}
CLASSES |= {f"number, {name}": readme(name) for name in ("README.md", "README.zh.md")}
CLASSES |= {"output": output, "plot": plot, "diagram": diagram, "seed": seed}
CLASSES |= {"literal": source(LITERAL, other_literal, twice=True), "solution": solution}
CLASSES |= {"link": source(rules.LINK, lambda m: m[0][:-1] + "x)")}
CLASSES |= {"heading": source(r"(?m)^#+(?= )", lambda m: m[0] + "#"), "id": cell_id}
CLASSES |= {"metadata": metadata, "wrong answer": wrong, "pin": pin}
RUN = {"plot", "diagram", "seed", "literal", "solution", "wrong answer"}  # judged by a run, too


@contextmanager
def written(files: Files) -> Iterator[Files]:
    """A context in which some files have another content; gives the old ones."""
    old = {path: path.read_bytes() for path in files}
    for path, data in files.items():
        path.write_bytes(data)
    try:
        yield old
    finally:
        for path, data in old.items():
            path.write_bytes(data)


def still(root: Path, files: Files) -> Iterator[str]:
    """What the checks that run nothing say of the files that a mutation touches."""
    touched = [path for path in files if path.suffix == ".ipynb"]
    for path in touched:
        for rule in rules.RULES:
            yield from rule(path, read(path))
    for path in {root / "notebooks" / path.name for path in touched}:
        yield from editions.problems(path, twin(path))
    if len(touched) < len(files):
        for rule in repository.RULES:
            yield from rule(root)


def caught(name: str, files: Files, root: Path) -> bool | None:
    """Whether a check sees the mutation; None if a run shows that it changes nothing."""
    chapters = {root / "notebooks" / p.name for p in files if p.suffix == ".ipynb"}
    with written(files) as old:
        try:
            if next(still(root, files), None):
                return True
            if name == "output":  # a kernel prints what was stored before; nbval compares with that
                return any(comparable(old[p].decode()) != comparable(p.read_text()) for p in old)
            if name not in RUN:
                return False
            if any(next(live.problems(path), None) or nbval_fails(path) for path in chapters):
                return True
            return None if all(effect(path) == before(path) for path in chapters) else False
        except CourseError:
            return True


def nbval_fails(path: Path) -> bool:
    """Whether nbval fails, asked of chapters with slow cells: all else has been run."""
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


def count(name: str, times: int, start: int) -> tuple[str, dict[str, list[bool | None]], list[str]]:
    """Mutate in one class: its name, the verdicts by size of the number, and what was missed."""
    chance, verdicts, missed = random.Random(f"{start} {name}"), {}, []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, root / part)
        for _ in range(times):
            what, files = CLASSES[name](chance, root)
            verdict = caught(name, files, root)
            size = ", one digit" if "both" in name and what.endswith("(one digit)") else ""
            verdicts.setdefault(name + size, []).append(verdict)
            missed += [f"missed: {name}: {what}"] if verdict is False else []
    return verdicts, missed[:SHOWN]


def main(arguments: list[str]) -> None:
    """Print the table, then what was missed."""
    times, start, *names = [*arguments, *("20", "1")[len(arguments) :]]
    if unknown := sorted(set(names) - set(CLASSES)):
        raise CourseError(f"{unknown[0]}: no such class; there are {'; '.join(CLASSES)}")
    names, missed = names or list(CLASSES), []
    print(f"{'class':36}{'planted':>8}{'caught':>8}{'share':>8}{'no effect':>11}", flush=True)
    with ProcessPoolExecutor(2) as pool:
        many = len(names)
        for verdicts, lines in pool.map(count, names, [int(times)] * many, [int(start)] * many):
            missed += lines
            for title, all_seen in sorted(verdicts.items()):
                seen = [verdict for verdict in all_seen if verdict is not None]
                share = f"{sum(seen) / len(seen):.1%}" if seen else "-"
                nothing = len(all_seen) - len(seen)
                print(f"{title:36}{len(seen):8}{sum(seen):8}{share:>8}{nothing:11}", flush=True)
    print(*missed, sep="\n")


if __name__ == "__main__":
    command(main)
