"""Sphinx's configuration, read once for each language: `--tag en` or `--tag zh`."""

import logging
import re
import sys
from pathlib import Path

import docutils.nodes
import jieba
import latex2mathml.converter
import nbformat
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from course.notebook import (  # noqa: E402 (the path above comes first)
    EDITIONS,
    NAVIGATION,
    chinese,
    colab,
    english,
    image,
    is_folded,
    read,
    repository,
    website,
)

GITHUB = f"https://github.com/{repository()}"
IN_CHINESE = tags.has("zh")  # noqa: F821 (Sphinx puts tags here)
CHAPTERS = {path.stem: path for path in (chinese() if IN_CHINESE else english())}
FOLDER = next(iter(CHAPTERS.values())).parent
WORDS = EDITIONS["zh" if IN_CHINESE else "en"]
# From a page to the same page in the other language, and from there back.
HERE, THERE = ("zh/", "../") if IN_CHINESE else ("", "zh/")

readme = (ROOT / WORDS.readme).read_text(encoding="utf-8")
project = html_title = re.search(r"^# (.*)", readme)[1]
language = "zh_CN" if IN_CHINESE else "en"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_sitemap", "sphinxext.opengraph"]
root_doc = "index"
templates_path = ["templates"]

# The notebooks are shown as they are stored.
nb_execution_mode = "off"
nb_merge_streams = True
copybutton_selector = "div.cell_input pre, div.highlight:not(.cell_output *) pre"
myst_enable_extensions = ["dollarmath"]
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
    "footer_content_items": [],  # it would name an author
}
html_sidebars = {"**": ["home.html", "search-button-field.html", "sbt-sidebar-nav.html"]}
html_context = {"default_mode": "auto"}  # day or night as the system has it
html_static_path = ["static"]
html_css_files = ["style.css"]
html_js_files = ["print.js"] + ["chinese.js"] * IN_CHINESE
html_favicon = "static/icon.svg"
html_use_index = html_show_copyright = html_show_sphinx = False
html_baseurl = website(repository()) + HERE
sitemap_url_scheme = "{link}"
sitemap_show_lastmod = False
ogp_site_url = html_baseurl
ogp_site_name = project
ogp_social_cards = {"enable": False}
ogp_image = website(repository()) + "_images/claim.webp"
ogp_enable_meta_description = True


def for_the_web(app, name: str, source: list[str]) -> None:
    """Take out the notebooks' own navigation, and let the README's links lead to the pages."""
    if name != root_doc:
        notebook = nbformat.reads(source[0], as_version=4)
        notebook.cells = [cell for cell in notebook.cells if cell.id not in NAVIGATION]
        for cell in notebook.cells:
            if is_folded(cell):
                title, cell.source = cell.source.removeprefix("# @title ").split("\n", 1)
                prompts = {"code_prompt_show": title, "code_prompt_hide": title}
                cell.metadata |= {"tags": ["hide-input"], "mystnb": prompts}
        source[0] = nbformat.writes(notebook)
        return
    elsewhere = r"\]\((LICENSE|CONTRIBUTING\.md|notebooks/zh/glossary\.md)\)"
    text = re.sub(elsewhere, rf"]({GITHUB}/blob/main/\1)", source[0])
    other = "notebooks/" if IN_CHINESE else "notebooks/zh/"
    text = re.sub(rf"\]\({other}(\w+)\.ipynb\)", r"](twin:\1)", text)
    text = text.replace(f"]({FOLDER.relative_to(ROOT).as_posix()}/", "](")
    text = re.sub(r"\]\(README(\.zh)?\.md\)", "](twin:index)", text)
    text = text.replace(f"]({html_baseurl})", f"]({next(iter(CHAPTERS))}.ipynb)")
    source[0] = "\n".join([text, "```{toctree}", ":hidden:", "", *CHAPTERS, "```", ""])


def add_links(app, name: str, template: str, context: dict, doctree) -> None:
    """What templates/links.html shows on every page; the search page's twin is the search page."""
    context["twin"] = THERE + name + ".html"
    context["twin_name"] = WORDS.other
    context["twin_language"] = "en" if IN_CHINESE else "zh"
    if name in CHAPTERS:
        context["colab"] = colab(CHAPTERS[name])
        context["colab_name"] = WORDS.colab
        context["notebook"] = f"_sources/{name}.ipynb"
    address = website(repository())
    alternates = [
        f'<link rel="alternate" hreflang="{language}" href="{address}{folder}{name}.html">'
        for language, folder in (("en", ""), ("zh", "zh/"))
    ]
    context["metatags"] = "\n".join([context.get("metatags", ""), *alternates])


def share_picture(app, name: str, template: str, context: dict, doctree) -> None:
    """Give who shares a link to a chapter its first diagram, a moving one as it comes to rest."""
    if name not in CHAPTERS:
        return
    diagrams = (cell.metadata.get("diagram") for cell in read(CHAPTERS[name]).cells)
    folder = Path(app.outdir) / "_images"
    folder.mkdir(exist_ok=True)
    with Image.open(image(ROOT, next(filter(None, diagrams)))) as picture:
        picture.seek(getattr(picture, "n_frames", 1) - 1)
        picture.convert("RGB").save(folder / f"{name}.png")
    context["meta"] = {**(context["meta"] or {}), "og:image": f"{html_baseurl}_images/{name}.png"}


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
    app.connect("html-page-context", share_picture, priority=400)
    app.connect("html-page-context", add_links, priority=600)
