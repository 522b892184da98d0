"""Chapter 3: rows of amounts that are not one-hot, on a table of colours."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    INK,
    LABEL,
    PALE,
    POSITION,
    ROW,
    Grid,
    arrow,
    box,
    canvas,
    digits,
    label,
    matrix,
    outline,
    patch,
    symbol,
)


def palette(
    ax: Axes, x: float, y: float, table: torch.Tensor, words: list[str], used: list[int]
) -> Grid:
    """The table, a word before each row and its colour behind it; the rows that are used strong."""
    rows = matrix(ax, x, y, table, "table", tokens=dict.fromkeys(used, POSITION))
    for i, word in enumerate(words):
        weight = "bold" if i in used else "normal"
        ink = INK if i in used else LABEL
        label(ax, x - 14, rows.row(i), f"{i} {word}", ink, ha="right", weight=weight)
        patch(ax, rows.right + 12, y + i * ROW + 4, 84, ROW - 8, table[i].tolist())
    return rows


def moment(
    table: torch.Tensor, words: list[str], rows_of: list[torch.Tensor], done: int, now: torch.Tensor
) -> Figure:
    """One row of amounts beside the table, its product, and below, what all the rows give.

    The first `done` rows have come out, the others are pale.
    """
    ax = canvas(1404, 556)
    used = now.nonzero().flatten().tolist()
    rows = palette(ax, 560, 60, table, words, used)
    x, y, width = 16, rows.middle - ROW / 2, 80
    label(ax, x, y - 54, "row")
    for i, value in enumerate(now.tolist()):
        area = (x + i * width, y, width, ROW)
        box(ax, area, digits(value, 1), *((POSITION, "strong") if value else (None, "pale")))
        ink, weight = (INK, "bold") if value else (LABEL, "normal")
        label(ax, x + (i + 0.5) * width, y - 20, words[i], ink, ha="center", weight=weight)
    for i in used:
        outline(ax, x + i * width, y, width, ROW, POSITION)
    right = x + len(words) * width
    label(ax, right, y + ROW + 22, f"1×{len(words)}", LABEL, ha="right")
    symbol(ax, right + 24, rows.middle, "@")
    result(ax, rows, now @ table)
    strip(ax, rows.bottom + 78, table, words, rows_of, done)
    return ax.figure


def result(ax: Axes, rows: Grid, color: torch.Tensor) -> None:
    """The product beside the table, as numbers and, over them, as a patch."""
    x, y = rows.right + 190, rows.bottom - ROW
    left, tip = rows.right + 104, rows.right + 118  # a bracket: the product reads all rows
    ends = [(left, rows.y + 4), (tip, rows.y + 4), (tip, rows.bottom - 4), (left, rows.bottom - 4)]
    ax.plot(*zip(*ends, strict=True), color=POSITION, lw=3)
    arrow(ax, (tip, rows.middle), (x - 4, rows.middle), POSITION)
    total = matrix(ax, x, y, color[None], None, tokens={0: POSITION}, places=4)
    label(ax, x, rows.y - 24, "row @ table")
    label(ax, total.right, total.bottom + 22, "1×3", LABEL, ha="right")
    patch(ax, x, rows.y, total.right - x, 4 * ROW - 12, color.tolist())


def strip(
    ax: Axes,
    y: float,
    table: torch.Tensor,
    words: list[str],
    rows_of: list[torch.Tensor],
    done: int,
) -> None:
    """What the rows give, patch by patch, one-hot rows first; only the first `done` are strong."""
    first, size, gap, count = 16, 170, 20, len(words)
    for k, weights in enumerate(rows_of):
        x = first + k * (size + gap) + (60 if k >= count else 0)
        patch(ax, x, y, size, 84, (weights @ table).tolist(), k >= done)
        parts = [
            words[i] if value == 1 else f"{digits(value, 1)} {words[i]}"
            for i, value in enumerate(weights.tolist())
            if value
        ]
        for line, text in enumerate(parts):
            ink = INK if k < done else PALE
            label(ax, x + size / 2, y + 106 + 26 * line, text, ink, ha="center")
    label(ax, first, y - 22, "one-hot rows: one patch per ID", LABEL)
    label(ax, first + count * (size + gap) + 60, y - 22, "other rows: no ID", LABEL)


def slide(words: list[str], table: torch.Tensor, p: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """From a lone 1 at the end of the row, part of it goes to the start, until the row is `p`."""
    count, parts = len(words), 2
    onehot = torch.eye(count)
    rows = [*onehot, *(onehot[-1] + (p - onehot[-1]) * k / parts for k in range(1, parts + 1))]
    for k in range(count, len(rows) + 1):
        yield moment(table, words, rows, k, rows[k - 1]), 900
