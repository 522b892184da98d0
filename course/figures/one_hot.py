"""Chapter 2: the same rows as a product."""

import math
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    INK,
    LABEL,
    PALE,
    POSITION,
    ROW,
    Grid,
    Point,
    arrow,
    between,
    box,
    canvas,
    chip,
    digits,
    eased,
    expression,
    frame,
    label,
    matrix,
    surround,
    symbol,
    terms,
    window,
)
from course.figures.lookup import fetch, look_up, met, stages


def times(ax: Axes, x: float, y: float) -> None:
    """The operator @, in a face in which its right side is closed."""
    label(ax, x, y, "@", size=26, ha="center", family="DejaVu Sans")


def product_2(idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding) -> Figure:
    """The one-hot row of the first position times the table, and the sum behind one number."""
    ax, token, weight = canvas(1404, 350), idx[0].item(), embedding.weight
    row = onehot[:1]
    hot = matrix(ax, 12, 127, row, "onehot[:1].float()", tokens={0: token})
    rows = matrix(ax, 304, 52, weight, "embedding.weight", tokens={token: token}, index=True)
    out = matrix(ax, rows.right + 50, 127, row.float() @ weight, tokens={0: token})
    label(ax, hot.x, hot.y - 74, "ID")
    chip(ax, hot.x + 58, hot.y - 74, token)
    times(ax, (hot.right + rows.x - 24) / 2, hot.middle)
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    # The column that the sum below runs down, and what it gives; clear of the minus signs beside.
    frame(ax, rows.x, rows.y - 4, rows.cell, rows.bottom - rows.y + 8, INK, 2.5)
    frame(ax, out.x, out.y - 4, out.cell, ROW + 8, INK, 2.5)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    expression(ax, rows.x, 320, terms(row[0].tolist(), column, {token: token}, total, token))
    return ax.figure


def weighted_sum(half: torch.Tensor, embedding: Embedding) -> Figure:
    """Each row of the table times its weight, and the weighted rows added up."""
    ax, weight = canvas(1404, 440), embedding.weight
    used = {i: i for i, factor in enumerate(half[0].tolist()) if factor}
    factors = matrix(ax, 60, 56, half.T, "half.T", tokens=used, places=1, index=True)
    rows = matrix(ax, 238, 56, weight, "embedding.weight", tokens=used)
    scaled, name = half.T * weight, "half.T * embedding.weight"
    parts = matrix(ax, rows.right + 112, 56, scaled, name, tokens=used, index=True, filled=0)
    for i, row in enumerate(scaled.tolist()):
        for j, value in enumerate(row):  # zeros bare, whatever their sign
            text, ink = (digits(value), INK) if value else ("0", PALE)
            label(ax, parts.x + (j + 1) * parts.cell - 10, parts.row(i), text, ink, ha="right")
    y = parts.bottom + 84
    total = matrix(ax, parts.x, y, half @ weight, None, tokens={0: POSITION})
    symbol(ax, (factors.right + rows.x) / 2, rows.middle, "*")
    symbol(ax, (rows.right + parts.x - 26) / 2, rows.middle, "=")
    middle = (parts.x + parts.right) / 2
    arrow(ax, (middle, parts.bottom), (middle, total.y), INK)
    label(ax, middle + 24, (parts.bottom + total.y) / 2, ".sum(0)")
    label(ax, parts.x - 20, total.middle, "half @ embedding.weight", ha="right")
    label(ax, total.right, total.bottom + 22, "1×5", LABEL, ha="right")
    return ax.figure


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
        area = (x + along * math.cos(angle) - 18, y - ROW / 2, 36, ROW)
        box(sheet, area, str(value), token, "solid" if value else "pale")


def both_ways(
    ax: Axes,
    idx: torch.Tensor,
    onehot: torch.Tensor,
    weight: torch.Tensor,
    done: float = math.inf,
    places: tuple[float, float] | None = None,
    table: str = "weight",
) -> tuple[Grid, Grid]:
    """IDs looked up in a table, above, and multiplied with it, below; returns table and product.

    In a moving diagram, as it stands when so many IDs are `done`: a one-hot row stands up before
    the table, a digit to each row, and the row with the 1 comes out, over the =. `places`,
    if given, says how far from the left both tables stand, and both results; `table` is the name
    of the table.
    """
    out, ids = look_up(ax, idx, weight, done, places=places, table=table), idx.tolist()
    read, came = met(ids, done)
    x, left = (16, places[0]) if places else (20, 288)
    name = "onehot" if onehot.is_floating_point() else "onehot.float()"
    hot = matrix(ax, x, 401, onehot.int(), name, tokens=dict(enumerate(ids)))
    # The digits of a standing row take the place of the row numbers.
    stands = any(reach and way < 1 for reach, way in (stages(done, i) for i in range(len(ids))))
    rows = matrix(ax, left, 376, weight, table, tokens=read, index=not stands)
    total = onehot.float() @ weight
    same = matrix(ax, out.x, 401, total, f"{name} @ {table}", tokens=came, filled=len(came))
    operator = (hot.right + rows.x - (42 if places else 24)) / 2
    times(ax, operator, hot.middle)
    symbol(ax, (rows.right + same.x) / 2, hot.middle, "=")
    for i, token in enumerate(ids):
        reach, way = stages(done, i)
        if reach and way < 1:
            start, end = ((hot.x + hot.right) / 2, hot.row(i)), (rows.x - 24, rows.middle)
            stand_up(ax, onehot[i].int().tolist(), token, start, end, reach)
        if 0 < way < 1:
            fetch(ax, weight[[token]], rows, token, same, i, way)
    for unread in set(range(len(weight))) - set(ids) if places and done >= len(ids) else ():
        surround(ax, hot, 0, unread, rows=len(ids))  # the zeros, and what they were multiplied by
        surround(ax, rows, unread, 0, columns=rows.columns)
        label(ax, rows.right, rows.y - 24, "times 0", ha="right", weight="bold")
    return rows, same


def claim(
    idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding
) -> Iterator[tuple[Figure, int]]:
    """The claim of the course: the look-up, the one-hot product, the same rows out, one by one."""
    moments = [(0, 400)]  # so many are done, for so many milliseconds
    for i in range(len(idx)):
        moments += [(i + k / 8, 130) for k in (1, 2, 3)] + [(i + 1 / 2, 350)]
        moments += [(i + 1 / 2 + k / 10, 90) for k in (1, 2, 3, 4)] + [(i + 1, 120)]
    moments[-1] = (len(idx), 1000)
    for done, milliseconds in moments:
        ax = canvas(1404, 620)
        both_ways(ax, idx, onehot, embedding.weight, done, (292, 876), "embedding.weight")
        yield ax.figure, milliseconds
