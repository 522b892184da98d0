"""Chapter 2: the same rows as a product."""

import math
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image
from torch.nn import Embedding

from course.diagrams import rasterize
from course.draw import (
    INK,
    ROW,
    Backdrop,
    arrow,
    between,
    box,
    canvas,
    chip,
    eased,
    expression,
    hue,
    label,
    matrix,
    outline,
    surround,
    symbol,
    terms,
    times,
    window,
)


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
    outline(ax, rows.x, rows.y - 4, rows.cell, rows.bottom - rows.y + 8, INK, 2.5)
    outline(ax, out.x, out.y - 4, out.cell, ROW + 8, INK, 2.5)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    expression(ax, rows.x, 320, terms(row[0].tolist(), column, {token: token}, total, token))
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


class BothWays:
    """IDs looked up in a table, above, and multiplied with it, below, while so many are `done`.

    Half done is an ID that has reached its row: its one-hot row stands up before the table, a
    digit to each row of it. Then that row comes out.
    """

    def __init__(self, idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor) -> None:
        """What is looked up and multiplied; `still` says where."""
        self.ids, self.onehot, self.weight = idx.tolist(), onehot, weight

    def still(self, done: float) -> Image.Image:
        """What stands still at a half or a whole `done`: all but what `move` draws."""
        ax, ids, weight = canvas(1404, 620), self.ids, self.weight
        read = {token: token for token in ids[: math.ceil(done)]}
        came = dict(enumerate(ids[: math.floor(done)]))
        result = {"tokens": came, "filled": len(came)}
        self.table = matrix(ax, 292, 52, weight, "embedding.weight", tokens=read, index=True)
        self.rows = matrix(ax, 876, 77, weight[ids], "embedding(idx)", **result)
        label(ax, 20, 53, "idx")
        for i, token in enumerate(ids):
            chip(ax, 42, self.rows.row(i), token)
            self.arrows(ax, i, 2 * (done - i), 2 * (done - i) - 1)
        hot, table = "onehot.float()", "embedding.weight"
        self.hot = matrix(ax, 16, 401, self.onehot, hot, tokens=dict(enumerate(ids)))
        numbered = done % 1 == 0  # else the digits of the standing row take their place
        self.factor = matrix(ax, 292, 376, weight, table, tokens=read, index=numbered)
        product = self.onehot.float() @ weight
        self.product = matrix(ax, 876, 401, product, f"{hot} @ {table}", **result)
        times(ax, (self.hot.right + self.factor.x - 42) / 2, self.hot.middle)
        symbol(ax, (self.factor.right + self.product.x) / 2, self.hot.middle, "=")
        if not numbered:
            self.stand(ax, math.floor(done), 1)
        for unread in set(range(len(weight))) - set(ids) if done == len(ids) else ():
            surround(ax, self.hot, 0, unread, rows=len(ids))  # the zeros, and what they multiplied
            surround(ax, self.factor, unread, 0, columns=self.factor.columns)
            x, y = self.factor.right, self.factor.y - 24
            label(ax, x, y, "times 0", ha="right", weight="bold")
        return rasterize(ax.figure)

    def move(self, ax: Axes, done: float) -> None:
        """What moves: an ID and its one-hot row to their row, or that row out of both tables."""
        i, part = math.floor(done), done % 1
        if part < 1 / 2:
            self.arrows(ax, i, 2 * part, 0)
            x, y = self.factor.x - 36, self.factor.y
            ax.add_artist(Rectangle((x, y), 30, 4 * ROW, fc="white"))  # over the row numbers
            self.stand(ax, i, 2 * part)
            return
        way, token = 2 * part - 1, self.ids[i]
        self.arrows(ax, i, 0, way)
        sheet = window(ax, self.table.right + 2, 0, ax.get_xlim()[1], ax.get_ylim()[0])
        for table, out in ((self.table, self.rows), (self.factor, self.product)):
            start, end = (table.x, table.y + token * ROW), (out.x, out.y + i * ROW)
            x, y = between(start, end, way)  # from under the table, over the rows that are there
            matrix(sheet, x, y, self.weight[[token]], None, tokens={0: token})

    def arrows(self, ax: Axes, i: int, reach: float, way: float) -> None:
        """From an ID to its row, and from there out, as far as they have come."""
        token, color, y = self.ids[i], hue(self.ids[i]), self.rows.row(i)
        for x, right, start, end, t in (
            (64, self.table.x - 34, y, self.table.row(token), reach),
            (self.table.right, self.rows.x, self.table.row(token), y, way),
        ):
            arrow(ax, (x, start), between((x, start), (right, end), min(max(t, 0), 1)), color)

    def stand(self, ax: Axes, i: int, reach: float) -> None:
        """A copy of a one-hot row on its way to the place before the table where it stands."""
        start, end = (self.hot.x + self.hot.right) / 2, self.factor.x - 24
        x, lift = between((start, 0), (end, 0), reach)[0], self.factor.middle - self.hot.row(i)
        angle, row = math.pi / 2 * eased(reach), self.onehot[i].tolist()
        for j, value in enumerate(row):
            along = (j - (len(row) - 1) / 2) * ROW
            y = self.hot.row(i) + (lift + along) * math.sin(angle)
            area = (x + along * math.cos(angle) - 18, y - ROW / 2, 36, ROW)
            box(ax, area, str(value), self.ids[i], "solid" if value else "pale")


def claim(
    idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding
) -> Iterator[tuple[Figure, int]]:
    """The claim of the course: the look-up, the one-hot product, the same rows out, one by one."""
    moments = [(0, 300)]  # so many are done, for so many milliseconds
    for i in range(len(idx)):
        standing = 700 if i else 1000  # the first takes longest to understand
        moments += [(i + k / 6, 110) for k in (1, 2)] + [(i + 1 / 2, standing)]
        moments += [(i + 1 / 2 + k / 8, 80) for k in (1, 2, 3)] + [(i + 1, 100)]
    moments[-1] = (len(idx), 700)
    both = BothWays(idx, onehot, embedding.weight)
    for done, milliseconds in moments:
        if 2 * done % 1 == 0:  # what stands still is drawn once, under what moves
            still = both.still(done)
        ax = canvas(1404, 620)
        ax.figure.add_artist(Backdrop(still))
        if 2 * done % 1:
            both.move(ax, done)
        yield ax.figure, milliseconds
