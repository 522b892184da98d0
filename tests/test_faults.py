"""Each rule sees the fault made for it, in words that name the cell and say what to do.

ROWS has a row per fault: the rule, what is done to a course, and what the rule then says. The
course is a miniature of two chapters, tests/fixture/, brought up to date in a temporary folder by
`make update`, so that an error in a chapter of the course gives no failure here.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from course import ROOT, CourseError, addresses, build, derived
from course import notebook as nb
from course.build import PINNED_TORCH
from course.check import RULES, editions, executed, structure, surroundings
from course.diagrams import encode, frames

FIRST, SECOND = "notebooks/01_rows.ipynb", "notebooks/02_clock.ipynb"
CHINESE, NOTE = "notebooks/zh/01_rows.ipynb", "notebooks/notes/01_last.ipynb"


def edit(change, file=FIRST):
    """A fault: something is done to a notebook."""

    def plant(root):
        notebook = nb.read(root / file)
        change(notebook)
        (root / file).write_text(nb.text(notebook), encoding="utf-8")

    return plant


def source(name, old, new, file=FIRST):
    """A fault: another source for a cell."""

    def change(notebook):
        cell = nb.by_id(notebook)[name]
        assert old in cell.source
        cell.source = cell.source.replace(old, new, 1)

    return edit(change, file)


def add(cell, file=FIRST):
    """A fault: one cell more."""
    cell.id = "planted"
    return edit(lambda notebook: notebook.cells.insert(5, cell), file)


def says(prose, file=FIRST, **more):
    """A fault: a Markdown cell that says so."""
    return add(new_markdown_cell(prose, **more), file)


def runs(code):
    """A fault: a code cell that does so."""
    return add(new_code_cell(code, execution_count=1))


def drop(name, file=FIRST):
    """A fault: one cell less."""
    return edit(lambda notebook: notebook.cells.remove(nb.by_id(notebook)[name]), file)


def marked(name, file=FIRST, **metadata):
    """A fault: metadata on a cell."""
    return edit(lambda notebook: nb.by_id(notebook)[name].metadata.update(metadata), file)


def both(plant, *values, **named):
    """A fault that both editions have."""
    plants = [plant(*values, **named, file=file) for file in (FIRST, CHINESE)]
    return lambda root: [plant(root) for plant in plants]


def writes(name, old, new):
    """A fault: other words in a file."""

    def plant(root):
        content = (root / name).read_text(encoding="utf-8")
        assert old in content
        (root / name).write_text(content.replace(old, new, 1), encoding="utf-8")

    return plant


def slower(root):
    """A moving diagram that takes its time."""
    file = nb.image(root, "a-clock")
    file.write_bytes(encode([(frame, 2000) for frame, _ in frames(file.read_bytes())]))


def renumbered(file, name):
    """A fault: another number for a notebook, in both languages."""
    return lambda root: [
        path.rename(path.with_name(name)) for path in (root / file, nb.twin(root / file))
    ]


HTML = new_output("display_data", data={"text/html": "<b>3</b>"})
ROWS = [
    # What a notebook holds.
    ("stands_alone", runs("# NBVAL_SKIP"), "planted: an NBVAL_ comment .*; remove it"),
    ("size_and_names", edit(lambda n: n.cells[5].update(id="4F-90")), "4F-90: .*use one like"),
    ("markup", says("A", attachments={"a.png": {"image/png": ""}}), "planted: an attachment"),
    ("size_and_names", says("A" * 500_000), "bytes; 500,000 are the limit"),
    ("anatomy", drop("summary"), "has the cells .*; wanted are, in this order, .*summary"),
    ("anatomy", source("summary", "## ", ""), "summary: does not begin with `## In"),
    ("anatomy", drop("practice", NOTE), "has the cells .*practice"),
    ("titled", source("title", "?", ".", NOTE), "title: the title of a note is its question"),
    ("titled", renumbered(NOTE, "09_last.ipynb"), "there is no chapter 9, to which"),
    ("titled", renumbered(SECOND, "01_clock.ipynb"), "01_rows.*another chapter has the number 1"),
    ("titled", source("title", "# 1", "# 2"), "title: the title does not begin with `# 1"),
    (
        "titled",
        edit(lambda n: [cell.metadata.pop("diagram", 0) for cell in n.cells]),
        "no diagram; a chapter has at least one",
    ),
    ("one_title", source("errors-text", "##", "#"), "errors-text: .*the one H1"),
    ("stands_alone", runs("import pandas"), "planted: imports pandas; use stdlib"),
    ("stands_alone", runs("from urllib import request"), "planted: imports urllib; use"),
    ("stands_alone", runs("from torch.utils.benchmark import Timer"), "logs to stderr .*; use t"),
    ("code_style", runs("1  # " + 90 * "a"), "has 95 columns, 88 are"),
    ("code_style", runs('print("0.3374")'), "planted: the code holds a result, 0.3374"),
    ("code_style", source("table", "seed(123", "seed(124"), "table: seed 124; use 123"),
    (
        "markup",
        edit(lambda n: nb.by_id(n)["diagram-one-row"].update(source="![Row 1.]()")),
        "diagram-one-row: the alt text is short; say what",
    ),
    ("markup", says("![A](https://a.example/t.png)"), "planted: an image, and no `diagram`"),
    ("markup", says('<video src="a">'), "planted: <video>, which not every reader shows"),
    ("in_chinese", says("The same ID gives it.", CHINESE), "in English: The same .*; say"),
    ("in_chinese", says("一行,五个数。", CHINESE), "planted: 一行,五个数。; write 一行，五个数"),
    ("in_chinese", source("table", "# 行", "\n\n    # 行,列", CHINESE), "table: .*行，列"),
    ("formulas", says(r"Read $\frac{q}{k}$."), "planted: no code says q; use the letters"),
    ("links", says("[a](11_more.ipynb)"), "planted: 11_more.ipynb does not exist"),
    ("chapter_links", says("See chapters 1 and 99."), "planted: there is no chapter 99"),
    ("chapter_links", says("See chapter 2."), "planted: chapter 2 is no link; write it"),
    ("chapter_links", source("link-text", "[chapter 2", "[chapter 1"), "is not 02_clock.ipynb"),
    ("chapter_links", source("link-text", '"sum"', '"fish"'), "does not say 'fish'; use"),
    ("banned_words", says("Obviously."), "planted: the word 'Obviously'; leave it out"),
    ("exercises", drop("try-1-solution"), "no cell try-1-solution; an exercise has"),
    ("exercises", drop("checker"), "no cell checker; an exercise has"),
    ("exercises", drop("try-2"), "1 exercises; 2 to 4 are wanted"),
    (
        "exercises",
        edit(lambda n: [cell.update(id=f"try-{i}") for i, cell in enumerate(n.cells[3:5])], NOTE),
        "2 exercises; 0 to 1 are wanted",
    ),
    ("exercises", source("try-1-cases", "# @title", "#"), "try-1-cases: does not begin with"),
    ("exercises", marked("try-1-stub", wrong={}), "try-1-stub: list three or more"),
    ("exercises", source("try-1-solution", "```python", "```"), "is not <details>, <summary>"),
    ("founded", source("sweep-text", "131,072", "131,073", SECOND), "131073; print it"),
    ("founded", says("97 rows."), "planted: no cell near prints 97"),
    ("founded", source("batch-text", "two", "123"), "prints 123"),  # which five cells before has
    ("declared", marked("recall", citations={"7": "a week"}), "7 is declared and not in"),
    ("declared", marked("recall", citations={"seven": "a week"}), "seven is declared and not in"),
    ("declared", marked("recall", citations={"7": "7"}), "recall: 7: a bare number is no source"),
    # What its run gives, and what is derived from it.
    ("up_to_date", writes(FIRST, "0.1115", "0.1116"), "table: stored is .*6.*; run `make update"),
    ("up_to_date", source("plot", "#0072b2", "#0072d2"), "plot: the stored plot is not the on"),
    (
        "up_to_date",
        edit(lambda n: nb.by_id(n)["plot"].outputs.clear(), SECOND),
        "^notebooks/02_clock.ipynb, cell plot: the stored plot is not the one",
    ),
    ("up_to_date", source("sweep", "17", "18", SECOND), "cell sweep: its metadata is not what"),
    ("up_to_date", source("table", "seed(123", "seed(122"), "images/one-row.webp: not what"),
    ("up_to_date", source("nav-top", "02_", "03_"), "nav-top: its source is not what is deri"),
    (
        "up_to_date",
        marked("table", tags=["nbval-skip"]),
        "table: its metadata is not what is derived; run",
    ),
    ("up_to_date", edit(lambda n: n.cells[5].update(id="0a1b2c3d")), "is new, or stored under"),
    ("up_to_date", edit(lambda n: n.metadata.update(a=1)), "ipynb: its metadata is not the usual"),
    ("up_to_date", writes(FIRST, "{", "{ "), "its layout as JSON is not the usual one"),
    ("up_to_date", source("try", "First", "1"), "try: its source is not what is derived"),
    ("up_to_date", edit(lambda n: nb.by_id(n)["checker"].update(metadata={})), "its metadata"),
    (
        "up_to_date",
        writes(FIRST, f"version: {PINNED_TORCH}", "version: 2.0.0"),
        "version: stored is .*2.0.0",
    ),
    (
        "up_to_date",
        edit(lambda n: nb.by_id(n)["batch"].outputs.append(HTML)),
        "batch: its outputs is",
    ),
    ("up_to_date", runs("1 / 0"), "planted: line 1 raises ZeroDivisionError"),
    ("up_to_date", runs("%pip list"), "planted: line 1 is not Python"),
    ("up_to_date", both(marked, "table-text", diagram="two"), "rows.py has no function two;"),
    (
        "up_to_date",
        writes("course/figures/rows.py", "return ax", 'ax.text(9, 210, "row")\n    return ax'),
        "'row' is cut off at the edge of 1400 by 200; correct the figure",
    ),
    ("up_to_date", marked("table-text", diagramm="two"), "diagramm in its metadata .*; call"),
    ("numbers_hold", marked("sweep-text", SECOND, computed={"3": "len(table) - 1"}), "gives 2"),
    ("numbers_hold", marked("sweep-text", SECOND, computed={"3": "len(tabel)"}), "NameErr"),
    ("numbers_hold", marked("sweep-text", SECOND, computed={"3": "1 + 2"}), "holds no name of"),
    ("answers_judged", source("try-1-stub", "...", "[]"), "try-1-stub: to .*'not yet: repl"),
    ("answers_judged", source("try-1-solution", "2, 0", "2, 1"), "try-1-stub: .*correct'"),
    ("answers_judged", source("try-1-solution", "2, 0", "2", CHINESE), "zh/01.*正确'"),
    ("answers_judged", source("try-2-cases", "[table]", "[table[:1]]"), "not quite: '"),
    ("answers_judged", marked("try-1-stub", wrong={"ids = [2, 0]": ""}), "not '✘ not quite: '"),
    # What one language has and the other has not.
    ("same_metadata", marked("try-1-stub", CHINESE, wrong={"1": ""}), "wrong differs: Engli"),
    ("same_code", source("batch", "[1, 0]", "[2, 0]", CHINESE), "code differs: .*2.*make the s"),
    ("same_code", source("errors", '"refused:"', '"拒绝："', CHINESE), "code differs: .*拒绝"),
    ("same_code", source("try-2-solution", "[-1", "[-2", CHINESE), "code differs: .*-2.*make"),
    ("same_code", source("try-2-cases", "[:1]", "[:2]", CHINESE), "code differs: .*:2.*make"),
    ("same_numbers", source("batch-text", "(2, 2)", "(2, 4)", CHINESE), "4, .* stands 0 times"),
    ("same_signs", source("batch-text", "(2, 2)", "$(2, 2)$", CHINESE), "formulas"),
    ("same_signs", source("errors-text", "## ", "### ", CHINESE), "levels of"),
    ("same_signs", source("batch-text", "两组：", "两组？", CHINESE), "questions at the end"),
    ("same_signs", source("batch-text", "(2,", "[网](https://a.example) (2,", CHINESE), "links to"),
    # What surrounds the notebooks.
    ("tables", source("title", "· A", "· One"), "README.md: what it says of the chap"),
    ("tables", source("title", "- **You need**", "You"), "title: .* 3 lines .*: goal, need, time"),
    ("tables", source("title", "- **You need**", "You", NOTE), "title: .* 2 lines .*: need, time"),
    ("tables", source("title", "- **Time**", "Time"), "title: .* 3 lines"),
    ("tables", source("title", "nothing", "chapter 1", SECOND), "^TEACHING.md: what it says of"),
    ("taught", drop("try-2-stub"), "TEACHING.md, the list of exercises, 1: say what its 1 ex"),
    ("taught", writes("TEACHING.md", "2 clock ●●○", "2 clock"), "put chapter 2 into the tree"),
    ("page_links", writes("README.md", "# A", "[a](LICENCE)\n# A"), "LICENCE does not exist"),
    ("one_owner", says("https://github.com/ME/a"), "planted: ME/a, and the repository is"),
    ("one_owner", says("https://colab.research.google.com/github/ME/a/blob"), "planted: ME/a"),
    ("one_owner", says("https://ME.github.io/a/"), "https://ME.github.io/a/, and"),
    ("version", writes("README.md", PINNED_TORCH, "9.9.9"), "README.md: does not name PyTorch"),
    ("twin_pages", writes("README.md", "# A", "# A 7"), "7, .* stands 1 times"),
    ("twin_pages", writes("README.md", "It", "\n```\nmake\n```\n"), "between ``` is"),
    ("twin_pages", writes("README.md", "It", "\n## It"), "2 parts and README.zh.md 1"),
    ("twin_pages", writes("README.zh.md", "，", ","), "; write "),
    ("twin_pages", writes("README.zh.md", "派", "Nothing derived is here.\n\n派"), "in English"),
    ("twin_pages", writes("TEACHING.md", "# For", "# 7 for"), "TEACHING.zh.md, # 写给老师: 7, "),
    ("glossary", writes("notebooks/zh/glossary.md", "| 行", "| 幽灵"), "幽灵"),
    ("published", writes(FIRST, "0.1115", "0.1116"), "cell table .* prints not what tests"),
    ("published", lambda root: (root / FIRST).unlink(), "01_rows.*, cell table is gone"),
    ("images", lambda root: (root / "images/stray.txt").touch(), "stray.txt: no notebook"),
    ("images", marked("table-text", diagram="one-row"), "one-row.webp: two diagrams"),
    ("images", lambda root: (root / "images/two.webp").touch(), "two.webp: no notebook shows it"),
    ("images", slower, "plays for 6.0 seconds; 5 are"),
]
MODULES = (structure, executed, editions, surroundings)
MODULE_AND_RULE = {
    rule.__name__: (module, rule) for module in MODULES for rule in RULES[module.__name__]
}


@pytest.fixture(scope="module")
def miniature(tmp_path_factory):
    """The miniature course, brought up to date from nothing."""
    root = tmp_path_factory.mktemp("miniature").resolve() / "course"
    shutil.copytree(ROOT / "tests/fixture", root)
    for name in ("README.md", "README.zh.md"):
        writes(name, "0.0.0", PINNED_TORCH)(root)
    (root / "images").mkdir()
    build.main([str(path) for path in nb.english(root)], root)
    return root


@pytest.fixture
def course(miniature, tmp_path):
    """A copy of it."""
    structure.words_of.cache_clear()
    return shutil.copytree(miniature, tmp_path.resolve() / "course")


def problems_of(name, root):
    """What a rule says of a course."""
    module, rule = MODULE_AND_RULE[name]
    paths = nb.english(root)
    if module is structure:
        paths = [*paths, *map(nb.twin, paths)]
    try:
        if module is surroundings:
            return list(rule(root))
        return [line for path in paths for line in module.problems(path, [rule])]
    except CourseError as error:
        return [str(error)]


@pytest.mark.parametrize("rule", MODULE_AND_RULE)
def test_the_miniature_is_right(rule, miniature):
    """If this fails, so may the others here; edit tests/fixture in JupyterLab."""
    assert not problems_of(rule, miniature)


@pytest.mark.parametrize(
    ("rule", "plant", "message"), ROWS, ids=[f"{i}-{row[0]}" for i, row in enumerate(ROWS)]
)
def test_rule_sees(rule, plant, message, course):
    plant(course)
    found = problems_of(rule, course)
    assert any(re.search(message, line) for line in found), found


def test_every_rule_has_a_row():
    assert set(MODULE_AND_RULE) == {row[0] for row in ROWS}


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (drop("batch", CHINESE), r"lacks cell batch \('.+'\), after cell batch-text"),
        (add(new_code_cell("1 + 1"), CHINESE), "the English edition lacks cell planted"),
        (lambda root: (root / CHINESE).unlink(), f"there is no {CHINESE}; add it"),
    ],
)
def test_editions_have_the_same_cells(plant, message, course):
    plant(course)
    assert re.search(message, next(editions.problems(course / FIRST)))


def test_equal_ids(course):
    writes(FIRST, '"id": "batch"', '"id": "order"')(course)
    with pytest.raises(CourseError, match="01_rows.ipynb: two cells have the id order; rename"):
        nb.read(course / FIRST)


def test_no_random_number_is_taken_from_the_cells(course):
    """A draw in the metadata changes no cell below it."""
    both(source, "last", "table[-1].shape", "torch.randn(2)")(course)
    given = []
    for expression in ("torch.randn(2).numel() - 1", "1"):
        both(marked, "one-text", computed={"1": expression})(course)
        _, ran = build.build_chapter(course / FIRST)
        given.append(ran["last"].outputs[0]["data"]["text/plain"])
    assert given[0] == given[1]


@pytest.mark.parametrize("version", [f"{PINNED_TORCH}+cu130", "9.9.9"])
def test_no_comparison_depends_on_the_build(version, miniature, monkeypatch):
    """Whatever torch calls itself, the run and the stored output agree."""
    import torch

    monkeypatch.setattr(torch, "__version__", version)
    assert not problems_of("up_to_date", miniature)


def test_faults_that_nbval_sees(course):
    """In a kernel: a digit, no output, a stale one, an error. Each is named, and nothing else."""
    writes(FIRST, "0.1115", "0.1116")(course)
    edit(lambda notebook: nb.by_id(notebook)["batch"].outputs.clear())(course)
    source("errors", "(4, ", "(5, ")(course)
    source("last", "table", "tabel")(course)
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest"]
    command += ["-n0", "-q", str(course / FIRST)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    said = re.findall(rf"^{FIRST}, cell ([\w-]+): (.*)", result.stdout, re.MULTILINE)
    differ = f"Cell outputs differ; if the new ones are right, {nb.remedy(Path(FIRST))}"
    wanted = dict.fromkeys(("table", "batch", "errors"), differ)
    wanted["last"] = "Cell execution caused an exception; correct the code"
    assert dict(said) == wanted, result.stdout


def test_update_brings_what_changed_up_to_date(course, capsys):
    source("title", "A table", "One table")(course)
    source("diagram-one-row", "Row 1", "Row [1]")(course)  # a bracket in an alt text
    both(source, "table", "seed(123", "seed(122")(course)
    new = new_markdown_cell("好。", id="0a1b2c3d")
    for file in (FIRST, CHINESE):
        edit(lambda notebook: notebook.cells.insert(5, new), file)(course)
    build.main([str(course / FIRST)], course)
    said = capsys.readouterr().out
    names = ("three-rows", "one-row")
    written = [FIRST, CHINESE, SECOND, "README.md", *(f"images/{name}.webp" for name in names)]
    assert all(f"wrote {name}\n" in said.replace(f"{course}/", "") for name in written), said
    assert "cell one: stored is" in said and f"running {SECOND}" not in said
    assert nb.by_id(nb.read(course / FIRST))["after-table"] and nb.name_of(course / FIRST) in said
    assert not problems_of("up_to_date", course) and not problems_of("tables", course)


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    def full(path, data):
        path.write_text("n")
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device: '.*a'"):
        nb.write(tmp_path / "a", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_update_writes_nothing_on_an_error(course):
    (course / "images/one-row.webp").unlink()
    both(source, "last", "table", "tabel")(course)
    before = {path: path.read_bytes() for path in course.rglob("*.*") if path.is_file()}
    with pytest.raises(CourseError, match="cell last: line 1 raises NameError"):
        build.main([str(course / FIRST)], course)
    assert before == {path: path.read_bytes() for path in course.rglob("*.*") if path.is_file()}


def test_update_overwrites_nothing_that_was_saved_meanwhile(course, monkeypatch):
    """Whoever goes on writing while a chapter runs loses nothing."""
    draw = build.diagram_bytes

    def draw_while_somebody_writes(*drawn):
        source("last", "table", "table  # new")(course)
        return draw(*drawn)

    monkeypatch.setattr(build, "diagram_bytes", draw_while_somebody_writes)
    with pytest.raises(CourseError, match="01_rows.ipynb: saved while this ran, and kept"):
        build.main([str(course / FIRST)], course)
    assert nb.by_id(nb.read(course / FIRST))["last"].source.count("# new")


def test_rename(course):
    with pytest.raises(CourseError, match="`` is no repository; make rename REPO=owner/name"):
        addresses.main([], course)
    addresses.main(["me/mine"], course)
    assert not problems_of("one_owner", course)
    top, bottom = (nb.by_id(nb.read(course / FIRST))[name].source for name in nb.NAVIGATION)
    assert "github/me/mine/blob/main/notebooks/01_rows.ipynb" in top
    assert "](https://github.com/me/mine), under the MIT license." in bottom


def test_a_copy_that_is_pushed_before_it_is_renamed(miniature, monkeypatch):
    """GitHub's name counts for what is published, and the stored one for what is stored."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "me/mine")
    assert (
        addresses.website(addresses.published_repository(miniature)) == "https://me.github.io/mine/"
    )
    assert "/github/me/mine/blob/" in addresses.colab(miniature / FIRST)
    for rule in ("one_owner", "up_to_date", "tables"):
        assert not problems_of(rule, miniature)


def test_what_a_teacher_is_told(course):
    said = derived.derived_pages(course)[course / "TEACHING.md"].decode()
    assert re.search(rf"\({FIRST}\)\*\* ●○○ \d′\n\n- \*\*You will see\*\* ", said), said
    assert f"\n- ↳ [{nb.title(course / NOTE)}]({NOTE})\n" in said
