"""The numbers of the web edition's exhibits, from the variables of the notebooks.

A function is called after the cell that EXHIBITS names. Like those of a figure, its parameters
are names of the chapter's variables. `make update` stores what it returns in course/site/data/,
in a file of its name, and static/exhibits.js shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.draw import TOKEN_COLORS

if TYPE_CHECKING:  # it takes more than a second, and the web edition is built without
    import torch
    from nbformat import NotebookNode

    from course.notebook import Notebook

DATA_FOLDER = Path("course/site/data")


def hex_color(color: Iterable[float]) -> str:
    """Return red, green and blue, each from 0 to 1, as CSS writes a colour."""
    return "#" + "".join(f"{round(255 * level):02x}" for level in color)


def four_decimals(rows: torch.Tensor) -> list[list[float]]:
    """Return a matrix rounded to four decimals, as PyTorch prints it."""
    return [[round(value, 4) for value in row] for row in rows.tolist()]


def look_up(idx: torch.Tensor, embedding: torch.nn.Embedding) -> dict[str, Any]:
    """Return the words, the IDs, the table, and a colour for each of its rows."""
    return {
        "words": ["the", "cat", "sat", "down"],  # as in the chapter's text
        "ids": idx.tolist(),
        "table": four_decimals(embedding.weight),
        "colors": TOKEN_COLORS[: len(embedding.weight)],
    }


def mix(
    words: list[str],
    p: torch.Tensor,
    table: torch.Tensor,
    names: list[str],
    named: torch.Tensor,
) -> dict[str, Any]:
    """Return the words, the amounts of each, the table, and the colours with their names."""
    amounts = [round(amount, 1) for amount in p.tolist()]
    colors = dict(zip(names, map(hex_color, named.tolist()), strict=True))
    return {"words": words, "amounts": amounts, "table": four_decimals(table), "names": colors}


def paint(
    vocabulary: list[str],
    without: torch.nn.EmbeddingBag,
    my_very: float,
    lessons: list[str],
    colors: dict[str, tuple[float, ...]],
) -> dict[str, Any]:
    """Return a row for each word, the named colours, and the names that training has not seen."""
    return {
        "table": dict(zip(vocabulary, four_decimals(without.weight), strict=True)),
        "very": my_very,
        "names": {name: hex_color(color) for name, color in colors.items()},
        "unseen": [name for name in colors if name not in lessons],
    }


# By the topic of a chapter and the id of a cell.
EXHIBITS: dict[tuple[str, str], Callable[..., dict[str, Any]]] = {
    ("one_hot", "summary"): look_up,
    ("mixing", "diagram-slide"): mix,
    ("bags", "wishes"): paint,
}


def exhibit_of(notebook: Notebook, cell: NotebookNode) -> Callable[..., dict[str, Any]] | None:
    """Return the function of the exhibit that stands after a cell, if one does."""
    return EXHIBITS.get((notebook.topic, cell.id))
