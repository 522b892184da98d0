"""Chapter 4: what the zeros cost."""

import torch
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    DIGIT,
    PALE,
    ROW,
    SMALL,
    TOKEN_COLORS,
    arrow,
    box,
    canvas,
    chip,
    digits,
    frame,
    label,
    matrix,
)


def sixty_products(
    idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding, products: torch.Tensor
) -> Figure:
    """Every product, one block per ID, and the sums down its columns."""
    ax, weight = canvas(1404, 744), embedding.weight
    x, y, width, height = 90, 62, 9 * DIGIT + 20, 44
    label(ax, x, y - 28, "one_hot(idx)[:, :, None] * weight")
    for position, token in enumerate(idx.tolist()):
        color = TOKEN_COLORS[token]
        for i, factor in enumerate(onehot[position].int().tolist()):
            for j, value in enumerate(weight[i].tolist()):
                area = (x + j * width, y + i * height, width, height)
                owner, strength = (token, "strong") if factor else (None, "pale")
                box(ax, area, f"{factor}·{digits(value)}", owner, strength)
        frame(ax, x, y + token * height, 5 * width, height, color)
        middle, right = y + 2 * height, x + 5 * width
        sums = products[position].sum(0, keepdim=True)
        out = matrix(ax, 864, middle - ROW / 2, sums, tokens={0: token})
        chip(ax, 42, middle, token)
        arrow(ax, (right + 14, middle), (out.x - 6, middle), color)
        if position == 0:
            label(ax, (right + out.x) / 2, middle - 26, ".sum(1)", ha="center")
        y += 4 * height + 52
    label(ax, right, y - 32, "×".join(map(str, products.shape)), PALE, SMALL, ha="right")
    return ax.figure
