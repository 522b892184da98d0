"""Note 10_number_types: which bits of an ID a number type keeps."""

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
    draw_arrow,
    draw_text,
    tint,
)

BIT_WIDTH, BIT_HEIGHT = 28, 48
KEPT_COLOR, LOST_COLOR = tint(TOKEN_COLORS[1]), TOKEN_COLORS[2]


def kept_bits(ids: torch.Tensor, kinds: list[torch.dtype]) -> Figure:
    """Draw the bits of each ID, solid where its number type loses them, and what is left of it."""
    ax, right = canvas(1404, 256), 928  # the right edge of all bits
    for row, (number, kind) in enumerate(zip(ids, kinds, strict=True)):
        y, bits = 18 + 86 * row, f"{number.item():b}"
        middle, kept = y + BIT_HEIGHT / 2, kept_places(kind, len(bits))
        x = right - BIT_WIDTH * len(bits)
        draw_text(ax, x - 22, middle, f"{number:,}", size=BIG_FONT, ha="right")
        for i, bit in enumerate(bits):
            is_kept, left = i in kept, x + BIT_WIDTH * i
            fill, color = (KEPT_COLOR, BLACK) if is_kept else (LOST_COLOR, "white")
            style = {"fc": fill, "ec": GRID_COLOR, "lw": 1.5}
            ax.add_patch(Rectangle((left, y), BIT_WIDTH, BIT_HEIGHT, **style))
            draw_text(ax, left + BIT_WIDTH / 2, middle, bit, color, ha="center")
        name = str(kind).removeprefix("torch.")
        draw_text(ax, right + 106, middle - 24, name, LABEL_COLOR, ha="center")
        draw_arrow(ax, (right + 16, middle), (right + 196, middle), LABEL_COLOR)
        remainder = f"{number.to(kind).long():,}"
        draw_text(ax, 1304, middle, remainder, size=BIG_FONT, ha="right", weight="bold")
    return ax.figure


def kept_places(kind: torch.dtype, length: int) -> range:
    """Return which of so many bits a type keeps: an integer the last, a float the first."""
    if kind.is_floating_point:
        return range(1 - round(torch.tensor(torch.finfo(kind).eps).log2().item()))
    return range(length - torch.iinfo(kind).bits, length)
