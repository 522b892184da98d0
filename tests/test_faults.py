"""Each rule sees the faults made for it, in words that name the cell and say what to do.

FAULTS has, for each rule, what is done to a course and what the rule then says. The course is a
miniature of two chapters, tests/fixture/, brought up to date in a temporary folder by
`make update`, so that an error in a chapter of the course gives no failure here.
"""

import re
import shutil
import string
import subprocess
import sys

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

from course import ROOT, CourseError, addresses, build, tables
from course.build import PINNED_TORCH
from course.check import RULES, editions, executed, repository, structure
from course.diagrams import decode_frames, encode_webp
from course.notebook import Notebook, diagram_path, english_notebooks

FIRST, SECOND = "notebooks/01_rows.ipynb", "notebooks/02_clock.ipynb"
CHINESE, NOTE = "notebooks/zh/01_rows.ipynb", "notebooks/notes/01_last.ipynb"
HTML_OUTPUT = new_output("display_data", data={"text/html": "<b>3</b>"})


def change_notebook(change, file=FIRST):
    """Return a fault: a function changes a notebook."""

    def plant(root):
        notebook = Notebook(root / file)
        change(notebook)
        notebook.path.write_text(notebook.text, encoding="utf-8")

    return plant


def change_cell(cell_id, change, file=FIRST):
    """Return a fault: a function changes a cell."""
    return change_notebook(lambda notebook: change(notebook.cell(cell_id)), file)


def replace_source(cell_id, old, new, file=FIRST):
    """Return a fault: another source for a cell."""

    def change(cell):
        assert old in cell.source
        cell.source = cell.source.replace(old, new, 1)

    return change_cell(cell_id, change, file)


def add_cell(cell, file=FIRST):
    """Return a fault: one cell more."""
    cell.id = "planted"
    return change_notebook(lambda notebook: notebook.cells.insert(5, cell), file)


def add_text(markdown, file=FIRST, **more):
    """Return a fault: one Markdown cell more."""
    return add_cell(new_markdown_cell(markdown, **more), file)


def add_code(code):
    """Return a fault: one code cell more."""
    return add_cell(new_code_cell(code, execution_count=1))


def drop_cell(cell_id, file=FIRST):
    """Return a fault: one cell less."""
    return change_notebook(lambda notebook: notebook.cells.remove(notebook.cell(cell_id)), file)


def set_metadata(cell_id, file=FIRST, **metadata):
    """Return a fault: metadata on a cell."""
    return change_cell(cell_id, lambda cell: cell.metadata.update(metadata), file)


def in_both_editions(fault, *values, **named):
    """Return a fault that both editions have."""
    plants = [fault(*values, **named, file=file) for file in (FIRST, CHINESE)]
    return lambda root: [plant(root) for plant in plants]


def replace_text(name, old, new):
    """Return a fault: other words in a file."""

    def plant(root):
        content = (root / name).read_text(encoding="utf-8")
        assert old in content
        (root / name).write_text(content.replace(old, new, 1), encoding="utf-8")

    return plant


def slow_down(root):
    """Plant a moving diagram that takes its time."""
    file = diagram_path(root, "a-clock")
    frames = decode_frames(file.read_bytes())
    file.write_bytes(encode_webp([(frame, 2000) for frame, _ in frames]))


def rename_notebook(file, name):
    """Return a fault: another file name for a notebook, in both languages."""

    def plant(root):
        for notebook in Notebook(root / file).with_twin:
            notebook.path.rename(notebook.path.with_name(name))

    return plant


