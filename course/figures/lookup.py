"""Chapter 1: IDs fetch their rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    PALE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    Point,
    canvas,
    draw_arrow,
    draw_cell,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_text,
    tint,
)


def lookup_2_3_1(embedding: Embedding, idx: torch.Tensor, words: list[str]) -> Figure:
    """Draw the IDs of `idx` with their words, the rows of the table, and the rows they fetch."""
    ax, ids, weight = canvas(1404, 294), idx.tolist(), embedding.weight
    owners = {token: token for token in ids}
    table = draw_matrix(ax, 234, 52, weight, "weight", owners=owners, index=True)
    y, owners = table.middle_y - len(ids) * ROW_HEIGHT / 2, dict(enumerate(ids))
    output = draw_matrix(ax, table.right + 112, y, weight[idx], "embedding(idx)", owners=owners)
    draw_text(ax, 82, y - 24, "idx")
    for i, token in enumerate(ids):
        color, y, row_y = TOKEN_COLORS[token], output.row_y(i), table.row_y(token)
        draw_id(ax, 104, y, token)
        draw_text(ax, 70, y, words[token], color, ha="right", weight="bold")
        draw_arrow(ax, (126, y), (table.x - 34, row_y), color)
        draw_arrow(ax, (table.right, row_y), (output.x, y), color)
    return ax.figure


def draw_word_box(
    ax: Axes, left: Point, width: float, word: str, color: str, edge: str = "", pale: bool = False
) -> None:
    """Draw a word in a box, from the middle of its left edge; a pale box has no outline."""
    x, y = left
    area = (x, y - ROW_HEIGHT / 2, width, ROW_HEIGHT)
    draw_cell(ax, area, "", None if pale else color, "strong")
    if not pale:
        draw_outline(ax, *area, edge or color, 5 if edge == POSITION_COLOR else 3.5)
    draw_text(ax, x + width / 2, y, word, color, ha="center", weight="bold")


def gap(texts: list[list[int]], words: list[str]) -> Figure:
    """Draw the third text read back: its gaps, -1, index the last word from the end."""
    ax, top, width = canvas(1404, 276), 52, 190
    numbers, left, right = texts[2], 560, 1060
    tokens = [number % len(words) for number in numbers]
    draw_text(ax, 246, 28, "texts[2]")
    draw_text(ax, left, 28, "words")
    draw_text(ax, right, 28, "words[number]")
    ys = [top + (i + 0.5) * ROW_HEIGHT for i in range(len(words))]
    for i, (word, y) in enumerate(zip(words, ys, strict=True)):
        color = TOKEN_COLORS[i] if i in tokens else PALE_COLOR
        draw_word_box(ax, (left, y), width, word, color, pale=i not in tokens)
        draw_text(ax, left - 14, y, str(i), color, ha="right", weight="bold")
    minus_x = left - 64  # the middle of the last word's number from the end
    draw_id(ax, minus_x, ys[-1], -1, POSITION_COLOR)
    for number, token, y in zip(numbers, tokens, ys, strict=True):
        is_gap, color, word = number < 0, TOKEN_COLORS[token], words[token]
        if is_gap:
            color, word = POSITION_COLOR, "gap"
        arrow_color = color if is_gap else tint(color, 0.5)  # the wrong arrow stands out
        draw_text(ax, 234, y, word, color, ha="right", weight="bold")
        draw_id(ax, 268, y, number, color)
        tip = (minus_x - 34 if is_gap else left - 34, ys[token])
        draw_arrow(ax, (290, y), tip, arrow_color)
        draw_arrow(ax, (left + width, ys[token]), (right, y), arrow_color)
        draw_word_box(ax, (right, y), width, words[token], TOKEN_COLORS[token], edge=color)
    return ax.figure
