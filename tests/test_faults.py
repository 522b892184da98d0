"""Each rule sees the faults made for it, in words that name the cell and say what to do.

FAULTS has, for each rule, what is done to a course, and the line that the rule then says, whole.
The course is a miniature of two chapters, tests/fixture/, brought up to date in a temporary folder
by `make update`, so that an error in a chapter of the course gives no failure here.
"""

import re
import shutil
import signal
import string
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import pytest
import torch
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

from course import PINNED_TORCH, ROOT, CourseError, addresses, build, differences, run, tables
from course.check import RULES, editions, executed, names, repository, structure
from course.checker import WORDS
from course.diagrams import decode_frames, encode_webp
from course.exhibits import DATA_FOLDER, EXHIBITS
from course.notebook import Notebook, all_notebooks, diagram_path, english_notebooks

FIRST, SECOND = "notebooks/01_rows.ipynb", "notebooks/02_clock.ipynb"
CHINESE, NOTE = "notebooks/zh/01_rows.ipynb", "notebooks/notes/01_last.ipynb"
CHINESE_PART = "README.zh.md, # 一门微型课程，测试在里面埋下错误"
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


def add_text(markdown, file=FIRST, **fields):
    """Return a fault: one Markdown cell more."""
    return add_cell(new_markdown_cell(markdown, **fields), file)


def add_code(code):
    """Return a fault: one code cell more."""
    return add_cell(new_code_cell(code, execution_count=1))


def drop_cell(cell_id, file=FIRST):
    """Return a fault: one cell less."""
    return change_notebook(lambda notebook: notebook.cells.remove(notebook.cell(cell_id)), file)


def set_metadata(cell_id, file=FIRST, **metadata):
    """Return a fault: metadata on a cell."""
    return change_cell(cell_id, lambda cell: cell.metadata.update(metadata), file)


def in_both_editions(fault, *values, **keywords):
    """Return a fault that both editions have."""
    plants = [fault(*values, **keywords, file=file) for file in (FIRST, CHINESE)]
    return lambda root: [plant(root) for plant in plants]


def replace_text(name, old, new):
    """Return a fault: other words in a file."""

    def plant(root):
        content = (root / name).read_text(encoding="utf-8")
        assert old in content
        (root / name).write_text(content.replace(old, new, 1), encoding="utf-8")

    return plant