FAULTS = {
    # On a stored notebook.
    "file_is_small": [(add_text("A" * 500_000), "bytes; 500,000 are the limit")],
    "cells_are_code_or_markdown": [
        (add_cell(new_raw_cell("x")), "planted: is a raw cell, which few viewers show; make it")
    ],
    "cell_ids_are_words": [
        (change_notebook(lambda n: n.cells[5].update(id="4F-90")), "4F-90: .*use one like")
    ],
    "fixed_cells_in_order": [
        (drop_cell("summary"), "has the cells .*; wanted are, in this order, .*summary"),
        (replace_source("summary", "## ", ""), "summary: does not begin with `## In"),
        (drop_cell("practice", NOTE), "has the cells .*practice"),
    ],
    "each_practice_is_a_sentence_with_a_link": [
        (replace_source("practice", "They", "- They", NOTE), "They write −1.…` has no link"),
        (
            replace_source("practice", "They", "- [He](../../README.md) did. They", NOTE),
            "He.* is more than a sentence; keep one",
        ),
    ],
    "title_matches_file": [
        (replace_source("title", "?", ".", NOTE), "title: the title of a note is its question"),
        (replace_source("title", "# 1", "# 2"), "title: the title does not begin with `# 1"),
    ],
    "number_is_that_of_one_chapter": [
        (rename_notebook(NOTE, "09_last.ipynb"), "there is no chapter 9, to which"),
        (rename_notebook(SECOND, "01_clock.ipynb"), "01_rows.*another chapter has the number 1"),
    ],
    "chapter_has_a_diagram": [
        (
            change_notebook(lambda n: [cell.metadata.pop("diagram", 0) for cell in n.cells]),
            "no diagram; a chapter has at least one",
        )
    ],
    "only_h1_is_in_first_cell": [
        (replace_source("errors-text", "##", "#"), "errors-text: .*the one H1")
    ],
    "imports_are_allowed": [
        (add_code("import pandas"), "planted: imports pandas; use stdlib"),
        (add_code("from urllib import request"), "planted: imports urllib; use"),
        (add_code("from torch.utils.benchmark import Timer"), "logs to stderr .*; use timeit"),
    ],
    "nbval_sees_every_cell": [
        (add_code("# NBVAL_SKIP"), "planted: the comment NBVAL_SKIP hides it .*; remove"),
        (add_code("# PYTEST_VALIDATE_IGNORE_OUTPUT"), "the comment PYTEST_VALIDATE_IGNORE_OUTPUT"),
    ],
    "lines_of_code_fit_the_page": [(add_code("1  # " + 90 * "a"), "has 95 columns, 88 are")],
    "code_holds_no_results": [
        (add_code('print("0.3374")'), "planted: the code holds a result, 0.3374")
    ],
    "seeds_are_123": [
        (replace_source("table", "seed(123", "seed(124"), "table: seed 124; use 123")
    ],
    "images_are_described_diagrams": [
        (
            change_cell("diagram-one-row", lambda cell: cell.update(source="![Row 1.]()")),
            "diagram-one-row: the alt text is short; say what",
        ),
        (add_text("![A](https://a.example/t.png)"), "planted: an image, and no `diagram`"),
    ],
    "every_viewer_shows_the_markup": [
        (add_text("A", attachments={"a.png": {"image/png": ""}}), "planted: an attachment"),
        (add_text('<video src="a">'), "planted: <video>, which not every reader shows"),
    ],
    "chinese_edition_is_in_chinese": [
        (add_text("The same ID gives it.", CHINESE), "in English: The same .*; say"),
        (add_text("一行,五个数。", CHINESE), "planted: 一行,五个数。; write 一行，五个数"),
        (replace_source("table", "# 行", "\n\n    # 行,列", CHINESE), "table: .*行，列"),
    ],
    "formulas_use_names_of_the_code": [
        (add_text(r"Read $\frac{q}{k}$."), "planted: no code says q; use the letters")
    ],
    "links_lead_somewhere": [(add_text("[a](11_more.ipynb)"), "planted: 11_more.ipynb does not")],
    "chapter_links_match_the_chapter": [
        (replace_source("link-text", "[chapter 2", "[chapter 1"), "is not 02_clock.ipynb"),
        (replace_source("link-text", '"sum"', '"fish"'), "does not say 'fish'; use"),
    ],
    "chapters_are_named_in_links": [
        (add_text("See chapters 1 and 99."), "planted: there is no chapter 99"),
        (add_text("See chapter 2."), "planted: chapter 2 is no link; write it"),
    ],
    "exercise_has_all_parts": [
        (drop_cell("try-1-solution"), "no cell try-1-solution; an exercise has"),
        (drop_cell("checker"), "no cell checker; an exercise has"),
        (drop_cell("try-2"), "1 exercises; 2 to 4 are wanted"),
        (
            change_notebook(
                lambda n: [cell.update(id=f"try-{i}") for i, cell in enumerate(n.cells[3:5])], NOTE
            ),
            "2 exercises; 0 to 1 are wanted",
        ),
        (
            change_notebook(lambda n: n.cells.append(n.cells.pop(n.cells.index(n.cell("try-1"))))),
            "cell try-1: its cells stand in another order than",
        ),
        (replace_source("try-1-cases", "# @title", "#"), "try-1-cases: does not begin with"),
        (set_metadata("try-1-stub", wrong={}), "try-1-stub: list three or more"),
        (replace_source("try-1-solution", "```python", "```"), "is not <details>, <summary>"),
    ],
    "cases_define_one_judge": [
        (
            replace_source("try-1-cases", "def judge", "x = 1\n\n\ndef judge"),
            "cases: defines other",
        ),
        (replace_source("try-1-stub", "check(", "check(a="), "stub: does not end in `check"),
    ],
    "judges_bind_names_of_the_page": [
        (
            replace_source("try-1-cases", "(ids):\n", "(ids):\n    def wanted():\n        row\n\n"),
            "try-1-cases: reads row of the page; write .*row=row",
        ),
    ],
    "long_numbers_have_a_source": [
        (replace_source("sweep-text", "131,072", "131,073", SECOND), "131073; print it"),
        (add_text("97 rows."), "planted: no cell near prints 97"),
        (replace_source("batch-text", "two", "123"), "prints 123"),  # which five cells before has
    ],
    "declared_numbers_are_used": [
        (set_metadata("recall", citations={"7": "a week"}), "7 is declared and not in"),
        (set_metadata("recall", citations={"seven": "a week"}), "seven is declared and not in"),
    ],
    "citations_name_a_source": [
        (set_metadata("recall", citations={"7": "7"}), "recall: 7: a bare number is no source"),
        (set_metadata("recall", citations={"7": "yes"}), "recall: 7: one word is no source"),
    ],
    # On the run of a chapter.
    "stored_files_are_up_to_date": [
        (replace_text(FIRST, "0.1115", "0.1116"), "table: stored is .*6.*; run `make update"),
        (replace_source("plot", "#0072b2", "#0072d2"), "plot: the stored plot is not the on"),
        (
            change_cell("plot", lambda cell: cell.outputs.clear(), SECOND),
            "^notebooks/02_clock.ipynb, cell plot: the stored plot is not the one",
        ),
        (replace_source("sweep", "17", "18", SECOND), "cell sweep: its metadata is not what"),
        (replace_source("table", "seed(123", "seed(122"), "images/one-row.webp: not what"),
        (replace_source("nav-top", "02_", "03_"), "nav-top: its source is not what is deri"),
        (
            set_metadata("table", tags=["nbval-skip"]),
            "table: its metadata is not what is derived; run",
        ),
        (change_notebook(lambda n: n.cells[5].update(id="0a1b2c3d")), "is new, or stored under"),
        (change_notebook(lambda n: n.node.metadata.update(a=1)), "ipynb: not the usual metadata"),
        (replace_text(FIRST, "{", "{ "), "ipynb: not the usual layout as JSON"),
        (
            change_cell("last", lambda cell: cell.update(execution_count=99)),
            "^notebooks/01_rows.ipynb: not the usual execution counts; run",
        ),
        (replace_source("try", "Run all", "1"), "try: its source is not what is derived"),
        (change_cell("checker", lambda cell: cell.update(metadata={})), "its metadata"),
        (
            replace_text(FIRST, f"version: {PINNED_TORCH}", "version: 2.0.0"),
            "version: stored is .*2.0.0",
        ),
        (
            change_cell("batch", lambda cell: cell.outputs.append(HTML_OUTPUT)),
            "batch: its outputs is",
        ),
        (add_code(""), "planted: is empty; fill it, or delete it"),
        (
            add_code("import warnings\nwarnings.warn('old')"),
            "planted: writes to stderr: .*UserWarning: old'; remove what causes it",
        ),
        (
            replace_text("course/figures/clock.py", "range(1, len(table) + 1)", "range(0)"),
            "diagram-a-clock: .*raises ValueError: no frame; correct the figure a-clock",
        ),
        (
            add_code("import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])"),
            "planted: .*ValueError: a plot without plt.show",
        ),
        (
            add_code("import matplotlib.pyplot as plt\nplt.figure()\nplt.figure()\nplt.show()"),
            "planted: line 4 raises ValueError: two plots before one plt.show",
        ),
        (add_code("1 / 0"), "planted: line 1 raises ZeroDivisionError"),
        (add_code("%pip list"), "planted: line 1 is not Python"),
        (add_code("import sys\nsys.exit()"), "planted: line 2 raises SystemExit"),
        (in_both_editions(set_metadata, "table-text", diagram="two"), "rows.py has no function t"),
        (
            replace_text(
                "course/figures/rows.py", "return ax", 'ax.text(9, 210, "row"); return ax'
            ),
            "'row' is cut off at the edge of 1400 by 200; correct the figure",
        ),
        (set_metadata("table-text", diagramm="two"), "diagramm in its metadata .*; call"),
    ],
    "computed_numbers_are_right": [
        (set_metadata("sweep-text", SECOND, computed={"3": "len(table) - 1"}), "gives 2"),
        (set_metadata("sweep-text", SECOND, computed={"3": "len(tabel)"}), "NameErr"),
        (set_metadata("sweep-text", SECOND, computed={"3": "1 + 2"}), "holds no name of"),
        (set_metadata("sweep-text", SECOND, computed={"3": "[n for n in [3]][0]"}), "no name of"),
    ],
    "exercises_judge_answers_rightly": [
        (replace_source("try-1-stub", "...", "[]"), "try-1-stub: to .*'not yet: repl"),
        (replace_source("try-1-solution", "2, 0", "2, 1"), "try-1-stub: .*correct'"),
        (replace_source("try-1-solution", "2, 0", "2", CHINESE), "zh/01.*正确'"),
        (replace_source("try-2-cases", "[table]", "[table[:1]]"), "not quite: '"),
        (set_metadata("try-1-stub", wrong={"ids = [2, 0]": ""}), "not '✘ not quite: '"),
    ],
    "cells_can_be_run_again": [
        (
            add_code("globals().setdefault('once', [1]).pop()"),
            "run again from below: .*planted: line 1 rais",
        ),
    ],
    # On the two editions.
    "editions_share_metadata": [
        (set_metadata("try-1-stub", CHINESE, wrong={"1": ""}), "wrong differs: Engli")
    ],
    "editions_share_code": [
        (replace_source("batch", "[1, 0]", "[2, 0]", CHINESE), "code differs: .*2.*make the s"),
        (replace_source("errors", '"refused:"', '"拒绝："', CHINESE), "code differs: .*拒绝"),
        (replace_source("try-2-solution", "[-1", "[-2", CHINESE), "code differs: .*-2.*make"),
        (replace_source("try-2-cases", "[:1]", "[:2]", CHINESE), "code differs: .*:2.*make"),
    ],
    "editions_share_numbers": [
        (replace_source("batch-text", "(2, 2)", "(2, 4)", CHINESE), "4, .* stands 0 times")
    ],
    "equal_phrases_are_used": [
        (
            in_both_editions(set_metadata, "recall", equal={"in a dozen": "十二"}),
            "recall, .*'in a dozen' and '十二' are declared equal, and not in the texts; correct",
        ),
        (
            in_both_editions(set_metadata, "batch-text", equal={"(2, 2)": "(2, 2)"}),
            "batch-text.* are declared equal, and hold the same numbers; remove them",
        ),
    ],
    "editions_share_markup": [
        (replace_source("batch-text", "(2, 2)", "$(2, 2)$", CHINESE), "formulas"),
        (replace_source("errors-text", "## ", "### ", CHINESE), "levels of"),
        (replace_source("batch-text", "两组：", "两组？", CHINESE), "questions at the end"),
        (replace_source("batch-text", "(2,", "[网](https://a.example) (2,", CHINESE), "links to"),
    ],
    # On the files around the notebooks.
    "notebook_files_are_numbered": [
        (
            lambda root: (root / "notebooks/3_rows.ipynb").touch(),
            "^notebooks/3_rows.ipynb: is not numbered; name it like 05_gradients.ipynb",
        )
    ],
    "tables_of_chapters_are_up_to_date": [
        (replace_source("title", "· A", "· One"), "README.md: what it says of the chap"),
        (replace_source("title", "- **You need**", "You"), "title: .* 3 lines .*: goal, need, t"),
        (replace_source("title", "- **You need**", "You", NOTE), "title: .* 2 lines .*: need, ti"),
        (replace_source("title", "- **Time**", "Time"), "title: .* 3 lines"),
        (replace_source("title", "nothing", "chapter 1", SECOND), "^TEACHING.md: what it says of"),
    ],
    "teaching_lists_exercises": [
        (drop_cell("try-2-stub"), "TEACHING.md, the list of exercises, 1: say what its 1 ex")
    ],
    "teaching_gives_each_chapter_a_level": [
        (replace_text("TEACHING.md", "2 clock ●●○", "2 clock"), "put `2 clock` into the tree"),
        (replace_text("TEACHING.md", "2 clock", "2 watch"), "put `2 clock` into the tree"),
    ],
    "page_links_lead_somewhere": [
        (replace_text("README.md", "# A", "[a](LICENCE)\n# A"), "LICENCE does not exist")
    ],
    "commands_of_pages_exist": [
        (replace_text("README.md", "# A", "# A\n`make tset`"), "README.md: `make tset` does not"),
        (
            replace_text("README.md", "# A", "# A\n```\npython3 -m course.labs\n```\n"),
            "README.md: there is no module course.labs; correct",
        ),
    ],
    "readmes_name_the_oldest_python": [
        (
            replace_text("README.zh.md", "3.11", "3.9"),
            r"README.zh.md: names \['3.9'\] as the oldest",
        )
    ],
    "links_name_one_repository": [
        (
            add_text("https://github.com/ME/miniature"),
            "planted: ME/miniature, and the repository is",
        ),
        (add_text("https://colab.research.google.com/github/ME/a/blob"), "planted: ME/a"),
        (add_text("https://ME.github.io/miniature/"), "planted: ME/miniature"),
        (add_text("https://github.com/OWNER/old"), "planted: OWNER/old"),
    ],
    "readmes_name_the_pinned_pytorch": [
        (replace_text("README.md", PINNED_TORCH, "9.9.9"), "README.md: does not name PyTorch")
    ],
    "libraries_of_field_notes_are_pinned": [
        (set_metadata("title", NOTE, libraries="pandas"), f"{NOTE} imports pandas; pin it"),
        (set_metadata("title", NOTE, libraries="peft"), f"write `--ignore {NOTE}` into"),
    ],
    "chinese_pages_match_english_ones": [
        (
            lambda root: (root / "EXTRA.zh.md").write_text("# 派"),
            "^EXTRA.zh.md: there is no EXTRA.md; add it, or delete this one",
        ),
        (replace_text("README.md", "# A", "# A 7"), "7, .* stands 1 times"),
        (replace_text("README.md", "It", "\n```\nmake\n```\n"), "between ``` is"),
        (replace_text("README.md", "It", "\n## It"), "2 parts and README.zh.md 1"),
        (replace_text("README.zh.md", "，", ","), "; write "),
        (replace_text("README.zh.md", "派", "Nothing derived is here.\n\n派"), "in English"),
        (replace_text("TEACHING.md", "# For", "# 7 for"), "TEACHING.zh.md, # 写给老师: 7, "),
    ],
    "glossary_terms_are_used": [
        (replace_text("notebooks/zh/glossary.md", "| 行", "| 幽灵"), "幽灵")
    ],
    "reference_tensors_are_kept": [
        (replace_text(FIRST, "0.1115", "0.1116"), "cell table .* prints not what tests"),
        (lambda root: (root / FIRST).unlink(), "01_rows.*, cell table is gone"),
    ],
    "pictures_are_shown_once": [
        (lambda root: (root / "images/stray.txt").touch(), "stray.txt: no notebook"),
        (set_metadata("table-text", diagram="one-row"), "one-row.webp: two diagrams"),
        (lambda root: (root / "images/two.webp").touch(), "two.webp: no notebook shows it"),
        (slow_down, "plays for 6.0 seconds; 5 are"),
    ],
}
RULE_MODULES = (structure, executed, editions, repository)
MODULE_AND_RULE = {
    rule.__name__: (module, rule) for module in RULE_MODULES for rule in RULES[module.__name__]
}


