"""Chapter 14: a table that is cut in two, and texts that are joined in two ways."""

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

ROW_WIDTH, ROW_HEIGHT, ROW_STEP = 216, 56, 68  # the step is from one row to the next
CUT_HEIGHT = 60  # the gap where the table is cut


def draw_row(ax: Axes, x: float, y: float, token: int | None) -> None:
    """Draw a row of the table in its token's colour, or without a token a row of zeros.

    It covers what is drawn before it.
    """
    fill, text_color = ("white", LABEL_COLOR) if token is None else (color_of(token), "white")
    style = {"fc": fill, "ec": GRID_COLOR, "lw": 1.5, "zorder": len(ax.texts)}
    ax.add_artist(Rectangle((x, y), ROW_WIDTH, ROW_HEIGHT, **style))
    text, weight = ("zeros", "normal") if token is None else (f"row {token}", "bold")
    style = {"ha": "center", "weight": weight, "zorder": len(ax.texts)}
    draw_text(ax, x + ROW_WIDTH / 2, y + ROW_HEIGHT / 2, text, text_color, BIG_FONT, **style)


def cut_slides(idx: torch.Tensor, weight: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """Draw a cut that moves through the table: rows change machines, the sum stays the same."""
    ids, row_count, top = idx.tolist(), len(weight), 136
    columns = {"machine 0": 544, "machine 1": 836, "sum": 1160}
    frames, middle = [(row_count / 2, 400)], row_count // 2
    for cut in [*range(middle, row_count), *range(middle)]:
        frames += [(cut + k / 4, 40) for k in range(1, 4)] + [(cut + 1, 840)]
        if cut == row_count - 1:
            frames += [(row_count - row_count * k / 5, 40) for k in range(1, 5)] + [(0, 840)]
    frames[-1] = (middle, 400)
    for cut, milliseconds in frames:
        ax = canvas(1404, 436)
        draw_text(ax, 500, 34, "ID", size=BIG_FONT, ha="center")
        for name, x in {"table": 62, **columns}.items():
            draw_text(ax, x + ROW_WIDTH / 2, 34, name, size=BIG_FONT, ha="center")
        for row in range(row_count):
            shift = point_between((0, CUT_HEIGHT), (0, 0), min(max(cut - row, 0), 1))[1]
            y = 78 + ROW_STEP * row + shift
            draw_row(ax, 62, y, row)
        cut_y = 78 + ROW_STEP * cut + (CUT_HEIGHT + ROW_HEIGHT - ROW_STEP) / 2
        ax.plot([20, 300], [cut_y, cut_y], color=BLACK, lw=3, ls=(0, (5, 3)), zorder=0)
        for name, offset in {"machine 0": -22, "machine 1": 22}.items():
            draw_text(ax, 310, cut_y + offset, name, size=BIG_FONT)
        for i, token in enumerate(ids):
            y = top + (ROW_HEIGHT + 24) * i
            draw_id(ax, 500, y + ROW_HEIGHT / 2, token)
            corners = [(columns["machine 1"], y), (columns["machine 0"], y)]
            for corner in corners:
                draw_row(ax, *corner, None)
            draw_row(ax, *point_between(*corners, min(max(cut - token, 0), 1)), token)
            draw_row(ax, columns["sum"], y, token)
        draw_symbol(ax, columns["machine 1"] - 38, 34, "+")
        draw_symbol(ax, columns["sum"] - 56, 34, "=")
        draw_outline(ax, columns["sum"] - 12, top - 12, ROW_WIDTH + 24, 3 * ROW_HEIGHT + 72, BLACK)
        yield ax.figure, milliseconds


def joined(texts: Callable[[int], torch.Tensor]) -> Figure:
    """Draw the texts of two processes, joined along the last dimension and along the first."""
    ax, (id_step, text_step) = canvas(1404, 410), (56, 68)
    first, second = texts(0).tolist(), texts(1).tolist()
    joined_texts = [left + right for left, right in zip(first, second, strict=True)]
    groups = [
        (40, 34, "process 0", first),
        (40, 240, "process 1", second),
        (460, 34, "default: 2 texts", joined_texts),
        (1040, 34, "Shard(0): 4 texts", first + second),
    ]
    for left, top, title, rows in groups:
        draw_text(ax, left, top, title, size=BIG_FONT)
        for i, ids in enumerate(rows):
            y = top + 64 + text_step * i
            draw_outline(ax, left, y - 28, id_step * len(ids) + 8, 56, LABEL_COLOR, 2.5)
            for j, token in enumerate(ids):
                draw_id(ax, left + 32 + id_step * j, y, token)
            if rows is joined_texts:  # the seam between a text and the one behind it
                x = left + 4 + id_step * len(first[i])
                ax.plot([x, x], [y - 27, y + 27], color=BLACK, lw=3, ls=(0, (2, 1.2)), zorder=4)
    return ax.figure
