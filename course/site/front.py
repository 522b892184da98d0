"""The front page of the web edition, from index.en.md or index.zh.md, and the exhibits' places."""

import re
from pathlib import Path

from course import ROOT
from course.addresses import colab, published_repository
from course.derived import all_minutes, level, opening
from course.exhibits import DATA_FOLDER, EXHIBITS
from course.notebook import notes_of, read, title

Pages = dict[str, Path]  # notebooks, by the name of their page
SHOW = re.compile(r"<!-- exhibit (\w+): ([\w-]+) -->")


def exhibit(name: str, picture: str = "") -> str:
    """The place of an exhibit with its numbers. static/exhibits.js replaces the picture in it."""
    numbers = (ROOT / DATA_FOLDER / f"{name}.json").read_text(encoding="utf-8")
    script = f'<script type="application/json">{numbers}</script>'
    return f'<div class="exhibit" data-exhibit="{name}">\n{script}\n\n{picture}\n\n</div>'


def with_picture(name: str, diagram: str, chapters: Pages) -> str:
    """An exhibit with a diagram, whose words are the notebook's, and a link to its chapter."""
    picture = link = ""
    for path in chapters.values():
        for cell in read(path).cells:
            if cell.metadata.get("diagram") == diagram:
                picture = re.sub(r"\(data:.*\)", f"(images/{diagram}.webp)", cell.source)
            if cell.id in EXHIBITS and EXHIBITS[cell.id].__name__ == name:
                link = f"[{title(path)} →]({path.name})"
    return f"{exhibit(name, picture)}\n\n{link}"


def card(name: str, path: Path) -> str:
    """A chapter's picture (conf.py makes it), title, opening, notes, difficulty and minutes."""
    first, promises, time = opening(path)
    picture = f'<img src="_images/{name}.png" alt="" loading="lazy">'
    aside = [f"[↳ {title(note)}](notes/{note.name}){{.note}}" for note in notes_of(path)]
    last = f'<p class="minutes">{level(path)} · {all_minutes(promises, time)}′</p>'
    parts = [picture, f"**[{title(path)}]({name}.ipynb)**", first, *aside, last]
    return "\n\n".join(['<div class="chapter">', *parts, "</div>"])


def front_page(text: str, chapters: Pages) -> str:
    """The front page with its exhibits, a card for each chapter, and the list for the sidebar."""
    text = SHOW.sub(lambda found: with_picture(*found.groups(), chapters), text)
    cards = [card(name, path) for name, path in chapters.items()]
    cards = "\n\n".join(['<div class="cards">', *cards, "</div>"])
    text = text.replace("<!-- chapters -->", cards)
    text = text.replace("](GITHUB", f"](https://github.com/{published_repository()}")
    text = text.replace("](COLAB)", f"]({colab(next(iter(chapters.values())))})")
    pages = "\n".join([*chapters, "teaching"])
    return f"{text}\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```"
