"""Where the links of a text lead, and what stands there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat

from course.check import Problems
from course.check.typography import inline_tokens
from course.notebook import CODE_BLOCK, FORMULA, HEADING, NAVIGATION, Notebook, without_picture

UNDEFINED_LINK = re.compile(r"\[[^\[\]]+\]\[[^\[\]]*\]")


def link_targets(markdown: str) -> Iterator[str]:
    """Yield where each link of some Markdown leads, as it is written in the file."""
    for token in inline_tokens(markdown):
        if token.type == "link_open":
            yield unquote(str(token.attrs["href"]))


def dead_links(markdown: str, path: Path) -> Problems:
    """Yield a sentence for each relative link in a file that leads nowhere.

    That is to no file or, in a Markdown page, to no heading; or a link whose target is not given.
    """
    texts = (token.content for token in inline_tokens(markdown) if token.type == "text")
    for shown in UNDEFINED_LINK.findall(FORMULA.sub("", "\n".join(texts))):
        yield f"shows `{shown}`; write the link as [words](file)"
    for target in link_targets(markdown):
        name, _, anchor = target.partition("#")
        linked = path.parent / name if name else path
        if "://" in target:
            continue
        if not linked.exists():
            yield f"{target} does not exist; correct the link"
        elif anchor and linked.suffix == ".md" and anchor not in anchors_of(linked):
            yield f"{target}: no heading has this anchor; correct the link"


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    words = [words for _, words in HEADING.findall(CODE_BLOCK.sub("", page.read_text("utf-8")))]
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in words}


def lower_case_text(notebook: Notebook) -> str:
    """Return all that stands in a notebook's file, without its navigation, in lower case."""
    return lower_case_text_of(notebook.path.read_bytes())


@cache  # many links lead to a chapter
def lower_case_text_of(stored: bytes) -> str:
    """Return the same of the bytes of a file."""
    cells = nbformat.reads(stored.decode(), as_version=4).cells
    texts = [without_picture(cell) for cell in cells if cell.id not in NAVIGATION]
    return "\n".join(texts).lower()
