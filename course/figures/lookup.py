"""Chapter 1: IDs fetch their rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import ROW, TOKEN_COLORS, Grid, arrow, canvas, chip, label, matrix


def look_up(ax: Axes, idx: torch.Tensor, weight: torch.Tensor) -> Grid:
    """IDs, the table with their rows marked, and the rows they fetch (returned), with arrows."""
    ids = idx.tolist()
    rows = matrix(ax, 196, 52, weight, "weight", tokens={i: i for i in ids}, index=True)
    y = rows.middle - len(ids) * ROW / 2
    out = matrix(
        ax, rows.right + 148, y, weight[idx], "embedding(idx)", tokens=dict(enumerate(ids))
    )
    label(ax, 20, y - 24, "idx")
    for i, token in enumerate(ids):
        color = TOKEN_COLORS[token]
        chip(ax, 42, out.row(i), token)
        arrow(ax, (64, out.row(i)), (rows.x - 34, rows.row(token)), color)
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), color)
    return out


def row_that_came(embedding: Embedding, shown: torch.Tensor) -> Figure:
    """The look-up of the one ID whose row the last cell displayed."""
    token = (embedding.weight == shown).all(1).nonzero()[0]
    ax = canvas(1404, 294)
    look_up(ax, token, embedding.weight)
    return ax.figure


def lookup_1(embedding: Embedding, _: torch.Tensor) -> Figure:
    """One ID."""
    return row_that_came(embedding, _)


def lookup_2(embedding: Embedding, _: torch.Tensor) -> Figure:
    """Another."""
    return row_that_came(embedding, _)


def lookup_2_3_1(embedding: Embedding, idx: torch.Tensor) -> Figure:
    """All IDs of `idx`."""
    ax = canvas(1404, 294)
    look_up(ax, idx, embedding.weight)
    return ax.figure