def add_file(name, content):
    """Return a fault: one file more."""

    def plant(root):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")

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
    "file_is_small": [
        (
            lambda root: (root / FIRST).write_bytes(b" " * 500_001),
            f"{FIRST}: 500,001 bytes, 500,000 are the limit; make a plot or a diagram smaller",
        )
    ],
    "cells_are_code_or_markdown": [
        (
            add_cell(new_raw_cell("x")),
            f"{FIRST}, cell planted: is a raw cell, which few viewers show; make it Markdown",
        )
    ],
    "cell_ids_are_words": [
        (
            change_notebook(lambda n: n.cells[5].update(id="4F-90")),
            f"{FIRST}, cell 4F-90: its id is no name; use one like `two-rows`, or run `make "
            "update`",
        )
    ],
    "metadata_belongs_to_its_cell": [
        (
            set_metadata("table", computed={"5": "len(table)"}),
            f"{FIRST}, cell table: computed in its metadata is for Markdown; put it on a text, or "
            "remove it",
        ),
        (
            set_metadata("table", equal_phrases={"a second": "一秒"}),
            f"{FIRST}, cell table: equal_phrases in its metadata is for Markdown; put it on a "
            "text, or remove it",
        ),
        (
            set_metadata("one-text", handout="hide"),
            f"{FIRST}, cell one-text: handout in its metadata is 'hide'; write \"fold\" or "
            '"fold first paragraph"',
        ),
        (
            set_metadata("one-text", neutral_heading={"en": "Three inputs"}),
            f"{FIRST}, cell one-text: neutral_heading in its metadata lacks a language of "
            "['en', 'zh']; add it",
        ),
        (
            set_metadata("recall", wrong={"1": ""}),
            f"{FIRST}, cell recall: wrong in its metadata is for the stub of an exercise; move it "
            "there",
        ),
        (
            set_metadata("title", search_words={"en": "one-hot"}),
            f"{FIRST}, cell title: search_words in its metadata lacks a language of ['en', 'zh']; "
            "add it",
        ),
        (
            set_metadata("recall", libraries="peft"),
            f"{FIRST}, cell recall: libraries in its metadata is for the title's cell; move it "
            "there",
        ),
    ],
    "cells_with_kept_outputs_stand_alone": [
        (
            set_metadata("table", output_digest=""),
            f"{FIRST}, cell table: its output is kept, and cell one needs its table; remove "
            "output_digest, or define table elsewhere",
        )
    ],
    "fixed_cells_stand_in_order": [
        (
            drop_cell("summary"),
            f"{FIRST}: has the cells ['title', 'nav-top', 'recall', 'try', 'open', "
            "'nav-bottom']; wanted are, in this order, ['title', 'nav-top', 'summary', "
            "'recall', 'try', 'open', 'nav-bottom']",
        ),
        (
            replace_source("summary", "## ", ""),
            f"{FIRST}, cell summary: does not begin with `## In one sentence`; put that "
            "heading there",
        ),
        (
            drop_cell("practice", NOTE),
            f"{NOTE}: has the cells ['title', 'nav-top', 'nav-bottom']; wanted are, in this "
            "order, ['title', 'nav-top', 'practice', 'nav-bottom']",
        ),
    ],
    "each_practice_is_a_sentence_with_a_link": [
        (
            replace_source("practice", "They", "- They", NOTE),
            f"{NOTE}, cell practice: `They write −1.…` has no link; link to its source, or "
            "leave it out",
        ),
        (
            replace_source("practice", "They", "- [He](../../README.md) did. They", NOTE),
            f"{NOTE}, cell practice: `[He](../../README.md) did. The…` is more than a "
            "sentence; keep one",
        ),
    ],
    "title_matches_file": [
        (
            replace_source("title", "?", ".", NOTE),
            f"{NOTE}, cell title: the title of a note is its question; end it with a `?`",
        ),
        (
            replace_source("title", "# 1", "# 2"),
            f"{FIRST}, cell title: the title does not begin with `# 1 · `; give it the "
            "file's number",
        ),
    ],
    "number_is_that_of_one_chapter": [
        (
            rename_notebook(NOTE, "09_last.ipynb"),
            "notebooks/notes/09_last.ipynb: there is no chapter 9, to which it belongs; rename it",
        ),
        (
            rename_notebook(SECOND, "01_clock.ipynb"),
            f"{FIRST}: another chapter has the number 1, too; renumber one",
        ),
    ],
    "chapter_has_a_diagram": [
        (
            change_notebook(lambda n: [cell.metadata.pop("diagram", 0) for cell in n.cells]),
            f"{FIRST}: has no diagram; draw one (CONTRIBUTING.md, a figure)",
        )
    ],
    "only_h1_is_in_first_cell": [
        (
            replace_source("errors-text", "##", "#"),
            f"{FIRST}, cell errors-text: `# What is refused` is a second title; write `## What is "
            "refused`",
        )
    ],
    "imports_are_allowed": [
        (
            add_code("import pandas"),
            f"{FIRST}, cell planted: imports pandas; use stdlib, torch, matplotlib",
        ),
        (
            add_code("from urllib import request"),
            f"{FIRST}, cell planted: imports urllib.request; use stdlib, torch, matplotlib",
        ),
        *(
            (
                add_code(f"import {module}"),
                f"{FIRST}, cell planted: imports {module}; use stdlib, torch, matplotlib",
            )
            for module in "ftplib http imaplib poplib smtplib socket ssl telnetlib".split()
        ),
        (
            lambda root: [
                plant(root)
                for plant in (set_metadata("title", libraries="peft"), add_code("import peft"))
            ],
            f"{FIRST}, cell planted: imports peft; use stdlib, torch, matplotlib",
        ),
        (
            replace_source("last", "torch", "import peft\ntorch", NOTE),
            f"{NOTE}, cell last: imports peft; use stdlib, torch, matplotlib, or declare it "
            "(CONTRIBUTING.md, a field note)",
        ),
        (
            add_code("from torch.utils.benchmark import Timer"),
            f"{FIRST}, cell planted: imports torch.utils.benchmark.Timer, which logs to stderr on "
            "some machines; use timeit",
        ),
        (
            add_code("from torch.utils import benchmark"),
            f"{FIRST}, cell planted: imports torch.utils.benchmark, which logs to stderr on "
            "some machines; use timeit",
        ),
    ],
    "libraries_are_imported_and_installed": [
        (
            set_metadata("title", NOTE, libraries="peft"),
            f"{NOTE}, cell title: declares peft, and no code imports it; remove it",
        ),
        (
            set_metadata("title", NOTE, libraries="torch"),
            f"{NOTE}, cell title: does not install torch; write `%pip install …` there",
        ),
    ],
    "nbval_sees_every_cell": [
        (
            add_code("# NBVAL_SKIP"),
            f"{FIRST}, cell planted: the comment NBVAL_SKIP hides it from nbval; remove it",
        ),
        (
            add_code("# PYTEST_VALIDATE_IGNORE_OUTPUT"),
            f"{FIRST}, cell planted: the comment PYTEST_VALIDATE_IGNORE_OUTPUT hides it from "
            "nbval; remove it",
        ),
    ],
    "lines_of_code_fit_the_page": [
        (
            add_code("1  # " + 90 * "a"),
            f"{FIRST}, cell planted: `1  # aaaaaaaaaaaaaaaaaaaaaaaaa…` has 95 columns, 88 "
            "are the limit; break it",
        )
    ],
    "code_holds_no_results": [
        (
            add_code('print("0.3374")'),
            f"{FIRST}, cell planted: the code holds a result, 0.3374…; print it (a setting: 1e-4)",
        )
    ],
    "seeds_are_123": [
        (
            replace_source("table", "seed(123", "seed(124"),
            f"{FIRST}, cell table: seed 124; use 123, as everywhere",
        ),
        (
            replace_source("table", "seed(123", "seed(seed=7"),
            f"{FIRST}, cell table: seed 7; use 123, as everywhere",
        ),
        *(
            (
                add_code(f"import torch\n{code}"),
                f"{FIRST}, cell planted: seed {seed}; use 123, as everywhere",
            )
            for code, seed in (
                ("torch.manual_seed(-1)", "-1"),
                ("torch.manual_seed(100 + 24)", "100 + 24"),
                ("seed = 42\ntorch.manual_seed(seed)", "42"),
                ("seed: int = 42\ntorch.manual_seed(seed)", "42"),
                ("import random\nrandom.Random(7)", "7"),
                ("from random import Random\nRandom(x=7)", "7"),
            )
        ),
    ],
    "images_are_described_diagrams": [
        (
            change_cell("diagram-one-row", lambda cell: cell.update(source="![Row 1.]()")),
            f"{FIRST}, cell diagram-one-row: the alt text is short; say what the figure "
            "shows in 30 letters or more",
        ),
        (
            add_text("![A](https://a.example/t.png)"),
            f"{FIRST}, cell planted: an image, and no `diagram` in the cell's metadata; see "
            "CONTRIBUTING.md",
        ),
    ],
    "every_viewer_shows_the_markup": [
        (
            add_text("A", attachments={"a.png": {"image/png": ""}}),
            f"{FIRST}, cell planted: an attachment, which Colab does not show; draw a figure "
            "(CONTRIBUTING.md)",
        ),
        (
            add_text('<video src="a"></video>'),
            f"{FIRST}, cell planted: <video>, which not every reader shows; use Markdown",
        ),
        (
            add_text('<img src="a">'),
            f"{FIRST}, cell planted: <img>, which not every reader shows; use Markdown",
        ),
    ],
    "bold_is_shown_as_bold": [
        (
            add_text("这叫**[广播](https://a.example)**，`**` 是乘方。", CHINESE),
            f"{CHINESE}, cell planted: shows `这叫**`; put the `**` where bold begins and ends, "
            "inside of a link",
        ),
    ],
    "bold_of_pages_is_shown_as_bold": [
        (
            replace_text("README.md", "\n\n", "\n\n**A **word.\n\n"),
            "README.md: shows `**A **word.`; put the `**` where bold begins and ends, "
            "inside of a link",
        ),
    ],
    "chinese_edition_is_in_chinese": [
        (
            add_text("The same ID gives it.", CHINESE),
            f"{CHINESE}, cell planted: in English: The same ID gives it.…; say it in Chinese",
        ),
        (
            add_text("一行,五个数。", CHINESE),
            f"{CHINESE}, cell planted: 一行,五个数。; write 一行，五个数。",
        ),
        (
            replace_source("table", "# 行", "\n\n    # 行,列", CHINESE),
            f"{CHINESE}, cell table: # 行,列与列; write # 行，列与列",
        ),
        (
            replace_source("table", "# 行", "\n# a row of each\n# 行", CHINESE),
            f"{CHINESE}, cell table: in English: # a row of each; say it in Chinese",
        ),
        (
            add_cell(new_code_cell('def f():\n    """Add all rows."""'), CHINESE),
            f"{CHINESE}, cell planted: in English: Add all rows.…; say it in Chinese",
        ),
    ],
    "formulas_use_names_of_the_code": [
        (
            add_text(r"Read $\frac{q}{k}$."),
            f"{FIRST}, cell planted: no code says q; use the letters of the code",
        )
    ],
    "question_ends_the_text_before_its_code": [
        (
            replace_source("one-text", "One", "Which row is it?\n\nOne"),
            f"{FIRST}, cell one-text: `…Which row is it?` is not its last paragraph; end the "
            "text with it, so that its answer is folded",
        )
    ],
    "links_lead_somewhere": [
        (
            add_text("[a](11_more.ipynb)"),
            f"{FIRST}, cell planted: 11_more.ipynb does not exist; correct the link",
        ),
        *(
            (
                add_text(markdown),
                f"{FIRST}, cell planted: {target} does not exist; correct the link",
            )
            for markdown, target in (
                ("[`idx[0]`](nowhere.ipynb)", "nowhere.ipynb"),
                ("[a](nowhere.md 'title')", "nowhere.md"),
                ("[a](<no where.md>)", "no where.md"),
                ("[行](没有.md)", "没有.md"),
                ("| [a](nowhere.md) |\n|---|", "nowhere.md"),
                ("[a][b]\n\n[b]: nowhere.md", "nowhere.md"),
            )
        ),
        *(
            (
                add_text(f"[a]({target})"),
                f"{FIRST}, cell planted: {target} is no file of the course; correct the link",
            )
            for target in ("../../LICENSE", "../.venv")
        ),
        *(
            (
                add_text(f"[a]({target})"),
                f"{FIRST}, cell planted: {target}: a link to a chapter has no #; leave it out",
            )
            for target in ("#no-such", "02_clock.ipynb#no-such")
        ),
        (
            add_text("See [a][b]."),
            f"{FIRST}, cell planted: shows `[a][b]`; write the link as [words](file)",
        ),
    ],
    "chapter_links_match_the_chapter": [
        (
            replace_source("link-text", "[chapter 2", "[chapter 1"),
            f"{FIRST}, cell link-text: chapter 1 is not 02_clock.ipynb; correct one",
        ),
        (
            replace_source("link-text", '"sum"', '"fish"'),
            f"{FIRST}, cell link-text: 02_clock.ipynb does not say 'fish'; use words from there",
        ),
        (  # which its navigation says
            replace_source("link-text", '"sum"', '"Open in Colab"'),
            f"{FIRST}, cell link-text: 02_clock.ipynb does not say 'Open in Colab'; use words "
            "from there",
        ),
    ],
    "chapters_are_named_in_links": [
        (
            add_text("See chapters 1 and 99."),
            f"{FIRST}, cell planted: there is no chapter 99 yet; name another",
        ),
        (
            add_text("See chapter 2."),
            f"{FIRST}, cell planted: chapter 2 is no link; write it like [chapter "
            '9](09_limits.ipynb "a word from there")',
        ),
    ],
    "exercises_are_few": [
        (drop_cell("try-2"), f"{FIRST}: exercises: 1; write 2 to 4"),
        (
            change_notebook(
                lambda n: [cell.update(id=f"try-{i}") for i, cell in enumerate(n.cells[3:5])], NOTE
            ),
            f"{NOTE}: exercises: 2; write 0 to 1",
        ),
    ],
    "exercise_has_all_parts": [
        (
            drop_cell("try-1-solution"),
            f"{FIRST}: no cell try-1-solution; an exercise has cases, stub, solution",
        ),
        (
            drop_cell("checker"),
            f"{FIRST}: no cell checker, which judges the answers; copy it from another chapter",
        ),
    ],
    "parts_of_an_exercise_follow_one_another": [
        (
            change_notebook(lambda n: n.cells.append(n.cells.pop(n.cells.index(n.cell("try-1"))))),
            f"{FIRST}, cell try-1: the cells after it are not its cases, stub, solution; put them "
            "there, in this order",
        ),
        (
            change_notebook(
                lambda n: n.cells.insert(n.cells.index(n.cell("try-1-stub")), n.cells.pop(5))
            ),
            f"{FIRST}, cell try-1: the cells after it are not its cases, stub, solution; put them "
            "there, in this order",
        ),
    ],
    "exercise_bears_the_number_of_its_id": [
        (
            replace_source("try-2", "**2.**", "**3.**"),
            f"{FIRST}, cell try-2: does not begin with `**2.**`; number it like its id",
        ),
        (
            replace_source("try-2-cases", "练习 2", "练习 22", CHINESE),
            f"{CHINESE}, cell try-2-cases: `# @title` does not name exercise 2 first; number it "
            "like its id",
        ),
        (
            replace_source("try-2-cases", "Exercise 2: what", "What"),
            f"{FIRST}, cell try-2-cases: `# @title` does not name exercise 2 first; number it "
            "like its id",
        ),
    ],
    "cases_are_folded": [
        (
            replace_source("try-1-cases", "# @title", "#"),
            f"{FIRST}, cell try-1-cases: does not begin with `# @title`, which folds it; add it",
        ),
    ],
    "stub_has_three_wrong_answers": [
        (
            set_metadata("try-1-stub", wrong={}),
            f"{FIRST}, cell try-1-stub: list three or more wrong answers in the metadata (wrong)",
        ),
    ],
    "solution_is_folded": [
        (
            replace_source("try-1-solution", "```python", "```"),
            f"{FIRST}, cell try-1-solution: is not <details>, <summary>, words, one block of "
            "Python; write it so",
        ),
    ],
    "judging_cells_are_in_an_exercise": [
        (
            add_code("check(ids=7)"),
            f"{FIRST}, cell planted: belongs to no exercise by its id; in a text editor, call the "
            "four cells of its exercise try-3, try-3-cases, try-3-stub, try-3-solution",
        ),
        (
            add_code("def judge_ids(ids):\n    pass"),
            f"{FIRST}, cell planted: belongs to no exercise by its id; in a text editor, call the "
            "four cells of its exercise try-3, try-3-cases, try-3-stub, try-3-solution",
        ),
    ],
    "cases_define_one_judge": [
        (
            replace_source("try-1-cases", "def judge", "x = 1\n\n\ndef judge"),
            f"{FIRST}, cell try-1-cases: defines other names than one function `judge_…`; "
            "put all into it",
        ),
    ],
    "cells_keep_the_functions_of_the_checker": [
        (
            add_code("def compare():\n    pass"),
            f"{FIRST}, cell planted: defines compare, as the checker does; rename it",
        ),
    ],
    "judges_bind_names_of_the_page": [
        (
            replace_source("try-1-cases", "(ids):\n", "(ids):\n    table\n"),
            f"{FIRST}, cell try-1-cases: reads table of the page; write `def judge_…(answer, "
            "table=table)`",
        ),
        (
            replace_source("try-1-cases", "(ids):\n", "(ids):\n    tabel\n"),
            f"{FIRST}, cell try-1-cases: reads tabel, and no cell defines it; correct the name",
        ),
        (
            replace_source("try-2-cases", "(rows):\n", "(rows):\n        batch\n"),
            f"{FIRST}, cell try-2-cases: reads batch of the page; write `def judge_…(answer, "
            "batch=batch)`",
        ),
    ],
    "long_numbers_have_a_source": [
        (
            replace_source("sweep-text", "131,072", "131,073", SECOND),
            f"{SECOND}, cell sweep-text: no cell within 4 of it prints 131,073; print it, correct "
            "it, or declare it in the cell's metadata, in both languages: "
            '"computed": {"131,073": "expression"}',
        ),
        (
            add_text("97 rows."),
            f"{FIRST}, cell planted: no cell within 4 of it prints 97; print it, correct "
            "it, or declare it in the cell's metadata, in both languages: "
            '"computed": {"97": "expression"}',
        ),
        (
            replace_source("batch-text", "two", "123"),
            f"{FIRST}, cell batch-text: no cell within 4 of it prints 123; print it, correct "
            "it, or declare it in the cell's metadata, in both languages: "
            '"computed": {"123": "expression"}',
        ),  # which five cells before has
        (
            add_text("97 minutes."),
            f"{FIRST}, cell planted: no cell within 4 of it prints 97; print it, correct "
            "it, or declare it in the cell's metadata, in both languages: "
            '"computed": {"97": "expression"}',
        ),
        (
            add_text("It is −7."),
            f"{FIRST}, cell planted: no cell within 4 of it prints -7; print it, correct "
            "it, or declare it in the cell's metadata, in both languages: "
            '"computed": {"-7": "expression"}',
        ),
    ],
    "declared_numbers_are_used": [
        (
            set_metadata("recall", citations={"7": "a week"}),
            f"{FIRST}, cell recall: 7 is declared and not in the text; remove it, or correct "
            "the text",
        ),
        (
            set_metadata("recall", citations={"seven": "a week"}),
            f"{FIRST}, cell recall: seven is declared and not in the text; remove it, or "
            "correct the text",
        ),
    ],
    "citations_name_a_source": [
        (
            set_metadata("recall", citations={"7": "7"}),
            f"{FIRST}, cell recall: 7: a bare number is no source; say where it is from",
        ),
        (
            set_metadata("recall", citations={"7": "yes"}),
            f"{FIRST}, cell recall: 7: one word is no source; say where it is from",
        ),
    ],
    # On the run of a notebook.
    "stored_files_are_up_to_date": [
        (
            replace_text(FIRST, "0.1115", "0.1116"),
            f"{FIRST}, cell table: stored is 'tensor([[-0.1116,  0.1204],', and the code "
            "prints 'tensor([[-0.1115,  0.1204],'; read the text about it; run `make update "
            f"NB={FIRST}`",
        ),
        (
            lambda root: [
                plant(root)
                for plant in (replace_text(FIRST, "0.1115", "0.1116"), add_text("It is −0.1116."))
            ],
            f"{FIRST}, cell table: stored is 'tensor([[-0.1116,  0.1204],', and the code "
            "prints 'tensor([[-0.1115,  0.1204],'; read the text about it: planted; run `make "
            f"update NB={FIRST}`",
        ),
        (
            replace_text(FIRST, "-0.1115,  0.1204", "0.1204, -0.1115"),
            f"{FIRST}, cell table: stored is 'tensor([[0.1204, -0.1115],', and the code prints "
            "'tensor([[-0.1115,  0.1204],'; sort what prints in another order each time, such as "
            f"a set; read the text about it; run `make update NB={FIRST}`",
        ),
        (
            replace_source("plot", "#0072b2", "#0072d2"),
            f"{FIRST}, cell plot: the stored plot is not the one that this code draws; look "
            f"at it; run `make update NB={FIRST}`",
        ),
        (
            change_cell("plot", lambda cell: cell.outputs.clear(), SECOND),
            f"{SECOND}, cell plot: the stored plot is not the one that this code draws; look "
            f"at it; run `make update NB={SECOND}`",
        ),
        (
            replace_source("sweep", "17", "18", SECOND),
            f"{SECOND}, cell sweep: its output is kept, and the code above has changed; look at "
            "the output",
        ),
        (
            replace_source("table", "seed(123", "seed(122"),
            "images/one-row.webp: not what the notebooks give",
        ),
        (
            lambda root: (root / "images/one-row.webp").unlink(),
            f"images/one-row.webp: is missing; run `make update NB={FIRST}`, then `git add` what "
            "is missing",
        ),
        (
            replace_source("nav-bottom", "02_clock", "02_bell"),
            f"{FIRST}, cell nav-bottom: stored is ' A clock runs →](02_bell.ipynb) | [Open in "
            "Colab](https://co', and derived is ' A clock runs →](02_clock.ipynb) | [Open in "
            f"Colab](https://c'; run `make update NB={FIRST}`",
        ),
        (
            replace_source("diagram-one-row", "base64,", "base64,0"),
            f"{FIRST}, cell diagram-one-row: the picture is not the one that is derived; run "
            f"`make update NB={FIRST}`",
        ),
        (
            set_metadata("table", tags=["nbval-skip"]),
            f"{FIRST}, cell table: tags in its metadata is not read here, and goes; run "
            f"`make update NB={FIRST}`",
        ),
        (
            change_notebook(lambda n: n.cells[5].update(id="0a1b2c3d")),
            f"{FIRST}, cell diagram-three-rows: gets this id in place of another; run `make update "
            f"NB={FIRST}`",
        ),
        (
            change_notebook(lambda n: n.node.metadata.update(a=1)),
            f"{FIRST}: not the usual metadata; run `make update NB={FIRST}`",
        ),
        (
            replace_text(FIRST, "{", "{ "),
            f"{FIRST}: not the usual layout as JSON; run `make update NB={FIRST}`",
        ),
        (
            change_cell("last", lambda cell: cell.update(execution_count=99)),
            f"{FIRST}: not the usual execution counts; run `make update NB={FIRST}`",
        ),
        (
            change_cell("last", lambda cell: cell.outputs[0].update(execution_count=99)),
            f"{FIRST}: not the usual execution counts; run `make update NB={FIRST}`",
        ),
        (
            replace_source("try", "Try", "Do"),
            f"{FIRST}, cell try: stored is '## Do it\\n\\nEach time you open this, run all ', and "
            "derived is '## Try it\\n\\nEach time you open this, run all'; run `make update "
            f"NB={FIRST}`",
        ),
        (
            set_metadata("try-1-stub", CHINESE, wrong={"1": ""}),
            f"{CHINESE}, cell try-1-stub: wrong in its metadata is not what is derived; run `make "
            f"update NB={FIRST}`",
        ),
        (
            change_cell("checker", lambda cell: cell.update(metadata={})),
            f"{FIRST}, cell checker: cellView, jupyter in its metadata is not what is derived; "
            f"run `make update NB={FIRST}`",
        ),
        (
            replace_text(FIRST, f"version: {PINNED_TORCH}", "version: 2.0.0"),
            f"{FIRST}, cell version: stored is 'PyTorch version: 2.0.0', and the code prints "
            f"'PyTorch version: {PINNED_TORCH}'; read the text about it; run `make update "
            f"NB={FIRST}`",
        ),
        (
            change_cell("batch", lambda cell: cell.outputs.append(HTML_OUTPUT)),
            f"{FIRST}, cell batch: its outputs are not those of its code; run `make update "
            f"NB={FIRST}`",
        ),
        (add_code(""), f"{FIRST}, cell planted: is empty; fill it, or delete it"),
        (
            add_code("import warnings\nwarnings.warn('old')"),
            f"{FIRST}, cell planted: writes to stderr: '{FIRST}, cell planted:2: "
            "UserWarning: old'; remove what causes it",
        ),
        (
            replace_text("course/figures/clock.py", "range(1, len(table) + 1)", "range(0)"),
            f"{SECOND}, cell diagram-a-clock: line 11 of course/figures/clock.py raises "
            "ValueError: no frame; correct the figure a-clock, which returns a Figure, or yields "
            "pairs of one and milliseconds",
        ),
        (
            replace_text("course/figures/rows.py", "return ax.figure", "return ax"),
            f"{FIRST}, cell diagram-three-rows: line 16 of course/figures/rows.py raises "
            "TypeError: 'Axes' object is not iterable; correct the figure three-rows, which "
            "returns a Figure, or yields pairs of one and milliseconds",
        ),
        (
            add_code("import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])"),
            f"{FIRST}, cell planted: a plot is not shown; end with plt.show()",
        ),
        (
            add_code("import matplotlib.pyplot as plt\nplt.figure()\nplt.figure()\nplt.show()"),
            f"{FIRST}, cell planted: line 4 raises ValueError: two plots before one "
            "plt.show(); correct it",
        ),
        (
            add_code("1 / 0"),
            f"{FIRST}, cell planted: line 1 raises ZeroDivisionError: division by zero; correct it",
        ),
        (
            add_code('open("LICENSE").close()'),  # which the folder of the tests has
            f"{FIRST}, cell planted: line 1 raises FileNotFoundError: [Errno 2] No such file or "
            "directory: 'LICENSE'; correct it",
        ),
        (
            add_code("%pip list"),
            f"{FIRST}, cell planted: line 1 is a magic; write plain Python",
        ),
        (
            add_code("1 +"),
            f"{FIRST}, cell planted: line 1, `1 +`, is not Python (invalid syntax); correct it",
        ),
        (
            add_code("import sys\nsys.exit()"),
            f"{FIRST}, cell planted: line 2 raises SystemExit: ; correct it",
        ),
        (
            in_both_editions(set_metadata, "table-text", diagram="two"),
            f"{FIRST}, cell diagram-two: course/figures/rows.py has no function two; write "
            "it, or correct `diagram`",
        ),
        (
            rename_notebook(SECOND, "02_bell.ipynb"),
            "notebooks/02_bell.ipynb, cell diagram-a-clock: there is no course/figures/bell.py; "
            "write it, or rename the module of its figures",
        ),
        (
            replace_text(
                "course/figures/rows.py", "return ax", 'ax.text(9, 210, "row"); return ax'
            ),
            f"{FIRST}, cell diagram-three-rows: line 16 of course/figures/rows.py raises "
            "ValueError: 'row' is cut off at the edge of 1400 by 200; correct the figure "
            "three-rows, which returns a Figure, or yields pairs of one and milliseconds",
        ),
        (
            set_metadata("table-text", diagramm="two"),
            f"{FIRST}, cell table-text: diagramm in its metadata means nothing; call it diagram",
        ),
    ],
    "comments_state_the_shapes": [
        (
            replace_source("table", "(3, 2)  # rows and columns", "(3, 2)  # (2, 3)"),
            f"{FIRST}, cell table: table has the shape (3, 2), not (2, 3); correct the comment",
        ),
        (
            replace_source("batch", "1]])\n", "1]])  # (2,)，两个词\n", CHINESE),
            f"{CHINESE}, cell batch: batch has the shape (2, 2), not (2,); correct the comment",
        ),
    ],
    "computed_numbers_are_right": [
        (
            set_metadata("sweep-text", SECOND, computed={"3": "len(table) - 1"}),
            f"{SECOND}, cell sweep-text: 3: `len(table) - 1` gives 2; correct one",
        ),
        (
            set_metadata("sweep-text", SECOND, computed={"0.34": "1 / len(table)"}),
            f"{SECOND}, cell sweep-text: 0.34: `1 / len(table)` gives 0.33; correct one",
        ),
        (
            set_metadata("sweep-text", SECOND, computed={"3": "len(tabel)"}),
            f"{SECOND}, cell sweep-text: 3: `len(tabel)` raises NameError(\"name 'tabel' is "
            'not defined"); correct it',
        ),
        (
            set_metadata("sweep-text", SECOND, computed={"3": "1 + 2"}),
            f"{SECOND}, cell sweep-text: 3: `1 + 2` holds no name of the notebook; compute "
            "it from one, or cite it",
        ),
        (
            set_metadata("sweep-text", SECOND, computed={"3": "[n for n in [3]][0]"}),
            f"{SECOND}, cell sweep-text: 3: `[n for n in [3]][0]` holds no name of the "
            "notebook; compute it from one, or cite it",
        ),
    ],
    "exercises_judge_answers_rightly": [
        (
            replace_source("try-1-stub", "...", "[]"),
            f"{FIRST}, cell try-1-stub: to 'ids = []  # a list\\n\\ncheck(ids=ids)' it says '✘ "
            "not quite: you ask for []', not 'not yet: replace the ...'; leave a `...` in the stub",
        ),
        (
            replace_source("try-1-solution", "2, 0", "2, 1"),
            f"{FIRST}, cell try-1-stub: to 'ids = [2, 1]' it says '✘ not quite: you ask for "
            "[2, 1]', not '✔ correct'; correct the solution, or its cases",
        ),
        (
            replace_source("try-1-solution", "2, 0", "2", CHINESE),
            f"{CHINESE}, cell try-1-stub: to 'ids = [2]' it says '✘ 还不对：你取的是 [2]', not '✔ "
            "正确'; correct the solution, or its cases",
        ),
        (
            replace_source("try-2-cases", "[table]", "[table[:1]]"),
            f"{FIRST}, cell try-2-stub: to 'def last(rows):\\n    return rows[0]' it says '✔ "
            "correct', not '✘ not quite: '; add a case that refuses it, or take it out of `wrong`",
        ),
        (
            set_metadata("try-1-stub", wrong={"ids = [2, 0]": ""}),
            f"{FIRST}, cell try-1-stub: to 'ids = [2, 0]' it says '✔ correct', not '✘ not "
            "quite: '; add a case that refuses it, or take it out of `wrong`",
        ),
        (
            in_both_editions(replace_source, "try-1-cases", "    ", "    1 / 0\n    "),
            f"{FIRST}, cell try-1-cases: its judge raises ZeroDivisionError: division by zero, "
            "for 'ids = [2, 0]'; let it refuse, or correct it",
        ),
        (
            replace_source("try-1-cases", "def judge", "def jugde"),
            f"{FIRST}, cell try-1-cases: defines no function `judge_…`; write it",
        ),
        (
            replace_source("try-1-stub", "check(ids", "check(idx"),
            f"{FIRST}, cell try-1-stub: does not end in `check(ids=ids)`; add that",
        ),
        (
            set_metadata("try-1-stub", wrong={"ids = 1 / 0": ""}),
            f"{FIRST}, cell try-1-stub: line 1 raises ZeroDivisionError: division by zero; "
            "correct it: 'ids = 1 / 0'",
        ),
        (
            set_metadata("try-1-stub", wrong={"ids.sort()": ""}),  # the ids of another answer
            f"{FIRST}, cell try-1-stub: line 1 raises NameError: name 'ids' is not defined; "
            "correct it: 'ids.sort()'",
        ),
    ],
    "cells_can_be_run_again": [
        (
            add_code("globals().setdefault('once', [1]).pop()"),
            f"{FIRST}, cell planted, run again from below: line 1 raises IndexError: pop from "
            "empty list; correct it",
        ),
        (
            change_notebook(
                lambda n: [
                    n.cell("errors").update(source="rows = [table]"),
                    n.cell("last").update(source="rows.pop()"),
                ]
            ),
            f"{FIRST}, cell last, run again from below: line 1 raises IndexError: pop from empty "
            "list; correct it",
        ),
    ],
    # On the two editions.
    "editions_share_metadata": [
        (
            set_metadata("recall", CHINESE, citations={"7": "a week"}),
            f"{CHINESE}, cell recall, and {FIRST}: citations differs: English has None, Chinese "
            "{'7': 'a week'}; make it equal",
        ),
        (
            lambda root: [
                set_metadata("recall", file, citations={"7": "a week", number: "a byte"})(root)
                for file, number in ((FIRST, "8"), (CHINESE, "9"))
            ],
            f"{CHINESE}, cell recall, and {FIRST}: citations differs: English has {{'8': 'a "
            "byte'}, Chinese {'9': 'a byte'}; make it equal",
        ),
    ],
    "editions_share_code": [
        (
            replace_source("batch", "[1, 0]", "[2, 0]", CHINESE),
            f"{CHINESE}, cell batch, and {FIRST}: code differs: English has `batch = "
            "torch.tensor([[1, 0], [2, 1]])`, Chinese `batch = torch.tensor([[2, 0], [2, "
            "1]])`; make the same change in both",
        ),
        (
            replace_source("errors", '"refused:"', '"拒绝："', CHINESE),
            f"{CHINESE}, cell errors, and {FIRST}: code differs: English has `print(bad, "
            "'refused:', type(error).__name__)`, Chinese `print(bad, '拒绝：', "
            "type(error).__name__)`; make the same change in both",
        ),
        (
            replace_source("try-2-solution", "[-1", "[-2", CHINESE),
            f"{CHINESE}, cell try-2-solution, and {FIRST}: code differs: English has `return "
            "rows[-1]`, Chinese `return rows[-2]`; make the same change in both",
        ),
        (
            replace_source("try-2-cases", "[:1]", "[:2]", CHINESE),
            f"{CHINESE}, cell try-2-cases, and {FIRST}: code differs: English has "
            "`judge_by_cases(last, reference, {'': [table[:1]], '': [table]})`, Chinese "
            "`judge_by_cases(last, reference, {'': [table[:2]], '': [table]})`; make the "
            "same change in both",
        ),
        (
            lambda root: [
                replace_source(
                    "last", "table", f'def f():\n    """{doc}"""\n    {n}\n\n\ntable', file
                )(root)
                for file, doc, n in ((FIRST, "Add.", 1), (CHINESE, "相加。", 2))
            ],
            f"{CHINESE}, cell last, and {FIRST}: code differs: English has `1`, Chinese `2`; "
            "make the same change in both",
        ),
    ],
    "editions_share_numbers": [
        (
            replace_source("batch-text", "(2, 2)", "(2, 4)", CHINESE),
            f"{CHINESE}, cell batch-text, and {FIRST}: count of 4, in figures or words: English "
            "has 0, Chinese 1; make them agree, or declare phrases: "
            '"equal_phrases": {"takes a second": "一秒"}',
        )
    ],
    "equal_phrases_are_used": [
        (
            in_both_editions(set_metadata, "recall", equal_phrases={"in a dozen": "十二"}),
            f"{CHINESE}, cell recall, and {FIRST}: 'in a dozen' and '十二' are declared equal, "
            "and not in the texts; correct them",
        ),
        (
            in_both_editions(set_metadata, "batch-text", equal_phrases={"(2, 2)": "(2, 2)"}),
            f"{CHINESE}, cell batch-text, and {FIRST}: '(2, 2)' and '(2, 2)' are declared "
            "equal, and hold the same numbers; remove them",
        ),
    ],
    "editions_share_markup": [
        (
            replace_source("batch-text", "(2, 2)", "$(2, 2)$", CHINESE),
            f"{CHINESE}, cell batch-text, and {FIRST}: formulas differ: English has [], "
            "Chinese ['(2, 2)']; make them equal",
        ),
        (
            replace_source("errors-text", "## ", "### ", CHINESE),
            f"{CHINESE}, cell errors-text, and {FIRST}: levels of headings differ: English "
            "has ['##'], Chinese ['###']; make them equal",
        ),
        (
            replace_source("batch-text", "两组：", "两组？", CHINESE),
            f"{CHINESE}, cell batch-text, and {FIRST}: questions at the end differ: English "
            "has False, Chinese True; make them equal",
        ),
        (
            replace_source("batch-text", "(2,", "[网](https://a.example) (2,", CHINESE),
            f"{CHINESE}, cell batch-text, and {FIRST}: links to other sites differ: English "
            "has [], Chinese ['https://a.example']; make them equal",
        ),
    ],
    # On the files around the notebooks.
    "notebook_files_are_numbered": [
        (
            lambda root: (root / "notebooks/3_rows.ipynb").touch(),
            "notebooks/3_rows.ipynb: is not numbered; name it like 05_gradients.ipynb, in "
            "notebooks/ or notes/, or delete it",
        )
    ],
    "each_notebook_has_a_title_of_its_own": [
        (
            replace_source("title", "# 2 · A clock runs", "# 2 · A table has rows", SECOND),
            f"{SECOND}: has one title with {FIRST}; write another for the copy",
        )
    ],
    "tables_of_chapters_are_up_to_date": [
        (
            replace_source("title", "· A", "· One"),
            "README.md, line 8: stored is '**[1 · A table has rows](notebooks/01_rows.ipyn', and "
            "derived is '**[1 · One table has rows](notebooks/01_rows.ip'; run `make update "
            f"NB={FIRST}`, or with any other notebook",
        ),
        (
            replace_source("title", "- **You need**", "You"),
            f"{FIRST}, cell title: a sentence, and 3 lines `- **…** …`, stand under the "
            "title: goal, need, time (its minutes)",
        ),
        (
            replace_source("title", "- **You need**", "You", NOTE),
            f"{NOTE}, cell title: a sentence, and 2 lines `- **…** …`, stand under the "
            "title: need, time (its minutes)",
        ),
        (
            replace_source("title", "- **Time**", "Time"),
            f"{FIRST}, cell title: a sentence, and 3 lines `- **…** …`, stand under the "
            "title: goal, need, time (its minutes)",
        ),
        (
            replace_source("title", "nothing", "chapter 1", SECOND),
            "TEACHING.md, line 13: stored is '- **You need** nothing.', and derived is '- **You "
            f"need** chapter 1.'; run `make update NB={FIRST}`, or with any other notebook",
        ),
        (
            replace_text("TEACHING.md", "2 clock ●●○", "2 clock"),
            "TEACHING.md: put `2 clock` into the tree, with ●○○, ●●○ or ●●●",
        ),
        (
            replace_text("TEACHING.md", "2 clock", "2 watch"),
            "TEACHING.md: put `2 clock` into the tree, with ●○○, ●●○ or ●●●",
        ),
    ],
    "teaching_lists_exercises": [
        (
            drop_cell("try-2-stub"),
            "TEACHING.md, the list of exercises, 1: tasks: 2, exercises: 1; say what each exercise "
            "asks, with `;` between",
        )
    ],
    "teaching_counts_the_exercises_of_the_term": [
        (
            replace_text("TEACHING.md", "by 4", "by 3"),
            "TEACHING.md: states ['3', '4'] as the number of exercises in the term, and chapters "
            "1 to 12 have 4; correct it",
        ),
        (
            replace_text("TEACHING.zh.md", "4 道", "5 道"),
            "TEACHING.zh.md: states ['4', '5'] as the number of exercises in the term, and "
            "chapters 1 to 12 have 4; correct it",
        ),
        (
            drop_cell("try-2-stub", SECOND),
            "TEACHING.md: states ['4'] as the number of exercises in the term, and chapters 1 to "
            "12 have 3; correct it",
        ),
    ],
    "page_links_lead_somewhere": [
        (
            replace_text("README.md", "# A", "[a](LICENCE)\n# A"),
            "README.md: LICENCE does not exist; correct the link",
        ),
        (
            replace_text("README.md", "# A", "[![a](images/a.webp)](LICENSE)\n# A"),
            "README.md: images/a.webp does not exist; correct the link",
        ),
        (
            replace_text("README.md", "# A", "[a](TEACHING.md#for-teacher)\n# A"),
            "README.md: TEACHING.md#for-teacher: no heading has this anchor; correct the link",
        ),
        (
            replace_text("README.zh.md", "# 一", "[a](TEACHING.zh.md#写给-老师)\n# 一"),
            "README.zh.md: TEACHING.zh.md#写给-老师: no heading has this anchor; correct the link",
        ),
        (
            replace_text("README.md", "# A", "[a](#a-miniature)\n# A"),
            "README.md: #a-miniature: no heading has this anchor; correct the link",
        ),
        (
            replace_text("README.md", "# A", "[a](#quoted)\n```\n# Quoted\n```\n# A"),
            "README.md: #quoted: no heading has this anchor; correct the link",
        ),
    ],
    "links_to_github_lead_somewhere": [
        (
            replace_text("README.md", "## Where it comes from", "## Sources"),
            "course/languages.py, en: README.md#where-it-comes-from: no heading has this anchor; "
            "correct the link",
        ),
        (
            replace_text("README.zh.md", "## 来源", "## 出处"),
            "course/languages.py, zh: README.zh.md#来源: no heading has this anchor; correct the "
            "link",
        ),
        (
            add_file("course/site/index.en.md", "[Install](GITHUB#on-your-own-computer)"),
            "course/site/index.en.md: README.md#on-your-own-computer: no heading has this anchor; "
            "correct the link",
        ),
    ],
    "places_in_tables_exist": [
        (
            replace_text(
                "README.md", "# A", "| `course/figures/rows.py`, `course/runs.py` | a |\n# A"
            ),
            "README.md: course/runs.py does not exist; correct its name",
        ),
        (
            replace_text("README.md", "# A", "| a | `tests/tset_*.py` |\n# A"),
            "README.md: tests/tset_*.py does not exist; correct its name",
        ),
    ],
    "commands_of_pages_exist": [
        (
            replace_text("README.md", "# A", "# A\n`make tset`"),
            "README.md: `make tset` does not exist; `make help` lists the commands",
        ),
        (
            replace_text("README.md", "# A", "# A\n```\npython3 -m course.labs\n```\n"),
            "README.md: there is no module course.labs; correct its name",
        ),
        (
            add_file(".ci/run", "make sit\n"),
            ".ci/run: `make sit` does not exist; `make help` lists the commands",
        ),
        (
            add_file(".github/pull_request_template.md", "- [ ] `make tset` is green\n"),
            ".github/pull_request_template.md: `make tset` does not exist; `make help` lists the "
            "commands",
        ),
        (
            add_file(".github/workflows/test.yml", "      - run: make coverag\n"),
            ".github/workflows/test.yml: `make coverag` does not exist; `make help` lists the "
            "commands",
        ),
    ],
    "readmes_name_the_oldest_python": [
        (
            replace_text("README.zh.md", "3.11", "3.9"),
            "README.zh.md: names ['3.9'] as the oldest Python, and it is 3.11; correct it",
        )
    ],
    "links_name_one_repository": [
        (
            add_text("https://github.com/ME-2/miniature"),
            f"{FIRST}, cell planted: ME-2/miniature, and the repository is someone/miniature; "
            "correct it, or move the course: CONTRIBUTING.md, another repository",
        ),
        (
            add_text("https://colab.research.google.com/github/ME-2/a.b-c/blob"),
            f"{FIRST}, cell planted: ME-2/a.b-c, and the repository is someone/miniature; "
            "correct it, or move the course: CONTRIBUTING.md, another repository",
        ),
        (
            add_text("https://ME-2.github.io/miniature/"),
            f"{FIRST}, cell planted: ME-2/miniature, and the repository is someone/miniature; "
            "correct it, or move the course: CONTRIBUTING.md, another repository",
        ),
        (
            add_text("https://github.com/OWNER/old"),
            f"{FIRST}, cell planted: OWNER/old, and the repository is someone/miniature; "
            "correct it, or move the course: CONTRIBUTING.md, another repository",
        ),
        *(
            (
                replace_text("pyproject.toml", *change),
                "pyproject.toml: does not name the public repository; under [tool.course], write "
                'repository = "owner/name"',
            )
            for change in (("repository", "repo"), ("/", "-"), ("[tool.course]", ""))
        ),
    ],
    "readmes_name_the_pinned_pytorch": [
        (
            replace_text("README.md", PINNED_TORCH, "9.9.9"),
            f"README.md: does not name PyTorch {PINNED_TORCH}, the pinned one, before any other; "
            "write it there first",
        )
    ],
    "readmes_name_the_pytorch_of_the_weekly_run": [
        (
            replace_text(".github/workflows/weekly.yml", "1.2.3", "1.2.4"),
            "README.md: does not name PyTorch 1.2.4, which .github/workflows/weekly.yml runs; make "
            "them agree",
        ),
        (
            replace_text("README.zh.md", "1.2.3", "1.2.4"),
            "README.zh.md: does not name PyTorch 1.2.3, which .github/workflows/weekly.yml runs; "
            "make them agree",
        ),
    ],
    "libraries_of_field_notes_are_pinned": [
        (
            set_metadata("title", NOTE, libraries="pandas"),
            f"{NOTE}: imports pandas; pin it in tests/requirements.txt",
        ),
        (
            set_metadata("title", NOTE, libraries="peft"),
            f"{NOTE}: needs more than PyTorch and Matplotlib; write `--ignore "
            f"{NOTE}` into .github/workflows/weekly.yml, versions",
        ),
    ],
    "chinese_pages_match_english_ones": [
        (
            lambda root: (root / "EXTRA.zh.md").write_text("# 派"),
            "EXTRA.zh.md: there is no EXTRA.md; add it, or delete this one",
        ),
        (
            replace_text("README.md", "# A", "# A 7"),
            f"{CHINESE_PART}: count of 7, in figures or words: English has 1, Chinese 0; make "
            "them agree",
        ),
        (
            replace_text("README.md", "It", "\n```\nmake\n```\n"),
            f"{CHINESE_PART}: what stands between ``` is not that of README.md; make it equal",
        ),
        (
            replace_text("README.md", "It", "\n## It"),
            "README.zh.md: has 2 parts `## …`, and README.md 3; make them equal",
        ),
        (
            replace_text("README.zh.md", "，", ","),
            "README.zh.md, # 一门微型课程,测试在里面埋下错误: 一门微型课程,测试在里面埋下错误; "
            "write 一门微型课程，测试在里面埋下错误",
        ),
        (
            replace_text("README.zh.md", "派", "Nothing derived is here.\n\n派"),
            f"{CHINESE_PART}: in English: Nothing derived is here.…; say it in Chinese",
        ),
        (
            replace_text("TEACHING.md", "# For", "# 7 for"),
            "TEACHING.zh.md, # 写给老师: count of 7, in figures or words: English has 1, "
            "Chinese 0; make them agree",
        ),
    ],
    "glossary_terms_are_used": [
        (
            replace_text("notebooks/zh/glossary.md", "| 行", "| 幽灵"),
            f"notebooks/zh/glossary.md: {CHINESE} does not say 幽灵; correct one",
        ),
        (
            replace_text("notebooks/zh/glossary.md", "01_rows", "01_row"),
            "notebooks/zh/glossary.md: 01_row.ipynb does not exist; correct the link",
        ),
    ],
    "reference_tensors_are_kept": [
        (
            replace_text(FIRST, "0.1115", "0.1116"),
            f"{FIRST}, cell table, line 1: stored is 'tensor([[-0.1116,  0.1204],', and published "
            "is 'tensor([[-0.1115,  0.1204],'; undo the change",
        ),
        (
            drop_cell("table"),
            f"{FIRST}, cell table: is gone, and tests/reference.toml has it; undo the change",
        ),
        (
            lambda root: (root / FIRST).unlink(),
            f"{FIRST}, cell table: is gone, and tests/reference.toml has it; undo the change",
        ),
        (
            replace_text("tests/reference.toml", "cell =", "id ="),
            "tests/reference.toml: a tensor lacks chapter, cell or text; undo the change",
        ),
    ],
    "figures_are_drawn": [
        (
            add_file("course/figures/bell.py", "def toll():\n    pass\n"),
            "course/figures/bell.py: no cell's `diagram` is toll; use it, or delete the function",
        ),
        (
            replace_text("course/figures/rows.py", "def one_row", "def a_clock"),
            "course/figures/rows.py: no cell's `diagram` is a-clock; use it, or delete the "
            "function",
        ),
        (
            set_metadata("diagram-one-row", diagram="three-rows"),
            "course/figures/rows.py: no cell's `diagram` is one-row; use it, or delete the "
            "function",
        ),
    ],
    "exhibits_have_their_cells": [
        (
            change_cell("table", lambda cell: cell.update(id="rows")),
            "course/exhibits.py: no cell table in 01_rows; correct its name there",
        ),
        (
            rename_notebook(FIRST, "01_lines.ipynb"),
            "course/exhibits.py: no cell table in rows; correct its name there",
        ),
        (
            add_file("course/site/data/count_lines.json", "{}"),
            "course/site/data/count_lines.json: no exhibit of course/exhibits.py writes it; "
            "delete it",
        ),
    ],
    "pictures_are_shown_once": [
        (
            lambda root: (root / "images/stray.txt").touch(),
            "images/stray.txt: no notebook shows it; use it, or delete it and the function "
            "that draws it, if there is one",
        ),
        (
            set_metadata("table-text", diagram="one-row"),
            "images/one-row.webp: two diagrams of this name; rename one and its function",
        ),
        (
            lambda root: (root / "images/two.webp").touch(),
            "images/two.webp: no notebook shows it; use it, or delete it and the function "
            "that draws it, if there is one",
        ),
        (
            lambda root: (root / "images/one-row.png").touch(),
            "images/one-row.png: no notebook shows it; use it, or delete it and the function "
            "that draws it, if there is one",
        ),
        (
            slow_down,
            "images/a-clock.webp: plays for 6.0 seconds, 5 are the limit; draw fewer frames, or "
            "shorter ones",
        ),
    ],
}
RULES_BY_MODULE = {module: RULES[module.__name__] for module in (executed, editions, repository)}
RULES_BY_MODULE |= {structure: structure.STORED_RULES}
MODULE_AND_RULE = {
    rule.__name__: (module, rule) for module, rules in RULES_BY_MODULE.items() for rule in rules
}


