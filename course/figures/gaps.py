"""Note 01_gaps: labels by the ID, and labels by the mask."""

import torch
from matplotlib.figure import Figure

from course.draw import (
    PALE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    Grid,
    canvas,
    draw_cell,
    draw_outline,
    draw_solid_box,
    draw_text,
    number_text,
)

FILLED_COLOR = "#888888"  # of the ID of the end, in a gap


def labels(
    texts: torch.Tensor, ended: torch.Tensor, by_id: torch.Tensor, by_mask: torch.Tensor
) -> Figure:
    """Draw the filled texts and both kinds of labels; the end of each text is dark."""
    ax, end, y = canvas(1404, 222), int(texts.max()), 52
    for name, numbers, x in (
        ("ended", ended, 24),
        ("by_id", by_id, 534),
        ("by_mask", by_mask, 1044),
    ):
        grid = Grid(x, y, len(numbers), numbers.shape[1], 84)
        draw_text(ax, x, 26, name)
        for i, row in enumerate(numbers.tolist()):
            for j, number in enumerate(row):
                area = (x + j * grid.cell_width, y + i * ROW_HEIGHT, grid.cell_width, ROW_HEIGHT)
                middle = (grid.column_x(j), grid.row_y(i))
                draw_cell(ax, area, "", None, "pale")
                if number == end:
                    color = POSITION_COLOR if texts[i, j] == end else FILLED_COLOR
                    draw_solid_box(ax, middle, 60, 40, str(end), color)
                    continue
                draw_text(ax, *middle, number_text(number), PALE_COLOR, ha="center")
                if texts[i, j] == end:
                    draw_outline(ax, area[0] + 4, area[1] + 4, 76, 42, POSITION_COLOR)
    return ax.figure