@pytest.fixture(scope="module")
def miniature(tmp_path_factory):
    """The miniature course, brought up to date from nothing."""
    root = tmp_path_factory.mktemp("miniature").resolve() / "course"
    shutil.copytree(ROOT / "tests/fixture", root)
    for name in ("README.md", "README.zh.md"):
        replace_text(name, "0.0.0", PINNED_TORCH)(root)
    (root / "images").mkdir()
    build.main([str(notebook.path) for notebook in english_notebooks(root)], root)
    return root


@pytest.fixture
def course(miniature, tmp_path):
    """A copy of it."""
    structure.lower_case_text.cache_clear()
    return shutil.copytree(miniature, tmp_path.resolve() / "course")


def problems_of(rule_name, root):
    """Return what a rule says of a course."""
    module, rule = MODULE_AND_RULE[rule_name]
    notebooks = english_notebooks(root)
    if module is structure:
        notebooks = [one for notebook in notebooks for one in notebook.with_twin]
    try:
        if module is repository:
            return list(rule(root))
        return [line for notebook in notebooks for line in module.problems(notebook, [rule])]
    except CourseError as error:
        return [str(error)]


@pytest.mark.parametrize("rule", MODULE_AND_RULE)
def test_the_miniature_is_right(rule, miniature):
    """If this fails, so may the others here; edit tests/fixture in JupyterLab."""
    assert not problems_of(rule, miniature)


