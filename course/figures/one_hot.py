"""Chapter 2: the same rows as a product."""

import math
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    INK,
    ROW,
    Grid,
    Point,
    arrow,
    between,
    box,
    canvas,
    chip,
    eased,
    expression,
    label,
    matrix,
    surround,
    symbol,
    terms,
    window,
)
from course.figures.lookup import fetch, look_up, met, stages


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


def stand_up(ax: Axes, row: list[int], token: int, start: Point, end: Point, reach: float) -> None:
    """A copy of a one-hot row on its way from lying around `start` to standing around `end`."""
    sheet = window(ax, 0, 0, ax.get_xlim()[1], ax.get_ylim()[0])
    angle, (x, _) = math.pi / 2 * eased(reach), between(start, end, reach)
    for j, value in enumerate(row):
        along = (j - (len(row) - 1) / 2) * ROW
        y = start[1] + (end[1] - start[1] + along) * math.sin(angle)
        area = (x + along * math.cos(angle) - 20, y - ROW / 2, 40, ROW)
        box(sheet, area, str(value), token, "solid" if value else "pale")


def both_ways(
    ax: Axes, idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, done: float = math.inf
) -> tuple[Grid, Grid]:
    """IDs looked up in a table, above, and multiplied with it, below; returns table and product.

    In a moving diagram, as it stands when so many IDs are `done`: a one-hot row stands up before
    the table, a digit to each row, and the row with the 1 comes out.
    """
    out, ids = look_up(ax, idx, weight, done), idx.tolist()
    read, came = met(ids, done)
    hot = matrix(ax, 20, 401, onehot.int(), "one_hot(idx)", tokens=dict(enumerate(ids)))
    rows = matrix(ax, 300, 376, weight, "weight", tokens=read, index=True)
    name, total = "one_hot(idx) @ weight", onehot.float() @ weight
    same = matrix(ax, out.x, 401, total, name, tokens=came, filled=len(came))
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + same.x) / 2, hot.middle, "=")
    for i, token in enumerate(ids):
        reach, way = stages(done, i)
        if reach and way < 1:
            start, end = ((hot.x + hot.right) / 2, hot.row(i)), (rows.x - 22, rows.middle)
            stand_up(ax, onehot[i].int().tolist(), token, start, end, reach)
        if 0 < way < 1:
            fetch(ax, weight[[token]], rows, token, same, i, way)
    return rows, same


def claim(
    idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding
) -> Iterator[tuple[Figure, int]]:
    """The claim of the course: the look-up, the one-hot product, the same rows out, one by one."""
    moments = [(0, 600)]  # so many are done, for so many milliseconds
    for i in range(len(idx)):
        moments += [(i + k / 6, 70) for k in (1, 2)] + [(i + 1 / 2, 250)]
        moments += [(i + 1 / 2 + k / 12, 70) for k in range(1, 6)] + [(i + 1, 300)]
    moments[-1] = (len(idx), 1400)
    for done, milliseconds in moments:
        ax = canvas(1404, 620)
        both_ways(ax, idx, onehot, embedding.weight, done)
        yield ax.figure, milliseconds
