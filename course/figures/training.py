"""Chapter 6: the token to guess after each token."""

import torch
from matplotlib.figure import Figure

from course.draw import TOKEN_COLORS, arrow, canvas, chip, label, matrix


def next_token(idx: torch.Tensor, targets: torch.Tensor, before: torch.Tensor) -> Figure:
    """Six tokens of the text, the rows they fetch, and the token to guess after each."""
    ax, inputs = canvas(1404, 424), idx[:6].tolist()
    read, found = {i: i for i in inputs}, dict(enumerate(inputs))
    rows = matrix(ax, 260, 62, before[:6], "embedding.weight[:6]", tokens=read, index=True)
    out = matrix(ax, 700, 62, before[idx[:6]], "embedding(idx[:6])", tokens=found)
    for x, name in ((20, "idx[:6]"), (1062, "head"), (1250, "targets[:6]")):
        label(ax, x, 38, name)
    for i, (token, target) in enumerate(zip(inputs, targets[:6].tolist(), strict=True)):
        y, color = out.row(i), TOKEN_COLORS[token]
        chip(ax, 42, y, token)
        arrow(ax, (64, y), (rows.x - 34, rows.row(token)), color)
        arrow(ax, (rows.right, rows.row(token)), (out.x, y), color)
        arrow(ax, (out.right, y), (1250, y), color)
        chip(ax, 1272, y, target)
    return ax.figure
