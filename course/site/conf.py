"""Sphinx's configuration, read once for each language: `--tag en` or `--tag zh`."""

import html
import re
from itertools import count
from pathlib import Path

import docutils.nodes
import latex2mathml.converter
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from PIL import Image
from sphinx.application import Sphinx

from course import ROOT, addresses
from course.answers import fold_answers, join_folded, neutralize_headings
from course.exhibits import exhibit_of
from course.languages import EDITIONS
from course.navigation import notes_line
from course.notebook import (
    EMBEDDED_PICTURE,
    NAVIGATION,
    Notebook,
    chinese_notebooks,
    diagram_path,
    english_notebooks,
    is_folded,
    is_stub,
    plots,
)
from course.site.front import exhibit, front_page

GITHUB = f"https://github.com/{addresses.published_repository()}"
IS_CHINESE = tags.has("zh")  # noqa: F821 (Sphinx puts tags here)
EDITION = EDITIONS["zh" if IS_CHINESE else "en"]
PAGES = {  # the notebooks by the names of their pages
    f"notes/{notebook.path.stem}" if notebook.is_note else notebook.path.stem: notebook
    for notebook in (chinese_notebooks() if IS_CHINESE else english_notebooks())
}
CHAPTERS = {name: notebook for name, notebook in PAGES.items() if not notebook.is_note}
MAX_UNBROKEN = 16  # letters of code in a line of text that stay together
OPERATOR = re.compile(r"(?<=[\w)]) ([−+×=]) (?=[\w(])")
SENTENCE_ON_KEYS = re.compile("[^.。]*Shift-Enter[^.。]*[.。]")
HYPHENATED = re.compile(r"(\w+(?:-\w+)+)")
OUTPUT_FOLD = re.compile(r'(below-input">\s*<summary>\s*<p [^>]*>)[^<]*(</p>\s*<p [^>]*>)[^<]*')
PART = re.compile(r'<section id="[^"]+">\n(?=<h[23])')
SECTION = re.compile(r'(<section id="([\w-]+)">\n)<h([23])>')
# From the root of the website to this language; from a page to the same page in the other one.
THIS_FOLDER, TWIN_FOLDER = ("zh/", "../") if IS_CHINESE else ("", "zh/")

front = (Path(__file__).parent / f"index.{EDITION.language}.md").read_text(encoding="utf-8")
project = html_title = re.search(r"^# (.*)", front, re.MULTILINE)[1].replace("<wbr>", "")
language = "zh_CN" if IS_CHINESE else "en"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_sitemap", "sphinxext.opengraph"]
root_doc = "index"
templates_path = ["templates"]
html_additional_pages = {"search": "search.html"}  # Pagefind's, in place of Sphinx's

# The notebooks are shown as they are stored.
nb_execution_mode = "off"
nb_merge_streams = True
copybutton_selector = "div.cell_input pre, div.highlight:not(.cell_output *) pre"
myst_enable_extensions = ["attrs_inline", "dollarmath"]
# [中文](twin:05_gradients) leads to that page in the other language.
myst_url_schemes = {"http": None, "https": None, "twin": {"url": TWIN_FOLDER + "{{path}}.html"}}

html_math_renderer = "mathml"
html_theme = "sphinx_book_theme"
html_theme_options = {
    "article_header_end": ["links.html", "article-header-buttons.html"],
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_navbar_depth": 1,
    "search_bar_text": EDITION.search_label,
    "footer_content_items": ["origin.html"],
}
html_sidebars = {
    root_doc: [],
    "**": ["home.html", "search-button-field.html", "sbt-sidebar-nav.html"],
}
html_context = {"default_mode": "auto", "github": GITHUB}  # day or night as the system has it
html_static_path = ["static"]
html_css_files = ["style.css"]
html_js_files = ["page.js", "chinese.js"] if IS_CHINESE else ["page.js"]
html_favicon = "static/icon.svg"
html_use_index = html_show_copyright = html_show_sphinx = False
html_baseurl = addresses.website(addresses.published_repository()) + THIS_FOLDER
sitemap_url_scheme = "{link}"
sitemap_show_lastmod = False
ogp_site_url = html_baseurl
ogp_site_name = project
ogp_social_cards = {"enable": False}
ogp_image = html_baseurl + "_images/index.png"


