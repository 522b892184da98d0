"""Chapter 4: what the zeros cost."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_cell,
    draw_id,
    draw_outline,
    draw_text,
)

GAP = 6  # between two squares
GREY, RIM = "#dedede", "#bdbdbd"  # of a multiplication by zero
LONG, WIDE = 105, 68  # metres, the pitch of a World Cup
METRE = 4  # pixels


def square(ax: Axes, x: float, y: float, color: str | None) -> None:
    """One multiplication: pale if it is by zero (no colour), else solid."""
    face, edge = (GREY, RIM) if color is None else (color, color)
    side = ROW_HEIGHT - GAP
    ax.add_artist(Rectangle((x + GAP / 2, y + GAP / 2), side, side, fc=face, ec=edge, lw=1.5))


def sixty_products(idx: torch.Tensor, onehot: torch.Tensor, products: torch.Tensor) -> Figure:
    """Every product as a square, a block for each ID, and how many are by zero and by one."""
    ax = canvas(1404, 356)
    count, rows, columns = products.shape
    x, y, step = 20, 84, 62 + columns * ROW_HEIGHT + 40
    for position, token in enumerate(idx.tolist()):
        color = TOKEN_COLORS[token]
        draw_id(ax, x + 24, 40, token)
        draw_text(ax, x + 60, 40, f"products[{position}]", LABEL_COLOR, 24)
        for row, factor in enumerate(onehot[position].int().tolist()):
            top = y + row * ROW_HEIGHT
            draw_cell(
                ax, (x, top, 48, ROW_HEIGHT), str(factor), token, "solid" if factor else "pale"
            )
            for column in range(columns):
                square(ax, x + 62 + column * ROW_HEIGHT, top, color if factor else None)
        draw_outline(ax, x, y, 48, rows * ROW_HEIGHT, color)
        x += step
    y += rows * ROW_HEIGHT + 44
    total = f"{count} IDs × {rows} rows × {columns} columns = {products.numel()} products"
    draw_text(ax, 20, y, total, LABEL_COLOR, 24)
    x, zeros = x + 20, int((onehot == 0).sum()) * columns
    square(ax, x + 9, 109, None)
    draw_text(ax, x + 84, 134, f"{zeros} by zero", PALE_COLOR, 34)
    for k, token in enumerate(idx.tolist()):
        square(ax, x + 9 * k, 184 + 9 * k, TOKEN_COLORS[token])
    draw_text(ax, x + 84, 218, f"{products.numel() - zeros} by one", BLACK, 34, weight="bold")
    return ax.figure


def pitch(ax: Axes, x: float, y: float, share: float) -> None:
    """A football pitch seen from above, grey as far as a share of its length."""
    length, width = LONG * METRE, WIDE * METRE
    middle, grey, line = x + length / 2, x + share * length, {"fill": False, "ec": RIM, "lw": 2.5}
    ax.add_artist(Rectangle((x, y), length, width, fc=GREY))
    ax.add_artist(Circle((middle, y + width / 2), 9.15 * METRE, **line))
    ax.plot([middle, middle], [y, y + width], color=RIM, lw=2.5, zorder=1)
    area, height = 16.5 * METRE, 40.3 * METRE  # the penalty areas
    for left in (x, x + length - area):
        ax.add_artist(Rectangle((left, y + (width - height) / 2), area, height, **line))
    ax.add_artist(Rectangle((grey, y), x + length - grey, width, fc="white", zorder=2))
    ax.add_artist(Rectangle((x, y), length, width, **line, zorder=3))


def pitches(N: int, V: int, D: int) -> Figure:  # noqa: N803
    """GPT-2's multiplications as squares of a millimetre, true to scale."""
    ax = canvas(1404, 640)
    zeros, ones = N * (V - 1) * D, N * D
    draw_text(ax, 20, 24, f"{zeros:,} by zero", PALE_COLOR, 30)
    for number in range(6):
        x, y = 20 + number % 3 * 472, 54 + number // 3 * 300
        pitch(ax, x, y, min(1, zeros / 1e6 / (LONG * WIDE) - number))
    x, y = x + 325, y + 150  # in what is white of the last one
    side = (ones / 1e6) ** 0.5 * METRE
    ax.add_artist(Rectangle((x - side / 2, y), side, side, fc=TOKEN_COLORS[2], zorder=3))
    draw_arrow(ax, (x, y - 76), (x, y - 2), BLACK)
    draw_text(ax, x, y - 94, f"{ones:,} by one", BLACK, 20, ha="center", weight="bold")
    return ax.figure
