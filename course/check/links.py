"""Where the links of a text lead, and what stands there."""

import re
from functools import cache
from pathlib import Path

import nbformat

from course.notebook import NAVIGATION, Notebook, without_picture

LINK = re.compile(r'(?<!!)\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)')


def dead_links(markdown: str, folder: Path) -> list[str]:
    """Return a sentence for each relative link that leads to no file."""
    targets = [target for target in LINK.findall(markdown) if "://" not in target]
    dead = [target for target in targets if not (folder / target.partition("#")[0]).exists()]
    return [f"{target} does not exist; correct the link" for target in dead]


def lower_case_text(notebook: Notebook) -> str:
    """Return all that stands in a notebook's file, without its navigation, in lower case."""
    return lower_case_text_of(notebook.path.read_bytes())


@cache  # many links lead to a chapter
def lower_case_text_of(stored: bytes) -> str:
    """Return the same of the bytes of a file."""
    cells = nbformat.reads(stored.decode(), as_version=4).cells
    texts = [without_picture(cell) for cell in cells if cell.id not in NAVIGATION]
    return "\n".join(texts).lower()
