"""Chapter 9: a broken row."""

import torch
from matplotlib.figure import Figure

from course.draw import ROW, canvas, expression, frame, surround, terms
from course.figures.one_hot import both_ways


def poisoned_row(idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor) -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, token = canvas(1404, 690), idx[0].item()
    rows, spoiled = both_ways(ax, idx, onehot, weight)
    surround(ax, rows, 0, 0, rows=4)
    frame(ax, spoiled.x + 7, spoiled.y + 7, spoiled.cell - 14, ROW - 14, "white", 2.5)
    hot, column = onehot[0], weight[:, 0]
    total = (hot @ column).item()
    pieces = terms(hot.int().tolist(), column.tolist(), {token: token}, total, token)
    expression(ax, rows.x, 660, pieces)
    return ax.figure
