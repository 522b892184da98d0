"""Chapter 13: a table in two parts."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from course.draw import (
    GRID,
    PALE,
    ROW,
    SMALL,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    frame,
    label,
    matrix,
    symbol,
)


def half_tables(idx: torch.Tensor, weight: torch.Tensor, partial: Callable) -> Figure:
    """Two machines answer the same IDs from half a table each, or with zeros; below, the sum."""
    ax, ids = canvas(1404, 836), idx.tolist()
    answers = []
    for first, name in ((0, "weight[:2]"), (2, "weight[2:]")):
        y, block = 58 + 150 * first, weight[first : first + 2]
        own = {position: token for position, token in enumerate(ids) if first <= token < first + 2}
        answers.append(partial(block, first, idx))
        tokens = {token - first: token for token in own.values()}
        rows = matrix(ax, 188, y + ROW / 2, block, name, tokens=tokens)
        out = matrix(
            ax, rows.right + 148, y, answers[-1], f"partial({name}, {first}, idx)", tokens=own
        )
        frame(ax, 4, y - 50, 1396, out.bottom - y + 88, GRID, 2.5)
        label(ax, 22, y - 24, "idx")
        for line in range(2):
            label(ax, rows.x - 14, rows.row(line), str(first + line), PALE, SMALL, ha="right")
        for position, token in enumerate(ids):
            if position in own:
                chip(ax, 44, out.row(position), token)
                line, color = rows.row(token - first), TOKEN_COLORS[token]
                arrow(ax, (66, out.row(position)), (rows.x - 34, line), color)
                arrow(ax, (rows.right, line), (out.x, out.row(position)), color)
            else:  # an ID of the other machine
                frame(ax, 22, out.row(position) - 20, 44, 40, GRID, 2.5)
                label(ax, 44, out.row(position), str(token), PALE, ha="center")
        symbol(ax, out.column(2), out.bottom + 69, "+" if first == 0 else "=")
    tokens = dict(enumerate(ids))
    matrix(ax, out.x, out.bottom + 132, sum(answers), "embedding(idx)", tokens=tokens)
    return ax.figure
