"""Chapter 14: a cut that slides through a table, and what joins the answers."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import GRID, INK, LABEL, between, canvas, chip, frame, hue, label, symbol

BIG = 26
WIDE, HIGH, APART, GAP = 216, 56, 68, 60  # a row; from one to the next; where the table is cut


def strip(ax: Axes, x: float, y: float, token: int | None, wide: float = WIDE) -> None:
    """A row of the table in its token's colour, or a row of zeros."""
    fill, ink = ("white", LABEL) if token is None else (hue(token), "white")
    ax.add_artist(Rectangle((x, y), wide, HIGH, fc=fill, ec=GRID, lw=1.5, zorder=len(ax.texts)))
    text, weight = ("zeros", "normal") if token is None else (f"row {token}", "bold")
    style = {"ha": "center", "weight": weight, "zorder": len(ax.texts)}
    label(ax, x + wide / 2, y + HIGH / 2, text, ink, BIG if wide == WIDE else 22, **style)


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
        for name, away in {"machine 0": -22, "machine 1": 22}.items():
            label(ax, 310, line + away, name, size=BIG)
        for i, token in enumerate(ids):
            y = top + (HIGH + 24) * i
            chip(ax, 500, y + HIGH / 2, token)
            homes = [(places["machine 1"], y), (places["machine 0"], y)]
            for home in homes:
                strip(ax, *home, None)
            strip(ax, *between(*homes, min(max(cut - token, 0), 1)), token)
            strip(ax, places["sum"], y, token)
        symbol(ax, places["machine 1"] - 38, 34, "+")
        symbol(ax, places["sum"] - 56, 34, "=")
        frame(ax, places["sum"] - 12, top - 12, WIDE + 24, 3 * HIGH + 72, INK)
        yield ax.figure, milliseconds


def piece(
    ax: Axes, x: float, y: float, tokens: list[int | None], share: float = 1, name: str = ""
) -> None:
    """Rows one under another, or a share of each, under a name."""
    label(ax, x + share * WIDE / 2, y - 24, name, size=BIG, ha="center")
    for i, token in enumerate(tokens):
        strip(ax, x, y + i * HIGH, token, share * WIDE)


def add_or_join(idx: torch.Tensor, weight: torch.Tensor) -> Figure:
    """One look-up, cut both ways: rows make addends, columns make neighbours."""
    ax, ids, (v, d) = canvas(1404, 716), idx.tolist(), weight.shape
    rows, share = list(range(v)), (d - d // 2) / d
    for title, y in {"cut the rows: add": 32, "cut the columns: join": 400}.items():
        label(ax, 20, y, title, size=34, weight="bold")
        for i, token in enumerate(ids):
            chip(ax, 524, y + (2 + i) * HIGH, token)
        symbol(ax, 1140, y + 3 * HIGH, "=")
        label(ax, 1168 + WIDE / 2, y + 1.5 * HIGH - 24, "look-up", size=BIG, ha="center")
    piece(ax, 1168, 32 + 1.5 * HIGH, ids)
    for n, half in enumerate((rows[: v // 2], rows[v // 2 :])):
        y = 32 + (1 + n * v / 2) * HIGH - 12 + n * 24
        piece(ax, 188, y, half)
        label(ax, 20, y + len(half) * HIGH / 2, f"machine {n}", size=BIG)
        answer = [token if token in half else None for token in ids]
        piece(ax, 608 + 276 * n, 32 + 1.5 * HIGH, answer, name=f"machine {n}")
    symbol(ax, 854, 32 + 3 * HIGH, "+")
    symbol(ax, 854, 400 + 3 * HIGH, "→ ←")
    across, down = share * WIDE, 400 + 1.5 * HIGH
    for x, y, tokens, gap in ((80, down - 6, rows, 108), (642, down, ids, 164)):
        piece(ax, x, y, tokens, share, "machine 0")
        piece(ax, x + across + gap, y, tokens, 1 - share, "machine 1")
    piece(ax, 1168, down, ids, share)
    piece(ax, 1168 + across, down, ids, 1 - share)
    return ax.figure
