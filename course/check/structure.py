"""Rules on a notebook as it is stored, beside those in `exercises` and `numbers`."""

import ast
import re
import sys
from itertools import pairwise

from nbval.plugin import comment_markers

from course.answers import FOLD_FIRST_PARAGRAPH, LEVEL_2_HEADING, QUESTION_MARKS
from course.check import RULES, CellProblems, Problems, Rules, exercises, numbers, rule
from course.check.links import dead_links, link_targets, lower_case_text
from course.check.names import (
    assigned_values,
    defined_names,
    global_names,
    imported_names,
    names_in_code,
    symbol_tables,
    syntax_nodes,
)
from course.check.typography import (
    autocorrect_problems,
    raw_asterisks,
    untranslated_lines,
    untranslated_remarks,
)
from course.exercises import part_of_exercise
from course.languages import EDITIONS
from course.notebook import (
    CODE_BLOCK,
    FORMULA,
    NAVIGATION,
    Notebook,
    english_notebooks,
    headings,
    is_stub,
    without_picture,
)

MAX_BYTES = 500_000
MAX_COLUMNS = 88
# The cells that every chapter has, and every note, in this order.
FIXED_CELLS = ["title", "nav-top", "summary", "recall", "try", "open", "nav-bottom"]
FIXED_CELLS_OF_NOTES = ["title", "nav-top", "practice", "nav-bottom"]
METADATA_OF_TEXTS = ("citations", "computed", "diagram", "equal_phrases", "handout")
METADATA_OF_TITLES = ("libraries", "search_words")
METADATA_BY_LANGUAGE = ("neutral_heading", "search_words")
CELL_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The letters that a formula may have beside the names of the code: indices, e, and T, transposed.
FREE_LETTERS = set("ijkteT")
HTML_TAG = re.compile(r"</?([a-zA-Z]\w*)[^>]*>")
HTML_ALLOWED = {"details", "summary", "br"}
# A row or a bullet of "What people do"; a table's head is followed by a line of hyphens.
PRACTICE_ROW = re.compile(r"^(?:- |\|)(?!-+\|)(?!.*\n\|-).*$", re.MULTILINE)
SENTENCE_END = re.compile(r"[.?!](?=\s|$)|[。？！]")
CHAPTER_LINK = re.compile(
    r'\[(?:[Cc]hapter |第 ?)(\d+)(?: ?章)?\]\(([\w/.]+\.ipynb)(?:#\S+)? "([^"]+)"\)'
)
SEEDED_FUNCTION = re.compile(r"seed$|\bRandom$")
TORCH_RESULT = re.compile(r"\d\.\d{4}")  # torch prints four decimals
# Modules that reach out. Chapter 14 needs none: torch.distributed opens its own sockets.
NETWORK = {"ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "ssl", "telnetlib", "urllib"}
ALLOWED_MODULES = (sys.stdlib_module_names | {"torch", "matplotlib"}) - NETWORK
# Importing these logs to stderr where CUDA's compiler is installed and no GPU is.
LOGGING_MODULES = ("torch.utils.benchmark", "torch.utils.cpp_extension")


@rule
def file_is_small(notebook: Notebook) -> CellProblems:
    """Every reader's viewer shows a file of this size."""
    if (size := notebook.path.stat().st_size) > MAX_BYTES:
        remedy = "make a plot or a diagram smaller"
        yield None, f"{size:,} bytes, {MAX_BYTES:,} are the limit; {remedy}"


@rule
def cells_are_code_or_markdown(notebook: Notebook) -> CellProblems:
    """No cell is raw, which most viewers do not show."""
    for cell in notebook.cells:
        if cell.cell_type not in ("code", "markdown"):
            yield cell, "is a raw cell, which few viewers show; make it Markdown"


@rule
def cell_ids_are_words(notebook: Notebook) -> CellProblems:
    """A cell's id is made of words, such as `two-rows`."""
    for cell in notebook.cells:
        if cell.source.strip() and not CELL_ID.fullmatch(cell.id):
            yield cell, "its id is no name; use one like `two-rows`, or run `make update`"


@rule
def metadata_belongs_to_its_cell(notebook: Notebook) -> CellProblems:
    """Each key of the metadata is on a cell of the kind that it is for, and has a valid value."""
    for cell in notebook.cells:
        metadata = cell.metadata
        for key in filter(metadata.__contains__, METADATA_OF_TEXTS):
            if cell.cell_type != "markdown":
                yield cell, f"{key} in its metadata is for Markdown; put it on a text, or remove it"
        for key in filter(metadata.__contains__, METADATA_OF_TITLES):
            if cell.id != "title":
                yield cell, f"{key} in its metadata is for the title's cell; move it there"
        for key in filter(metadata.__contains__, METADATA_BY_LANGUAGE):
            if metadata[key].keys() != EDITIONS.keys():
                yield cell, f"{key} in its metadata lacks a language of {sorted(EDITIONS)}; add it"
        if (part := metadata.get("handout", "fold")) not in ("fold", FOLD_FIRST_PARAGRAPH):
            remedy = f'write "fold" or "{FOLD_FIRST_PARAGRAPH}"'
            yield cell, f"handout in its metadata is {part!r}; {remedy}"
        if "wrong" in metadata and not is_stub(cell):
            yield cell, "wrong in its metadata is for the stub of an exercise; move it there"


@rule
def cells_with_kept_outputs_stand_alone(notebook: Notebook) -> CellProblems:
    """No other cell needs what a cell defines whose output is kept: it is not always run.

    What the other cell defines anew it does not need.
    """
    kept_cells = [cell for cell in notebook.code_cells if "output_digest" in cell.metadata]
    run_cells = [cell for cell in notebook.code_cells if "output_digest" not in cell.metadata]
    for kept_cell in kept_cells:
        for run_cell in run_cells:
            undefined_names = global_names(symbol_tables(run_cell)) - defined_names(run_cell)
            for name in sorted(defined_names(kept_cell) & undefined_names):
                problem = f"its output is kept, and cell {run_cell.id} needs its {name}"
                yield kept_cell, f"{problem}; remove output_digest, or define {name} elsewhere"


@rule
def fixed_cells_stand_in_order(notebook: Notebook) -> CellProblems:
    """The cells that open and close every notebook are there, each under its heading."""
    expected_ids = FIXED_CELLS_OF_NOTES if notebook.is_note else FIXED_CELLS
    present_ids = [cell.id for cell in notebook.cells if cell.id in expected_ids]
    if present_ids != expected_ids:
        yield None, f"has the cells {present_ids}; wanted are, in this order, {expected_ids}"
        return
    for cell_id, heading in notebook.edition.fixed_headings.items():
        if cell_id in expected_ids:
            cell = notebook.cell(cell_id)
            if not cell.source.startswith(f"## {heading}\n"):
                yield cell, f"does not begin with `## {heading}`; put that heading there"


@rule
def each_practice_is_a_sentence_with_a_link(notebook: Notebook) -> CellProblems:
    """Each row and bullet of "What people do" is one sentence, and links to its source."""
    heading = f"## {notebook.edition.fixed_headings['practice']}\n"
    for cell in notebook.markdown_cells:
        _, _, practice = cell.source.partition(heading)
        for row in PRACTICE_ROW.findall(practice):
            start = row.strip("-| ")[:30]
            sentence = re.sub(r"`[^`]*`|\*\*.*?\*\*", "", row)
            if not any(link_targets(row)):
                yield cell, f"`{start}…` has no link; link to its source, or leave it out"
            if len(SENTENCE_END.findall(sentence)) > 1:
                yield cell, f"`{start}…` is more than a sentence; keep one"


@rule
def title_matches_file(notebook: Notebook) -> CellProblems:
    """The title begins with the number of the file; that of a note is a question."""
    title, start = notebook.cells[0], f"# {notebook.number} · "
    if notebook.is_note and not re.match(r".+[?？](\n|$)", title.source):
        yield title, "the title of a note is its question; end it with a `?`"
    elif not notebook.is_note and not title.source.startswith(start):
        yield title, f"the title does not begin with `{start}`; give it the file's number"


@rule
def number_is_that_of_one_chapter(notebook: Notebook) -> CellProblems:
    """A chapter shares its number with no other; a note has that of a chapter."""
    number, chapters = notebook.number, notebook.chapters_with_same_number
    if notebook.is_note and not chapters:
        yield None, f"there is no chapter {number}, to which it belongs; rename it"
    elif not notebook.is_note and len(chapters) > 1:
        yield None, f"another chapter has the number {number}, too; renumber one"


@rule
def chapter_has_a_diagram(notebook: Notebook) -> CellProblems:
    """A chapter, unlike a note, holds at least one diagram."""
    if not notebook.is_note and not any("diagram" in cell.metadata for cell in notebook.cells):
        yield None, "has no diagram; draw one (CONTRIBUTING.md, a figure)"


@rule
def only_h1_is_in_first_cell(notebook: Notebook) -> CellProblems:
    """The title is the one H1; the web edition is not built if a level is skipped."""
    for cell in notebook.markdown_cells:
        titles = [words for marks, words in headings(cell) if marks == "#"]
        surplus = titles[1:] if cell is notebook.cells[0] else titles
        for words in surplus:
            yield cell, f"`# {words}` is a second title; write `## {words}`"


@rule
def bold_is_shown_as_bold(notebook: Notebook) -> CellProblems:
    """No text shows the asterisks that were to make it bold."""
    for cell in notebook.markdown_cells:
        yield from ((cell, problem) for problem in raw_asterisks(without_picture(cell)))


@rule
def imports_are_allowed(notebook: Notebook) -> CellProblems:
    """The code imports the standard library, torch and matplotlib alone, and no network.

    A field note may import the libraries, too, that its title cell declares.
    The run, of plain Python in an empty folder, reports magics, and files that are read.
    """
    allowed = ALLOWED_MODULES | set(notebook.libraries if notebook.is_note else [])
    for cell in notebook.code_cells:
        for name in imported_names(cell):
            if name.split(".")[0] not in allowed:
                declare = ", or declare it (CONTRIBUTING.md, a field note)" * notebook.is_note
                yield cell, f"imports {name}; use stdlib, torch, matplotlib{declare}"
            if name.startswith(LOGGING_MODULES):
                yield cell, f"imports {name}, which logs to stderr on some machines; use timeit"


@rule
def libraries_are_imported_and_installed(notebook: Notebook) -> CellProblems:
    """A field note imports each library that it declares, and says how to install them."""
    title = notebook.cells[0]
    names = [name for cell in notebook.code_cells for name in imported_names(cell)]
    for library in set(notebook.libraries) - {name.split(".")[0] for name in names}:
        yield title, f"declares {library}, and no code imports it; remove it"
    if notebook.libraries and "`%pip install " not in title.source:
        yield title, f"does not install {notebook.libraries[0]}; write `%pip install …` there"


@rule
def nbval_sees_every_cell(notebook: Notebook) -> CellProblems:
    """No comment tells nbval to pass by a cell, or to ignore what it prints."""
    for cell in notebook.code_cells:
        for marker in filter(cell.source.__contains__, comment_markers):
            yield cell, f"the comment {marker} hides it from nbval; remove it"


@rule
def lines_of_code_fit_the_page(notebook: Notebook) -> CellProblems:
    """No line of code is longer than the column of the web edition."""
    for cell in notebook.code_cells:
        for line in cell.source.splitlines():
            if len(line) > MAX_COLUMNS:
                start = line.strip()[:30]
                columns = f"{len(line)} columns, {MAX_COLUMNS} are the limit"
                yield cell, f"`{start}…` has {columns}; break it"


@rule
def code_holds_no_results(notebook: Notebook) -> CellProblems:
    """What the code computes is printed, never written there."""
    for cell in notebook.code_cells:
        for result in TORCH_RESULT.findall(cell.source):
            yield cell, f"the code holds a result, {result}…; print it (a setting: 1e-4)"


@rule
def seeds_are_123(notebook: Notebook) -> CellProblems:
    """Every seed is that of the published notebooks."""
    nodes = [(cell, node) for cell in notebook.code_cells for node in syntax_nodes(cell.source)]
    seeds = [
        (cell, argument)
        for cell, node in nodes
        if isinstance(node, ast.Call) and SEEDED_FUNCTION.search(ast.unparse(node.func))
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]
    ]
    names = {seed.id for _, seed in seeds if isinstance(seed, ast.Name)}
    seeds += [
        (cell, value)
        for cell, node in nodes
        for name, value in assigned_values(node)
        if name in names
    ]
    for cell, seed in seeds:
        if not isinstance(seed, ast.Name) and ast.unparse(seed) != "123":
            yield cell, f"seed {ast.unparse(seed)}; use 123, as everywhere"


