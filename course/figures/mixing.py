"""Chapter 3: rows of amounts that are not one-hot, on a table of colours."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    Grid,
    canvas,
    draw_arrow,
    draw_cell,
    draw_color_patch,
    draw_matrix,
    draw_outline,
    draw_symbol,
    draw_text,
    number_text,
)


def palette(
    ax: Axes, x: float, y: float, table: torch.Tensor, words: list[str], used: list[int]
) -> Grid:
    """The table, a word before each row and its colour behind it; the rows that are used strong."""
    rows = draw_matrix(ax, x, y, table, "table", owners=dict.fromkeys(used, POSITION_COLOR))
    for i, word in enumerate(words):
        weight = "bold" if i in used else "normal"
        ink = BLACK if i in used else LABEL_COLOR
        draw_text(ax, x - 14, rows.row_y(i), f"{i} {word}", ink, ha="right", weight=weight)
        draw_color_patch(
            ax, rows.right + 12, y + i * ROW_HEIGHT + 4, 84, ROW_HEIGHT - 8, table[i].tolist()
        )
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
    x, y, width = 16, rows.middle_y - ROW_HEIGHT / 2, 80
    draw_text(ax, x, y - 54, "row")
    for i, value in enumerate(now.tolist()):
        area = (x + i * width, y, width, ROW_HEIGHT)
        draw_cell(
            ax,
            area,
            number_text(value, 1),
            *((POSITION_COLOR, "strong") if value else (None, "pale")),
        )
        ink, weight = (BLACK, "bold") if value else (LABEL_COLOR, "normal")
        draw_text(ax, x + (i + 0.5) * width, y - 20, words[i], ink, ha="center", weight=weight)
    for i in used:
        draw_outline(ax, x + i * width, y, width, ROW_HEIGHT, POSITION_COLOR)
    right = x + len(words) * width
    draw_text(ax, right, y + ROW_HEIGHT + 22, f"1×{len(words)}", LABEL_COLOR, ha="right")
    draw_symbol(ax, right + 24, rows.middle_y, "@")
    result(ax, rows, now @ table)
    strip(ax, rows.bottom + 78, table, words, rows_of, done)
    return ax.figure


def result(ax: Axes, rows: Grid, color: torch.Tensor) -> None:
    """The product beside the table, as numbers and, over them, as a patch."""
    x, y = rows.right + 190, rows.bottom - ROW_HEIGHT
    left, tip = rows.right + 104, rows.right + 118  # a bracket: the product reads all rows
    ends = [(left, rows.y + 4), (tip, rows.y + 4), (tip, rows.bottom - 4), (left, rows.bottom - 4)]
    ax.plot(*zip(*ends, strict=True), color=POSITION_COLOR, lw=3)
    draw_arrow(ax, (tip, rows.middle_y), (x - 4, rows.middle_y), POSITION_COLOR)
    total = draw_matrix(ax, x, y, color[None], None, owners={0: POSITION_COLOR}, decimals=4)
    draw_text(ax, x, rows.y - 24, "row @ table")
    draw_text(ax, total.right, total.bottom + 22, "1×3", LABEL_COLOR, ha="right")
    draw_color_patch(ax, x, rows.y, total.right - x, 4 * ROW_HEIGHT - 12, color.tolist())


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
        draw_color_patch(ax, x, y, size, 84, (weights @ table).tolist(), k >= done)
        parts = [
            words[i] if value == 1 else f"{number_text(value, 1)} {words[i]}"
            for i, value in enumerate(weights.tolist())
            if value
        ]
        for line, text in enumerate(parts):
            ink = BLACK if k < done else PALE_COLOR
            draw_text(ax, x + size / 2, y + 106 + 26 * line, text, ink, ha="center")
    draw_text(ax, first, y - 22, "one-hot rows: one patch per ID", LABEL_COLOR)
    draw_text(ax, first + count * (size + gap) + 60, y - 22, "other rows: no ID", LABEL_COLOR)


def slide(words: list[str], table: torch.Tensor, p: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """From a lone 1 at the end of the row, part of it goes to the start, until the row is `p`."""
    count, parts = len(words), 2
    onehot = torch.eye(count)
    rows = [*onehot, *(onehot[-1] + (p - onehot[-1]) * k / parts for k in range(1, parts + 1))]
    for k in range(count, len(rows) + 1):
        yield moment(table, words, rows, k, rows[k - 1]), 900
