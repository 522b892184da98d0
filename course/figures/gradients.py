"""Chapter 5: rows of gradients that are added to a table, and a sum that is rounded."""

import math
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from torch.nn import Embedding

from course.diagrams import rasterize
from course.draw import (
    ARROW_STYLE,
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    Background,
    Grid,
    Point,
    canvas,
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
    number_text,
    operand_text,
    point_between,
    sum_pieces,
    text_width,
)

MOVING_CELL_WIDTH = 60  # the width of a cell of a row in flight


def moving_row_position(start: Point, end: Point, gap_x: float, t: float) -> Point:
    """Return where a row is at a fraction of its time: across to gap_x, up or down, across."""
    corners = [start, (gap_x, start[1]), (gap_x, end[1]), end]
    leg = min(int(3 * t), 2)
    return point_between(corners[leg], corners[leg + 1], 3 * t - leg)


def draw_moving_row(ax: Axes, position: Point, row: torch.Tensor, token: int) -> None:
    """Draw a row of a matrix on its way, smaller than it will be in its place."""
    x, y = position
    for j, value in enumerate(row.tolist()):
        area = (x + j * MOVING_CELL_WIDTH, y + 5, MOVING_CELL_WIDTH, ROW_HEIGHT - 10)
        draw_cell(ax, area, number_text(value, 0), token, "strong")
    draw_outline(ax, x, y + 5, MOVING_CELL_WIDTH * len(row), ROW_HEIGHT - 10, TOKEN_COLORS[token])


