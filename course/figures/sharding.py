"""Chapter 14: a cut that slides through a table, and texts that are joined in two ways."""

from collections.abc import Callable, Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    canvas,
    color_of,
    draw_id,
    draw_outline,
    draw_symbol,
    draw_text,
    point_between,
)

WIDE, HIGH, APART, GAP = 216, 56, 68, 60  # a row; from one to the next; where the table is cut


def strip(ax: Axes, x: float, y: float, token: int | None) -> None:
    """A row of the table in its token's colour, or a row of zeros."""
    fill, ink = ("white", LABEL_COLOR) if token is None else (color_of(token), "white")
    ax.add_artist(
        Rectangle((x, y), WIDE, HIGH, fc=fill, ec=GRID_COLOR, lw=1.5, zorder=len(ax.texts))
    )
    text, weight = ("zeros", "normal") if token is None else (f"row {token}", "bold")
    style = {"ha": "center", "weight": weight, "zorder": len(ax.texts)}
    draw_text(ax, x + WIDE / 2, y + HIGH / 2, text, ink, BIG_FONT, **style)


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
        draw_text(ax, 500, 34, "ID", size=BIG_FONT, ha="center")
        for name, x in {"table": 62, **places}.items():
            draw_text(ax, x + WIDE / 2, 34, name, size=BIG_FONT, ha="center")
        for row in range(rows):
            near = point_between((0, GAP), (0, 0), min(max(cut - row, 0), 1))[1]
            y = 78 + APART * row + near
            strip(ax, 62, y, row)
        line = 78 + APART * cut + (GAP + HIGH - APART) / 2
        ax.plot([20, 300], [line, line], color=BLACK, lw=3, ls=(0, (5, 3)), zorder=0)
        for name, away in {"machine 0": -22, "machine 1": 22}.items():
            draw_text(ax, 310, line + away, name, size=BIG_FONT)
        for i, token in enumerate(ids):
            y = top + (HIGH + 24) * i
            draw_id(ax, 500, y + HIGH / 2, token)
            homes = [(places["machine 1"], y), (places["machine 0"], y)]
            for home in homes:
                strip(ax, *home, None)
            strip(ax, *point_between(*homes, min(max(cut - token, 0), 1)), token)
            strip(ax, places["sum"], y, token)
        draw_symbol(ax, places["machine 1"] - 38, 34, "+")
        draw_symbol(ax, places["sum"] - 56, 34, "=")
        draw_outline(ax, places["sum"] - 12, top - 12, WIDE + 24, 3 * HIGH + 72, BLACK)
        yield ax.figure, milliseconds


def joined(texts: Callable[[int], torch.Tensor]) -> Figure:
    """The texts of two processes, joined along the last dimension and along the first."""
    ax, (step, high) = canvas(1404, 410), (56, 68)
    first, second = texts(0).tolist(), texts(1).tolist()
    long = [one + other for one, other in zip(first, second, strict=True)]
    groups = [
        (40, 34, "process 0", first),
        (40, 240, "process 1", second),
        (460, 34, "default: 2 texts", long),
        (1040, 34, "Shard(0): 4 texts", first + second),
    ]
    for left, top, title, rows in groups:
        draw_text(ax, left, top, title, size=BIG_FONT)
        for n, ids in enumerate(rows):
            y = top + 64 + high * n
            draw_outline(ax, left, y - 28, step * len(ids) + 8, 56, LABEL_COLOR, 2.5)
            for i, token in enumerate(ids):
                draw_id(ax, left + 32 + step * i, y, token)
            if rows is long:  # the seam between a text and the one behind it
                x = left + 4 + step * len(first[n])
                ax.plot([x, x], [y - 27, y + 27], color=BLACK, lw=3, ls=(0, (2, 1.2)), zorder=4)
    return ax.figure
