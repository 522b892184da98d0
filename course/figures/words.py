"""Chapter 7: words that occur with the same other words."""

import torch
from matplotlib.figure import Figure

from course.draw import (
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_matrix,
    draw_symbol,
    draw_text,
)

CELL_WIDTH = 104  # wide enough for the longest word


def company(names: list[str], number: dict[str, int], X: torch.Tensor) -> Figure:
    """Draw the multi-hot rows of four names, and how often their words stand together."""
    ax = canvas(1400, 330)
    shown_names = ["DIGIT SEVEN", "DIGIT NINE", "CIRCLED DIGIT SEVEN", "CIRCLED DIGIT NINE"]
    shown_words = ["CIRCLED", "DIGIT", "SEVEN", "NINE"]
    columns = [number[word] for word in shown_words]
    multihot = X[[names.index(name) for name in shown_names]][:, columns].int()
    counts = multihot.T @ multihot
    counts.fill_diagonal_(0)
    colors = {2: TOKEN_COLORS[1], 3: TOKEN_COLORS[2]}
    word_colors = [colors.get(i, BLACK) for i in range(4)]
    left = draw_matrix(
        ax, 260, 76, multihot, None, owners=colors, along="column", cell_width=CELL_WIDTH
    )
    right = draw_matrix(ax, 954, 76, counts, None, owners=colors, cell_width=CELL_WIDTH)
    for grid in (left, right):
        for i, word in enumerate(shown_words):
            draw_text(ax, grid.column_x(i), 54, word, word_colors[i], ha="center", weight="bold")
    for i, name in enumerate(shown_names):
        draw_text(ax, left.x - 14, left.row_y(i), name, LABEL_COLOR, ha="right")
    for i, word in enumerate(shown_words):
        draw_text(ax, right.x - 14, right.row_y(i), word, word_colors[i], ha="right", weight="bold")
    draw_text(ax, left.x, 22, "X, four of its rows")
    draw_text(ax, right.x, 22, "counts")
    draw_arrow(ax, (left.right + 8, left.middle_y), (right.x - 112, left.middle_y), LABEL_COLOR)
    draw_symbol(ax, (left.right + right.x - 104) / 2, left.middle_y - 28, "Xᵀ X")
    draw_text(
        ax,
        (left.right + right.x - 104) / 2,
        left.middle_y + 26,
        "diagonal: 0",
        LABEL_COLOR,
        ha="center",
    )
    draw_text(ax, right.x, right.bottom + 26, "never together, and yet: equal rows", PALE_COLOR)
    return ax.figure
