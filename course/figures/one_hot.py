"""Chapter 2: one-hot rows times the table."""

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
    """Draw the first one-hot row times the table, and the sum behind one number."""
    ax, token, weight = canvas(1404, 350), idx[0].item(), embedding.weight
    row = onehot[:1]
    onehot_grid = draw_matrix(ax, 12, 127, row, "onehot[:1].float()", owners={0: token})
    table = draw_matrix(ax, 304, 52, weight, "embedding.weight", owners={token: token}, index=True)
    product = draw_matrix(ax, table.right + 50, 127, row.float() @ weight, owners={0: token})
    draw_text(ax, onehot_grid.x, onehot_grid.y - 74, "ID")
    draw_id(ax, onehot_grid.x + 58, onehot_grid.y - 74, token)
    draw_at_sign(ax, (onehot_grid.right + table.x - 24) / 2, onehot_grid.middle_y)
    draw_symbol(ax, (table.right + product.x) / 2, onehot_grid.middle_y, "=")
    # The column that the sum below runs down, and what it gives; clear of the minus signs beside.
    draw_outline(ax, table.x, table.y - 4, table.cell_width, table.bottom - table.y + 8, BLACK, 2.5)
    draw_outline(ax, product.x, product.y - 4, product.cell_width, ROW_HEIGHT + 8, BLACK, 2.5)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    pieces = sum_pieces(row[0].tolist(), column, {token: token}, total, token)
    draw_expression(ax, table.x, 320, pieces)
    return ax.figure


def transpose(embedding: Embedding) -> Figure:
    """Draw the table and its transpose: rows become columns, each keeps its colour."""
    ax, weight = canvas(1404, 370), embedding.weight
    owners = {i: i for i in range(len(weight))}
    table = draw_matrix(ax, 130, 105, weight, "embedding.weight", owners=owners, index=True)
    transposed = draw_matrix(
        ax, 888, 80, weight.T, "embedding.weight.T", owners=owners, along="column", index=True
    )
    draw_arrow(ax, (table.right + 60, table.middle_y), (transposed.x - 60, table.middle_y), BLACK)
    draw_text(ax, (table.right + transposed.x) / 2, table.middle_y - 26, ".T", ha="center")
    return ax.figure


