"""Chapter 10: token rows and position rows."""

import torch
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    PALE,
    POSITION,
    ROW,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    expression,
    label,
    matrix,
    surround,
    symbol,
    terms,
)


def positions(
    idx: torch.Tensor,
    embedding_layer: Embedding,
    position_layer: Embedding,
    positions: torch.Tensor,
    total: torch.Tensor,
) -> Figure:
    """Four token rows plus four position rows."""
    ax, tokens = canvas(1404, 294), dict(enumerate(idx.tolist()))
    black = dict.fromkeys(positions.tolist(), POSITION)
    words, places = embedding_layer(idx), position_layer(positions)
    first = matrix(ax, 100, 52, words, "embedding_layer(idx)", tokens=tokens)
    second = matrix(ax, 604, 52, places, "position_layer(positions)", tokens=black)
    out = matrix(ax, 1072, 52, total, "total", tokens=tokens)
    label(ax, 20, 28, "idx")
    for i, token in tokens.items():
        chip(ax, 42, first.row(i), token)
        chip(ax, second.x - 58, first.row(i), i, POSITION)
    symbol(ax, (first.right + second.x - 80) / 2, first.middle, "+")
    symbol(ax, (second.right + out.x) / 2, first.middle, "=")
    return ax.figure


def two_hot(
    idx: torch.Tensor, two_hot: torch.Tensor, stacked: torch.Tensor, product: torch.Tensor
) -> Figure:
    """One two-hot row times the stacked tables, with the sum behind its first entry."""
    position = 1
    ax, token, V = canvas(1404, 696), idx[position].item(), two_hot.shape[1] - len(idx)  # noqa: N806
    row, out_row = two_hot[position : position + 1], product[position : position + 1]
    ones = {token: TOKEN_COLORS[token], V + position: POSITION}
    hot = matrix(ax, 20, 277, row, tokens=ones, along="column", index=True)
    rows = matrix(ax, 590, 52, stacked, "stacked", tokens=ones, index=True)
    out = matrix(ax, 1071, 277, out_row, tokens={0: token})
    label(ax, hot.x, hot.bottom + 20, f"two_hot[{position}]")
    label(ax, out.x, out.bottom + 20, f"product[{position}]")
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + 16 + out.x) / 2, hot.middle, "=")
    for number, (line, color) in zip((token, position), ones.items(), strict=True):
        chip(ax, hot.column(line), hot.y - 110, number, color)
        arrow(ax, (hot.column(line), hot.y - 90), (hot.column(line), hot.y - 34), color)
    surround(ax, rows, 0, 0, rows=len(stacked))  # the column that the sum below runs down
    surround(ax, out, 0, 0)
    for name, start, end in (("embedding_layer", 0, V), ("position_layer", V, len(stacked))):
        x, top, bottom = rows.right + 16, rows.y + start * ROW + 6, rows.y + end * ROW - 6
        ax.plot([x, x], [top, bottom], color=PALE, lw=2.5)
        label(ax, x + 14, (top + bottom) / 2, f"{name}.weight", PALE)
    total = out_row[0, 0].item()
    pieces = terms(row[0].tolist(), stacked[:, 0].tolist(), ones, total, token)
    expression(ax, 20, rows.bottom + 68, pieces[: 2 * V])  # the terms of the tokens
    expression(ax, 20, rows.bottom + 104, pieces[2 * V :])
    return ax.figure