@pytest.mark.parametrize(
    ("rule", "plant", "message"),
    [
        pytest.param(rule, *fault, id=f"{rule}-{count}")
        for rule, faults in FAULTS.items()
        for count, fault in enumerate(faults, 1)
    ],
)
def test_rule_sees(rule, plant, message, course):
    plant(course)
    problems = problems_of(rule, course)
    assert any(re.search(message, line) for line in problems), problems


def test_hidden_files_in_images_are_ignored(course):
    (course / "images/.DS_Store").touch()
    assert not problems_of("pictures_are_shown_once", course)


def test_a_missing_page_is_one_line(course):
    (course / "README.zh.md").unlink()
    with pytest.raises(CourseError, match="^README.zh.md: there is no such page; get it back"):
        list(repository.readmes_name_the_pinned_pytorch(course))


@pytest.mark.parametrize("text", ["", "{", '{"cells": []}', '{"cells": [], "metadata": null}'])
def test_a_broken_notebook_is_one_line(text, course):
    (course / FIRST).write_text(text)
    with pytest.raises(CourseError, match=f"^{FIRST}: (not a notebook|has no cells)"):
        _ = Notebook(course / FIRST).cells


def test_navigation_of_a_note(course):
    owner = addresses.stored_repository(course)
    colab = f"https://colab.research.google.com/github/{owner}/blob/main/{NOTE}"
    assert Notebook(course / NOTE).cell("nav-top").source == (
        f"[Contents](../../README.md) | [← {Notebook(course / FIRST).title}](../01_rows.ipynb)"
        f" | [Open in Colab]({colab}) | [中文](../zh/notes/01_last.ipynb)"
    )