class LookupAndProduct:
    """Draw IDs that are looked up in a table, above, and one-hot rows times it, below.

    `progress` counts the IDs whose rows have come out. At a half, an ID has reached its row, and
    its one-hot row stands upright before the table, a digit beside each row.
    """

    def __init__(self, idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor) -> None:
        """Keep what is looked up and multiplied."""
        self.ids, self.onehot, self.weight = idx.tolist(), onehot, weight

    def still_picture(self, progress: float) -> Image.Image:
        """Return what stands still at a half or a whole `progress`; note where it stands."""
        ax, ids, weight = canvas(1404, 620), self.ids, self.weight
        id_owners = {token: token for token in ids[: math.ceil(progress)]}
        owners = dict(enumerate(ids[: math.floor(progress)]))
        output_style = {"owners": owners, "filled_rows": len(owners)}
        table_style = {"name": "embedding.weight", "owners": id_owners}
        self.table = draw_matrix(ax, 292, 52, weight, **table_style, index=True)
        self.output = draw_matrix(ax, 876, 77, weight[ids], "embedding(idx)", **output_style)
        draw_text(ax, 20, 53, "idx")
        for i, token in enumerate(ids):
            draw_id(ax, 42, self.output.row_y(i), token)
            self.draw_arrows(ax, i, 2 * (progress - i), 2 * (progress - i) - 1)
        name = "onehot.float()"
        self.onehot_grid = draw_matrix(ax, 16, 401, self.onehot, name, owners=dict(enumerate(ids)))
        is_whole = progress % 1 == 0  # else a standing row takes the place of the row numbers
        self.factor = draw_matrix(ax, 292, 376, weight, **table_style, index=is_whole)
        product = self.onehot.float() @ weight
        name = "onehot.float() @ embedding.weight"
        self.product = draw_matrix(ax, 876, 401, product, name, **output_style)
        draw_at_sign(
            ax, (self.onehot_grid.right + self.factor.x - 42) / 2, self.onehot_grid.middle_y
        )
        draw_symbol(ax, (self.factor.right + self.product.x) / 2, self.onehot_grid.middle_y, "=")
        if not is_whole:
            self.draw_standing_row(ax, math.floor(progress), 1)
        for unused_row in set(range(len(weight))) - set(ids) if progress == len(ids) else ():
            # The zeros that multiply the row, and the row.
            draw_cell_outline(ax, self.onehot_grid, 0, unused_row, rows=len(ids))
            draw_cell_outline(ax, self.factor, unused_row, 0, columns=self.factor.columns)
            x, y = self.factor.right, self.factor.y - 24
            draw_text(ax, x, y, "× 0", ha="right", weight="bold")
        return rasterize(ax.figure)

    def draw_motion(self, ax: Axes, progress: float) -> None:
        """Draw what moves: an ID and its one-hot row to a row, or that row out of both tables."""
        i, fraction = math.floor(progress), progress % 1
        if fraction < 1 / 2:
            self.draw_arrows(ax, i, 2 * fraction, 0)
            x, y = self.factor.x - 36, self.factor.y
            ax.add_artist(Rectangle((x, y), 30, 4 * ROW_HEIGHT, fc="white"))  # over the row numbers
            self.draw_standing_row(ax, i, 2 * fraction)
            return
        way_out, token = 2 * fraction - 1, self.ids[i]
        self.draw_arrows(ax, i, 0, way_out)
        # The row comes from under the table, and passes over the rows that are out already.
        clipped = clipped_axes(ax, self.table.right + 2, 0, ax.get_xlim()[1], ax.get_ylim()[0])
        for table, output in ((self.table, self.output), (self.factor, self.product)):
            start = (table.x, table.y + token * ROW_HEIGHT)
            end = (output.x, output.y + i * ROW_HEIGHT)
            x, y = point_between(start, end, way_out)
            draw_matrix(clipped, x, y, self.weight[[token]], None, owners={0: token})

    def draw_arrows(self, ax: Axes, position: int, way_in: float, way_out: float) -> None:
        """Draw the arrows from an ID to its row and from there out, each as far as a fraction."""
        token, y = self.ids[position], self.output.row_y(position)
        row_y = self.table.row_y(token)
        for start, end, t in (
            ((64, y), (self.table.x - 34, row_y), way_in),
            ((self.table.right, row_y), (self.output.x, y), way_out),
        ):
            tip = point_between(start, end, min(max(t, 0), 1))
            draw_arrow(ax, start, tip, color_of(token))

    def draw_standing_row(self, ax: Axes, position: int, way_in: float) -> None:
        """Draw a one-hot row at a fraction of its way to the table, on which it turns upright."""
        start, end = (self.onehot_grid.x + self.onehot_grid.right) / 2, self.factor.x - 24
        x = point_between((start, 0), (end, 0), way_in)[0]
        rise = self.factor.middle_y - self.onehot_grid.row_y(position)
        angle, row = math.pi / 2 * smoothstep(way_in), self.onehot[position].tolist()
        for j, value in enumerate(row):
            offset = (j - (len(row) - 1) / 2) * ROW_HEIGHT
            y = self.onehot_grid.row_y(position) + (rise + offset) * math.sin(angle)
            area = (x + offset * math.cos(angle) - 18, y - ROW_HEIGHT / 2, 36, ROW_HEIGHT)
            draw_cell(ax, area, str(value), self.ids[position], "solid" if value else "pale")


def claim(
    idx: torch.Tensor, onehot: torch.Tensor, embedding: Embedding
) -> Iterator[tuple[Figure, int]]:
    """Draw the claim of the course: look-up and one-hot product give the same rows, one by one."""
    # Progress, and milliseconds. The finished picture first, for those who see it at rest.
    frames = [(len(idx), 300)]
    for i in range(len(idx)):
        milliseconds = 700 if i else 1000  # the first takes longest to understand
        frames += [(i + k / 6, 110) for k in (1, 2)] + [(i + 1 / 2, milliseconds)]
        frames += [(i + 1 / 2 + k / 8, 80) for k in (1, 2, 3)] + [(i + 1, 100)]
    frames[-1] = (len(idx), 700)
    scene = LookupAndProduct(idx, onehot, embedding.weight)
    for progress, milliseconds in frames:
        if 2 * progress % 1 == 0:  # what stands still is drawn once, under what moves
            still_picture = scene.still_picture(progress)
        ax = canvas(1404, 620)
        ax.figure.add_artist(Background(still_picture))
        if 2 * progress % 1:
            scene.draw_motion(ax, progress)
        yield ax.figure, milliseconds