@rule
def images_are_described_diagrams(notebook: Notebook) -> CellProblems:
    """Every image is a diagram in its own cell, with a sentence for who cannot see it."""
    least = notebook.edition.min_alt_letters
    for cell in notebook.markdown_cells:
        source = without_picture(cell)
        if "diagram" not in cell.metadata:
            if "![" in source:
                yield cell, "an image, and no `diagram` in the cell's metadata; see CONTRIBUTING.md"
        elif len(source) < len("![]()") + least:
            remedy = f"say what the figure shows in {least} letters or more"
            yield cell, f"the alt text is short; {remedy}"


@rule
def every_viewer_shows_the_markup(notebook: Notebook) -> CellProblems:
    """Markdown has no attachment, and no HTML but what folds an answer and breaks a line."""
    for cell in notebook.markdown_cells:
        if cell.get("attachments"):
            yield cell, "an attachment, which Colab does not show; draw a figure (CONTRIBUTING.md)"
        text = re.sub(r"`[^`]*`", "", CODE_BLOCK.sub("", without_picture(cell)))
        for tag in sorted({tag.lower() for tag in HTML_TAG.findall(text)} - HTML_ALLOWED):
            yield cell, f"<{tag}>, which not every reader shows; use Markdown"


@rule
def chinese_edition_is_in_chinese(notebook: Notebook) -> CellProblems:
    """In the Chinese edition nothing is left in English, and all is set as Chinese is."""
    if not notebook.is_chinese:
        return
    for cell in notebook.cells:
        if cell.id in NAVIGATION:
            continue
        source, is_markdown = without_picture(cell), cell.cell_type == "markdown"
        sentences = list(autocorrect_problems(source, "md" if is_markdown else "py"))
        sentences += untranslated_lines(source) if is_markdown else untranslated_remarks(source)
        for sentence in sentences:
            yield cell, sentence


