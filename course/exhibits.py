"""The numbers of the web edition's exhibits, taken from the notebooks' own variables.

A function is called after the cell that EXHIBITS names, with the chapter's variables of the names
of its parameters, as a figure is; `make update` stores what it returns in course/site/data/. The
web edition shows it there, by static/exhibits.js.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.draw import TOKEN_COLORS

if TYPE_CHECKING:  # it takes more than a second, and the web edition is built without
    import torch

DATA_FOLDER = Path("course/site/data")


def hexadecimal(color: Iterable[float]) -> str:
    """Red, green and blue, each from 0 to 1, as CSS writes a colour."""
    return "#" + "".join(f"{round(255 * level):02x}" for level in color)


def rounded(rows: torch.Tensor) -> list[list[float]]:
    """A matrix as PyTorch prints it, with four decimals."""
    return [[round(value, 4) for value in row] for row in rows.tolist()]


def look_up(idx: torch.Tensor, embedding: torch.nn.Embedding) -> dict[str, Any]:
    """IDs that fetch rows, and one-hot rows that multiply."""
    return {
        "words": ["the", "cat", "sat", "down"],  # which the chapter's text has
        "ids": idx.tolist(),
        "table": rounded(embedding.weight),
        "colors": TOKEN_COLORS[: len(embedding.weight)],
    }


def mix(
    words: list[str],
    p: torch.Tensor,
    table: torch.Tensor,
    names: list[str],
    named: torch.Tensor,
) -> dict[str, Any]:
    """Amounts of five words, and the names of all colours."""
    amounts = [round(amount, 1) for amount in p.tolist()]
    colors = dict(zip(names, map(hexadecimal, named.tolist()), strict=True))
    return {"words": words, "amounts": amounts, "table": rounded(table), "names": colors}


def paint(
    vocabulary: list[str],
    without: torch.nn.EmbeddingBag,
    my_very: float,
    lessons: list[str],
    colors: dict[str, tuple[float, ...]],
) -> dict[str, Any]:
    """A row for each word, the colours that people gave names, and the names that were learnt."""
    return {
        "table": dict(zip(vocabulary, rounded(without.weight), strict=True)),
        "very": my_very,
        "names": {name: hexadecimal(color) for name, color in colors.items()},
        "unseen": [name for name in colors if name not in lessons],
    }


# By the cell's name, which no other chapter uses.
EXHIBITS: dict[str, Callable[..., dict[str, Any]]] = {
    "diagram-claim": look_up,
    "diagram-slide": mix,
    "wishes": paint,
}
