"""Chapter 7: four names, and which of their words keep the same company."""

import torch
from matplotlib.figure import Figure

from course.draw import (
    INK,
    LABEL,
    PALE,
    TOKEN_COLORS,
    arrow,
    canvas,
    label,
    matrix,
    symbol,
)

CELL = 104  # wide enough for the longest word


def company(names: list[str], number: dict[str, int], X: torch.Tensor) -> Figure:
    """The multi-hot rows of four names, and the counts that they give."""
    ax = canvas(1400, 330)
    shown = ["DIGIT SEVEN", "DIGIT NINE", "CIRCLED DIGIT SEVEN", "CIRCLED DIGIT NINE"]
    of_these = ["CIRCLED", "DIGIT", "SEVEN", "NINE"]
    columns = [number[word] for word in of_these]
    four = X[[names.index(name) for name in shown]][:, columns].int()
    counts = four.T @ four
    counts.fill_diagonal_(0)
    colors = {2: TOKEN_COLORS[1], 3: TOKEN_COLORS[2]}
    inks = [colors.get(i, INK) for i in range(4)]
    left = matrix(ax, 260, 76, four, None, tokens=colors, along="column", cell=CELL)
    right = matrix(ax, 954, 76, counts, None, tokens=colors, cell=CELL)
    for grid in (left, right):
        for i, word in enumerate(of_these):
            label(ax, grid.column(i), 54, word, inks[i], ha="center", weight="bold")
    for i, name in enumerate(shown):
        label(ax, left.x - 14, left.row(i), name, LABEL, ha="right")
    for i, word in enumerate(of_these):
        label(ax, right.x - 14, right.row(i), word, inks[i], ha="right", weight="bold")
    label(ax, left.x, 22, "X, four of its rows")
    label(ax, right.x, 22, "counts")
    arrow(ax, (left.right + 8, left.middle), (right.x - 112, left.middle), LABEL)
    symbol(ax, (left.right + right.x - 104) / 2, left.middle - 28, "Xᵀ X")
    label(ax, (left.right + right.x - 104) / 2, left.middle + 26, "diagonal: 0", LABEL, ha="center")
    label(ax, right.x, right.bottom + 26, "never together, and yet: equal rows", PALE)
    return ax.figure
