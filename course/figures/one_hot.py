"""Chapter 2: the same rows as a product."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    INK,
    Grid,
    arrow,
    canvas,
    chip,
    expression,
    label,
    matrix,
    surround,
    symbol,
    terms,
)
from course.figures.lookup import look_up


def product(idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, position: int) -> Figure:
    """The one-hot row of one position times the table, and the sum behind one number."""
    ax, token = canvas(1484, 350), idx[position].item()
    row = onehot[position : position + 1]
    hot = matrix(ax, 82, 127, row, f"one_hot(idx)[{position}]", tokens={0: token})
    rows = matrix(ax, 360, 52, weight, "weight", tokens={token: token}, index=True)
    out = matrix(ax, rows.right + 64, 127, row.float() @ weight, tokens={0: token})
    chip(ax, 36, hot.middle, token)
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    surround(ax, rows, 0, 0, rows=4)  # the column that the sum below runs down
    surround(ax, out, 0, 0)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    expression(ax, rows.x, 320, terms(row[0].tolist(), column, {token: token}, total, token))
    return ax.figure


def product_2(idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding) -> Figure:
    """The first position."""
    return product(idx, onehot, embedding.weight, 0)


def product_3(idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding) -> Figure:
    """The second position."""
    return product(idx, onehot, embedding.weight, 1)


def transpose(embedding: Embedding) -> Figure:
    """The table and its transpose: rows become columns, each keeps its colour."""
    ax, weight = canvas(1404, 370), embedding.weight
    tokens = {i: i for i in range(len(weight))}
    rows = matrix(ax, 130, 105, weight, "embedding.weight", tokens=tokens, index=True)
    flipped = matrix(
        ax, 888, 80, weight.T, "embedding.weight.T", tokens=tokens, along="column", index=True
    )
    arrow(ax, (rows.right + 60, rows.middle), (flipped.x - 60, rows.middle), INK)
    label(ax, (rows.right + flipped.x) / 2, rows.middle - 26, ".T", ha="center")
    return ax.figure


def both_ways(
    ax: Axes, idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor
) -> tuple[Grid, Grid]:
    """IDs looked up in a table, above, and multiplied with it, below; returns table and product."""
    out = look_up(ax, idx, weight)
    tokens, owners = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    hot = matrix(ax, 20, 401, onehot.int(), "one_hot(idx)", tokens=tokens)
    rows = matrix(ax, 300, 376, weight, "weight", tokens=owners, index=True)
    same = matrix(ax, out.x, 401, onehot.float() @ weight, "one_hot(idx) @ weight", tokens=tokens)
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + same.x) / 2, hot.middle, "=")
    return rows, same


def claim(idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding) -> Figure:
    """The claim of the course: the look-up, the one-hot product, the same rows out."""
    ax = canvas(1404, 620)
    both_ways(ax, idx, onehot, embedding.weight)
    return ax.figure
