"""Chapter 9: a broken row, and a broken number on its way back."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    DIGIT,
    GRID,
    INK,
    LABEL,
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    box,
    canvas,
    chip,
    expression,
    frame,
    label,
    matrix,
    surround,
    symbol,
    terms,
)
from course.figures.one_hot import times


def headline(ax: Axes, y: float, text: str) -> None:
    """What a half of the picture shows."""
    label(ax, 20, y, text, size=26, weight="bold")


def poisoned_row(
    idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, linear: torch.nn.Linear
) -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, ids, right = canvas(1404, 870), idx.tolist(), 866
    tokens, read = dict(enumerate(ids)), {token: token for token in ids}
    headline(ax, 30, "look-up: row 0 is never read")
    rows = matrix(ax, 196, 104, weight, "weight", tokens=read, index=True)
    out = matrix(ax, right, 129, weight[idx], "embedding(idx)", tokens=tokens)
    label(ax, 20, out.y - 24, "idx")
    for i, token in enumerate(ids):
        chip(ax, 42, out.row(i), token)
        arrow(ax, (64, out.row(i)), (rows.x - 34, rows.row(token)), TOKEN_COLORS[token])
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), TOKEN_COLORS[token])
    ax.plot([12, 1392], [366, 366], color=GRID, lw=2)
    headline(ax, 412, "product: row 0 is multiplied by 0, and 0·nan is nan")
    rows = matrix(ax, 288, 486, weight, "linear.weight.T", tokens=read, index=True)
    hot = matrix(ax, 20, 511, onehot.int(), "onehot", tokens=tokens)
    product, last = linear(onehot).detach(), len(ids) - 1
    out = matrix(ax, right, 511, product, "linear(onehot)", tokens=tokens)
    times(ax, (hot.right + rows.x - 24) / 2, hot.middle)
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    surround(ax, hot, last, 0, columns=hot.columns)
    surround(ax, rows, 0, 0, rows=rows.rows)
    frame(ax, out.x + 7, out.y + last * ROW + 7, out.cell - 14, ROW - 14, "white", 2.5)
    factors, column = onehot[last].int().tolist(), weight[:, 0].tolist()
    total, owner = product[last, 0].item(), ids[last]
    pieces = terms(factors, column, {owner: owner}, total, owner)
    width, y = DIGIT * sum(len(text) for text, _ in pieces), 812
    end = out.column(0) + 1.5 * DIGIT  # the sum ends below the number that it gives
    arrow(ax, (out.column(0), y - 26), (out.column(0), out.bottom), INK)
    frame(ax, end - width - 16, y - 27, width + 32, 54, INK, 2.5)
    expression(ax, end - width, y, pieces)
    return ax.figure


def spoiled(
    ax: Axes, x: float, y: float, values: torch.Tensor, name: str, tokens: dict[int, int]
) -> Grid:
    """A matrix of small numbers, NaN black; above it its name, below it how many are NaN.

    `tokens` maps a row to the token ID that owns it.
    """
    grid = Grid(x, y, *values.shape, 52)
    for i, row in enumerate(values.tolist()):
        for j, value in enumerate(row):
            strength = "broken" if math.isnan(value) else "strong" if i in tokens else "pale"
            area = (x + j * grid.cell, y + i * ROW, grid.cell, ROW)
            box(ax, area, f"{value:.0f}", tokens.get(i), strength)
    for i, token in tokens.items():
        frame(ax, x, y + i * ROW, grid.right - x, ROW, TOKEN_COLORS[token])
    middle, count = (x + grid.right) / 2, int(values.isnan().sum())
    label(ax, middle, y - 28, name, ha="center")
    label(ax, middle, grid.bottom + 40, f"{count} NaN", size=32, ha="center", weight="bold")
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
    source = spoiled(ax, 76, 257, G, "G", dict(enumerate(ids)))
    for i, token in enumerate(ids):
        chip(ax, 38, source.row(i), token)
    last = spoiled(ax, 1086, 232, embedding.weight.grad, "after clip_grad_norm_", came)
    ways = {"embedding.weight.grad": (landed, top), "linear.weight.grad.T": (multiplied, low)}
    for name, (values, y) in ways.items():
        grid = spoiled(ax, 570, y, values, name, came)
        for i in range(grid.rows):
            weight, color = ("bold", TOKEN_COLORS[i]) if i in came else ("normal", LABEL)
            label(ax, grid.x - 14, grid.row(i), str(i), color, ha="right", weight=weight)
        side = -24 if y == top else 24
        arrow(ax, (source.right + 12, source.middle + side), (grid.x - 44, grid.middle), INK)
        arrow(ax, (grid.right + 12, grid.middle), (last.x - 12, last.middle + side), INK)
    return ax.figure