def count_rows(table):
    """Return the numbers of the miniature's exhibit."""
    return {"rows": len(table)}


@pytest.fixture(scope="module", autouse=True)
def exhibits_of_the_miniature():
    """The exhibits of the miniature, in place of the course's."""
    with mock.patch.dict(EXHIBITS, {("rows", "table"): count_rows}, clear=True):
        yield


@pytest.fixture(scope="module")
def miniature(tmp_path_factory):
    """The miniature course, brought up to date from nothing."""
    root = tmp_path_factory.mktemp("miniature").resolve() / "course"
    shutil.copytree(ROOT / "tests/fixture", root)
    for name in ("README.md", "README.zh.md"):
        replace_text(name, "0.0.0", PINNED_TORCH)(root)
    (root / "images").mkdir()
    with redirect_stdout(None):  # a failing test would show all that is brought up to date
        build.main([str(notebook.path) for notebook in english_notebooks(root)], root)
    return root


@pytest.fixture
def course(miniature, tmp_path):
    """A copy of it."""
    return shutil.copytree(miniature, tmp_path.resolve() / "course")


def problems_of(rule_name, root, message=""):
    """Return what a rule says of a course; see `problems_of_rules`."""
    module, rule = MODULE_AND_RULE[rule_name]
    return problems_of_rules(module, [rule], root, message)


