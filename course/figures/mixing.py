"""Chapter 3: rows of weights that are not one-hot, on a table of colours."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    POSITION,
    ROW,
    Grid,
    arrow,
    box,
    canvas,
    chip,
    digits,
    frame,
    label,
    matrix,
    symbol,
)

EDGE = "#909090"  # of a patch, so that white shows on white
BACK = "#8f2d56"  # of gradients, which run against the arrows


def patch(ax: Axes, x: float, y: float, width: float, height: float, row: list[float]) -> None:
    """A row of three numbers as the colour that a screen makes of it."""
    color = [min(max(value, 0), 1) for value in row]
    ax.add_patch(Rectangle((x, y), width, height, fc=color, ec=EDGE, lw=1.5))


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
    weights: torch.Tensor, table: torch.Tensor, words: list[str], out: list[torch.Tensor], at: float
) -> Figure:
    """One row of weights beside the table, its product, and below, all that has come `out` so far.

    While a lone 1 is on its way from one row to another, `at` is between their numbers, and
    nothing comes out.
    """
    ax, still = canvas(1404, 556), at == round(at)
    used = weights.nonzero().flatten().tolist() if still else []
    rows = palette(ax, 344, 60, table, words, used)
    x, width = 62, 84
    label(ax, x, 36, "row")
    for i, value in enumerate(weights.tolist()):
        shown = value if still else 0.0
        strength = "strong" if shown else "pale"
        owner = POSITION if shown else None
        area = (x, rows.y + i * ROW, width, ROW)
        text = digits(shown, 1) if still or abs(i - at) >= 1 else ""  # the 1 slides over it
        box(ax, area, text, owner, strength)
    if still:
        for i in used:
            frame(ax, x, rows.y + i * ROW, width, ROW, POSITION)
    else:
        box(ax, (x, rows.y + at * ROW, width, ROW), digits(1.0, 1), POSITION, "strong")
        frame(ax, x, rows.y + at * ROW, width, ROW, POSITION)
    symbol(ax, 186, rows.middle, "*")
    result(ax, rows, weights @ table if still else None)
    strip(ax, rows.bottom + 78, table, words, out)
    return ax.figure


def result(ax: Axes, rows: Grid, color: torch.Tensor | None) -> None:
    """The product beside the table, as numbers and as a patch; empty while there is none."""
    x, y = rows.right + 190, rows.middle - ROW / 2
    arrow(ax, (rows.right + 100, rows.middle), (x - 8, rows.middle), POSITION)
    filled = 0 if color is None else 1
    numbers = torch.zeros(1, rows.columns) + 0.5 if color is None else color[None]
    total = matrix(ax, x, y, numbers, None, tokens={0: POSITION}, filled=filled, places=4)
    label(ax, x, y - 24, "row @ table")
    if color is not None:
        patch(ax, total.right + 14, rows.y, 1384 - total.right - 14, 5 * ROW, color.tolist())


def strip(
    ax: Axes, y: float, table: torch.Tensor, words: list[str], out: list[torch.Tensor]
) -> None:
    """What has come out so far, patch by patch: the one-hot rows first, then the mixtures."""
    first, size, gap, count = 20, 150, 16, len(words)
    for k, weights in enumerate(out):
        x = first + k * (size + gap) + (60 if k >= count else 0)
        patch(ax, x, y, size, 84, (weights @ table).tolist())
        parts = [
            words[i] if value == 1 else f"{digits(value, 1)} {words[i]}"
            for i, value in enumerate(weights.tolist())
            if value
        ]
        for line, text in enumerate(parts):
            label(ax, x + size / 2, y + 106 + 26 * line, text, ha="center")
    label(ax, first, y - 22, "one-hot rows: one patch per ID", LABEL)
    if len(out) > count:
        label(ax, first + count * (size + gap) + 60, y - 22, "other rows: no ID", LABEL)


def slide(words: list[str], table: torch.Tensor, p: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """A lone 1 slides down the row, then part of it goes back to the top, until the row is `p`."""
    count, out = len(words), []
    onehot = torch.eye(count)
    for i in range(count):
        out.append(onehot[i])
        yield moment(onehot[i], table, words, out, i), 400
        if i + 1 < count:
            for part in (0.35, 0.7):
                yield moment(onehot[i], table, words, out, i + part), 60
    parts = 3
    for k in range(1, parts + 1):
        weights = onehot[-1] + (p - onehot[-1]) * k / parts
        out.append(weights)
        yield moment(weights, table, words, out, 0), 500 if k < parts else 1400


def back(ax: Axes, y: float, start: float, end: float, text: str) -> None:
    """A dashed arrow from right to left at one height, and what it is, over it."""
    style = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "mutation_scale": 22, "lw": 3}
    ax.annotate("", (end, y), (start, y), arrowprops=style | {"color": BACK, "ls": (0, (3, 2))})
    label(ax, (start + end) / 2, y - 22, text, BACK, ha="center")


def lane(
    ax: Axes, y: float, words: list[str], soft: torch.Tensor, out: torch.Tensor, name: str
) -> tuple[Grid, Grid]:
    """A soft row on the left, on the right the colour that comes of it, and its sum."""
    row = matrix(ax, 20, y, soft[None], None, tokens={0: POSITION}, places=1)
    for i, word in enumerate(words):
        label(ax, row.column(i), y - 20, word, LABEL, ha="center")
    label(ax, 20, y - 52, "soft")
    color = matrix(ax, 850, y, out[None], None, tokens={0: POSITION}, places=4)
    label(ax, 850, y - 24, name)
    patch(ax, color.right + 14, y, 80, ROW, out.tolist())
    arrow(ax, (color.right + 98, row.middle), (1304, row.middle), POSITION)
    label(ax, 1310, row.middle, ".sum()")
    return row, color


def way_back(
    words: list[str], p: torch.Tensor, table: torch.Tensor, gradient: torch.Tensor
) -> Figure:
    """Above, a soft row: forward to a colour, back to a gradient. Below, argmax cuts the way."""
    ax = canvas(1404, 548)
    row, color = lane(ax, 80, words, p, p @ table, "soft @ embedding.weight")
    arrow(ax, (row.right, row.middle), (color.x, row.middle), POSITION)
    slope = matrix(ax, 20, 190, gradient[None], None, tokens={0: BACK}, places=4)
    label(ax, 20, slope.bottom + 24, "gradient: what more of each word adds to the sum", BACK)
    back(ax, slope.middle, 1370, slope.right + 4, "backward")
    ax.plot([12, 1392], [302, 302], color=GRID, lw=2)
    token = p.argmax().item()
    row, color = lane(ax, 400, words, p, table[token], "embedding(soft.argmax())")
    middle = 690
    arrow(ax, (row.right, row.middle), (middle - 24, row.middle), POSITION)
    label(ax, (row.right + middle - 24) / 2, row.middle - 26, "argmax", ha="center")
    chip(ax, middle, row.middle, token, POSITION)
    arrow(ax, (middle + 24, row.middle), (color.x, row.middle), POSITION)
    y = row.bottom + 60
    back(ax, y, 1370, middle + 16, "backward")
    ax.plot([middle, middle], [y - 26, y + 26], color=BACK, lw=6)
    label(ax, middle - 24, y, "None: no way through an ID", BACK, ha="right")
    return ax.figure
