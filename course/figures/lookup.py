"""Chapter 1: IDs fetch their rows."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    between,
    canvas,
    chip,
    label,
    matrix,
    window,
)


def stages(done: float, position: int) -> tuple[float, float]:
    """How far a position is on its way to its row, and how far that row is on its way out.

    Each from 0 to 1. `done` counts the positions: 1.25 is all of the first one and half of the
    second one's way to its row.
    """
    t = 2 * (done - position)
    return min(max(t, 0), 1), min(max(t - 1, 0), 1)


def met(ids: list[int], done: float) -> tuple[dict[int, int], dict[int, int]]:
    """The rows of the table that have been read, and those of the output that have come."""
    read = {token: token for i, token in enumerate(ids) if stages(done, i)[0] == 1}
    return read, {i: token for i, token in enumerate(ids) if stages(done, i)[1] == 1}


def fetch(
    ax: Axes, row: torch.Tensor, rows: Grid, token: int, out: Grid, position: int, way: float
) -> None:
    """A copy of a row on its way from the table to its place in the output.

    It comes from under the table, and passes under the rows that are there already.
    """
    x, y = between((rows.x, rows.y + token * ROW), (out.x, out.y + position * ROW), way)
    right, bottom = ax.get_xlim()[1], ax.get_ylim()[0]
    clear = out.y + position * ROW + 2 if position else 0
    for area in ((rows.right + 2, 0, out.x - 2, bottom), (out.x - 2, clear, right, bottom)):
        matrix(window(ax, *area), x, y, row, None, tokens={0: token})


def look_up(ax: Axes, idx: torch.Tensor, weight: torch.Tensor, done: float = math.inf) -> Grid:
    """IDs, the table with their rows marked, and the rows they fetch (returned), with arrows.

    In a moving diagram, as it stands when so many IDs are `done`.
    """
    ids = idx.tolist()
    read, came = met(ids, done)
    rows = matrix(ax, 196, 52, weight, "weight", tokens=read, index=True)
    y = rows.middle - len(ids) * ROW / 2
    out = matrix(
        ax, rows.right + 148, y, weight[idx], "embedding(idx)", tokens=came, filled=len(came)
    )
    label(ax, 20, y - 24, "idx")
    for i, token in enumerate(ids):
        color, (reach, way) = TOKEN_COLORS[token], stages(done, i)
        chip(ax, 42, out.row(i), token)
        start = (64, out.row(i))
        arrow(ax, start, between(start, (rows.x - 34, rows.row(token)), reach), color)
        start = (rows.right, rows.row(token))
        arrow(ax, start, between(start, (out.x, out.row(i)), way), color)
        if 0 < way < 1:
            fetch(ax, weight[[token]], rows, token, out, i, way)
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