def problems_of_rules(module, rules, root, message=""):
    """Return what some rules of a module say of a course, each of whose chapters runs once.

    If the message that is expected names a notebook, no other is run.
    """
    notebooks = all_notebooks(root) if module is structure else english_notebooks(root)
    if module is executed:
        english_message = message.replace("/zh/", "/")
        notebooks = [n for n in notebooks if str(n) in english_message] or notebooks
    try:
        if module is repository:
            return [line for rule in rules for line in rule(root)]
        return [line for notebook in notebooks for line in module.problems(notebook, rules)]
    except CourseError as error:
        return [str(error)]


@pytest.mark.parametrize("module", RULES_BY_MODULE, ids=lambda module: module.__name__)
def test_the_miniature_is_right(module, miniature):
    """If this fails, so may the others here; edit tests/fixture in JupyterLab."""
    assert not problems_of_rules(module, RULES_BY_MODULE[module], miniature)


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
    problems = problems_of(rule, course, message)
    if problems.count(message) != 1:
        pytest.fail("\n".join(["the rule says:", *problems]), pytrace=False)


def test_another_seed_is_said_once(course):
    """Not again of the Chinese cells, which have the same outputs; and what to do, at the end."""
    in_both_editions(replace_source, "table", "seed(123", "seed(122")(course)
    problems = problems_of("stored_files_are_up_to_date", course)
    cells = [line.partition(": ")[0] for line in problems]
    assert f"{FIRST}, cell one" in cells and not [cell for cell in cells if CHINESE in cell]
    advice = Notebook(course / FIRST).update_advice
    assert [line.count(advice) for line in problems] == [0] * (len(problems) - 1) + [1]


