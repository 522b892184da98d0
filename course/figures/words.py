"""Chapter 7: words that occur with the same other words."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    Grid,
    canvas,
    draw_arrow,
    draw_cell,
    draw_matrix,
    draw_symbol,
    draw_text,
    number_text,
)

CELL_WIDTH = 104  # wide enough for the longest word


def company(names: list[str]) -> Figure:
    """Draw the multi-hot rows of four names, and how often their words stand together."""
    ax = canvas(1400, 330)
    rows = [names.index(name) for name in ("DIGIT SEVEN", "DIGIT NINE")]
    rows += [names.index(f"CIRCLED {names[i]}") for i in rows]
    shown_names = [names[i] for i in rows]
    shown_words = ["CIRCLED", "DIGIT", "SEVEN", "NINE"]
    multihot = torch.tensor(
        [[word in name.split() for word in shown_words] for name in shown_names]
    )
    multihot = multihot.int()
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
    draw_text(ax, left.x, 22, "X")
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
    caption = "counts[2, 3] = 0,  counts[2] = counts[3]"
    draw_text(ax, right.right, right.bottom + 26, caption, PALE_COLOR, ha="right")
    return ax.figure


def draw_percentages(
    ax: Axes, x: float, y: float, label: str, shares: torch.Tensor, sign: str = ""
) -> None:
    """Draw a row of percentages, with its label at the left."""
    draw_text(ax, x - 16, y + ROW_HEIGHT / 2, label, ha="right")
    for i, share in enumerate(shares.tolist()):
        text = number_text(round(100 * share, 1), 1)
        text = f"{sign if share > 0 else ''}{text}%"
        area = (x + i * CELL_WIDTH, y, CELL_WIDTH, ROW_HEIGHT)
        draw_cell(ax, area, text, None, "strong" if share else "pale")
    draw_text(ax, x + len(shares) * CELL_WIDTH + 12, y + ROW_HEIGHT / 2, "…")


def training_step(
    number: dict[str, int],
    embedding: torch.nn.Embedding,
    head: torch.nn.Linear,
    companions: torch.Tensor,
) -> Figure:
    """Draw what a word's row predicts, and which way the error sends its numbers."""
    ax, i = canvas(1400, 330), number["SEVEN"]
    shown_words = ["DIGIT", "CIRCLED", "SANS", "NINE", "LETTER"]
    columns = [number[word] for word in shown_words]
    row = embedding.weight[i].detach()
    expected = head(row).detach().softmax(0)
    error = companions[i] - expected  # (V,)
    ways = error @ head.weight.detach()  # (32,)
    top, bottom, x = 76, 226, 846
    owner = {0: TOKEN_COLORS[1]}

    def draw_row(y: float, numbers: torch.Tensor, name: str, decimals: int) -> Grid:
        shown = numbers[None, :4]
        grid = draw_matrix(
            ax, 20, y, shown, None, owners=owner, decimals=decimals, cell_width=CELL_WIDTH
        )
        draw_text(ax, grid.x, y - 24, name, TOKEN_COLORS[1], weight="bold")
        draw_text(ax, grid.right + 12, grid.middle_y, "…")
        return grid

    before = draw_row(top, row, "SEVEN (32,)", 2)
    after = draw_row(bottom, ways, "(companions − p) @ head.weight", 3)
    for k, number_of in enumerate(ways[:4].tolist()):
        draw_symbol(ax, after.column_x(k), before.bottom + 30, "↑" if number_of > 0 else "↓")
    for k, word in enumerate(shown_words):
        color = TOKEN_COLORS[2] if word == "NINE" else BLACK
        middle = x + (k + 0.5) * CELL_WIDTH
        draw_text(ax, middle, top - 22, word, color, ha="center", weight="bold")
    draw_percentages(ax, x, top, "p", expected[columns])
    draw_percentages(ax, x, top + 75, "companions", companions[i, columns])
    draw_percentages(ax, x, bottom, "companions − p", error[columns], "+")
    left, right = before.right + 40, x - 196
    draw_arrow(ax, (left, before.middle_y), (right, before.middle_y), LABEL_COLOR)
    draw_text(
        ax, (left + right) / 2, before.middle_y - 24, "head, softmax", LABEL_COLOR, ha="center"
    )
    y = bottom + ROW_HEIGHT / 2
    draw_arrow(ax, (right, y), (left, y), LABEL_COLOR)
    draw_text(ax, (left + right) / 2, y - 24, "@ head.weight", LABEL_COLOR, ha="center")
    return ax.figure