def leave_out_search(app: Sphinx) -> None:
    """Keep Sphinx from making an index: Pagefind makes one of the finished pages."""
    app.builder.search = False


def prepare_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Change the text of a page, the one item of `source`, for the web, before Sphinx reads it."""
    if name in PAGES:
        source[0] = prepare_notebook(PAGES[name], source[0])
    else:
        text = front_page(source[0], CHAPTERS) if name == root_doc else source[0]
        source[0] = link_to_pages(text)


def prepare_notebook(notebook: Notebook, text: str) -> str:
    """Return a notebook, as JSON, with the web's navigation, pictures in files, and folded code."""
    node = nbformat.reads(text, as_version=4)
    question_code_ids = fold_answers(node.cells, EDITION)
    neutralize_headings(node.cells, question_code_ids, EDITION)
    plot_titles = titles_of_functions(node.cells)
    cells = []
    for cell in node.cells:
        if cell.id in NAVIGATION:
            cells += navigation_cells(notebook, cell)
            continue
        prepare_text(notebook, cell)
        if cell.cell_type == "code":
            prepare_code(cell, plot_titles, cell.id in question_code_ids)
        cells.append(cell)
        if function := exhibit_of(notebook, cell):
            cells.append(new_markdown_cell(exhibit(function.__name__)))
    node.cells = join_folded(cells, EDITION)
    return nbformat.writes(node)


def navigation_cells(notebook: Notebook, cell: NotebookNode) -> list[NotebookNode]:
    """Return what replaces a cell of the navigation.

    The sidebar leads to the chapters, but not from a chapter to its notes and back.
    """
    if cell.id == "nav-top":
        return []
    if notebook.is_note:
        [chapter] = notebook.chapters_with_same_number
        return [new_markdown_cell(f"[← {chapter.title}](../{chapter.path.name})")]
    if not notebook.notes:
        return []
    sidebar = [f"notes/{note.path.stem}" for note in notebook.notes]
    lines = [notes_line(notebook), "```{toctree}", ":hidden:", *sidebar, "```"]
    return [new_markdown_cell("\n".join(lines))]


def prepare_text(notebook: Notebook, cell: NotebookNode) -> None:
    """Number the title of a note, take a diagram from its file, and say where code runs."""
    if cell.id == "title" and notebook.is_note:
        cell.source = f"# ↳ {notebook.number} · {cell.source.removeprefix('# ')}"
    if "diagram" in cell.metadata:
        file = f"(/images/{cell.metadata['diagram']}.webp)"
        cell.source = EMBEDDED_PICTURE.sub(file, cell.source)
    cell.source = cell.source.replace(EDITION.instructions, EDITION.web_instructions)
    if "Shift-Enter" in cell.source:
        cell.source = SENTENCE_ON_KEYS.sub("", cell.source)
    if cell.id == "try":
        cell.source += f"\n\n[{EDITION.colab_label}]({addresses.colab(notebook)})"


def prepare_code(cell: NotebookNode, plot_titles: dict[str, str], answers_question: bool) -> None:
    """Fold code, or the output that answers a question, and describe a plot."""
    if is_stub(cell):  # nothing runs here
        cell.outputs = []
    mystnb = {}
    if plots(cell):
        titles = [title for name, title in plot_titles.items() if f"{name}(" in cell.source]
        if titles:
            mystnb["image"] = {"alt": titles[-1][0].upper() + titles[-1][1:]}
    tags = ["hide-output"] if answers_question else []
    if is_folded(cell):
        title, cell.source = cell.source.removeprefix("# @title ").split("\n", 1)
        tags.append("hide-input")
        mystnb |= dict.fromkeys(("code_prompt_show", "code_prompt_hide"), title)
    if tags:
        cell.metadata["tags"] = tags
    if mystnb:
        cell.metadata["mystnb"] = mystnb


def titles_of_functions(cells: list[NotebookNode]) -> dict[str, str]:
    """Return, for each function of folded code, what the title of its cell says it does."""
    titles = {}
    for cell in filter(is_folded, cells):
        title = cell.source.partition("\n")[0].removeprefix("# @title ")
        for function_name in re.findall(r"^def (\w+)", cell.source, re.MULTILINE):
            titles[function_name] = re.sub("^.*?[:：] ?", "", title)
    return titles