def test_counts_of_numbers_have_one_remedy(course):
    replace_source("batch-text", "(2, 2)", "(4, 5)", CHINESE)(course)
    problems = problems_of("editions_share_numbers", course)
    assert [line.count("equal_phrases") for line in problems] == [0, 0, 1]


def test_a_relative_import_is_left_to_the_run(course):
    add_code("from . import rows")(course)
    assert not problems_of("imports_are_allowed", course)


@pytest.mark.parametrize(("cells_between", "is_named"), [(3, True), (4, False)])
def test_texts_about_a_number_are_near(cells_between, is_named, course):
    stored = Notebook(course / FIRST)
    index = stored.cells.index(stored.cell("table")) + 1 + cells_between
    stored.cells.insert(index, new_markdown_cell("It is −0.1115.", id="text"))
    built = NotebookNode(stored.cell("table"), outputs=[])
    assert differences.texts_to_correct(stored, built) == ["text"] * is_named


def test_hidden_files_in_images_are_ignored(course):
    (course / "images/.DS_Store").touch()
    assert not problems_of("pictures_are_shown_once", course)


def test_what_jupyterlab_and_macos_leave_is_no_notebook(course):
    for name in (".ipynb_checkpoints/01_rows-checkpoint.ipynb", "._01_rows.ipynb"):
        (course / "notebooks" / name).parent.mkdir(exist_ok=True)
        (course / "notebooks" / name).touch()
    assert not problems_of("notebook_files_are_numbered", course)


