"""Chapter 8: bags of words, and the colours that they add up to."""

from collections.abc import Iterator

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    DIGIT,
    POSITION,
    ROW,
    Owner,
    arrow,
    canvas,
    digits,
    expression,
    hue,
    label,
    matrix,
    patch,
    span,
    surround,
    symbol,
    terms,
)

CHANNELS = ["#c81e1e", "#1a7f37", "#1f4fd8"]  # red, green, blue, as ink on white


def bags(
    words: list[str], ids: list[list[int]], multihot: torch.Tensor, table: torch.Tensor
) -> Figure:
    """Each bag of words and its multi-hot row; the rows times the table; one sum written out."""
    ax = canvas(1404, 372)
    owners: dict[int, Owner] = {i: i for i in range(len(words))}
    y = 96
    counts = matrix(
        ax,
        410,
        y,
        multihot.long(),
        "multihot",
        tokens=owners,
        along="column",
        index=True,
        size=26,
    )
    for i, bag in enumerate(ids):
        x = 386
        for token in reversed(bag):
            width = 14.5 * len(words[token]) + 18
            x -= width + 8
            box = Rectangle((x, counts.row(i) - 20), width, 40, fc=hue(token), ec="none")
            ax.add_patch(box)
            label(ax, x + 9, counts.row(i), words[token], "white", size=24, weight="bold")
    label(ax, 378, 42, "three bags", ha="right")
    symbol(ax, counts.right + 30, counts.middle, "@")
    rows = matrix(ax, counts.right + 186, y - ROW / 2, table, "table", tokens=owners, size=26)
    for i, word in enumerate(words):
        label(ax, rows.x - 12, rows.row(i), f"{i} {word}", hue(i), 24, ha="right", weight="bold")
    symbol(ax, rows.right + 34, counts.middle, "=")
    product = multihot @ table
    tokens = dict.fromkeys(range(len(ids)), POSITION)
    out = matrix(ax, rows.right + 68, y, product, "one row per bag", tokens=tokens, size=26)
    last = len(ids) - 1
    surround(ax, counts, last, 0, 1, len(words))
    surround(ax, rows, 0, 0, len(words), 1)
    factors = multihot[last].long().tolist()
    total = product[last, 0].item()
    written = [int(value) for value in table[:, 0].tolist()]
    pieces = terms(factors, written, owners, int(total), POSITION)
    surround(ax, out, last, 0)
    width = sum(span(text, 24) for text, _ in pieces)
    expression(ax, out.column(0) + DIGIT - width, 346, pieces, 24)
    arrow(ax, (out.column(0), 328), (out.column(0), out.bottom + 4), POSITION)
    return ax.figure


def painting(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple], done: int
) -> Figure:
    """Three held-out names after so many words; the last patch holds people's colour, a disc."""
    ax = canvas(1404, 552)
    label(ax, 82, 28, "canvas", ha="center", weight="bold", size=24)
    if done == 3:
        label(ax, 1388, 28, "square: the model   disc: people", ha="right", size=24)
    for k, name in enumerate(["dark yellow green", "pale lime green", "bright light blue"]):
        x, y, row = 16, 58 + 168 * k, bag.weight[number["canvas"]]
        patch(ax, x, y, 132, 132, row.tolist())
        for i, word in enumerate(name.split()[:done]):
            shift = bag.weight[number[word]]
            row = row + shift
            arrow(ax, (x + 136, y + 66), (x + 409, y + 66), POSITION)
            label(ax, x + 266, y + 34, word, ha="center", weight="bold", size=24)
            for channel, (v, ink) in enumerate(zip(shift.tolist(), CHANNELS, strict=True)):
                text = "+" * (v >= 0) + digits(v, 2)
                label(ax, x + 178 + 90 * channel, y + 98, text, ink, ha="center", size=22)
            x += 413
            patch(ax, x, y, 132, 132, row.tolist())
            if i == 2:
                ax.add_patch(Circle((x + 66, y + 66), 36, fc=colors[name], ec="none"))
    return ax.figure


def steps(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple]
) -> Iterator[tuple[Figure, int]]:
    """The names are painted word by word."""
    for done in range(4):
        yield painting(bag, number, colors, done), 1000
