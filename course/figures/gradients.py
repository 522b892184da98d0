"""Chapter 5: rows of gradients that land in a table, and a sum that sticks."""

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

FLYING = 60  # the width of a cell of a row in flight


def flight(start: Point, end: Point, gap: float, t: float) -> Point:
    """Where a row is on its way: across into the gap, along it, and across to its place."""
    stops = [start, (gap, start[1]), (gap, end[1]), end]
    leg = min(int(3 * t), 2)
    return point_between(stops[leg], stops[leg + 1], 3 * t - leg)


def in_flight(ax: Axes, place: Point, row: torch.Tensor, token: int) -> None:
    """A row of a matrix on its way, smaller than it will be in its place."""
    x, y = place
    for j, value in enumerate(row.tolist()):
        draw_cell(
            ax,
            (x + j * FLYING, y + 5, FLYING, ROW_HEIGHT - 10),
            number_text(value, 0),
            token,
            "strong",
        )
    draw_outline(ax, x, y + 5, FLYING * len(row), ROW_HEIGHT - 10, TOKEN_COLORS[token])


def pile(
    ax: Axes,
    idx: torch.Tensor,
    sent: torch.Tensor,
    gradient: torch.Tensor,
    landed: int,
    *,
    leaving: bool = False,
) -> tuple[Grid, Grid]:
    """Rows of gradients, and the table's gradient, on which so many have landed.

    The place of a row that is leaving is pale.
    """
    ids = idx.tolist()
    sums = torch.zeros_like(gradient).index_add(0, idx[:landed], sent[:landed])
    source = draw_matrix(ax, 158, 52, sent, "G", owners=dict(enumerate(ids)))
    seen = {token: token for token in ids[:landed]}
    rows = draw_matrix(ax, 924, 52, sums, "embedding.weight.grad", owners=seen)
    if leaving:
        area = (source.x, source.y + landed * ROW_HEIGHT, source.right - source.x, ROW_HEIGHT)
        ax.add_artist(Rectangle(area[:2], *area[2:], fc="white", ec="none", alpha=0.65, zorder=5))
    for i in range(rows.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in seen else (LABEL_COLOR, "normal")
        draw_text(ax, rows.x - 28, rows.row_y(i), str(i), color, ha="right", weight=weight)
    draw_text(ax, 76, source.y - 24, "idx")
    doubled = [i for i, token in enumerate(ids) if ids.count(token) > 1]
    shift = dict(zip(doubled, (-9, 9), strict=True))  # two arrows end at one row
    for position, token in enumerate(ids):
        draw_id(ax, 98, source.row_y(position), token)
        if position < landed:
            end = (rows.x - 48, rows.row_y(token) + shift.get(position, 0))
            draw_arrow(ax, (source.right, source.row_y(position)), end, TOKEN_COLORS[token])
    token = ids[doubled[0]]
    came = [i for i in doubled if i < landed]
    pieces = [(f"grad[{token}, 0] = ", BLACK)]
    for i in came:
        if i != came[0]:
            pieces.append((" + ", PALE_COLOR))
        pieces.append((operand_text(int(sent[i, 0])), TOKEN_COLORS[token]))
        draw_outline(ax, source.x + 6, source.row_y(i) - 19, source.cell_width - 12, 38, BLACK, 2.5)
    if len(came) > 1:
        pieces += [(" = ", PALE_COLOR), (number_text(int(sums[token, 0])), TOKEN_COLORS[token])]
    if not came:
        pieces.append(("0", PALE_COLOR))
    draw_outline(ax, rows.x + 6, rows.row_y(token) - 19, rows.cell_width - 12, 38, BLACK, 2.5)
    draw_expression(ax, rows.x, rows.bottom + 66, pieces)
    return source, rows


def scatter_add(
    idx: torch.Tensor,
    G: torch.Tensor,  # noqa: N803
    embedding: Embedding,
) -> Iterator[tuple[Figure, int]]:
    """Gradients, one for each position, fly into the table's gradient one after the other."""
    shown = idx, G, embedding.weight.grad
    for landed, token in enumerate(idx.tolist()):
        ax = canvas(1404, 346)
        pile(ax, *shown, landed)
        yield ax.figure, 400 if landed else 700
        under = canvas(1404, 346)  # what stands still is drawn once, under what moves
        source, rows = pile(under, *shown, landed, leaving=True)
        still = rasterize(under.figure)
        margin = (source.right - source.x - FLYING * source.columns) / 2
        start = (source.x + margin, source.y + landed * ROW_HEIGHT)
        end = (rows.x + margin, rows.y + token * ROW_HEIGHT)
        for step in range(1, 9):
            ax = canvas(1404, 346)
            ax.figure.add_artist(Background(still))
            place = flight(start, end, source.right + 12, step / 9)
            in_flight(ax, place, G[landed], token)
            yield ax.figure, 60
    ax = canvas(1404, 346)
    pile(ax, *shown, len(idx))
    yield ax.figure, 1100


def scatter_add_product(idx: torch.Tensor, onehot: torch.Tensor, G: torch.Tensor) -> Figure:  # noqa: N803
    """The one-hot rows, transposed, times G: the same gradient, and the sum behind one number."""
    ax, hot = canvas(1404, 416), onehot.T.int()
    tokens, seen = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    top = 114
    left = draw_matrix(ax, 84, top, hot, None, owners=tokens, along="column", index=True)
    draw_text(ax, left.x, top - 92, "onehot.T")
    for i in range(left.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in seen else (LABEL_COLOR, "normal")
        draw_text(ax, left.x - 14, left.row_y(i), str(i), color, ha="right", weight=weight)
    source = draw_matrix(ax, 458, top, G, None, owners=tokens)
    for i in range(source.rows):
        draw_text(ax, source.x - 14, source.row_y(i), str(i), LABEL_COLOR, ha="right")
    draw_text(ax, source.x, top - 92, "G")
    product = onehot.T @ G
    out = draw_matrix(ax, 974, top, product, None, owners=seen, index=True)
    draw_text(ax, out.x, top - 92, "onehot.T @ G")
    for grid in (left, out):
        draw_text(ax, grid.x - 14, top - 20, "ID", LABEL_COLOR, ha="right")
    draw_text(ax, left.x, top - 56, "position", LABEL_COLOR)
    draw_text(ax, source.x - 14, top - 20, "position", LABEL_COLOR, ha="right")
    draw_at_sign(ax, (left.right + source.x - 24) / 2, left.middle_y)
    draw_symbol(ax, (source.right + out.x - 24) / 2, left.middle_y, "=")
    token = next(i for i in seen if idx.tolist().count(i) > 1)
    draw_cell_outline(ax, left, token, 0, columns=len(idx))
    draw_cell_outline(ax, source, 0, 0, rows=len(idx))
    draw_cell_outline(ax, out, token, 0)
    factors, column = hot[token].tolist(), [int(g) for g in G[:, 0]]
    owners = {i: token for i, factor in enumerate(factors) if factor}
    pieces = sum_pieces(factors, column, owners, int(product[token, 0]), token)
    pieces = [(f"(onehot.T @ G)[{token}, 0] = ", BLACK), *pieces]
    width = sum(text_width(text) for text, _ in pieces)
    x, y = (ax.get_xlim()[1] - width) / 2, out.bottom + 72
    draw_outline(ax, x - 14, y - 22, width + 28, 44, BLACK, 2.5)
    draw_expression(ax, x, y, pieces)
    return ax.figure


def halfway(heap: torch.Tensor, one: torch.Tensor) -> Figure:
    """The whole numbers that the type of a heap has, and where a heap and one more end up."""
    ax, top, step, y, size = canvas(1404, 350), int(heap), int(one), 196, 24
    row = torch.arange(top - 2, top + 5)
    known = set(row.to(heap.dtype).int().tolist()) & set(row.tolist())
    moves, back = TOKEN_COLORS[1], TOKEN_COLORS[2]
    head = ARROW_STYLE | {"mutation_scale": 20}

    def place(value: float) -> float:
        return 102 + 200 * (value - row[0].item())

    def jump(start: float, end: float, bow: float, color: str, **style: object) -> None:
        ends = (start, y - 12), (end, y - 12)
        style |= head | {"connectionstyle": f"arc3,rad={bow}", "color": color}
        ax.add_patch(FancyArrowPatch(*ends, **style))

    ax.plot([place(row[0]) - 62, place(row[-1]) + 62], [y, y], color=LABEL_COLOR, lw=2)
    for value in row.tolist():
        color, weight = (BLACK, "bold") if value in known else (LABEL_COLOR, "normal")
        style = {"fc": POSITION_COLOR} if value in known else {"fc": "white", "ls": (0, (2, 2))}
        ax.add_patch(Circle((place(value), y), 11, ec=color, lw=2, zorder=4, **style))
        draw_text(ax, place(value), y + 42, str(value), color, size, ha="center", weight=weight)
    for value in range(row[0].item(), top + step, step):
        color = moves if value < top else back
        jump(place(value) + 10, place(value + step) - 6, -0.4, color)
        draw_text(ax, place(value + step / 2), y - 72, f"+{step}", color, size, ha="center")
    jump(place(top + step) + 4, place(top) + 2, 1.1, back, ls=(0, (3, 2)))
    draw_text(ax, place(top + step / 2), y - 160, "rounded back", back, size, ha="center")
    jump(place(top + 2 * step) + 10, place(top + 4 * step) - 8, -0.25, moves)
    draw_text(ax, place(top + 3 * step), y - 80, f"+{2 * step}", moves, size, ha="center")
    for side in (-step, step):  # the tie: as far to one neighbour as to the other
        middle = place(top + step + side / 2)
        ends = (middle - 62, y + 42), (middle + 62, y + 42)
        ax.add_patch(FancyArrowPatch(*ends, **head | {"arrowstyle": "<->", "lw": 2}, color=back))
        patch = {"fc": "white", "ec": "none", "pad": 5}
        draw_text(ax, middle, y + 42, str(step), back, size, ha="center", bbox=patch, zorder=5)
    fit = 1 - round(math.log2(torch.finfo(heap.dtype).eps))  # the binary digits that are kept
    wide = text_width("0", size)
    missing = " and no ".join(str(value) for value in row.tolist() if value not in known)
    name = str(heap.dtype).removeprefix("torch.")
    draw_text(ax, place(top + 2 * step), y - 160, f"{name} has no {missing}", size=size)
    draw_text(ax, place(row[0]) - 62, y + 112, f"{fit} binary digits fit:", size=size)
    for value in (top, top + step, top + 2 * step):
        kept, rest = f"{value:b}"[:fit], f"{value:b}"[fit:]
        x = place(value) - wide * (fit + 1.6) / 2
        draw_text(ax, x, y + 112, kept, BLACK, size)
        ink, weight = (back, "bold") if value not in known else (PALE_COLOR, "normal")
        draw_text(ax, x + wide * (fit + 0.6), y + 112, rest, ink, size, weight=weight)
        ax.plot([place(value)] * 2, [y + 62, y + 90], color=PALE_COLOR, lw=1.5)
    return ax.figure
