"""Chapter 13: a cut that slides through a table, and what joins the answers."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import GRID, INK, LABEL, between, canvas, chip, frame, hue, label, symbol

BIG = 26
WIDE, HIGH, APART, GAP = 216, 56, 68, 60  # a row; from one to the next; where the table is cut
MACHINES = {"#404040": "white", "#d9d9d9": INK}  # what is on machine 0 and on machine 1; its number
UNIT = 34  # of a matrix without numbers


def strip(ax: Axes, x: float, y: float, token: int | None) -> None:
    """A row of the table in its token's colour, or a row of zeros."""
    fill, ink = ("white", LABEL) if token is None else (hue(token), "white")
    ax.add_artist(Rectangle((x, y), WIDE, HIGH, fc=fill, ec=GRID, lw=1.5, zorder=len(ax.texts)))
    text, weight = ("zeros", "normal") if token is None else (f"row {token}", "bold")
    style = {"ha": "center", "weight": weight, "zorder": len(ax.texts)}
    label(ax, x + WIDE / 2, y + HIGH / 2, text, ink, BIG, **style)


def cut_slides(idx: torch.Tensor, weight: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """The cut moves down the table and half the way back; rows change hands, the sum stays."""
    ids, rows, top = idx.tolist(), len(weight), 136
    places = {"machine 0": 544, "machine 1": 836, "sum": 1160}
    moments = [(0, 600)]
    for cut in range(rows):
        moments += [(cut + k / 6, 60) for k in range(1, 6)] + [(cut + 1, 320)]
    moments += [(rows - rows * k / 24, 60) for k in range(1, 12)] + [(rows / 2, 1200)]
    for cut, milliseconds in moments:
        ax = canvas(1404, 436)
        for name, x in {"table": 62, **places}.items():
            label(ax, x + WIDE / 2, 34, name, size=BIG, ha="center")
        for row in range(rows):
            near = between((0, GAP), (0, 0), min(max(cut - row, 0), 1))[1]
            y = 78 + APART * row + near
            strip(ax, 62, y, row)
        line = 78 + APART * cut + (GAP + HIGH - APART) / 2
        ax.plot([20, 300], [line, line], color=INK, lw=3, ls=(0, (5, 3)), zorder=40)
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
        middle = top + 1.5 * HIGH + 24
        symbol(ax, places["machine 1"] - 38, middle, "+")
        symbol(ax, places["sum"] - 56, middle, "=")
        frame(ax, places["sum"] - 12, top - 12, WIDE + 24, 3 * HIGH + 72, INK)
        yield ax.figure, milliseconds


def grid(ax: Axes, x: float, middle: float, shape: tuple[int, int], cut: str = "") -> float:
    """A matrix without numbers, whole or cut between two machines; the x of its right edge.

    `cut` says which of them has it: "rows" or "columns" for a half each, "0" or "1" for one.
    """
    high, wide = shape[0] * UNIT, shape[1] * UNIT
    y, step = middle - high / 2, {"rows": (0, high / 2), "columns": (wide / 2, 0)}.get(cut)
    size = (wide - step[0], high - step[1]) if step else (wide, high)
    for i, (fill, ink) in enumerate(MACHINES.items()):
        if step or cut == str(i):
            at = (x + i * step[0], y + i * step[1]) if step else (x, y)
            ax.add_artist(Rectangle(at, *size, fc=fill, ec="white", lw=3))
            at = at[0] + size[0] / 2, at[1] + size[1] / 2
            label(ax, *at, str(i), ink, BIG, ha="center", weight="bold")
    if not cut:
        ax.add_artist(Rectangle((x, y), wide, high, fc="white", ec=INK, lw=2.5))
    return x + wide


def add_or_join(onehot: torch.Tensor, weight: torch.Tensor) -> Figure:
    """Three products with a table in two parts: one is a sum, two lie side by side."""
    ax, (n, v), d = canvas(1404, 640), onehot.shape, weight.shape[1]
    lines = [
        ("look-up, rows cut", "onehot", (n, v), "columns", (v, d), "rows", "add"),
        ("look-up, columns cut", "onehot", (n, v), "", (v, d), "columns", "side by side"),
        ("scores, rows cut", "h", (n, d), "", (d, v), "columns", "side by side"),
    ]
    for i, (title, name, left, cut, right, cuts, joined) in enumerate(lines):
        y = 120 + 210 * i
        label(ax, 20, y, title, size=BIG, weight="bold")
        end = grid(ax, 380, y, left, cut)
        label(ax, (380 + end) / 2, y - n * UNIT / 2 - 24, name, LABEL, BIG, ha="center")
        symbol(ax, end + 32, y, "@")
        start, end = end + 64, grid(ax, end + 64, y, right, cuts)
        table = "weight" if name == "onehot" else "weight.T"
        label(ax, (start + end) / 2, y - right[0] * UNIT / 2 - 24, table, LABEL, BIG, ha="center")
        symbol(ax, end + 36, y, "=")
        out = n, right[1]
        if joined == "add":
            edge = grid(ax, end + 72, y, out, "0")
            symbol(ax, edge + 28, y, "+")
            edge = grid(ax, edge + 56, y, out, "1")
        else:
            edge = grid(ax, end + 72, y, out, "columns")
        label(ax, edge + 32, y, joined, size=BIG)
    return ax.figure
