"""Chapter 14: texts that are joined in two ways."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
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
