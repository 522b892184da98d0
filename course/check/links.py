"""Where the links of a text lead, and what stands there."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from course.check import Problems
from course.check.typography import inline_tokens
from course.notebook import (
    CODE_BLOCK,
    FORMULA,
    HEADING,
    LINK_TARGET,
    NAVIGATION,
    Notebook,
    without_picture,
)

OTHER_ADDRESSES = ("https://", "http://", "mailto:")
UNDEFINED_LINK = re.compile(r"\[[^\[\]]+\]\[[^\[\]]*\]")


def link_targets(markdown: str) -> Iterator[str]:
    """Yield where each link of some Markdown leads, as it is written in the file."""
    for token in inline_tokens(markdown):
        if token.type == "link_open":
            yield unquote(str(token.attrs["href"]))


def picture_sources(markdown: str) -> Iterator[str]:
    """Yield which file each picture of some Markdown shows; none for one that is in the text."""
    for token in inline_tokens(markdown):
        if token.type == "image" and not str(token.attrs["src"]).startswith("data:"):
            yield unquote(str(token.attrs["src"]))


def dead_links(markdown: str, path: Path, root: Path) -> Problems:
    """Yield a sentence for each relative link or picture in a file that leads nowhere.

    That is to no file of the course or, in a Markdown page, to no heading; or a link whose target
    is not given. Each viewer makes other anchors of a notebook's headings.
    """
    texts = (token.content for token in inline_tokens(markdown) if token.type == "text")
    for undefined_link in UNDEFINED_LINK.findall(FORMULA.sub("", "\n".join(texts))):
        yield f"shows `{undefined_link}`; write the link as [words](file)"
    for target in [*link_targets(markdown), *picture_sources(markdown)]:
        name, _, anchor = target.partition("#")
        linked_path = Path(os.path.normpath(path.parent / name)) if name else path
        if target.startswith(OTHER_ADDRESSES):
            continue
        is_inside = linked_path.is_relative_to(root)
        if not is_inside or any(p.startswith(".") for p in linked_path.relative_to(root).parts):
            yield f"{target} is no file of the course; correct the link"
        elif not linked_path.exists():
            yield f"{target} does not exist; correct the link"
        elif anchor and linked_path.suffix == ".ipynb":
            yield f"{target}: a link to a chapter has no #; leave it out"
        elif anchor and linked_path.suffix == ".md" and anchor not in anchors_of(linked_path):
            yield f"{target}: no heading has this anchor; correct the link"


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them: of equal ones, it adds -1."""
    text = LINK_TARGET.sub("]", CODE_BLOCK.sub("", page.read_text(encoding="utf-8")))
    headings = [re.sub(r"[^\w -]", "", words.lower()) for _, words in HEADING.findall(text)]
    counts = Counter(heading.replace(" ", "-") for heading in headings)
    repeated = {f"{anchor}-{k}" for anchor, count in counts.items() for k in range(1, count)}
    return counts.keys() | repeated


def lower_case_text(notebook: Notebook) -> str:
    """Return all that stands in a notebook, without its navigation, in lower case."""
    cells = [cell for cell in notebook.cells if cell.id not in NAVIGATION]
    return "\n".join(map(without_picture, cells)).lower()
