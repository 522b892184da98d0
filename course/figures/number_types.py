"""Note 10_number_types: which bits of an ID a number type keeps."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_text,
    text_width,
    tint,
)

Fill = str | tuple[float, ...]
BIT_WIDTH, BIT_HEIGHT = 36, 44
KEPT_COLOR, LOST_COLOR = tint(TOKEN_COLORS[1]), TOKEN_COLORS[2]


def kept_bits(ids: torch.Tensor, kinds: list[torch.dtype]) -> Figure:
    """Draw the bits of each ID, solid where its number type loses them, above what comes back.

    What comes back has the colour of a loss in each bit that is not as it was.
    """
    ax, right = canvas(1216, 344), 1204  # the right edge of all bits
    for row, (number, kind) in enumerate(zip(ids, kinds, strict=True)):
        y, before, after = 6 + 122 * row, number.item(), number.to(kind).long().item()
        length, kept = before.bit_length(), kept_places(kind, before.bit_length())
        left, middle = right - BIT_WIDTH * length - 20, y + BIT_HEIGHT / 2
        style = {"size": BIG_FONT, "ha": "right"}
        draw_text(ax, left, middle, f"{before:,}", **style)
        draw_text(ax, left, middle + BIT_HEIGHT, f"{after:,}", weight="bold", **style)
        name, x = str(kind).removeprefix("torch."), left - text_width(f"{after:,}", BIG_FONT) - 24
        draw_text(ax, x, middle + BIT_HEIGHT, name, LABEL_COLOR, 24, ha="right")
        for place, bit in enumerate(f"{before:b}"):
            colors = (KEPT_COLOR, BLACK) if place in kept else (LOST_COLOR, "white")
            draw_bit(ax, right - BIT_WIDTH * (length - place), y, bit, *colors)
        for power, bit in enumerate(reversed(f"{after:b}")):
            color = BLACK if before >> power & 1 == int(bit) else LOST_COLOR
            draw_bit(ax, right - BIT_WIDTH * (power + 1), y + BIT_HEIGHT, bit, "white", color)
    return ax.figure


def draw_bit(ax: Axes, x: float, y: float, bit: str, fill: Fill, color: str) -> None:
    """Draw one bit in its cell; a digit that is not black is bold."""
    style = {"fc": fill, "ec": GRID_COLOR, "lw": 1.5}
    ax.add_patch(Rectangle((x, y), BIT_WIDTH, BIT_HEIGHT, **style))
    weight = "normal" if color == BLACK else "bold"
    middle = (x + BIT_WIDTH / 2, y + BIT_HEIGHT / 2)
    draw_text(ax, *middle, bit, color, 24, ha="center", weight=weight)


def kept_places(kind: torch.dtype, length: int) -> range:
    """Return which of so many bits a type keeps: an integer the last, a float the first."""
    if kind.is_floating_point:
        return range(1 - round(torch.tensor(torch.finfo(kind).eps).log2().item()))
    return range(length - torch.iinfo(kind).bits, length)
