"""Chapter 5: rows of gradients that land in a table, and a sum that sticks."""

import math
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch
from torch.nn import Embedding

from course.draw import (
    DIGIT,
    INK,
    LABEL,
    PALE,
    POSITION,
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    between,
    canvas,
    chip,
    digits,
    expression,
    frame,
    label,
    matrix,
    signed,
    surround,
    symbol,
    terms,
    window,
)
from course.figures.one_hot import times


def joined(ax: Axes, grid: Grid, row: int, y: float, text: str, token: int, shift: float) -> float:
    """A number below a grid, joined to the cell in column 0 of a row; returns the text's right end.

    The line runs `shift` pixels right of the grid's edge: from the cell's floor, or, outside of the
    grid, from its left.
    """
    frame(ax, grid.x + 6, grid.y + row * ROW + 6, grid.cell - 12, ROW - 12, INK, 2.5)
    x = grid.x + shift
    top = grid.y + (row + 1) * ROW - 6 if shift > 0 else grid.row(row)
    ax.plot([x, x], [top, y - 20], color=INK, lw=2)
    if shift < 0:
        ax.plot([x, grid.x + 6], [top, top], color=INK, lw=2)
    width = DIGIT * len(text)
    expression(ax, x - width / 2, y, [(text, TOKEN_COLORS[token])])
    return x + width / 2


