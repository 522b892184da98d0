"""The front page of the web edition: index.en.md or index.zh.md, a part of a README, exhibits."""

import re
from pathlib import Path

from PIL import Image

from course import ROOT
from course.addresses import (
    colab,
    published_repository,
    replace_repository,
    stored_repository,
    website,
)
from course.exhibits import DATA_FOLDER, exhibit_of
from course.notebook import EMBEDDED_PICTURE, Notebook, diagram_path
from course.tables import join_minutes, level, minutes_of, read_opening

Pages = dict[str, Notebook]  # by the name of their page
MARKDOWN_PAGE = re.compile(r"\]\((\w+)\.md\)")
README_MARK = re.compile("<!-- README: (.+) -->")
EXHIBIT_MARK = re.compile(r"<!-- exhibit (\w+): ([\w-]+) -->")


def front_page(text: str, chapters: Pages) -> str:
    """Return the front page with its exhibits, a card for each chapter, and the sidebar's list."""
    text = EXHIBIT_MARK.sub(lambda mark: exhibit_with_picture(mark[1], mark[2], chapters), text)
    cards = [chapter_card(name, chapter) for name, chapter in chapters.items()]
    text = text.replace("<!-- chapters -->", "\n\n".join(['<div class="cards">', *cards, "</div>"]))
    readme = ROOT / next(iter(chapters.values())).edition.readme
    text = README_MARK.sub(lambda mark: part_of(readme, mark[1]), text)
    text = text.replace("](GITHUB", f"](https://github.com/{published_repository()}")
    text = text.replace("](WEBSITE/", f"]({website(published_repository())}")
    text = text.replace("](COLAB)", f"]({colab(next(iter(chapters.values())))})")
    pages = "\n".join([*chapters, *dict.fromkeys(MARKDOWN_PAGE.findall(text))])
    return f"{text}\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```"


def part_of(page: Path, heading: str) -> str:
    """Return a part of a page, with its heading, for the repository that is built.

    The search does not read it: its words are not the course's, such as a download that is slow.
    """
    text = page.read_text(encoding="utf-8")
    [part] = re.findall(rf"^## {heading}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    part = f"## {heading}\n\n<div data-pagefind-ignore>\n{part}</div>"
    return replace_repository(part, stored_repository(), published_repository())


def exhibit_with_picture(name: str, diagram: str, chapters: Pages) -> str:
    """Return an exhibit with a diagram and its alt text, and a link to its chapter."""
    picture = link = ""
    for chapter in chapters.values():
        for cell in chapter.cells:
            if cell.metadata.get("diagram") == diagram:
                picture = EMBEDDED_PICTURE.sub(f"(images/{diagram}.webp)", cell.source)
            if (function := exhibit_of(chapter, cell)) and function.__name__ == name:
                link = f"[{chapter.title} →]({chapter.path.name})"
    return f"{exhibit(name, picture)}\n\n{link}"


def exhibit(name: str, picture: str = "") -> str:
    """Return an exhibit's numbers, the picture for a reader without scripts, and the call."""
    numbers = (ROOT / DATA_FOLDER / f"{name}.json").read_text(encoding="utf-8")
    script = f'<script type="application/json">{numbers}</script>'
    if picture:
        picture = f"<noscript>\n\n{picture}\n\n</noscript>\n"
    call = "<script>showExhibit(document.currentScript.parentElement)</script>"
    return f'<div class="exhibit" data-exhibit="{name}">\n{script}\n\n{picture}{call}\n</div>'


def chapter_card(name: str, chapter: Notebook) -> str:
    """Return a chapter's picture (conf.py makes it), title, opening, notes, level, minutes."""
    with Image.open(diagram_path(ROOT, chapter.diagrams[0])) as diagram:
        size = f'width="{diagram.width}" height="{diagram.height}"'  # so that nothing below jumps
    picture = f'<img src="_images/{name}.png" {size} alt="" loading="lazy">'
    title = f"**[{chapter.title}]({name}.ipynb)**"
    notes = [f"[↳ {note.title}](notes/{note.path.name}){{.note}}" for note in chapter.notes]
    minutes = f'<p class="minutes">{level(chapter)} · {join_minutes(minutes_of(chapter))}′</p>'
    words = [title, read_opening(chapter).first_sentence, *notes, minutes]
    return "\n\n".join(['<div class="chapter">', picture, "<div>", *words, "</div>", "</div>"])