def draw_gradient_sum(
    ax: Axes,
    idx: torch.Tensor,
    rows: torch.Tensor,
    gradient: torch.Tensor,
    count: int,
    *,
    fade_next: bool = False,
) -> tuple[Grid, Grid]:
    """Draw rows of gradients, and the table's gradient as the sum of the first `count` of them.

    With fade_next, the next row is pale. Returns the grids of the rows and of the table.
    """
    ids = idx.tolist()
    sums = torch.zeros_like(gradient).index_add(0, idx[:count], rows[:count])
    source = draw_matrix(ax, 158, 52, rows, "G", owners=dict(enumerate(ids)))
    owners = {token: token for token in ids[:count]}
    table = draw_matrix(ax, 924, 52, sums, "embedding.weight.grad", owners=owners)
    if fade_next:
        area = (source.x, source.y + count * ROW_HEIGHT, source.right - source.x, ROW_HEIGHT)
        ax.add_artist(Rectangle(area[:2], *area[2:], fc="white", ec="none", alpha=0.65, zorder=5))
    for i in range(table.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in owners else (LABEL_COLOR, "normal")
        draw_text(ax, table.x - 28, table.row_y(i), str(i), color, ha="right", weight=weight)
    draw_text(ax, 76, source.y - 24, "idx")
    repeats = [i for i, token in enumerate(ids) if ids.count(token) > 1]
    shift = dict(zip(repeats, (-9, 9), strict=True))  # two arrows end at one row
    for position, token in enumerate(ids):
        draw_id(ax, 98, source.row_y(position), token)
        if position < count:
            end = (table.x - 48, table.row_y(token) + shift.get(position, 0))
            draw_arrow(ax, (source.right, source.row_y(position)), end, TOKEN_COLORS[token])
    token = ids[repeats[0]]
    summands = [i for i in repeats if i < count]
    pieces = [(f"grad[{token}, 0] = ", BLACK)]
    for i in summands:
        if i != summands[0]:
            pieces.append((" + ", PALE_COLOR))
        pieces.append((operand_text(int(rows[i, 0])), TOKEN_COLORS[token]))
        draw_outline(ax, source.x + 6, source.row_y(i) - 19, source.cell_width - 12, 38, BLACK, 2.5)
    if len(summands) > 1:
        pieces += [(" = ", PALE_COLOR), (number_text(int(sums[token, 0])), TOKEN_COLORS[token])]
    if not summands:
        pieces.append(("0", PALE_COLOR))
    y, width = table.row_y(token) - 19, table.cell_width - 12
    draw_outline(ax, table.x + 6, y, width, 38, BLACK, 2.5)
    draw_expression(ax, table.x, table.bottom + 66, pieces)
    return source, table


def scatter_add(
    idx: torch.Tensor,
    G: torch.Tensor,
    embedding: Embedding,
) -> Iterator[tuple[Figure, int]]:
    """Draw a row of gradients for each position, and how each moves into the table's gradient."""
    tensors = idx, G, embedding.weight.grad
    for count, token in enumerate(idx.tolist()):
        ax = canvas(1404, 346)
        draw_gradient_sum(ax, *tensors, count)
        yield ax.figure, 400 if count else 700
        still_ax = canvas(1404, 346)  # what stands still is drawn once, under what moves
        source, table = draw_gradient_sum(still_ax, *tensors, count, fade_next=True)
        still_picture = rasterize(still_ax.figure)
        margin = (source.right - source.x - MOVING_CELL_WIDTH * source.columns) / 2
        start = (source.x + margin, source.y + count * ROW_HEIGHT)
        end = (table.x + margin, table.y + token * ROW_HEIGHT)
        for step in range(1, 9):
            ax = canvas(1404, 346)
            ax.figure.add_artist(Background(still_picture))
            position = moving_row_position(start, end, source.right + 12, step / 9)
            draw_moving_row(ax, position, G[count], token)
            yield ax.figure, 60
    ax = canvas(1404, 346)
    draw_gradient_sum(ax, *tensors, len(idx))
    yield ax.figure, 1100


def scatter_add_product(idx: torch.Tensor, onehot: torch.Tensor, G: torch.Tensor) -> Figure:
    """Draw the transposed one-hot rows times G, and the sum behind one number of the product."""
    ax, transposed = canvas(1404, 416), onehot.T.int()
    position_owners, id_owners = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    top = 114
    onehot_grid = draw_matrix(
        ax, 84, top, transposed, None, owners=position_owners, along="column", index=True
    )
    draw_text(ax, onehot_grid.x, top - 92, "onehot.T")
    for i in range(onehot_grid.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in id_owners else (LABEL_COLOR, "normal")
        draw_text(
            ax, onehot_grid.x - 14, onehot_grid.row_y(i), str(i), color, ha="right", weight=weight
        )
    g_grid = draw_matrix(ax, 458, top, G, None, owners=position_owners)
    for i in range(g_grid.rows):
        draw_text(ax, g_grid.x - 14, g_grid.row_y(i), str(i), LABEL_COLOR, ha="right")
    draw_text(ax, g_grid.x, top - 92, "G")
    product = onehot.T @ G
    product_grid = draw_matrix(ax, 974, top, product, None, owners=id_owners, index=True)
    draw_text(ax, product_grid.x, top - 92, "onehot.T @ G")
    for grid in (onehot_grid, product_grid):
        draw_text(ax, grid.x - 14, top - 20, "ID", LABEL_COLOR, ha="right")
    draw_text(ax, onehot_grid.x, top - 56, "position", LABEL_COLOR)
    draw_text(ax, g_grid.x - 14, top - 20, "position", LABEL_COLOR, ha="right")
    draw_at_sign(ax, (onehot_grid.right + g_grid.x - 24) / 2, onehot_grid.middle_y)
    draw_symbol(ax, (g_grid.right + product_grid.x - 24) / 2, onehot_grid.middle_y, "=")
    repeated_id = next(i for i in id_owners if idx.tolist().count(i) > 1)
    draw_cell_outline(ax, onehot_grid, repeated_id, 0, columns=len(idx))
    draw_cell_outline(ax, g_grid, 0, 0, rows=len(idx))
    draw_cell_outline(ax, product_grid, repeated_id, 0)
    factors, column = transposed[repeated_id].tolist(), [int(g) for g in G[:, 0]]
    owners = {i: repeated_id for i, factor in enumerate(factors) if factor}
    pieces = sum_pieces(factors, column, owners, int(product[repeated_id, 0]), repeated_id)
    pieces = [(f"(onehot.T @ G)[{repeated_id}, 0] = ", BLACK), *pieces]
    width = sum(text_width(text) for text, _ in pieces)
    x, y = (ax.get_xlim()[1] - width) / 2, product_grid.bottom + 72
    draw_outline(ax, x - 14, y - 22, width + 28, 44, BLACK, 2.5)
    draw_expression(ax, x, y, pieces)
    return ax.figure


def halfway(heap: torch.Tensor, one: torch.Tensor) -> Figure:
    """Draw the whole numbers that the type of `heap` has, and where `heap + one` is rounded to."""
    ax, total, step, y, size = canvas(1404, 350), int(heap), int(one), 196, 24
    row = torch.arange(total - 2, total + 5)
    exact = set(row.to(heap.dtype).int().tolist()) & set(row.tolist())
    blue, orange = TOKEN_COLORS[1], TOKEN_COLORS[2]
    arrow = ARROW_STYLE | {"mutation_scale": 20}

    def x_of(value: float) -> float:
        return 102 + 200 * (value - row[0].item())

    def draw_jump(start: float, end: float, bow: float, color: str, **style: object) -> None:
        ends = (start, y - 12), (end, y - 12)
        style |= arrow | {"connectionstyle": f"arc3,rad={bow}", "color": color}
        ax.add_patch(FancyArrowPatch(*ends, **style))

    ax.plot([x_of(row[0]) - 62, x_of(row[-1]) + 62], [y, y], color=LABEL_COLOR, lw=2)
    for value in row.tolist():
        color, weight = (BLACK, "bold") if value in exact else (LABEL_COLOR, "normal")
        style = {"fc": "white", "ls": (0, (2, 2))}
        style = {"fc": POSITION_COLOR} if value in exact else style
        ax.add_patch(Circle((x_of(value), y), 11, ec=color, lw=2, zorder=4, **style))
        draw_text(ax, x_of(value), y + 42, str(value), color, size, ha="center", weight=weight)
    for value in range(row[0].item(), total + step, step):
        color = blue if value < total else orange
        draw_jump(x_of(value) + 10, x_of(value + step) - 6, -0.4, color)
        draw_text(ax, x_of(value + step / 2), y - 72, f"+{step}", color, size, ha="center")
    draw_jump(x_of(total + step) + 4, x_of(total) + 2, 1.1, orange, ls=(0, (3, 2)))
    draw_text(
        ax, x_of(total + step / 2), y - 160, f"{total + step} → {total}", orange, size, ha="center"
    )
    draw_jump(x_of(total + 2 * step) + 10, x_of(total + 4 * step) - 8, -0.25, blue)
    draw_text(ax, x_of(total + 3 * step), y - 80, f"+{2 * step}", blue, size, ha="center")
    for side in (-step, step):  # the tie: as far to one neighbour as to the other
        middle = x_of(total + step + side / 2)
        ends = (middle - 62, y + 42), (middle + 62, y + 42)
        style = arrow | {"arrowstyle": "<->", "lw": 2, "color": orange}
        ax.add_patch(FancyArrowPatch(*ends, **style))
        text_box = {"fc": "white", "ec": "none", "pad": 5}
        draw_text(ax, middle, y + 42, str(step), orange, size, ha="center", bbox=text_box, zorder=5)
    bits = 1 - round(math.log2(torch.finfo(heap.dtype).eps))  # the binary digits that are kept
    digit_width = text_width("0", size)
    name = str(heap.dtype).removeprefix("torch.")
    x = x_of(total + 3 * step)
    ax.add_patch(Circle((x - 8, y - 160), 11, ec=BLACK, fc=POSITION_COLOR, lw=2))
    draw_text(ax, x + 18, y - 160, name, size=size)
    draw_text(ax, x_of(row[0]) - 62, y + 112, f"{bits} bits:", size=size)
    for value in (total, total + step, total + 2 * step):
        kept_bits, lost_bits = f"{value:b}"[:bits], f"{value:b}"[bits:]
        x = x_of(value) - digit_width * (bits + 1.6) / 2
        draw_text(ax, x, y + 112, kept_bits, BLACK, size)
        color, weight = (orange, "bold") if value not in exact else (PALE_COLOR, "normal")
        draw_text(
            ax, x + digit_width * (bits + 0.6), y + 112, lost_bits, color, size, weight=weight
        )
        ax.plot([x_of(value)] * 2, [y + 62, y + 90], color=PALE_COLOR, lw=1.5)
    return ax.figure
