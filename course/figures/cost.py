"""Chapter 4: the multiplications by zero."""

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

SQUARE_GAP = 6  # between two squares
ZERO_COLOR, ZERO_EDGE_COLOR = "#dedede", "#bdbdbd"  # grey, of a multiplication by zero
PITCH_LENGTH, PITCH_WIDTH = 105, 68  # metres, at a World Cup
PIXELS_PER_METRE = 4


def draw_multiplication(ax: Axes, x: float, y: float, color: str | None) -> None:
    """Draw one multiplication as a square: grey if it has no colour (it is by zero)."""
    fill, edge = (ZERO_COLOR, ZERO_EDGE_COLOR) if color is None else (color, color)
    side = ROW_HEIGHT - SQUARE_GAP
    corner = (x + SQUARE_GAP / 2, y + SQUARE_GAP / 2)
    ax.add_artist(Rectangle(corner, side, side, fc=fill, ec=edge, lw=1.5))


def sixty_products(idx: torch.Tensor, onehot: torch.Tensor, products: torch.Tensor) -> Figure:
    """Draw every product as a square, a block for each ID; count those by zero and by one."""
    ax = canvas(1404, 356)
    count, rows, columns = products.shape
    x, top, block_step = 20, 84, 62 + columns * ROW_HEIGHT + 40
    for position, token in enumerate(idx.tolist()):
        color = TOKEN_COLORS[token]
        draw_id(ax, x + 24, 40, token)
        draw_text(ax, x + 60, 40, f"products[{position}]", LABEL_COLOR, 24)
        for row, factor in enumerate(onehot[position].int().tolist()):
            row_top = top + row * ROW_HEIGHT
            area, style = (x, row_top, 48, ROW_HEIGHT), "solid" if factor else "pale"
            draw_cell(ax, area, str(factor), token, style)
            for column in range(columns):
                square_x = x + 62 + column * ROW_HEIGHT
                draw_multiplication(ax, square_x, row_top, color if factor else None)
        draw_outline(ax, x, top, 48, rows * ROW_HEIGHT, color)
        x += block_step
    top += rows * ROW_HEIGHT + 44
    equation = f"{count} IDs × {rows} rows × {columns} columns = {products.numel()} products"
    draw_text(ax, 20, top, equation, LABEL_COLOR, 24)
    x, zero_count = x + 20, int((onehot == 0).sum()) * columns
    draw_multiplication(ax, x + 9, 109, None)
    draw_text(ax, x + 84, 134, f"× 0: {zero_count}", PALE_COLOR, 34)
    for i, token in enumerate(idx.tolist()):
        draw_multiplication(ax, x + 9 * i, 184 + 9 * i, TOKEN_COLORS[token])
    draw_text(ax, x + 84, 218, f"× 1: {products.numel() - zero_count}", BLACK, 34, weight="bold")
    return ax.figure


def draw_pitch(ax: Axes, x: float, y: float, grey_share: float) -> None:
    """Draw a football pitch from above, the first `grey_share` (0 to 1) of its length grey."""
    length, width = PITCH_LENGTH * PIXELS_PER_METRE, PITCH_WIDTH * PIXELS_PER_METRE
    middle, grey_end = x + length / 2, x + grey_share * length
    style = {"fill": False, "ec": ZERO_EDGE_COLOR, "lw": 2.5}
    ax.add_artist(Rectangle((x, y), length, width, fc=ZERO_COLOR))
    ax.add_artist(Circle((middle, y + width / 2), 9.15 * PIXELS_PER_METRE, **style))
    ax.plot([middle, middle], [y, y + width], color=ZERO_EDGE_COLOR, lw=2.5, zorder=1)
    area_length, area_width = 16.5 * PIXELS_PER_METRE, 40.3 * PIXELS_PER_METRE  # the penalty areas
    for area_x in (x, x + length - area_length):
        corner = (area_x, y + (width - area_width) / 2)
        ax.add_artist(Rectangle(corner, area_length, area_width, **style))
    ax.add_artist(Rectangle((grey_end, y), x + length - grey_end, width, fc="white", zorder=2))
    ax.add_artist(Rectangle((x, y), length, width, **style, zorder=3))


def pitches(N: int, V: int, D: int) -> Figure:
    """Draw GPT-2's multiplications as areas of one square millimetre each, on pitches to scale."""
    ax = canvas(1404, 640)
    zero_count, one_count = N * (V - 1) * D, N * D
    draw_text(ax, 20, 24, f"× 0: {zero_count:,}", PALE_COLOR, 30)
    for i in range(6):
        x, y = 20 + i % 3 * 472, 54 + i // 3 * 300
        draw_pitch(ax, x, y, min(1, zero_count / 1e6 / (PITCH_LENGTH * PITCH_WIDTH) - i))
    x, y = x + 325, y + 150  # in what is white of the last one
    side = (one_count / 1e6) ** 0.5 * PIXELS_PER_METRE
    ax.add_artist(Rectangle((x - side / 2, y), side, side, fc=TOKEN_COLORS[2], zorder=3))
    draw_arrow(ax, (x, y - 76), (x, y - 2), BLACK)
    draw_text(ax, x, y - 94, f"× 1: {one_count:,}", BLACK, 20, ha="center", weight="bold")
    return ax.figure
