"""Sphinx's configuration, read once for each language: `--tag en` or `--tag zh`."""

import html
import logging
import re
from pathlib import Path

import docutils.nodes
import jieba
import latex2mathml.converter
import nbformat
from nbformat.v4 import new_markdown_cell
from PIL import Image

from course import ROOT, addresses
from course import notebook as nb
from course.derived import notes_line
from course.exhibits import EXHIBITS
from course.handout import fold_answers
from course.languages import EDITIONS
from course.site.front import exhibit, front_page

GITHUB = f"https://github.com/{addresses.published_repository()}"
IN_CHINESE = tags.has("zh")  # noqa: F821 (Sphinx puts tags here)
NOTEBOOKS = nb.chinese() if IN_CHINESE else nb.english()
PAGES = {f"notes/{p.stem}" if nb.is_note(p) else p.stem: p for p in NOTEBOOKS}
CHAPTERS = {name: path for name, path in PAGES.items() if not nb.is_note(path)}
EDITION = EDITIONS["zh" if IN_CHINESE else "en"]
# From a page to the same page in the other language, and from there back.
HERE, THERE = ("zh/", "../") if IN_CHINESE else ("", "zh/")

front = (Path(__file__).parent / f"index.{EDITION.language}.md").read_text(encoding="utf-8")
project = html_title = re.search(r"^# (.*)", front, re.MULTILINE)[1]
language = "zh_CN" if IN_CHINESE else "en"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_sitemap", "sphinxext.opengraph"]
root_doc = "index"
templates_path = ["templates"]

# The notebooks are shown as they are stored.
nb_execution_mode = "off"
nb_merge_streams = True
copybutton_selector = "div.cell_input pre, div.highlight:not(.cell_output *) pre"
myst_enable_extensions = ["attrs_inline", "dollarmath"]
# [中文](twin:05_gradients) leads to that page in the other language.
myst_url_schemes = {"http": None, "https": None, "twin": {"url": THERE + "{{path}}.html"}}

jieba.setLogLevel(logging.WARNING)  # it cuts Chinese into words, for the search

html_math_renderer = "mathml"
html_theme = "sphinx_book_theme"
html_theme_options = {
    "article_header_end": ["links.html", "article-header-buttons.html"],
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_navbar_depth": 1,
    "search_bar_text": "搜索" if IN_CHINESE else "Search",
    "footer_content_items": ["origin.html"],
}
html_sidebars = {
    root_doc: [],
    "**": ["home.html", "search-button-field.html", "sbt-sidebar-nav.html"],
}
html_context = {"default_mode": "auto", "github": GITHUB}  # day or night as the system has it
html_static_path = ["static"]
html_css_files = ["style.css"]
html_js_files = ["page.js", "chinese.js"] if IN_CHINESE else ["page.js"]
html_favicon = "static/icon.svg"
html_use_index = html_show_copyright = html_show_sphinx = False
html_baseurl = addresses.website(addresses.published_repository()) + HERE
sitemap_url_scheme = "{link}"
sitemap_show_lastmod = False
ogp_site_url = html_baseurl
ogp_site_name = project
ogp_social_cards = {"enable": False}
ogp_image = html_baseurl + "_images/index.png"


def aside(path: Path) -> str:
    """A chapter's links to its notes, under it in the sidebar, too; or a note's to its chapter."""
    if not nb.is_note(path):
        own = [f"notes/{note.stem}" for note in nb.notes_of(path)]
        return "\n".join([notes_line(path), "```{toctree}", ":hidden:", *own, "```"]) if own else ""
    chapter = nb.chapter_of(path)
    return f"[← {nb.title(chapter)}](../{chapter.name})"


def for_pages(text: str) -> str:
    """A text of the repository with its links leading to pages, or to the source."""
    text = re.sub(r"\]\((?:TEACHING|README)(\.zh)?\.md(#[\w-]+)?\)", page_of, text)
    text = re.sub(
        r"\]\((LICENSE|CONTRIBUTING\.md|images/(?=\)))", rf"]({GITHUB}/blob/main/\1", text
    )
    return re.sub(r"\]\(notebooks/(?:zh/)?", "](", text)


def page_of(link: re.Match) -> str:
    """The page that a link to a file of the repository leads to, in this or the other language."""
    name = "teaching" if "TEACHING" in link[0] else "index"
    return f"](twin:{name})" if bool(link[1]) != IN_CHINESE else f"]({name}.md)"


def alternative(source: str, folded: dict[str, str]) -> dict:
    """What a plot shows, in words: the title of the folded code whose function its cell calls."""
    titles = [said for name, said in folded.items() if f"{name}(" in source]
    return {"mystnb": {"image": {"alt": titles[-1][0].upper() + titles[-1][1:]}}} if titles else {}