def link_to_pages(text: str) -> str:
    """Return a text of the repository with its links leading to pages, or to the source."""
    text = re.sub(r"\]\((TEACHING|README)(\.zh)?\.md(?:#[\w-]+)?\)", link_to_page, text)
    text = re.sub(
        r"\]\((LICENSE|CONTRIBUTING\.md|images/(?=\)))", rf"]({GITHUB}/blob/main/\1", text
    )
    return re.sub(r"\]\(notebooks/(?:zh/)?", "](", text)


def link_to_page(link: re.Match[str]) -> str:
    """Return a link to the page of a file of the repository, in this or the other language."""
    name = "teaching" if link[1] == "TEACHING" else "index"
    leads_to_twin = bool(link[2]) != IS_CHINESE
    return f"](twin:{name})" if leads_to_twin else f"]({name}.md)"


def keep_terms_together(app: Sphinx, doctree: docutils.nodes.document) -> None:
    """Let no line end within `V - 1`, code or text, nor a heading's within `look-up`."""
    for literal in doctree.findall(docutils.nodes.literal):
        if len(literal.astext()) <= MAX_UNBROKEN:
            literal["classes"].append("unbroken")
    code = (docutils.nodes.literal, docutils.nodes.math, docutils.nodes.FixedTextElement)
    for text in list(doctree.findall(docutils.nodes.Text)):
        if not isinstance(text.parent, code):
            joined = OPERATOR.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text.astext())
            text.parent.replace(text, docutils.nodes.Text(joined))
    for text in list(doctree.findall(docutils.nodes.Text)):
        if isinstance(text.parent, docutils.nodes.title):
            pieces = [
                docutils.nodes.inline("", piece, classes=["unbroken"])
                if HYPHENATED.fullmatch(piece)
                else docutils.nodes.Text(piece)
                for piece in HYPHENATED.split(text.astext())
            ]
            text.parent.replace(text, pieces)


