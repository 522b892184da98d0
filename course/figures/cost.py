"""Chapter 4: what the zeros cost."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    INK,
    LABEL,
    PALE,
    ROW,
    TOKEN_COLORS,
    box,
    canvas,
    chip,
    frame,
    label,
)

GAP = 6  # between two squares


def square(ax: Axes, x: float, y: float, color: str | None) -> None:
    """One multiplication: pale if it is by zero (no colour), else solid."""
    face, edge = ("#dedede", "#bdbdbd") if color is None else (color, color)
    side = ROW - GAP
    ax.add_artist(Rectangle((x + GAP / 2, y + GAP / 2), side, side, fc=face, ec=edge, lw=1.5))


def sixty_products(idx: torch.Tensor, onehot: torch.Tensor, products: torch.Tensor) -> Figure:
    """Every product as a square, a block for each ID, and how many are by zero and by one."""
    ax = canvas(1404, 356)
    count, rows, columns = products.shape
    x, y, step = 20, 84, 62 + columns * ROW + 40
    for position, token in enumerate(idx.tolist()):
        color = TOKEN_COLORS[token]
        chip(ax, x + 24, 40, token)
        label(ax, x + 60, 40, f"products[{position}]", LABEL, 24)
        for row, factor in enumerate(onehot[position].int().tolist()):
            top = y + row * ROW
            box(ax, (x, top, 48, ROW), str(factor), token, "solid" if factor else "pale")
            for column in range(columns):
                square(ax, x + 62 + column * ROW, top, color if factor else None)
        frame(ax, x, y, 48, rows * ROW, color)
        x += step
    y += rows * ROW + 44
    total = f"{count} IDs × {rows} rows × {columns} columns = {products.numel()} products"
    label(ax, 20, y, total, LABEL, 24)
    x, zeros = x + 20, int((products == 0).sum())
    square(ax, x + 9, 109, None)
    label(ax, x + 84, 134, f"{zeros} by zero", PALE, 34)
    for k, token in enumerate(idx.tolist()):
        square(ax, x + 9 * k, 184 + 9 * k, TOKEN_COLORS[token])
    label(ax, x + 84, 218, f"{products.numel() - zeros} by one", INK, 34, weight="bold")
    return ax.figure