def test_every_rule_has_a_fault():
    assert set(MODULE_AND_RULE) == set(FAULTS)


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (drop_cell("batch", CHINESE), r"lacks cell batch \('.+'\), after cell batch-text"),
        (add_cell(new_code_cell("1 + 1"), CHINESE), "the English edition lacks cell planted"),
        (lambda root: (root / CHINESE).unlink(), f"there is no {CHINESE}; add it"),
    ],
)
def test_editions_have_the_same_cells(plant, message, course):
    plant(course)
    assert re.search(message, next(editions.problems(Notebook(course / FIRST))))


def test_all_missing_cells_are_named_at_once(course):
    for cell_id in ("batch", "errors", "last"):
        drop_cell(cell_id, CHINESE)(course)
    problems = list(editions.problems(Notebook(course / FIRST)))
    assert [re.findall(r"lacks cell ([\w-]+)", line) for line in problems] == [
        ["batch"],
        ["errors"],
        ["last"],
    ]


def test_an_empty_cell_lacks_no_twin(course):
    add_code("")(course)
    assert not list(editions.problems(Notebook(course / FIRST)))


def test_equal_ids(course):
    replace_text(FIRST, '"id": "batch"', '"id": "order"')(course)
    with pytest.raises(CourseError, match="01_rows.ipynb: two cells have the id order; rename"):
        _ = Notebook(course / FIRST).cells