@pytest.mark.parametrize(
    "markdown", ["`[a](nowhere.md)`", "```\n[a](nowhere.md)\n```", "`a[0][1]`", "$a[0][1]$"]
)
def test_code_and_formulas_hold_no_links(markdown, course):
    add_text(markdown)(course)
    assert not problems_of("links_lead_somewhere", course)


def test_links_to_headings(course):
    """GitHub leaves out the punctuation, puts a hyphen for each space, and numbers the equal."""
    anchors = [
        "#a-miniature-course-in-which-the-tests-plant-their-faults",
        "#x---y_z",
        "#x---y_z-1",
    ]
    anchors += ["#see-a-page", "TEACHING.zh.md#写给老师"]
    links = "".join(f"[a]({anchor})" for anchor in anchors)
    headings = "## `x` - y_z?\n## x - y_z\n## See [a page](TEACHING.md)"
    replace_text("README.md", "\n\n", f"\n\n{links}\n{headings}\n\n")(course)
    assert not problems_of("page_links_lead_somewhere", course)


def test_an_address_for_mail_is_a_link(course):
    add_text("[a](mailto:someone@a.example)")(course)
    assert not problems_of("links_lead_somewhere", course)


def test_places_are_looked_for_below_the_root(course):
    replace_text("README.md", "# A", "| `course/figures/rows.py` | a |\n# A")(course)
    assert not problems_of("places_in_tables_exist", course)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("README.zh.md", "readmes_name_the_pinned_pytorch"),
        ("Makefile", "commands_of_pages_exist"),
        ("tests/requirements.txt", "libraries_of_field_notes_are_pinned"),
        (".github/workflows/weekly.yml", "libraries_of_field_notes_are_pinned"),
        ("pyproject.toml", "links_name_one_repository"),
        ("tests/reference.toml", "reference_tensors_are_kept"),
    ],
)
def test_a_missing_file_is_one_line(name, rule, course):
    (course / name).unlink()
    line = f"{name}: there is no such file; get it back from git"
    assert problems_of(rule, course) == [line]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("pyproject.toml", "links_name_one_repository"),
        ("tests/reference.toml", "reference_tensors_are_kept"),
    ],
)
def test_a_broken_toml_file_is_one_line(name, rule, course):
    (course / name).write_text("<<<<<<< HEAD\n")
    [line] = problems_of(rule, course)
    assert re.fullmatch(rf"{name}: is no TOML \(.+\); mend it, or get it back from git", line)


HALF_A_CELL = '{"cells": [{"id": "a", "cell_type": "markdown", "metadata": {}}], "metadata": {}, '
HALF_A_CELL += '"nbformat": 4, "nbformat_minor": 5}'


@pytest.mark.parametrize(
    "text", ["", "{", '{"cells": []}', '{"cells": [], "metadata": null}', HALF_A_CELL]
)
def test_a_broken_notebook_is_one_line(text, course):
    (course / FIRST).write_text(text)
    with pytest.raises(CourseError, match=f"^{FIRST}: (not a notebook|has no cells).*$"):
        _ = Notebook(course / FIRST).cells


