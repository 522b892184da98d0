"""Chapter 10: a broken row, a broken number on its way back, and bytes that are read as a mask."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    PALE,
    TOKEN_COLORS,
    Grid,
    arrow,
    canvas,
    chip,
    expression,
    label,
    matrix,
    outline,
    span,
    surround,
    symbol,
    terms,
    times,
    tint,
)

BIG = 26  # the digits of this chapter's tables
SHORT = {"places": 1, "cell": 88, "size": BIG}


def poisoned_row(
    idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, linear: torch.nn.Linear
) -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, ids, left, right = canvas(1404, 816), idx.tolist(), 400, 950
    tokens, read = dict(enumerate(ids)), {token: token for token in ids}
    label(ax, 20, 32, "look-up: row 0 is never read", size=30, weight="bold")
    rows = matrix(ax, left, 106, weight, "weight", tokens=read, index=True, **SHORT)
    out = matrix(ax, right, 131, weight[idx], "embedding(idx)", tokens=tokens, **SHORT)
    for i, token in enumerate(ids):
        chip(ax, 222, out.row(i), token)
        arrow(ax, (246, out.row(i)), (rows.x - 42, rows.row(token)), TOKEN_COLORS[token])
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), TOKEN_COLORS[token])
    label(ax, 200, out.y - 24, "idx")
    ax.plot([12, 1392], [350, 350], color=GRID, lw=2)
    label(ax, 20, 400, "product: row 0 is multiplied by 0", size=30, weight="bold")
    rows = matrix(ax, left, 474, weight, "linear.weight.T", tokens=read, index=True, **SHORT)
    hot = matrix(ax, 20, 499, onehot.int(), "onehot", tokens=tokens, cell=60, size=BIG)
    product, last = linear(onehot).detach(), len(ids) - 1
    out = matrix(ax, right, 499, product, "linear(onehot)", tokens=tokens, **SHORT)
    times(ax, (hot.right + rows.x - 30) / 2, hot.middle)
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    surround(ax, hot, last, 0, columns=hot.columns, halo=True)
    surround(ax, rows, 0, 0, rows=rows.rows, halo=True)
    surround(ax, out, last, 0, halo=True)
    factors, values = onehot[last].int().tolist(), weight[:, 0].tolist()
    pieces = terms(factors, values, read, product[last, 0].item(), ids[last], places=1)
    width = sum(span(text, BIG) for text, _ in pieces)
    expression(ax, out.column(0) + 36 - width, 766, pieces, BIG)
    arrow(ax, (out.column(0), 742), (out.column(0), out.bottom), INK)
    return ax.figure


def counted(
    ax: Axes, at: tuple[float, float], values: torch.Tensor, name: str, tokens: dict[int, int]
) -> Grid:
    """A matrix, its rows numbered if they are the table's, and how many of its numbers are NaN."""
    rows = {"tokens": tokens, "index": len(values) > len(tokens)}
    grid = matrix(ax, *at, values, name, **rows, places=0, cell=60, size=BIG)
    text = f"{int(values.isnan().sum())} NaN"
    label(
        ax, (grid.x + grid.right) / 2, grid.bottom + 38, text, size=32, ha="center", weight="bold"
    )
    return grid


def one_four_twenty(
    idx: torch.Tensor,
    onehot: torch.Tensor,
    G: torch.Tensor,  # noqa: N803
    embedding: torch.nn.Embedding,
) -> Figure:
    """One NaN in what comes back, the table's gradient by either way, and after clipping."""
    ax, ids, top, low = canvas(1404, 690), idx.tolist(), 64, 400
    came = {token: token for token in ids}
    landed = torch.zeros_like(embedding.weight).index_add(0, idx, G)  # before clipping
    multiplied = onehot.T @ G
    source = counted(ax, (76, 257), G, "G", dict(enumerate(ids)))
    for i, token in enumerate(ids):
        chip(ax, 38, source.row(i), token)
    last = counted(ax, (1084, 232), embedding.weight.grad, "after clip_grad_norm_", came)
    ways = {"embedding.weight.grad": (landed, top), "linear.weight.grad.T": (multiplied, low)}
    for name, (values, y) in ways.items():
        grid = counted(ax, (564, y), values, name, came)
        side = -24 if y == top else 24
        arrow(ax, (source.right + 12, source.middle + side), (grid.x - 48, grid.middle), INK)
        arrow(ax, (grid.right + 12, grid.middle), (last.x - 48, last.middle + side), INK)
    return ax.figure


def four_bytes(four: torch.Tensor, numbered: torch.Tensor) -> Figure:
    """Four numbers between square brackets: as IDs they fetch rows, as a mask they pick rows."""
    ax = canvas(1404, 400)
    numbers, yes = four.tolist(), four.bool().tolist()
    for x, kind, fetched in ((20, "int64: four IDs", four), (734, "uint8: a mask", four.bool())):
        label(ax, x, 32, kind, size=30, weight="bold")
        came = numbered[fetched].tolist()
        masked = fetched.dtype == torch.bool
        label(ax, x + 292, 74, "table", ha="center")
        for i, number in enumerate(numbers):
            y, row = 120 + 72 * i, i if masked else number
            chip(ax, x + 24, y, number, LABEL if masked else number)
            if masked:
                label(ax, x + 64, y, "yes" if yes[i] else "no", size=BIG, weight="bold")
            if not masked or yes[i]:
                start = x + (130 if masked else 50)
                arrow(ax, (start, y), (x + 222, 120 + 72 * row), TOKEN_COLORS[row])
            bar(ax, x + 222, y, i, used=not masked or yes[i])
        for place, row in enumerate(came):
            y = 120 + 72 * place
            arrow(ax, (x + 362, 120 + 72 * row), (x + 500, y), TOKEN_COLORS[row])
            bar(ax, x + 500, y, row)
    ax.plot([694, 694], [20, 380], color=GRID, lw=2)
    return ax.figure


def bar(ax: Axes, x: float, y: float, row: int, *, used: bool = True) -> None:
    """A row of the table, by its number only."""
    color = TOKEN_COLORS[row] if used else "#a0a0a0"
    ax.add_artist(Rectangle((x, y - 25), 140, 50, fc=tint(color) if used else "white"))
    outline(ax, x, y - 25, 140, 50, color)
    label(ax, x + 70, y, f"row {row}", INK if used else PALE, BIG, ha="center")