@rule
def formulas_use_names_of_the_code(notebook: Notebook) -> CellProblems:
    """A letter of a formula is a name of the code, and a word stands in it; `x_k` is x and k."""
    sources = [cell.source for cell in notebook.code_cells if cell.id != "checker"]
    words = set(re.findall(r"[A-Za-z]{2,}", "\n".join(sources)))
    known_names = words.union(FREE_LETTERS, *map(names_in_code, sources))
    for cell in notebook.markdown_cells:
        for formula in FORMULA.findall(without_picture(cell)):
            names = re.findall(r"(?<!\\)\b[A-Za-z]+", re.sub(r"\\[A-Za-z]+", " ", formula))
            for name in sorted(set(names) - known_names):
                yield cell, f"no code says {name}; use the letters of the code"


@rule
def question_ends_the_text_before_its_code(notebook: Notebook) -> CellProblems:
    """No paragraph stands between a question and its code: else its answer is not folded."""
    for text, code in pairwise(notebook.cells):
        if (text.cell_type, code.cell_type) != ("markdown", "code") or part_of_exercise(text.id):
            continue
        *earlier_paragraphs, last = LEVEL_2_HEADING.split(text.source)[-1].strip().split("\n\n")
        for paragraph in earlier_paragraphs:
            if paragraph.endswith(QUESTION_MARKS) and not last.endswith(QUESTION_MARKS):
                remedy = "end the text with it, so that its answer is folded"
                yield text, f"`…{paragraph[-30:]}` is not its last paragraph; {remedy}"


