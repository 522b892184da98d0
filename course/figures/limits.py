"""Chapter 10: a row that is NaN, and a NaN in the gradient."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    TOKEN_COLORS,
    Grid,
    canvas,
    draw_arrow,
    draw_at_sign,
    draw_cell_outline,
    draw_expression,
    draw_id,
    draw_matrix,
    draw_symbol,
    draw_text,
    sum_pieces,
    text_width,
)

ONE_DECIMAL = {"decimals": 1, "cell_width": 88, "size": BIG_FONT}


def poisoned_row(
    idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, linear: torch.nn.Linear
) -> Figure:
    """Draw a table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, ids, table_x, output_x = canvas(1404, 816), idx.tolist(), 400, 950
    output_owners, id_owners = dict(enumerate(ids)), {token: token for token in ids}
    draw_text(ax, 20, 32, "weight[idx]", size=30, weight="bold")
    table_style = ONE_DECIMAL | {"owners": id_owners, "index": True}
    output_style = ONE_DECIMAL | {"owners": output_owners}
    table = draw_matrix(ax, table_x, 106, weight, "weight", **table_style)
    output = draw_matrix(ax, output_x, 131, weight[idx], "embedding(idx)", **output_style)
    for i, token in enumerate(ids):
        draw_id(ax, 222, output.row_y(i), token)
        y, row_y, color = output.row_y(i), table.row_y(token), TOKEN_COLORS[token]
        draw_arrow(ax, (246, y), (table.x - 42, row_y), color)
        draw_arrow(ax, (table.right, row_y), (output.x, y), color)
    draw_text(ax, 200, output.y - 24, "idx")
    ax.plot([12, 1392], [350, 350], color=GRID_COLOR, lw=2)
    draw_text(ax, 20, 400, "onehot @ weight", size=30, weight="bold")
    table = draw_matrix(ax, table_x, 474, weight, "linear.weight.T", **table_style)
    onehot_grid = draw_matrix(
        ax, 20, 499, onehot.int(), "onehot", owners=output_owners, cell_width=60, size=BIG_FONT
    )
    product, last = linear(onehot).detach(), len(ids) - 1
    output = draw_matrix(ax, output_x, 499, product, "linear(onehot)", **output_style)
    draw_at_sign(ax, (onehot_grid.right + table.x - 30) / 2, onehot_grid.middle_y)
    draw_symbol(ax, (table.right + output.x) / 2, onehot_grid.middle_y, "=")
    draw_cell_outline(ax, onehot_grid, last, 0, columns=onehot_grid.columns, halo=True)
    draw_cell_outline(ax, table, 0, 0, rows=table.rows, halo=True)
    draw_cell_outline(ax, output, last, 0, halo=True)
    factors, values = onehot[last].int().tolist(), weight[:, 0].tolist()
    pieces = sum_pieces(factors, values, id_owners, product[last, 0].item(), ids[last], decimals=1)
    width = sum(text_width(text, BIG_FONT) for text, _ in pieces)
    draw_expression(ax, output.column_x(0) + 36 - width, 766, pieces, BIG_FONT)
    draw_arrow(ax, (output.column_x(0), 742), (output.column_x(0), output.bottom), BLACK)
    return ax.figure


def draw_nan_matrix(
    ax: Axes, corner: tuple[float, float], values: torch.Tensor, name: str, owners: dict[int, int]
) -> Grid:
    """Draw a matrix and how many of its numbers are NaN; return its grid.

    Its rows are numbered if some have no owner, as in a table.
    """
    style = {"decimals": 0, "cell_width": 60, "size": BIG_FONT, "owners": owners}
    grid = draw_matrix(ax, *corner, values, name, index=len(values) > len(owners), **style)
    x, text = (grid.x + grid.right) / 2, f"{int(values.isnan().sum())} NaN"
    draw_text(ax, x, grid.bottom + 38, text, size=32, ha="center", weight="bold")
    return grid


def one_four_twenty(
    idx: torch.Tensor,
    onehot: torch.Tensor,
    G: torch.Tensor,
    embedding: torch.nn.Embedding,
) -> Figure:
    """Draw a NaN in G, the table's gradient by look-up and by product, and the clipped gradient."""
    ax, ids = canvas(1404, 690), idx.tolist()
    owners = {token: token for token in ids}
    scattered = torch.zeros_like(embedding.weight).index_add(0, idx, G)  # before clipping
    source = draw_nan_matrix(ax, (76, 257), G, "G", dict(enumerate(ids)))
    for i, token in enumerate(ids):
        draw_id(ax, 38, source.row_y(i), token)
    gradient, name = embedding.weight.grad, "clip_grad_norm_(…)"
    clipped = draw_nan_matrix(ax, (1084, 232), gradient, name, owners)
    for name, values, y, shift in [
        ("embedding.weight.grad", scattered, 64, -24),
        ("linear.weight.grad.T", onehot.T @ G, 400, 24),
    ]:
        grid = draw_nan_matrix(ax, (564, y), values, name, owners)
        start = (source.right + 12, source.middle_y + shift)
        draw_arrow(ax, start, (grid.x - 48, grid.middle_y), BLACK)
        end = (clipped.x - 48, clipped.middle_y + shift)
        draw_arrow(ax, (grid.right + 12, grid.middle_y), end, BLACK)
    return ax.figure
