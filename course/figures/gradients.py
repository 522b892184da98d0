"""Chapter 5: rows of gradients that pile up."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    DIGIT,
    PALE,
    SMALL,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    digits,
    expression,
    label,
    matrix,
    signed,
    surround,
    symbol,
)


def pile_sum(
    ax: Axes, y: float, factors: list[int], values: list[float], total: float, token: int
) -> None:
    """The sum behind one number of a token's gradient; zeros are pale, bare terms have no factor.

    Without factors (an empty list) the values are the terms.
    """
    pieces = []
    for i, value in enumerate(values):
        text = f"{factors[i]}·{signed(int(value))}" if factors else signed(int(value))
        used = not factors or factors[i]
        pieces += [(text, TOKEN_COLORS[token] if used else PALE), (" + ", PALE)]
    pieces[-1:] = [(" = ", PALE), (digits(int(total)), TOKEN_COLORS[token])]
    expression(ax, 702 - DIGIT * sum(len(text) for text, _ in pieces) / 2, y, pieces)


def scatter_add(idx: torch.Tensor, G: torch.Tensor, embedding: Embedding) -> Figure:  # noqa: N803
    """Four gradients, one per position, and the rows of the table's gradient where they pile up."""
    ax, gradient = canvas(1404, 342), embedding.weight.grad
    tokens, seen = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    source = matrix(ax, 158, 52, G, "G", tokens=tokens)
    rows = matrix(ax, 924, 52, gradient, "embedding.weight.grad", tokens=seen, index=True)
    label(ax, 76, source.y - 24, "idx")
    shift = {0: -9, 3: 9}  # two arrows end at row 2, one a little above the other
    for position, token in tokens.items():
        chip(ax, 98, source.row(position), token)
        end = (rows.x - 34, rows.row(token) + shift.get(position, 0))
        arrow(ax, (source.right, source.row(position)), end, TOKEN_COLORS[token])
    for grid, row in ((source, 0), (source, 3), (rows, 2)):
        surround(ax, grid, row, 0)
    pile_sum(ax, 314, [], G[idx == 2, 0].tolist(), gradient[2, 0], 2)
    return ax.figure


def scatter_add_product(idx: torch.Tensor, onehot: torch.Tensor, G: torch.Tensor) -> Figure:  # noqa: N803
    """The one-hot rows, transposed, times G: the same gradient, and the sum behind one number."""
    ax, hot = canvas(1404, 372), onehot.T.int()
    tokens, seen = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    left = matrix(ax, 70, 82, hot, "one_hot(idx).T", tokens=tokens, along="column", index=True)
    for i in range(left.rows):
        label(ax, left.x - 14, left.row(i), str(i), PALE, SMALL, ha="right")
    source = matrix(ax, 402, 82, G, "G", tokens=tokens, index=True)
    product = onehot.T @ G
    out = matrix(ax, 934, 82, product, "one_hot(idx).T @ G", tokens=seen, index=True)
    symbol(ax, (left.right + source.x - 24) / 2, left.middle, "@")
    symbol(ax, (source.right + out.x - 24) / 2, left.middle, "=")
    surround(ax, left, 2, 0, columns=4)
    surround(ax, source, 0, 0, rows=4)
    surround(ax, out, 2, 0)
    pile_sum(ax, 344, hot[2].tolist(), G[:, 0].tolist(), product[2, 0], 2)
    return ax.figure