def for_the_web(app, name: str, source: list[str]) -> None:
    """Put the web's navigation in place of a notebook's own, pictures in files; fold code, too."""
    if name == root_doc:
        source[0] = front_page(source[0], CHAPTERS)
    if name not in PAGES:
        source[0] = for_pages(source[0])
        return
    notebook, folded, cells = nbformat.reads(source[0], as_version=4), {}, []
    answers = fold_answers(notebook.cells, EDITION.language)
    for cell in notebook.cells:
        if cell.id in nb.NAVIGATION:
            # The sidebar leads to the chapters; what lies beside this one, it does not say.
            if cell.id == "nav-bottom" and (beside := aside(PAGES[name])):
                cells.append(new_markdown_cell(beside))
            continue
        if cell.id == "title" and nb.is_note(PAGES[name]):
            cell.source = f"# ↳ {nb.number(PAGES[name])} · {cell.source.removeprefix('# ')}"
        if "diagram" in cell.metadata:
            file = f"(/images/{cell.metadata['diagram']}.webp)"
            cell.source = nb.EMBEDDED.sub(file, cell.source)
        if cell.id == "try":  # nothing runs here
            cell.source += f"\n\n[{EDITION.colab_label}]({addresses.colab(PAGES[name])})"
        if cell.id.endswith("-stub"):
            cell.outputs = []
        if cell.cell_type == "code" and nb.plots(cell):
            cell.metadata |= alternative(cell.source, folded)
        if nb.is_folded(cell):
            said, cell.source = cell.source.removeprefix("# @title ").split("\n", 1)
            functions = re.findall(r"^def (\w+)", cell.source, re.MULTILINE)
            folded |= dict.fromkeys(functions, re.sub("^.*?[:：] ?", "", said))
            prompts = {"code_prompt_show": said, "code_prompt_hide": said}
            cell.metadata |= {"tags": ["hide-input"], "mystnb": prompts}
        elif cell.id in answers:
            prompts = dict.fromkeys(("code_prompt_show", "code_prompt_hide"), EDITION.guess)
            cell.metadata |= {"tags": ["hide-output"]}
            cell.metadata["mystnb"] = cell.metadata.get("mystnb", {}) | prompts
        cells.append(cell)
        if cell.id in EXHIBITS:
            cells.append(new_markdown_cell(exhibit(EXHIBITS[cell.id].__name__)))
    notebook.cells = cells
    source[0] = nbformat.writes(notebook)


def add_links(app, name: str, template: str, context: dict, doctree) -> None:
    """What the templates show on every page; the search page's twin is the search page."""
    context["twin"] = "../" * name.count("/") + THERE + name + ".html"
    context["twin_name"] = EDITION.other_label
    context["twin_language"] = "en" if IN_CHINESE else "zh"
    if name in PAGES:
        context["colab"] = addresses.colab(PAGES[name])
        context["colab_name"] = EDITION.colab_label
        context["notebook"] = f"{context['content_root']}_sources/{name}.ipynb"
    if name in CHAPTERS:  # its notes are beside it, not between it and the next
        order = list(CHAPTERS)
        at = order.index(name)
        for side, near in (("prev", order[:at][-1:]), ("next", order[at + 1 :][:1])):
            links = [app.builder.get_relative_uri(name, page) for page in near]
            titles = [app.env.titles[page].astext() for page in near]
            context[side] = {"link": links[0], "title": titles[0]} if near else None
    if 'class="exhibit"' in context.get("body", ""):
        app.add_js_file("exhibits.js", defer="defer")
        app.add_css_file("exhibits.css")
    address = addresses.website(addresses.published_repository())
    alternates = [
        f'<link rel="alternate" hreflang="{language}" href="{address}{folder}{name}.html">'
        for language, folder in (("en", ""), ("zh", "zh/"))
    ]
    context["metatags"] = "\n".join([context.get("metatags", ""), *alternates])


def share_card(app, name: str, template: str, context: dict, doctree) -> None:
    """Give who shares a link the page's first paragraph, and a chapter's first diagram, at rest."""
    if not doctree:  # the search page
        return
    texts = [paragraph.astext() for paragraph in doctree.findall(docutils.nodes.paragraph)]
    first = next(text for text in texts if text[-1] in ".?。？")  # links stand above it
    context["meta"] = {**(context["meta"] or {}), "og:description": first}
    context["metatags"] += f'<meta name="description" content="{html.escape(first)}" />'
    cells = nb.read(PAGES[name]).cells if name in PAGES else []
    diagrams = [cell.metadata["diagram"] for cell in cells if "diagram" in cell.metadata]
    if name == root_doc:
        diagrams, context["docstitle"] = ["claim"], ""  # its title is the course's own
    if not diagrams:
        return
    folder = Path(app.outdir) / "_images"
    (folder / name).parent.mkdir(exist_ok=True, parents=True)
    with Image.open(nb.image(ROOT, diagrams[0])) as picture:
        picture.seek(getattr(picture, "n_frames", 1) - 1)
        picture.convert("RGB").quantize().save(folder / f"{name}.png")
    context["meta"]["og:image"] = f"{html_baseurl}_images/{name}.png"


def formula(self, node) -> None:
    """Write a formula as MathML, which browsers show without a script or a font from elsewhere."""
    display = "inline" if node.tagname == "math" else "block"
    latex = node.astext().replace(r"\_", "_")  # which this converter does not know
    mathml = latex2mathml.converter.convert(latex, display=display)
    # On a phone a long one is moved sideways, by a finger or a key.
    wide = f'<div class="formula" tabindex="0">{mathml}</div>'
    self.body.append(mathml if display == "inline" else wide)
    raise docutils.nodes.SkipNode


def setup(app) -> None:
    """Connect all this; what is shared has to be known before its tags are written."""
    app.add_html_math_renderer("mathml", (formula, None), (formula, None))
    app.connect("source-read", for_the_web)
    app.connect("html-page-context", share_card, priority=400)
    app.connect("html-page-context", add_links, priority=600)