@rule
def links_lead_somewhere(notebook: Notebook) -> CellProblems:
    """Every relative link leads to a file; those of the navigation are derived."""
    for cell in notebook.markdown_cells:
        if cell.id not in NAVIGATION:
            for sentence in dead_links(without_picture(cell), notebook.path, notebook.root):
                yield cell, sentence


@rule
def chapter_links_match_the_chapter(notebook: Notebook) -> CellProblems:
    """A link to a chapter has the chapter's number, and as its title a word that stands there.

    `[chapter 9](09_limits.ipynb "infinity")`: a reader sees the word under the mouse.
    """
    for cell in notebook.markdown_cells:
        for number, target, words in CHAPTER_LINK.findall(without_picture(cell)):
            chapter = Notebook(notebook.path.parent / target)
            if not chapter.path.name.startswith(f"{int(number):02}_"):
                yield cell, f"chapter {number} is not {target}; correct one"
            elif chapter.path.exists() and words.lower() not in lower_case_text(chapter):
                yield cell, f"{target} does not say {words!r}; use words from there"


@rule
def chapters_are_named_in_links(notebook: Notebook) -> CellProblems:
    """Where a chapter is named it exists, and but for the title's cell it is a link."""
    chapter_numbers = {chapter.number for chapter in english_notebooks(notebook.root)}
    link = '[chapter 9](09_limits.ipynb "a word from there")'
    for cell in notebook.markdown_cells:
        text_without_links = CHAPTER_LINK.sub("", without_picture(cell))
        for reference in numbers.CHAPTER_REFERENCE.findall(text_without_links):
            missing_numbers = set(map(int, re.findall(r"\d+", reference))) - chapter_numbers
            if missing_numbers:
                yield cell, f"there is no chapter {min(missing_numbers)} yet; name another"
            elif cell.id != "title":
                yield cell, f"{reference} is no link; write it like {link}"


STORED_RULES = [*RULES[__name__], *RULES[exercises.__name__], *RULES[numbers.__name__]]


def problems(notebook: Notebook, rules: Rules = STORED_RULES) -> Problems:
    """Yield a line for each problem of a stored notebook."""
    for check in rules:
        yield from (f"{notebook.place_of(cell)}: {sentence}" for cell, sentence in check(notebook))
