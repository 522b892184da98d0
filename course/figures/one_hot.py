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
    BLACK,
    ROW_HEIGHT,
    Background,
    canvas,
    clipped_axes,
    color_of,
    draw_arrow,
    draw_at_sign,
    draw_cell,
    draw_cell_outline,
    draw_expression,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_symbol,
    draw_text,
    point_between,
    smoothstep,
    sum_pieces,
)


def product_2(idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding) -> Figure:
    """The one-hot row of the first position times the table, and the sum behind one number."""
    ax, token, weight = canvas(1404, 350), idx[0].item(), embedding.weight
    row = onehot[:1]
    hot = draw_matrix(ax, 12, 127, row, "onehot[:1].float()", owners={0: token})
    rows = draw_matrix(ax, 304, 52, weight, "embedding.weight", owners={token: token}, index=True)
    out = draw_matrix(ax, rows.right + 50, 127, row.float() @ weight, owners={0: token})
    draw_text(ax, hot.x, hot.y - 74, "ID")
    draw_id(ax, hot.x + 58, hot.y - 74, token)
    draw_at_sign(ax, (hot.right + rows.x - 24) / 2, hot.middle_y)
    draw_symbol(ax, (rows.right + out.x) / 2, hot.middle_y, "=")
    # The column that the sum below runs down, and what it gives; clear of the minus signs beside.
    draw_outline(ax, rows.x, rows.y - 4, rows.cell_width, rows.bottom - rows.y + 8, BLACK, 2.5)
    draw_outline(ax, out.x, out.y - 4, out.cell_width, ROW_HEIGHT + 8, BLACK, 2.5)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    draw_expression(
        ax, rows.x, 320, sum_pieces(row[0].tolist(), column, {token: token}, total, token)
    )
    return ax.figure


def transpose(embedding: Embedding) -> Figure:
    """The table and its transpose: rows become columns, each keeps its colour."""
    ax, weight = canvas(1404, 370), embedding.weight
    tokens = {i: i for i in range(len(weight))}
    rows = draw_matrix(ax, 130, 105, weight, "embedding.weight", owners=tokens, index=True)
    flipped = draw_matrix(
        ax, 888, 80, weight.T, "embedding.weight.T", owners=tokens, along="column", index=True
    )
    draw_arrow(ax, (rows.right + 60, rows.middle_y), (flipped.x - 60, rows.middle_y), BLACK)
    draw_text(ax, (rows.right + flipped.x) / 2, rows.middle_y - 26, ".T", ha="center")
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
        result = {"owners": came, "filled_rows": len(came)}
        self.table = draw_matrix(ax, 292, 52, weight, "embedding.weight", owners=read, index=True)
        self.rows = draw_matrix(ax, 876, 77, weight[ids], "embedding(idx)", **result)
        draw_text(ax, 20, 53, "idx")
        for i, token in enumerate(ids):
            draw_id(ax, 42, self.rows.row_y(i), token)
            self.arrows(ax, i, 2 * (done - i), 2 * (done - i) - 1)
        hot, table = "onehot.float()", "embedding.weight"
        self.hot = draw_matrix(ax, 16, 401, self.onehot, hot, owners=dict(enumerate(ids)))
        numbered = done % 1 == 0  # else the digits of the standing row take their place
        self.factor = draw_matrix(ax, 292, 376, weight, table, owners=read, index=numbered)
        product = self.onehot.float() @ weight
        self.product = draw_matrix(ax, 876, 401, product, f"{hot} @ {table}", **result)
        draw_at_sign(ax, (self.hot.right + self.factor.x - 42) / 2, self.hot.middle_y)
        draw_symbol(ax, (self.factor.right + self.product.x) / 2, self.hot.middle_y, "=")
        if not numbered:
            self.stand(ax, math.floor(done), 1)
        for unread in set(range(len(weight))) - set(ids) if done == len(ids) else ():
            draw_cell_outline(
                ax, self.hot, 0, unread, rows=len(ids)
            )  # the zeros, and what they multiplied
            draw_cell_outline(ax, self.factor, unread, 0, columns=self.factor.columns)
            x, y = self.factor.right, self.factor.y - 24
            draw_text(ax, x, y, "times 0", ha="right", weight="bold")
        return rasterize(ax.figure)

    def move(self, ax: Axes, done: float) -> None:
        """What moves: an ID and its one-hot row to their row, or that row out of both tables."""
        i, part = math.floor(done), done % 1
        if part < 1 / 2:
            self.arrows(ax, i, 2 * part, 0)
            x, y = self.factor.x - 36, self.factor.y
            ax.add_artist(Rectangle((x, y), 30, 4 * ROW_HEIGHT, fc="white"))  # over the row numbers
            self.stand(ax, i, 2 * part)
            return
        way, token = 2 * part - 1, self.ids[i]
        self.arrows(ax, i, 0, way)
        sheet = clipped_axes(ax, self.table.right + 2, 0, ax.get_xlim()[1], ax.get_ylim()[0])
        for table, out in ((self.table, self.rows), (self.factor, self.product)):
            start, end = (table.x, table.y + token * ROW_HEIGHT), (out.x, out.y + i * ROW_HEIGHT)
            x, y = point_between(
                start, end, way
            )  # from under the table, over the rows that are there
            draw_matrix(sheet, x, y, self.weight[[token]], None, owners={0: token})

    def arrows(self, ax: Axes, i: int, reach: float, way: float) -> None:
        """From an ID to its row, and from there out, as far as they have come."""
        token, color, y = self.ids[i], color_of(self.ids[i]), self.rows.row_y(i)
        for x, right, start, end, t in (
            (64, self.table.x - 34, y, self.table.row_y(token), reach),
            (self.table.right, self.rows.x, self.table.row_y(token), y, way),
        ):
            draw_arrow(
                ax, (x, start), point_between((x, start), (right, end), min(max(t, 0), 1)), color
            )

    def stand(self, ax: Axes, i: int, reach: float) -> None:
        """A copy of a one-hot row on its way to the place before the table where it stands."""
        start, end = (self.hot.x + self.hot.right) / 2, self.factor.x - 24
        x, lift = (
            point_between((start, 0), (end, 0), reach)[0],
            self.factor.middle_y - self.hot.row_y(i),
        )
        angle, row = math.pi / 2 * smoothstep(reach), self.onehot[i].tolist()
        for j, value in enumerate(row):
            along = (j - (len(row) - 1) / 2) * ROW_HEIGHT
            y = self.hot.row_y(i) + (lift + along) * math.sin(angle)
            area = (x + along * math.cos(angle) - 18, y - ROW_HEIGHT / 2, 36, ROW_HEIGHT)
            draw_cell(ax, area, str(value), self.ids[i], "solid" if value else "pale")


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
        ax.figure.add_artist(Background(still))
        if 2 * done % 1:
            both.move(ax, done)
        yield ax.figure, milliseconds