@pytest.mark.parametrize(
    ("key", "value"),
    [("computed", ["3"]), ("computed", "3"), ("citations", {"3": 3}), ("diagram", 3)],
)
def test_malformed_metadata(key, value, course):
    set_metadata("recall", **{key: value})(course)
    with pytest.raises(
        CourseError, match=f"cell recall: {key} in its metadata is .+; write it like"
    ):
        _ = Notebook(course / FIRST).cells


def test_a_cell_without_id(course):
    replace_text(FIRST, '"id": "batch",', "")(course)
    with pytest.raises(CourseError, match="01_rows.ipynb: a cell has no id; open and save it"):
        _ = Notebook(course / FIRST).cells


def test_letters_of_formulas(course):
    """Beside the names of the code, only indices, e and T are free."""
    add_text(f"${' '.join(string.ascii_letters)}$")(course)
    notebook = Notebook(course / FIRST)
    problems = structure.problems(notebook, [structure.formulas_use_names_of_the_code])
    letters = {re.search("no code says (.);", line)[1] for line in problems}
    assert set("abcdfghlmopqruvwyzABCDEFGHJKLMNOPQRSUVWXYZ") <= letters
    assert not letters & set("ijkteT")


def test_names_in_code():
    code = "x_k = alpha(b, c=d.grad)  # e\n'f'\ndef g(h): pass"
    assert structure.names_in_code(code) == set("x k alpha b c d grad g h".split())