def test_navigation_of_a_note(course):
    owner = addresses.stored_repository(course)
    colab = f"https://colab.research.google.com/github/{owner}/blob/main/{NOTE}"
    assert Notebook(course / NOTE).cell("nav-top").source == (
        f"[Contents](../../README.md) | [← {Notebook(course / FIRST).title}](../01_rows.ipynb)"
        f" | [Open in Colab]({colab}) | [中文](../zh/notes/01_last.ipynb)"
    )


def test_every_rule_has_a_fault():
    assert MODULE_AND_RULE.keys() == FAULTS.keys(), "add the new rule to FAULTS"
    assert all(FAULTS.values()), "add a fault to the new rule's list"


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (
            change_notebook(lambda n: n.cells.insert(5, n.cells.pop(6)), CHINESE),
            "the cells have another order: in English cell .+ stands where the other has .+; make",
        ),
        (drop_cell("batch", CHINESE), r"lacks cell batch \('.+'\), after cell batch-text"),
        (add_cell(new_code_cell("1 + 1"), CHINESE), "the English edition lacks cell planted"),
        (lambda root: (root / CHINESE).unlink(), f"there is no {CHINESE}; copy this one there"),
    ],
)
def test_editions_have_the_same_cells(plant, message, course):
    plant(course)
    assert re.search(message, next(editions.problems(Notebook(course / FIRST))))


@pytest.mark.parametrize("file", [FIRST, CHINESE])
def test_a_cell_that_is_code_in_one_edition_only(file, course):
    """`make update` leaves its twin as it is, and a rule names it."""
    plant = change_cell(
        "table-text", lambda cell: cell.update(new_code_cell("1", id=cell.id)), file
    )
    plant(course)
    draft = build.build_notebook(Notebook(course / FIRST)).notebook
    cells = [notebook.cell("table-text") for notebook in draft.with_twin]
    assert ["outputs" in cell for cell in cells] == [cell.cell_type == "code" for cell in cells]
    [problem] = editions.problems(Notebook(course / FIRST))
    assert problem.endswith("cell table-text is code in one of them; make it equal")


def test_all_missing_cells_are_named_at_once(course):
    for cell_id in ("batch", "errors", "last"):
        drop_cell(cell_id, CHINESE)(course)
    problems = list(editions.problems(Notebook(course / FIRST)))
    assert [re.findall(r"lacks cell ([\w-]+)", line) for line in problems] == [
        ["batch"],
        ["errors"],
        ["last"],
    ]


def test_new_cells_in_both_editions_await_their_ids(course):
    for file, ids in ((FIRST, ("0a1b2c3d", "1a1b2c3d")), (CHINESE, ("5e6f7a8b", "6e6f7a8b"))):
        cells = [new_markdown_cell("好。", id=cell_id) for cell_id in ids]
        change_notebook(lambda n, cells=cells: n.cells.__setitem__(slice(5, 5), cells), file)(
            course
        )
    drop_cell("last", CHINESE)(course)
    first, second, third = editions.problems(Notebook(course / FIRST))
    place, remedy = f"{CHINESE}, and {FIRST}", "run `make update`, which gives both the same id"
    assert first == f"{place}: the English cell 0a1b2c3d and the Chinese 5e6f7a8b are new; {remedy}"
    assert (
        second == f"{place}: the English cell 1a1b2c3d and the Chinese 6e6f7a8b are new; {remedy}"
    )
    assert "the Chinese edition lacks cell last" in third


@pytest.mark.parametrize("cell_id", ["batch", "batch-text"])
def test_another_id_in_one_edition_is_one_line(cell_id, course):
    change_cell(cell_id, lambda cell: cell.update(id="pair"))(course)
    [problem] = editions.problems(Notebook(course / FIRST))
    assert problem.endswith(f"cell pair is called {cell_id} in Chinese; give both the same id")


def test_an_empty_cell_lacks_no_twin(course):
    add_code("")(course)
    assert not list(editions.problems(Notebook(course / FIRST)))


@pytest.mark.parametrize("definition", ["class Bag:", "def bag():", "async def bag():"])
def test_docstrings_may_differ(definition, course):
    for file, docstring in ((FIRST, "Add all rows."), (CHINESE, "把各行相加。")):
        code = f'{definition}\n    """{docstring}"""\n\n\ntable'
        replace_source("last", "table", code, file)(course)
    assert not problems_of("editions_share_code", course)


def test_words_of_a_judge_may_differ_before_its_cells_have_their_ids(course):
    in_both_editions(change_cell, "try-2-cases", lambda cell: cell.update(id="after-try-2"))(course)
    assert not problems_of("editions_share_code", course)


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


@pytest.mark.parametrize("number_and_target", ["11](11_more.ipynb", "2](02_clock.ipynb#more"])
def test_a_wrong_link_to_a_chapter_is_one_line(number_and_target, course):
    add_text(f'[chapter {number_and_target} "hand")')(course)
    rules = [structure.chapter_links_match_the_chapter, structure.links_lead_somewhere]
    [problem] = structure.problems(Notebook(course / FIRST), rules)
    assert number_and_target.partition("(")[2] in problem


def test_a_link_to_a_part_of_a_chapter_is_a_link(course):
    add_text('[chapter 2](02_clock.ipynb#more "sum")')(course)
    assert not problems_of("chapters_are_named_in_links", course)


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
    assert names.names_in_code(code) == set("x k alpha b c d grad g h".split())


def test_names_of_a_comprehension_stay_in_it():
    """Since Python 3.12, symtable has those of lists, sets and dictionaries among the cell's."""
    cell = new_code_cell("rows = [[{k: v for k in a} for v in b], {i for i in c}]")
    assert names.defined_names(cell) == {"rows"}
    assert names.global_names(names.symbol_tables(cell)) == set("rows a b c".split())


def test_folders_of_a_notebook_are_removed():
    folder = tempfile.TemporaryDirectory()
    run.remove_folders({"folder": folder, "rows": 3})
    assert not Path(folder.name).exists()


def test_curves_are_drawn_without_thresholds(course):
    """Matplotlib's simplified paths move by a pixel with a rounding error."""
    add_code("import matplotlib\nmatplotlib.rcParams['path.simplify']")(course)
    cell_run = build.build_notebook(Notebook(course / FIRST)).cell_runs["planted"]
    assert cell_run.outputs[0].data["text/plain"] == "False"


def test_an_exercise_leaves_no_name_to_the_cells(miniature):
    """Neither an answer nor the Chinese checker, which both run between the cells."""
    namespace = run.run_notebook(build.read_draft(Notebook(miniature / FIRST))).namespace
    assert not {"ids", "last"} & namespace.keys()
    assert namespace["messages"]["right"] == WORDS["en"]["right"]


def test_no_random_number_is_taken_from_the_cells(course):
    """A draw in the metadata changes no cell below it."""
    in_both_editions(replace_source, "last", "table[-1].shape", "torch.randn(2)")(course)
    printed = []
    for expression in ("torch.randn(2).numel() - 1", "1"):
        in_both_editions(set_metadata, "one-text", computed={"1": expression})(course)
        cell_runs = build.build_notebook(Notebook(course / FIRST)).cell_runs
        printed.append(cell_runs["last"].outputs[0]["data"]["text/plain"])
    assert printed[0] == printed[1]


def test_a_run_starts_no_gpu(miniature, monkeypatch):
    """By default, PyTorch would start each of several to keep its generator, and warn."""
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert run.run_notebook(build.read_draft(Notebook(miniature / FIRST))).cell_runs


def test_a_default_dtype_ends_with_its_notebook(course):
    code = "torch.set_default_dtype(torch.float64)\ntorch.ones(1).dtype"
    in_both_editions(replace_source, "last", "table[-1].shape", code)(course)
    try:
        build.main([str(course / FIRST)], course)
        assert torch.get_default_dtype() == torch.float32
        assert not problems_of("stored_files_are_up_to_date", course)
        assert torch.get_default_dtype() == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("version", [f"{PINNED_TORCH}+cu130", "9.9.9"])
def test_no_comparison_depends_on_the_build(version, miniature, monkeypatch):
    """Whatever torch calls itself, the run and the stored output agree."""
    monkeypatch.setattr(torch, "__version__", version)
    assert not problems_of("stored_files_are_up_to_date", miniature)


def test_update_refuses_another_pytorch(course, monkeypatch):
    monkeypatch.setattr(torch, "__version__", "2.5.0+cpu")
    message = f"this is PyTorch 2.5.0.cpu, and {PINNED_TORCH} is pinned; run"
    with pytest.raises(CourseError, match=message):
        build.main([], course)
    monkeypatch.setattr(torch, "__version__", f"{PINNED_TORCH}+cu130")
    build.main([str(course / NOTE)], course)


def run_pytest(*arguments):
    """Run pytest on some files as the course does, and return what it prints."""
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest", "-q"]
    command += map(str, arguments)
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return result.stdout


def test_a_notebook_with_a_conflict_is_one_line(course):
    replace_text(FIRST, "{", "<<<<<<< HEAD\n{")(course)
    _, _, report = run_pytest("-n2", course / FIRST).partition("= ERRORS =")
    lines = [line for line in report.splitlines()[1:] if line[:1] not in "_[="]
    assert lines[0].startswith(f"{FIRST}: not a notebook"), report
    assert lines[1].startswith("ERROR "), report


def test_faults_that_nbval_sees(course):
    """In a kernel: a digit, no output, a stale one, an error. Each is named, and nothing else."""
    replace_text(FIRST, "-0.1115,  0.1204", "0.1204, -0.1115")(course)  # in another order
    change_cell("batch", lambda cell: cell.outputs.clear())(course)
    replace_source("errors", "(4, ", "(5, ")(course)
    replace_source("last", "table", "tabel")(course)
    printed = run_pytest("-n0", course / FIRST)
    reported = re.findall(rf"^{FIRST}, cell ([\w-]+): (.*)", printed, re.MULTILINE)
    problems = dict(reported)
    assert problems.pop("last") == "Cell execution caused an exception; correct the code"
    assert problems.keys() == {"table", "batch", "errors"}, printed
    remedy = "read the text about it; if the new ones are right, "
    remedy += Notebook(course / FIRST).update_advice
    for cell_id, problem in problems.items():
        assert problem.startswith("Cell outputs differ; stored is "), problem
        assert problem.endswith(remedy), problem
        assert ("; sort what prints in another order" in problem) == (cell_id == "table"), problem


