"""Chapter 14: texts that are joined in two ways, and what a process holds of a table."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_id,
    draw_outline,
    draw_text,
)


def joined(texts: Callable[[int], torch.Tensor]) -> Figure:
    """Draw the texts of two processes, joined along the last dimension and along the first."""
    ax, (id_step, text_step) = canvas(1372, 344), (56, 68)
    first, second = texts(0).tolist(), texts(1).tolist()
    joined_texts = [left + right for left, right in zip(first, second, strict=True)]
    groups = [
        (40, "process 0", first),
        (276, "process 1", second),
        (592, "both get: default", joined_texts),
        (1010, "both get: Shard(0)", first + second),
    ]
    for left, title, rows in groups:
        draw_text(ax, left, 34, title, size=BIG_FONT)
        for i, ids in enumerate(rows):
            y = 98 + text_step * i
            draw_outline(ax, left, y - 28, id_step * len(ids) + 8, 56, LABEL_COLOR, 2.5)
            for j, token in enumerate(ids):
                draw_id(ax, left + 32 + id_step * j, y, token)
            if rows is joined_texts:  # the seam between a text and the one behind it
                x = left + 4 + id_step * len(first[i])
                ax.plot([x, x], [y - 27, y + 27], color=BLACK, lw=3, ls=(0, (2, 1.2)), zorder=4)
    ax.plot([512, 512], [16, 328], color=GRID_COLOR, lw=2)  # brought | received
    return ax.figure


def held(weight: torch.Tensor) -> Figure:
    """Draw what process 0 holds of a table cut by rows and by columns, and of what goes with it."""
    ax, size, color = canvas(1372, 262), 34, TOKEN_COLORS[1]
    rows, columns = weight.shape
    for k, cut in enumerate(["by rows", "by columns"]):
        left = 40 + 686 * k
        draw_text(ax, left, 30, f"process 0 holds, {cut}", size=BIG_FONT)
        part = weight.chunk(2, dim=k)[0].shape
        parts = {"table": part, "gradient": part if k else weight.shape, "average": part}
        for j, (name, (height, width)) in enumerate(parts.items()):
            x, y = left + 208 * j, 62
            for cell in range(rows * columns):
                row, column = divmod(cell, columns)
                fill = color if row < height and column < width else "white"
                corner = (x + size * column, y + size * row)
                ax.add_artist(Rectangle(corner, size, size, fc=fill, ec=GRID_COLOR, lw=1.5))
            middle = x + size * columns / 2
            draw_text(ax, middle, y + size * rows + 32, name, size=BIG_FONT, ha="center")
    ax.plot([686, 686], [16, 246], color=GRID_COLOR, lw=2)
    return ax.figure