def test_curves_are_drawn_without_thresholds(course):
    """Matplotlib's simplified paths move by a pixel with a rounding error."""
    add_code("import matplotlib\nmatplotlib.rcParams['path.simplify']")(course)
    cell_run = build.build_notebook(Notebook(course / FIRST)).cell_runs["planted"]
    assert cell_run.outputs[0].data["text/plain"] == "False"


def test_no_random_number_is_taken_from_the_cells(course):
    """A draw in the metadata changes no cell below it."""
    in_both_editions(replace_source, "last", "table[-1].shape", "torch.randn(2)")(course)
    printed = []
    for expression in ("torch.randn(2).numel() - 1", "1"):
        in_both_editions(set_metadata, "one-text", computed={"1": expression})(course)
        cell_runs = build.build_notebook(Notebook(course / FIRST)).cell_runs
        printed.append(cell_runs["last"].outputs[0]["data"]["text/plain"])
    assert printed[0] == printed[1]


@pytest.mark.parametrize("version", [f"{PINNED_TORCH}+cu130", "9.9.9"])
def test_no_comparison_depends_on_the_build(version, miniature, monkeypatch):
    """Whatever torch calls itself, the run and the stored output agree."""
    import torch

    monkeypatch.setattr(torch, "__version__", version)
    assert not problems_of("stored_files_are_up_to_date", miniature)


def test_update_refuses_another_pytorch(course, monkeypatch):
    import torch

    monkeypatch.setattr(torch, "__version__", "2.5.0+cpu")
    message = f"this is PyTorch 2.5.0.cpu, and {PINNED_TORCH} is pinned; run"
    with pytest.raises(CourseError, match=message):
        build.main([], course)
    monkeypatch.setattr(torch, "__version__", f"{PINNED_TORCH}+cu130")
    build.main([str(course / NOTE)], course)


