"""Chapter 7: bags of words, and the colours that they add up to."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    DIGIT,
    LABEL,
    POSITION,
    ROW,
    Owner,
    arrow,
    canvas,
    chip,
    digits,
    expression,
    label,
    matrix,
    surround,
    symbol,
    terms,
)


def bags(
    words: list[str],
    wanted: list[str],
    ids: list[list[int]],
    multihot: torch.Tensor,
    table: torch.Tensor,
) -> Figure:
    """Each name's IDs beside its multi-hot row; the rows times the table; one sum written out."""
    ax = canvas(1404, 380)
    owners: dict[int, Owner] = {i: i for i in range(len(words))}
    y = 96
    counts = matrix(
        ax, 520, y, multihot.long(), "multihot", tokens=owners, along="column", index=True
    )
    for i, (name, bag) in enumerate(zip(wanted, ids, strict=True)):
        label(ax, 276, counts.row(i), name, ha="right")
        for k, token in enumerate(bag):
            chip(ax, 316 + 50 * k, counts.row(i), token)
    symbol(ax, counts.right + 26, counts.middle, "@")
    rows = matrix(ax, 860, y - ROW / 2, table, "table", tokens=owners)
    for i, word in enumerate(words):
        label(ax, rows.x - 14, rows.row(i), f"{i} {word}", ha="right")
    symbol(ax, rows.right + 28, counts.middle, "=")
    product = multihot @ table
    tokens = dict.fromkeys(range(len(wanted)), POSITION)
    out = matrix(ax, rows.right + 56, y, product, "one row per name", tokens=tokens)
    last = len(wanted) - 1
    surround(ax, counts, last, 0, 1, len(words))
    surround(ax, rows, 0, 0, len(words), 1)
    factors = multihot[last].long().tolist()
    total = product[last, 0].item()
    written = [int(value) for value in table[:, 0].tolist()]
    pieces = terms(factors, written, owners, int(total), POSITION)
    surround(ax, out, last, 0)
    width = DIGIT * sum(len(text) for text, _ in pieces)
    expression(ax, out.column(0) + DIGIT - width, 352, pieces)
    arrow(ax, (out.column(0), 334), (out.column(0), out.bottom + 4), POSITION)
    return ax.figure


def patch(
    ax: Axes, x: float, y: float, row: torch.Tensor, disc: tuple[float, ...] | None = None
) -> None:
    """A colour as a square; in it, as a disc, the colour that people named."""
    color = row.clamp(0, 1).tolist()
    ax.add_patch(Rectangle((x, y), 112, 112, fc=color, ec="#c0c0c0", lw=1.5))
    if disc:
        ax.add_patch(Circle((x + 56, y + 56), 30, fc=disc, ec="none"))


def painting(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple], done: int
) -> Figure:
    """Three names after so many words; the last patch holds people's colour, a disc."""
    ax = canvas(1404, 476)
    ax.figure.colors = 256  # see course.pictures
    for k, name in enumerate(["dark blue green", "light yellow", "neon blue"]):
        x, y, row = 16, 40 + 150 * k, bag.weight[number["canvas"]]
        words = name.split()
        patch(ax, x, y, row)
        if not k:
            label(ax, x + 56, y - 20, "canvas", ha="center", weight="bold")
        for word in words[:done]:
            shift = bag.weight[number[word]]
            row = row + shift
            arrow(ax, (x + 116, y + 56), (x + 358, y + 56), POSITION)
            label(ax, x + 236, y + 28, f"+ {word}", ha="center", weight="bold")
            rounded = [round(value, 1) for value in shift.tolist()]
            text = " ".join("+" * (v > 0) + digits(v if v else 0.0, 1) for v in rounded)
            label(ax, x + 236, y + 84, text, LABEL, ha="center")
            x += 362
            patch(ax, x, y, row, colors[name] if word == words[-1] else None)
    label(ax, 930, 226, "square: what the model paints")
    label(ax, 930, 260, "disc: what people named")
    return ax.figure


def steps(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple]
) -> Iterator[tuple[Figure, int]]:
    """The names are painted word by word."""
    for done in range(4):
        yield painting(bag, number, colors, done), 1000