def test_update_brings_what_changed_up_to_date(course, capsys):
    replace_source("title", "A table", "One table")(course)
    replace_source("diagram-one-row", "Row 1", "Row [1]")(course)  # a bracket in an alt text
    in_both_editions(replace_source, "table", "seed(123", "seed(122")(course)
    change_cell("try-1-stub", lambda cell: cell.metadata.wrong.update({"ids = 7": ""}))(course)
    ids = ("0a1b2c3d", "4d8f1c2a-93b7-4e06-a5d1-7c60e2f98b34", "5e6f7a8b")
    cells = [new_markdown_cell("好。", id=cell_id) for cell_id in ids]
    for file in (FIRST, CHINESE):
        change_notebook(lambda n: n.cells.__setitem__(slice(5, 5), cells), file)(course)
    build.main([str(course / FIRST)], course)
    printed = capsys.readouterr().out
    names = ("three-rows", "one-row")
    written = [FIRST, CHINESE, SECOND, "README.md", *(f"images/{name}.webp" for name in names)]
    assert all(f"wrote {name}\n" in printed for name in written), printed
    assert f"{FIRST}, cell one: stored is" in printed and f"running {SECOND}" not in printed
    ids = list(Notebook(course / FIRST).cells_by_id)
    assert ids[4:8] == ["table", "after-table", "after-table-2", "after-table-3"]
    assert Notebook(course / CHINESE).cell("try-1-stub").metadata.wrong["ids = 7"]
    for rule in ("stored_files_are_up_to_date", "tables_of_chapters_are_up_to_date"):
        assert not problems_of(rule, course)


def test_a_number_in_a_name_stays_in_the_id_after_it(course):
    """The 2 of a diagram row-2 is part of its name."""
    cells = [new_markdown_cell("好。", id=cell_id) for cell_id in ("0a1b2c3d", "4d8f1c2a")]
    set_metadata("diagram-one-row", diagram="row-2")(course)
    notebook = Notebook(course / FIRST)
    start = notebook.cells.index(notebook.cell("diagram-one-row"))
    notebook.cells[start + 1 : start + 1] = cells
    build.assign_cell_ids(notebook)
    ids = [cell.id for cell in notebook.cells[start : start + 3]]
    assert ids == ["diagram-row-2", "after-diagram-row-2", "after-diagram-row-2-2"]


def test_a_second_diagram_of_a_name_keeps_its_id(course):
    set_metadata("table-text", diagram="one-row")(course)
    assert "table-text" in build.read_draft(Notebook(course / FIRST)).cells_by_id


def test_update_takes_the_files_of_either_language(miniature):
    names = [str(miniature / name) for name in (SECOND, CHINESE, FIRST)]
    requested = build.requested_notebooks(names, miniature)
    assert requested == [Notebook(miniature / FIRST), Notebook(miniature / SECOND)]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("notebooks/03_more.ipynb", "no notebook of the course; name one as notebooks/05_grad"),
        ("--hlep", "no such option; `--help` says what this command takes"),
    ],
)
def test_update_refuses_another_argument(name, problem, miniature):
    with pytest.raises(CourseError, match=f"^{name}: {problem}"):
        build.requested_notebooks([name], miniature)


def test_update_names_the_cells_of_a_new_exercise(course):
    """Those that JupyterLab has given random ids, as a copy of another exercise has."""
    notebook = Notebook(course / FIRST)
    start = notebook.cells.index(notebook.cell("try-2"))
    copies = [NotebookNode(cell) for cell in notebook.cells[start : start + 4]]
    copies[0].source = copies[0].source.replace("**2.**", "**3.**")
    for count, cell in enumerate(copies):
        cell.id = f"0a1b2c3{count}"
    notebook.cells[start + 4 : start + 4] = copies
    notebook.path.write_text(notebook.text, encoding="utf-8")
    ids = [cell.id for cell in build.read_draft(Notebook(course / FIRST)).cells]
    assert ids[start + 4 : start + 8] == ["try-3", "try-3-cases", "try-3-stub", "try-3-solution"]


def test_update_needs_no_chinese_edition(course):
    """Whoever writes no Chinese gets the outputs, and a rule names what is missing."""
    (course / CHINESE).unlink()
    change_cell("table", lambda cell: cell.outputs.clear())(course)
    build.main([str(course / FIRST)], course)
    assert Notebook(course / FIRST).cell("table").outputs
    problems = list(editions.problems(Notebook(course / FIRST)))
    assert problems == [
        f"{FIRST}: there is no {CHINESE}; copy this one there, and write it in Chinese"
    ]


def test_update_keeps_pictures_that_another_processor_drew(course):
    """A diagram that differs by rounding errors is not stored anew; one that differs is."""
    file = diagram_path(course, "one-row")
    [(frame, duration)] = decode_frames(file.read_bytes())
    near, far = frame.copy(), frame.copy()
    near.putpixel((0, 0), tuple(level - 1 for level in frame.getpixel((0, 0))))
    far.paste("black", (0, 0, 9, 9))
    for picture, is_kept in ((near, True), (far, False)):
        stored = encode_webp([(picture, duration)])
        file.write_bytes(stored)
        build.main([str(course / FIRST)], course)
        assert (file.read_bytes() == stored) == is_kept


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


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (
            in_both_editions(replace_source, "last", "table", "tabel"),
            "cell last: line 1 raises NameError",
        ),
        (replace_text("README.md", "<!-- chapters -->", ""), "^README.md: put the lines"),
        (replace_text("TEACHING.md", "2 clock", "2 watch"), "^TEACHING.md: put `2 clock` into"),
    ],
)
def test_update_writes_nothing_on_an_error(plant, message, course):
    (course / "images/one-row.webp").unlink()
    plant(course)
    before = contents_of(course)
    with pytest.raises(CourseError, match=message):
        build.main([str(course / FIRST)], course)
    assert before == contents_of(course)


def test_an_endless_cell_is_ended(course, monkeypatch):
    monkeypatch.setattr(run, "NBVAL_SECONDS", 1)
    replace_source("one", "table[1]", "while True:\n    pass")(course)
    with pytest.raises(CourseError, match="cell one: it takes more than 1 seconds; correct it"):
        build.main([str(course / FIRST)], course)


def test_update_stores_no_wrong_answer_that_is_right(course):
    set_metadata("try-1-stub", wrong={"ids = [2, 0]": ""})(course)
    before = contents_of(course)
    with pytest.raises(CourseError, match=r"try-1-stub: to 'ids = \[2, 0\]' it says '✔ correct'"):
        build.main([str(course / FIRST)], course)
    assert before == contents_of(course)


def test_an_endless_wrong_answer_is_ended(course, monkeypatch):
    monkeypatch.setattr(run, "CELL_SECONDS", 1)
    set_metadata("try-1-stub", wrong={"while True: pass": ""})(course)
    with pytest.raises(CourseError, match="takes more than 1 seconds; correct it: 'while True"):
        build.main([str(course / FIRST)], course)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such clock")
def test_a_time_limit_ends_with_its_block():
    def handler(*_):
        pass

    handler_before = signal.signal(signal.SIGALRM, handler)
    try:
        with run.time_limit(60):
            assert signal.getsignal(signal.SIGALRM) is not handler
        assert signal.alarm(0) == 0
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.signal(signal.SIGALRM, handler_before)


def test_a_section_begins_at_a_heading_of_level_2(course):
    add_text("### Not here")(course)
    sections = run.code_sections(Notebook(course / FIRST))
    ids = [" ".join(cell.id for cell in section) for section in sections if section]
    assert ids[:2] == ["version table one batch", "errors order last plot"]


@pytest.mark.parametrize(("kind", "is_same"), [("execute_result", True), ("display_data", False)])
def test_an_output_of_another_kind_is_another(kind, is_same):
    outputs = [new_output(k, data={"text/plain": "3"}) for k in ("execute_result", kind)]
    assert build.same_output(*outputs) == is_same


def test_links_of_the_navigation_are_left_to_the_update(course):
    replace_source("nav-bottom", "02_clock", "02_bell")(course)
    assert not problems_of("links_lead_somewhere", course)


def test_update_stores_the_numbers_of_an_exhibit(course, capsys):
    file = course / DATA_FOLDER / "count_rows.json"
    file.unlink()
    build.main([str(course / FIRST)], course)
    assert file.read_text() == '{"rows": 3}\n'
    assert "count_rows.json: is new; `git add` it\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("stub", "answer"),
    [
        ("try-1-stub", "raise KeyboardInterrupt"),
        ("try-2-stub", "def last(rows):\n    raise KeyboardInterrupt"),
    ],
)
def test_an_interrupt_in_an_answer_ends_the_update(stub, answer, course):
    """Whoever presses Ctrl-C is not told that an answer takes too long, or is wrong."""
    set_metadata(stub, wrong={answer: ""})(course)
    with pytest.raises(KeyboardInterrupt):
        build.main([str(course / FIRST)], course)


@pytest.mark.parametrize("metadata", [{}, {"output_digest": ""}])
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


def test_chapters_in_readme(course):
    """A chapter takes a line, its first sentence, and a line for each note."""
    page = tables.build_pages(course)[course / "README.md"].decode()
    lines = [
        f"**[{Notebook(course / FIRST).title}]({FIRST})** ●○○\xa07′",
        "Ask for a number, and get a row.",
        f"<small>↳ [{Notebook(course / NOTE).title}]({NOTE})\xa01′</small>",
    ]
    assert "\n\n" + "<br>\n".join(lines) + "\n\n" in page, page


def test_goals_of_chapters_in_teaching(course):
    page = tables.build_pages(course)[course / "TEACHING.md"].decode()
    line = rf"\({FIRST}\)\*\* ●○○\xa0\d′\n\n- \*\*You will see\*\* "
    assert re.search(line, page), page
    assert f"\n- ↳ [{Notebook(course / NOTE).title}]({NOTE})\n" in page


@pytest.mark.parametrize(("stored", "written"), [(6, 6), (7, 7), (8, 7)])
def test_minutes_stay_until_they_are_off_by_one(stored, written, course):
    """The first chapter takes 6.7 of them: a typo changes no other file."""
    replace_source("title", "about 7 minutes", f"about {stored} minutes")(course)
    draft = build.read_draft(Notebook(course / FIRST))
    assert f"about {written} minutes" in draft.cell("title").source
