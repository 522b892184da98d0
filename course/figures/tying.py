"""Chapter 11: the table read backwards."""

import torch
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    PALE,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    digits,
    expression,
    label,
    matrix,
    signed,
    surround,
)


def tied(idx: torch.Tensor, embedding: Embedding, h: torch.Tensor, logits: torch.Tensor) -> Figure:
    """One table, read twice: an ID takes a row out (down), a vector gets a score from every row."""
    ax, weight, token = canvas(1404, 540), embedding.weight, idx[1].item()
    tokens, color = {i: i for i in range(len(weight))}, TOKEN_COLORS[token]
    rows = matrix(ax, 360, 52, weight, "weight", tokens=tokens, index=True)
    vector = matrix(ax, rows.x, 392, h[1:2], tokens={0: token})
    scores = matrix(ax, rows.right + 200, rows.y, logits[1:2].T, "logits[1]", tokens=tokens)
    label(ax, 128, rows.row(token) - 44, "idx[1]", ha="center")
    chip(ax, 128, rows.row(token), token)
    arrow(ax, (150, rows.row(token)), (rows.x - 34, rows.row(token)), color)
    arrow(ax, (rows.column(2), rows.bottom), (vector.column(2), vector.y), color)
    label(ax, rows.column(2) + 18, (rows.bottom + vector.y) / 2, "hidden")
    label(ax, vector.x - 14, vector.middle, "h[1]", ha="right")
    surround(ax, scores, 0, 0, rows=4)
    arrow(ax, (vector.right, vector.middle), (scores.column(0), scores.bottom), color, corner=True)
    for i in tokens:
        arrow(ax, (rows.right, rows.row(i)), (scores.x, rows.row(i)), TOKEN_COLORS[i])
        chip(ax, scores.right + 46, rows.row(i), i)
    pieces = []
    for pair in zip(weight[0].tolist(), h[1].tolist(), strict=True):
        left, right = (signed(value) for value in pair)
        pieces += [(left, TOKEN_COLORS[0]), ("·", PALE), (right, color), (" + ", PALE)]
    pieces[-1:] = [(" = ", PALE), (digits(logits[1, 0].item()), TOKEN_COLORS[0])]
    expression(ax, 94, 508, pieces)
    return ax.figure
