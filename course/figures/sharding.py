"""Chapter 13: a cut that slides through a table, and what joins the answers."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    TOKEN_COLORS,
    between,
    canvas,
    chip,
    frame,
    hue,
    label,
    symbol,
)

BIG = 26
WIDE, HIGH, APART, GAP = 216, 56, 68, 60  # a row; from one to the next; where the table is cut
MACHINES = {"#404040": "white", "#d9d9d9": INK}  # what is on machine 0 and on machine 1; its number
UNIT = 44  # of a matrix without numbers
SUMMED = TOKEN_COLORS[2]  # the dimension that a product sums over


def strip(ax: Axes, x: float, y: float, token: int | None) -> None:
    """A row of the table in its token's colour, or a row of zeros."""
    fill, ink = ("white", LABEL) if token is None else (hue(token), "white")
    ax.add_artist(Rectangle((x, y), WIDE, HIGH, fc=fill, ec=GRID, lw=1.5, zorder=len(ax.texts)))
    text, weight = ("zeros", "normal") if token is None else (f"row {token}", "bold")
    style = {"ha": "center", "weight": weight, "zorder": len(ax.texts)}
    label(ax, x + WIDE / 2, y + HIGH / 2, text, ink, BIG, **style)


def cut_slides(idx: torch.Tensor, weight: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """The cut moves down, then on from the top; rows change hands, the sum stays."""
    ids, rows, top = idx.tolist(), len(weight), 136
    places = {"machine 0": 544, "machine 1": 836, "sum": 1160}
    moments, middle = [(rows / 2, 400)], rows // 2
    for cut in [*range(middle, rows), *range(middle)]:
        moments += [(cut + k / 4, 40) for k in range(1, 4)] + [(cut + 1, 840)]
        if cut == rows - 1:
            moments += [(rows - rows * k / 5, 40) for k in range(1, 5)] + [(0, 840)]
    moments[-1] = (middle, 400)
    for cut, milliseconds in moments:
        ax = canvas(1404, 436)
        label(ax, 500, 34, "ID", size=BIG, ha="center")
        for name, x in {"table": 62, **places}.items():
            label(ax, x + WIDE / 2, 34, name, size=BIG, ha="center")
        for row in range(rows):
            near = between((0, GAP), (0, 0), min(max(cut - row, 0), 1))[1]
            y = 78 + APART * row + near
            strip(ax, 62, y, row)
        line = 78 + APART * cut + (GAP + HIGH - APART) / 2
        ax.plot([20, 300], [line, line], color=INK, lw=3, ls=(0, (5, 3)), zorder=0)
        for i, name in enumerate(MACHINES.values()):
            label(ax, 310, line + (22, -22)[name == "white"], f"machine {i}", size=BIG)
        for i, token in enumerate(ids):
            y = top + (HIGH + 24) * i
            chip(ax, 500, y + HIGH / 2, token)
            homes = [(places["machine 1"], y), (places["machine 0"], y)]
            for home in homes:
                strip(ax, *home, None)
            strip(ax, *between(*homes, min(max(cut - token, 0), 1)), token)
            strip(ax, places["sum"], y, token)
        halfway = top + 1.5 * HIGH + 24
        symbol(ax, places["machine 1"] - 38, halfway, "+")
        symbol(ax, places["sum"] - 56, halfway, "=")
        frame(ax, places["sum"] - 12, top - 12, WIDE + 24, 3 * HIGH + 72, INK)
        yield ax.figure, milliseconds


def grid(
    ax: Axes, x: float, middle: float, shape: tuple[int, int], parts: str, summed: str = ""
) -> float:
    """A matrix without numbers and its shape; the x of its right edge.

    `parts` says which machines have it: "rows" or "columns" for a half each, "0" or "1" for one,
    "both" for both. A bar runs along the dimension that is `summed`, and is cut where that is.
    """
    high, wide = shape[0] * UNIT, shape[1] * UNIT
    y, down, across = middle - high / 2, 1 + (parts == "rows"), 1 + (parts == "columns")
    owners = ["both"] if parts == "both" else [parts] if parts in "01" else ["0", "1"]
    for i, owner in enumerate(owners):
        fill, ink = [*MACHINES.items(), ("white", LABEL)][["0", "1", "both"].index(owner)]
        left, width, height = x + i * (across - 1) * wide / 2, wide / across, high / down
        above = y + i * (down - 1) * high / 2
        edge = INK if owner == "both" else "white"
        ax.add_artist(Rectangle((left, above), width, height, fc=fill, ec=edge, lw=3))
        text = "both have it" if owner == "both" else owner
        text = f"machine {owner}" if parts in "01" else text
        label(ax, left + width / 2, above + height / 2, text, ink, BIG, ha="center")
        wide_bar, high_bar = width - 10 * (across - 1), height - 10 * (down - 1)
        if summed == "across" and (i == 0 or across == 2):
            ax.add_artist(Rectangle((left + 10 * i, y - 22), wide_bar, 10, fc=SUMMED))
        if summed == "down" and (i == 0 or down == 2):
            ax.add_artist(Rectangle((x - 22, above + 10 * i), 10, high_bar, fc=SUMMED))
    label(ax, x + wide / 2, y + high + 24, f"{shape[0]}×{shape[1]}", LABEL, 22, ha="center")
    return x + wide


def add_or_join(onehot: torch.Tensor, weight: torch.Tensor) -> Figure:
    """The same cut read both ways: through the sum it makes addends, beside it neighbours."""
    ax, (n, v), d = canvas(1404, 700), onehot.shape, weight.shape[1]
    lines = [
        ("look-up", "onehot", (n, v), "columns", "weight", (v, d), "rows", "01", "add"),
        ("scores", "h", (n, d), "both", "weight.T", (d, v), "columns", ["columns"], "side by side"),
    ]
    for i, (title, name, left, have, table, right, cut, parts, joined) in enumerate(lines):
        y = 190 + 330 * i
        label(ax, 20, y, title, size=BIG, weight="bold")
        end = grid(ax, 190, y, left, have, "across")
        label(ax, (190 + end) / 2, y - n * UNIT / 2 - 50, name, size=BIG, ha="center")
        symbol(ax, end + 38, y, "@")
        start, end = end + 102, grid(ax, end + 102, y, right, cut, "down")
        label(ax, (start + end) / 2, y - right[0] * UNIT / 2 - 28, table, size=BIG, ha="center")
        symbol(ax, end + 40, y, "=")
        for k, part in enumerate(parts):
            if k:
                symbol(ax, end + 36, y, "+")
            end = grid(ax, end + (72, 80)[not k], y, (n, right[1]), part)
        label(ax, 1390, y, joined, size=34, ha="right", weight="bold")
    ax.add_artist(Rectangle((20, 25), 44, 10, fc=SUMMED))
    label(ax, 80, 30, "summed over", SUMMED, BIG, weight="bold")
    return ax.figure
