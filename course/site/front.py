"""The front page of the web edition, from index.en.md or index.zh.md, and the exhibits' places."""

import re
from pathlib import Path

from course import ROOT
from course.addresses import colab, repository
from course.languages import edition
from course.notebook import by_name, notes_of, read, title
from course.site.exhibits import EXHIBITS, STORED

Pages = dict[str, Path]  # notebooks, by the name of their page
SHOW = re.compile(r"<!-- exhibit (\w+): ([\w-]+) -->")
LIST = "```{toctree}\n:hidden:\n"


def exhibit(name: str, picture: str = "") -> str:
    """The place of an exhibit with its numbers. static/exhibits.js replaces the picture in it."""
    numbers = (ROOT / STORED / f"{name}.json").read_text(encoding="utf-8")
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


def card(name: str, path: Path, notes: Pages) -> str:
    """A chapter's title, its opening, its minutes, and its notes."""
    _, opening, promises = by_name(read(path))["title"].source.split("\n\n", 2)
    time = re.search(r"(\d+) ?(minutes|分钟)", promises)[0]
    own = [(page, note) for page, note in notes.items() if note in notes_of(path)]
    links = "\n".join(f"- [{title(note)}]({page}.ipynb)" for page, note in own)
    parts = [f"**[{title(path)}]({name}.ipynb)**", opening, links, f'<p class="minutes">{time}</p>']
    return "\n\n".join(['<div class="chapter">', *filter(None, parts), "</div>"])


def front_page(text: str, chapters: Pages, notes: Pages) -> str:
    """The front page with its exhibits, a card for each chapter, and the list for the sidebar."""
    text = SHOW.sub(lambda found: with_picture(*found.groups(), chapters), text)
    cards = [card(name, path, notes) for name, path in chapters.items()]
    cards = "\n\n".join(['<div class="cards">', *cards, "</div>"])
    text = text.replace("<!-- chapters -->", cards)
    text = text.replace("](GITHUB", f"](https://github.com/{repository()}")
    text = text.replace("](COLAB)", f"]({colab(next(iter(chapters.values())))})")
    lists = [LIST + "\n" + "\n".join([*chapters, "teaching"])]
    if notes:
        language = edition(next(iter(chapters.values()))).language
        caption = "短篇" if language == "zh" else "Notes"
        lists.append(f"{LIST}:caption: {caption}\n\n" + "\n".join(notes))
    return "\n\n".join([text, *(f"{each}\n```" for each in lists)])