def test_faults_that_nbval_sees(course):
    """In a kernel: a digit, no output, a stale one, an error. Each is named, and nothing else."""
    replace_text(FIRST, "0.1115", "0.1116")(course)
    change_cell("batch", lambda cell: cell.outputs.clear())(course)
    replace_source("errors", "(4, ", "(5, ")(course)
    replace_source("last", "table", "tabel")(course)
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest"]
    command += ["-n0", "-q", str(course / FIRST)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    reported = re.findall(rf"^{FIRST}, cell ([\w-]+): (.*)", result.stdout, re.MULTILINE)
    remedy = Notebook(course / FIRST).update_advice
    differ = f"Cell outputs differ; if the new ones are right, {remedy}"
    wanted = dict.fromkeys(("table", "batch", "errors"), differ)
    wanted["last"] = "Cell execution caused an exception; correct the code"
    assert dict(reported) == wanted, result.stdout


def test_update_brings_what_changed_up_to_date(course, capsys):
    replace_source("title", "A table", "One table")(course)
    replace_source("diagram-one-row", "Row 1", "Row [1]")(course)  # a bracket in an alt text
    in_both_editions(replace_source, "table", "seed(123", "seed(122")(course)
    change_cell("try-1-stub", lambda cell: cell.metadata.wrong.update({"ids = 7": ""}))(course)
    new = new_markdown_cell("好。", id="0a1b2c3d")
    for file in (FIRST, CHINESE):
        change_notebook(lambda notebook: notebook.cells.insert(5, new), file)(course)
    build.main([str(course / FIRST)], course)
    printed = capsys.readouterr().out
    names = ("three-rows", "one-row")
    written = [FIRST, CHINESE, SECOND, "README.md", *(f"images/{name}.webp" for name in names)]
    assert all(f"wrote {name}\n" in printed for name in written), printed
    assert f"{FIRST}, cell one: stored is" in printed and f"running {SECOND}" not in printed
    assert Notebook(course / FIRST).cell("after-table")
    assert Notebook(course / CHINESE).cell("try-1-stub").metadata.wrong["ids = 7"]
    for rule in ("stored_files_are_up_to_date", "tables_of_chapters_are_up_to_date"):
        assert not problems_of(rule, course)


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    def write_to_full_disk(path, data):
        path.write_text("n")
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr("pathlib.Path.write_bytes", write_to_full_disk)
    with pytest.raises(OSError, match="No space left on device: '.*a'"):
        build.write_if_changed(tmp_path / "a", b"new", tmp_path)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def contents_of(root):
    """Return the bytes of all files below a folder, by their paths."""
    return {path: path.read_bytes() for path in root.rglob("*.*") if path.is_file()}


def test_update_writes_nothing_on_an_error(course):
    (course / "images/one-row.webp").unlink()
    in_both_editions(replace_source, "last", "table", "tabel")(course)
    before = contents_of(course)
    with pytest.raises(CourseError, match="cell last: line 1 raises NameError"):
        build.main([str(course / FIRST)], course)
    assert before == contents_of(course)


@pytest.mark.parametrize("metadata", [{}, {"kept": ""}])
@pytest.mark.parametrize("code", ["import time\ntime.time()", "import os\nprint(os.urandom(9))"])
def test_update_refuses_what_is_different_each_time(code, metadata, course):
    for file in (FIRST, CHINESE):
        add_cell(new_code_cell(code, metadata=metadata), file)(course)
    before = contents_of(course)
    with pytest.raises(CourseError, match="cell planted: other outputs each time; print what"):
        build.main([str(course / FIRST)], course)
    assert before == contents_of(course)


def test_update_overwrites_nothing_that_was_saved_meanwhile(course, monkeypatch):
    """Whoever goes on writing while a chapter runs loses nothing."""
    diagram_bytes = build.diagram_bytes

    def save_meanwhile(*arguments):
        replace_source("last", "table", "table  # new")(course)
        return diagram_bytes(*arguments)

    monkeypatch.setattr(build, "diagram_bytes", save_meanwhile)
    with pytest.raises(CourseError, match="01_rows.ipynb: saved while this ran, and kept"):
        build.main([str(course / FIRST)], course)
    assert Notebook(course / FIRST).cell("last").source.count("# new")


def test_a_copy_that_is_pushed_before_it_is_renamed(miniature, monkeypatch):
    """GitHub's name counts for what is published, and the stored one for what is stored."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "me/mine")
    published = addresses.published_repository(miniature)
    assert addresses.website(published) == "https://me.github.io/mine/"
    assert "/github/me/mine/blob/" in addresses.colab(Notebook(miniature / FIRST))
    for rule in (
        "links_name_one_repository",
        "stored_files_are_up_to_date",
        "tables_of_chapters_are_up_to_date",
    ):
        assert not problems_of(rule, miniature)


def test_links_and_folders_of_another_repository():
    text = "git clone https://github.com/a/old && cd old\nhttps://a.github.io/old/b"
    moved = "git clone https://github.com/me/new && cd new\nhttps://me.github.io/new/b"
    assert addresses.replace_repository(text, "a/old", "me/new") == moved


def test_goals_of_chapters_in_teaching(course):
    page = tables.build_pages(course)[course / "TEACHING.md"].decode()
    assert re.search(rf"\({FIRST}\)\*\* ●○○ \d′\n\n- \*\*You will see\*\* ", page), page
    assert f"\n- ↳ [{Notebook(course / NOTE).title}]({NOTE})\n" in page