def add_links(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Give the templates the links of a page; the search page's twin is the search page."""
    context["pagefind"] = f"{TWIN_FOLDER if IS_CHINESE else ''}pagefind"
    link_editions(name, context)
    if name in PAGES:
        context["colab"] = addresses.colab(PAGES[name])
        context["colab_name"] = EDITION.colab_label
        context["notebook"] = f"{context['content_root']}_sources/{name}.ipynb"
    if name in CHAPTERS:
        context["prev"], context["next"] = neighbour_links(app, name)


def link_editions(name: str, context: dict) -> None:
    """Link a page, for readers and for search engines, to the same page in the other language."""
    has_twin = name != "glossary"  # it is in Chinese alone
    twin = name if has_twin else root_doc
    context["twin"] = "../" * name.count("/") + TWIN_FOLDER + twin + ".html"
    context["twin_name"] = EDITION.other_language_label
    context["twin_language"] = "en" if IS_CHINESE else "zh"
    website = addresses.website(addresses.published_repository())
    alternates = [
        f'<link rel="alternate" hreflang="{language}" href="{website}{folder}{name}.html">'
        for language, folder in (("en", ""), ("zh", "zh/"))
        if has_twin
    ]
    context["metatags"] = "\n".join([context.get("metatags", ""), *alternates])


def mark_for_search(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Give Pagefind the words, the headings and the weight of a notebook or the front page."""
    if name == root_doc:
        add_search_text(context, "words", context["meta"]["search_words"])
    elif name not in PAGES:
        return
    elif words := PAGES[name].cell("title").metadata.get("search_words"):
        add_search_text(context, "words", words[EDITION.language])
    # The search leads to the part of a page under a heading that has an id.
    context["body"] = SECTION.sub(r'\1<h\3 id="\2-heading">', context["body"])
    if name not in CHAPTERS:  # the search finds a chapter before its notes
        weighted = '<section data-pagefind-weight="0.2" '
        context["body"] = context["body"].replace("<section ", weighted, 1)
    # The search finds what stands in code alone, but shows sentences where there are some.
    weight = 0.5 if name in CHAPTERS else 0.1
    code = f'<div data-pagefind-weight="{weight}" class="cell '
    context["body"] = context["body"].replace('<div class="cell ', code)


def add_search_text(context: dict, name: str, text: str) -> None:
    """Put a text under a page's title that is not shown: Pagefind takes it under a name."""
    marks = f'hidden data-pagefind-ignore data-pagefind-meta="{name}"'
    hidden_text = f"</h1><p {marks}>{html.escape(text)}</p>"
    context["body"] = context["body"].replace("</h1>", hidden_text, 1)


def number_parts(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Give each part of a page an id that its twin has, too, to which page.js leads from there."""
    numbers = count(1)
    if "body" in context:
        context["body"] = PART.sub(
            lambda part: f'{part[0]}<span id="part-{next(numbers)}"></span>', context["body"]
        )


def name_folds(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Let a fold be called what stands on it: MyST-NB calls each the same, in English.

    It also knows one label for a cell: what stands on a folded output is written here.
    """
    if "body" in context:
        label = EDITION.show_answer_label
        body = context["body"].replace(' aria-label="Toggle hidden content"', "")
        context["body"] = OUTPUT_FOLD.sub(rf"\1{label}\2{label}", body)


def load_exhibits(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Load the script and the style of the exhibits on a page that shows one."""
    if 'class="exhibit"' in context.get("body", ""):
        app.add_js_file("exhibits.js")  # before the calls in the page
        app.add_css_file("exhibits.css")


def neighbour_links(app: Sphinx, name: str) -> tuple[dict[str, str] | None, dict[str, str] | None]:
    """Return links to the chapters before and after one, which skip its notes; None at an end."""
    names = [None, *CHAPTERS, None]
    here = names.index(name)
    before, after = (
        {"link": app.builder.get_relative_uri(name, page), "title": app.env.titles[page].astext()}
        if page
        else None
        for page in (names[here - 1], names[here + 1])
    )
    return before, after


def add_social_card(app: Sphinx, name: str, template: str, context: dict, doctree) -> None:
    """Give a shared link the page's first paragraph, and a chapter's first diagram, at rest."""
    if not doctree:  # the search page
        return
    texts = [paragraph.astext() for paragraph in doctree.findall(docutils.nodes.paragraph)]
    first = next(text for text in texts if text[-1] in ".?。？")  # links stand above it
    context["meta"] = {**(context["meta"] or {}), "og:description": first}
    context["metatags"] += f'<meta name="description" content="{html.escape(first)}" />'
    add_search_text(context, "description", first)
    diagrams = PAGES[name].diagrams if name in PAGES else []
    if name == root_doc:
        diagrams, context["docstitle"] = ["claim"], ""  # its title is the course's own
    if not diagrams:
        return
    folder = Path(app.outdir) / "_images"
    (folder / name).parent.mkdir(exist_ok=True, parents=True)
    with Image.open(diagram_path(ROOT, diagrams[0])) as picture:
        picture.seek(getattr(picture, "n_frames", 1) - 1)
        picture.convert("RGB").quantize().save(folder / f"{name}.png")
    context["meta"]["og:image"] = f"{html_baseurl}_images/{name}.png"


def write_formula(self, node) -> None:
    """Write a formula as MathML, which browsers show without a script or a font from elsewhere."""
    display = "inline" if node.tagname == "math" else "block"
    latex = node.astext().replace(r"\_", "_")  # which this converter does not know
    mathml = latex2mathml.converter.convert(latex, display=display)
    # On a phone a long one is moved sideways, by a finger or a key.
    wide = f'<div class="formula" tabindex="0">{mathml}</div>'
    self.body.append(mathml if display == "inline" else wide)
    raise docutils.nodes.SkipNode


def setup(app) -> None:
    """Connect the functions; add_social_card comes before the extension that writes its tags."""
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
    app.connect("builder-inited", leave_out_search)
    app.connect("source-read", prepare_page)
    app.connect("doctree-read", keep_terms_together)
    app.connect("html-page-context", add_social_card, priority=400)
    # Numbers come after the marks, which begin where a heading follows its section.
    for function in (add_links, mark_for_search, number_parts, name_folds, load_exhibits):
        app.connect("html-page-context", function, priority=600)