def pile(
    ax: Axes, idx: torch.Tensor, sent: torch.Tensor, gradient: torch.Tensor, done: float = math.inf
) -> None:
    """Rows of gradients, and the table's gradient into which they fly: so many have landed."""
    ids, landed = idx.tolist(), min(int(done), len(idx))
    sums = torch.zeros_like(gradient).index_add(0, idx[:landed], sent[:landed])
    source = matrix(ax, 158, 52, sent, "G", tokens=dict(enumerate(ids)))
    seen = {token: token for token in ids[:landed]}
    rows = matrix(ax, 924, 52, sums, "embedding.weight.grad", tokens=seen)
    for i in range(rows.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in seen else (LABEL, "normal")
        label(ax, rows.x - 28, rows.row(i), str(i), color, ha="right", weight=weight)
    label(ax, 76, source.y - 24, "idx")
    doubled = [i for i, token in enumerate(ids) if ids.count(token) > 1]
    shift = dict(zip(doubled, (-9, 9), strict=True))  # two arrows end at one row
    for position, token in enumerate(ids):
        chip(ax, 98, source.row(position), token)
        if position < done:
            end = (rows.x - 48, rows.row(token) + shift.get(position, 0))
            arrow(ax, (source.right, source.row(position)), end, TOKEN_COLORS[token])
    if landed < done < len(ids):  # one is on its way
        token = ids[landed]
        start, end = (source.x, source.y + landed * ROW), (rows.x, rows.y + token * ROW)
        sheet = window(ax, 0, 0, ax.get_xlim()[1], ax.get_ylim()[0])
        x, y = between(start, end, done - landed)
        matrix(sheet, x, y, sent[[landed]], None, tokens={0: token})
    if landed == len(ids):  # the sum behind one number
        (first, second), y = doubled, source.bottom + 76
        token, total = ids[first], gradient[ids[first], 0]
        values = [int(sent[i, 0]) for i in doubled]
        right = joined(ax, source, first, y, signed(values[0]), token, -18)
        left = joined(ax, source, second, y, signed(values[1]), token, 44)
        label(ax, (right + source.x + 44 - 2 * DIGIT) / 2, y, "+", LABEL, ha="center")
        end = joined(ax, rows, token, y, digits(int(total)), token, -14)
        middle = (left + end - 2 * DIGIT) / 2
        symbol(ax, middle, y, "=")
        for ends in ((left + 14, middle - 24), (middle + 24, end - 2 * DIGIT - 14)):
            ax.plot(ends, [y, y], color=PALE, lw=1.5)


def scatter_add(
    idx: torch.Tensor,
    G: torch.Tensor,  # noqa: N803
    embedding: Embedding,
) -> Iterator[tuple[Figure, int]]:
    """Gradients, one for each position, fly into the table's gradient one after the other."""
    moments = [(0, 700)]  # so many have landed, for so many milliseconds
    for i in range(len(idx)):
        moments += [(i + k / 8, 70) for k in range(1, 8)] + [(i + 1, 350)]
    moments[-1] = (len(idx), 1200)
    for done, milliseconds in moments:
        ax = canvas(1404, 354)
        pile(ax, idx, G, embedding.weight.grad, done)
        yield ax.figure, milliseconds


def scatter_add_product(idx: torch.Tensor, onehot: torch.Tensor, G: torch.Tensor) -> Figure:  # noqa: N803
    """The one-hot rows, transposed, times G: the same gradient, and the sum behind one number."""
    ax, hot = canvas(1404, 342), onehot.T.int()
    tokens, seen = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    left = matrix(ax, 70, 52, hot, "onehot.T", tokens=tokens, along="column")
    for i in range(left.rows):
        color, weight = (TOKEN_COLORS[i], "bold") if i in seen else (LABEL, "normal")
        label(ax, left.x - 14, left.row(i), str(i), color, ha="right", weight=weight)
    source = matrix(ax, 402, 52, G, "G", tokens=tokens, index=True)
    product = onehot.T @ G
    out = matrix(ax, 934, 52, product, "onehot.T @ G", tokens=seen, index=True)
    times(ax, (left.right + source.x - 24) / 2, left.middle)
    symbol(ax, (source.right + out.x - 24) / 2, left.middle, "=")
    token = next(i for i in seen if idx.tolist().count(i) > 1)
    surround(ax, left, token, 0, columns=len(idx))
    surround(ax, source, 0, 0, rows=len(idx))
    surround(ax, out, token, 0)
    factors, column = hot[token].tolist(), [int(g) for g in G[:, 0]]
    owners = {i: token for i, factor in enumerate(factors) if factor}
    pieces = terms(factors, column, owners, int(product[token, 0]), token)
    expression(ax, 702 - DIGIT * sum(len(text) for text, _ in pieces) / 2, 314, pieces)
    return ax.figure


def halfway(heap: torch.Tensor, one: torch.Tensor) -> Figure:
    """The whole numbers that the type of a heap has, and where a heap and one more end up."""
    ax, top, step, y = canvas(1404, 330), int(heap), int(one), 190
    row = torch.arange(top - 3, top + 6)
    known = set(row.to(heap.dtype).int().tolist()) & set(row.tolist())
    moves, back = TOKEN_COLORS[1], TOKEN_COLORS[2]
    head = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "mutation_scale": 20, "lw": 3}

    def place(value: float) -> float:
        return 102 + 150 * (value - row[0].item())

    def jump(start: float, end: float, bow: float, color: str, **style: object) -> None:
        ends = (start, y - 12), (end, y - 12)
        style |= head | {"connectionstyle": f"arc3,rad={bow}", "color": color}
        ax.add_patch(FancyArrowPatch(*ends, **style))

    ax.plot([place(row[0]) - 52, place(row[-1]) + 52], [y, y], color=LABEL, lw=2)
    for value in row.tolist():
        color, weight = (INK, "bold") if value in known else (LABEL, "normal")
        style = {"fc": POSITION} if value in known else {"fc": "white", "ls": (0, (2, 2))}
        ax.add_patch(Circle((place(value), y), 10, ec=color, lw=2, zorder=4, **style))
        label(ax, place(value), y + 40, str(value), color, ha="center", weight=weight)
    for value in range(row[0].item(), top + step, step):
        color = moves if value < top else back
        jump(place(value) + 10, place(value + step) - 6, -0.45, color)
        label(ax, place(value + step / 2), y - 64, f"+{step}", color, ha="center")
    jump(place(top + step) + 4, place(top) + 2, 1.45, back, ls=(0, (3, 2)))
    label(ax, place(top + step / 2), y - 150, "rounded back", back, ha="center")
    fit = 1 - round(math.log2(torch.finfo(heap.dtype).eps))  # the binary digits that are kept
    label(ax, place(row[0]) - 52, y + 100, f"in binary, {fit} digits fit:")
    for value in (top, top + step, top + 2 * step):
        kept, rest = f"{value:b}"[:fit], f"{value:b}"[fit:]
        x = place(value) - DIGIT * (fit + 1.6) / 2
        expression(ax, x, y + 100, [(kept, INK)])
        ink = back if value not in known else PALE
        expression(ax, x + DIGIT * (fit + 0.6), y + 100, [(rest, ink)])
        ax.plot([place(value)] * 2, [y + 56, y + 82], color=PALE, lw=1.5)
    return ax.figure
