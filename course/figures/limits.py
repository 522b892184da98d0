"""Chapter 9: a broken row, a broken number on its way back, and bytes that are read as a mask."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    PALE,
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    canvas,
    chip,
    frame,
    label,
    symbol,
    tint,
)
from course.figures.one_hot import times

BIG = 26  # the digits of this chapter's tables


def short(value: float, places: int) -> str:
    """A number with few decimals, and a true minus sign."""
    return f"{value:.{places}f}".replace("-", "\N{MINUS SIGN}")


def table(
    ax: Axes,
    at: tuple[float, float],
    values: torch.Tensor,
    name: str,
    tokens: dict[int, int],
    *,
    places: int = 0,
    index: bool = False,
) -> Grid:
    """A matrix of short numbers under its name, NaN white on black.

    `tokens` maps a row to the token ID that owns it; with index=True the rows are numbered.
    """
    grid = Grid(*at, *values.shape, 88 if places else 60)
    for i, row in enumerate(values.tolist()):
        color = TOKEN_COLORS[tokens[i]] if i in tokens else "white"
        for j, value in enumerate(row):
            fill, ink = (INK, "white") if math.isnan(value) else (tint(color), INK)
            x = grid.x + j * grid.cell
            ax.add_artist(
                Rectangle((x, grid.y + i * ROW), grid.cell, ROW, fc=fill, ec=GRID, lw=1.5)
            )
            ink = PALE if value == 0 else ink
            label(ax, grid.column(j), grid.row(i), short(value, places), ink, BIG, ha="center")
        if i in tokens:
            frame(ax, grid.x, grid.y + i * ROW, grid.right - grid.x, ROW, color)
        if index:
            ink = color if i in tokens else LABEL
            label(ax, grid.x - 14, grid.row(i), str(i), ink, BIG, ha="right", weight="bold")
    label(ax, grid.x, grid.y - 26, name, size=22)
    return grid


def ring(ax: Axes, x: float, y: float, width: float, height: float) -> None:
    """A black outline that is seen on black as well."""
    frame(ax, x, y, width, height, "white", 8)
    frame(ax, x, y, width, height, INK, 4)


def written_out(ax: Axes, right: float, y: float, pieces: list[str]) -> None:
    """A sum that ends at `right`; what is NaN in it is white on black."""
    step = 0.602 * BIG
    x = right - step * sum(map(len, pieces))
    for piece in pieces:
        width, broken = step * len(piece), "nan" in piece
        if broken:
            ax.add_artist(Rectangle((x - 8, y - 23), width + 16, 46, fc=INK))
        label(ax, x, y, piece, "white" if broken else PALE, BIG)
        x += width


def poisoned_row(
    idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, linear: torch.nn.Linear
) -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, ids, left, right = canvas(1404, 816), idx.tolist(), 400, 950
    tokens, read = dict(enumerate(ids)), {token: token for token in ids}
    label(ax, 20, 32, "look-up: row 0 is never read", size=30, weight="bold")
    rows = table(ax, (left, 106), weight, "weight", read, places=1, index=True)
    out = table(ax, (right, 131), weight[idx], "embedding(idx)", tokens, places=1)
    for i, token in enumerate(ids):
        chip(ax, 222, out.row(i), token)
        arrow(ax, (246, out.row(i)), (rows.x - 42, rows.row(token)), TOKEN_COLORS[token])
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), TOKEN_COLORS[token])
    label(ax, 200, out.y - 26, "idx", size=22)
    ax.plot([12, 1392], [350, 350], color=GRID, lw=2)
    label(ax, 20, 400, "product: row 0 is multiplied by 0", size=30, weight="bold")
    rows = table(ax, (left, 474), weight, "linear.weight.T", read, places=1, index=True)
    hot = table(ax, (20, 499), onehot, "onehot", tokens)
    product, last = linear(onehot).detach(), len(ids) - 1
    out = table(ax, (right, 499), product, "linear(onehot)", tokens, places=1)
    times(ax, (hot.right + rows.x - 30) / 2, hot.middle)
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    ring(ax, hot.x - 4, hot.row(last) - 29, hot.right - hot.x + 8, 58)
    ring(ax, rows.x - 4, rows.y - 4, rows.cell + 8, rows.bottom - rows.y + 8)
    ring(ax, out.x - 4, out.row(last) - 29, out.cell + 8, 58)
    values = [short(value, 1) for value in weight[:, 0].tolist()]
    values = [f"({value})" if "\N{MINUS SIGN}" in value else value for value in values]
    pieces = []
    for factor, value in zip(onehot[last].int().tolist(), values, strict=True):
        pieces += [f"{factor}·{value}", " + "]
    end = out.column(0) + 36
    written_out(ax, end, 766, [*pieces[:-1], " = ", short(product[last, 0].item(), 1)])
    arrow(ax, (rows.column(0), 742), (rows.column(0), rows.bottom), INK)
    arrow(ax, (out.column(0), 742), (out.column(0), out.bottom), INK)
    return ax.figure


def counted(
    ax: Axes, at: tuple[float, float], values: torch.Tensor, name: str, tokens: dict[int, int]
) -> Grid:
    """A matrix, its rows numbered if they are the table's, and how many of its numbers are NaN."""
    grid = table(ax, at, values, name, tokens, index=len(values) > len(tokens))
    text = f"{int(values.isnan().sum())} NaN"
    label(
        ax, (grid.x + grid.right) / 2, grid.bottom + 38, text, size=32, ha="center", weight="bold"
    )
    return grid


def one_four_twenty(
    idx: torch.Tensor,
    G: torch.Tensor,  # noqa: N803
    landed: torch.Tensor,
    multiplied: torch.Tensor,
    embedding: torch.nn.Embedding,
) -> Figure:
    """One NaN in what comes back, the table's gradient by either way, and after clipping."""
    ax, ids, top, low = canvas(1404, 690), idx.tolist(), 64, 400
    came = {token: token for token in ids}
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
        came = numbered[fetched].flatten().tolist()
        masked = fetched.dtype == torch.bool
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
    frame(ax, x, y - 25, 140, 50, color)
    label(ax, x + 70, y, f"row {row}", INK if used else PALE, BIG, ha="center")
