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


def draw_table(
    ax: Axes, x: float, y: float, table: torch.Tensor, words: list[str], used_rows: list[int]
) -> Grid:
    """Draw the table, a word before each row, its colour behind it; return the grid.

    The rows that are used are strong, the others pale.
    """
    grid = draw_matrix(ax, x, y, table, "table", owners=dict.fromkeys(used_rows, POSITION_COLOR))
    for i, word in enumerate(words):
        weight = "bold" if i in used_rows else "normal"
        color = BLACK if i in used_rows else LABEL_COLOR
        draw_text(ax, x - 14, grid.row_y(i), f"{i} {word}", color, ha="right", weight=weight)
        patch_y, rgb = y + i * ROW_HEIGHT + 4, table[i].tolist()
        draw_color_patch(ax, grid.right + 12, patch_y, 84, ROW_HEIGHT - 8, rgb)
    return grid


def draw_frame(
    table: torch.Tensor,
    words: list[str],
    amount_rows: list[torch.Tensor],
    shown_count: int,
    amounts: torch.Tensor,
) -> Figure:
    """Draw one row of amounts times the table, and below, the colours that all rows give.

    The first `shown_count` colours are shown, the others are blank.
    """
    ax = canvas(1404, 556)
    used_rows = amounts.nonzero().flatten().tolist()
    table_grid = draw_table(ax, 560, 60, table, words, used_rows)
    x, y, width = 16, table_grid.middle_y - ROW_HEIGHT / 2, 80
    draw_text(ax, x, y - 54, "row")
    for i, value in enumerate(amounts.tolist()):
        area = (x + i * width, y, width, ROW_HEIGHT)
        owner, style = (POSITION_COLOR, "strong") if value else (None, "pale")
        draw_cell(ax, area, number_text(value, 1), owner, style)
        color, weight = (BLACK, "bold") if value else (LABEL_COLOR, "normal")
        draw_text(ax, x + (i + 0.5) * width, y - 20, words[i], color, ha="center", weight=weight)
    for i in used_rows:
        draw_outline(ax, x + i * width, y, width, ROW_HEIGHT, POSITION_COLOR)
    right = x + len(words) * width
    draw_text(ax, right, y + ROW_HEIGHT + 22, f"1×{len(words)}", LABEL_COLOR, ha="right")
    draw_symbol(ax, right + 24, table_grid.middle_y, "@")
    draw_product(ax, table_grid, amounts @ table)
    draw_patches(ax, table_grid.bottom + 78, table, words, amount_rows, shown_count)
    return ax.figure


def draw_product(ax: Axes, table_grid: Grid, rgb: torch.Tensor) -> None:
    """Draw the product beside the table, as numbers and, above them, as a colour."""
    x, y = table_grid.right + 190, table_grid.bottom - ROW_HEIGHT
    left, tip = table_grid.right + 104, table_grid.right + 118
    top, bottom = table_grid.y + 4, table_grid.bottom - 4
    # A bracket, because the product reads all rows.
    ax.plot([left, tip, tip, left], [top, top, bottom, bottom], color=POSITION_COLOR, lw=3)
    draw_arrow(ax, (tip, table_grid.middle_y), (x - 4, table_grid.middle_y), POSITION_COLOR)
    product_grid = draw_matrix(ax, x, y, rgb[None], None, owners={0: POSITION_COLOR}, decimals=4)
    draw_text(ax, x, table_grid.y - 24, "row @ table")
    draw_text(ax, product_grid.right, product_grid.bottom + 22, "1×3", LABEL_COLOR, ha="right")
    draw_color_patch(ax, x, table_grid.y, product_grid.right - x, 4 * ROW_HEIGHT - 12, rgb.tolist())


def draw_patches(
    ax: Axes,
    y: float,
    table: torch.Tensor,
    words: list[str],
    amount_rows: list[torch.Tensor],
    shown_count: int,
) -> None:
    """Draw the colours that the rows give, one-hot rows first; all but `shown_count` are blank."""
    left, size, gap, count = 16, 170, 20, len(words)
    for i, amounts in enumerate(amount_rows):
        x = left + i * (size + gap) + (60 if i >= count else 0)
        draw_color_patch(ax, x, y, size, 84, (amounts @ table).tolist(), i >= shown_count)
        parts = [
            words[j] if value == 1 else f"{number_text(value, 1)} {words[j]}"
            for j, value in enumerate(amounts.tolist())
            if value
        ]
        for line, text in enumerate(parts):
            color = BLACK if i < shown_count else PALE_COLOR
            draw_text(ax, x + size / 2, y + 106 + 26 * line, text, color, ha="center")
    draw_text(ax, left, y - 22, "one-hot", LABEL_COLOR)
    draw_text(ax, left + count * (size + gap) + 60, y - 22, "not one-hot", LABEL_COLOR)


def slide(words: list[str], table: torch.Tensor, p: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """Draw a one-hot row that changes, in steps, to the row of amounts `p`."""
    count, step_count = len(words), 2
    onehot = torch.eye(count)
    change = p - onehot[-1]
    rows = [*onehot, *(onehot[-1] + change * k / step_count for k in range(1, step_count + 1))]
    for k in range(count, len(rows) + 1):
        yield draw_frame(table, words, rows, k, rows[k - 1]), 900
