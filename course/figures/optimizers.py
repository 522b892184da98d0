"""Chapter 8: which rows move."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch.optim import Optimizer

from course.draw import INK, ROW, TOKEN_COLORS, arrow, canvas, chip, label, matrix


def momentum(
    table: Callable, moves: Callable, optimizer: Optimizer, idx: torch.Tensor, later: torch.Tensor
) -> Figure:
    """Two steps of the optimizer: a row of the gradient empties, its buffer does not."""
    ax = canvas(1404, 632)
    for y, name, batches in ((52, "idx", [idx]), (388, "later", [idx, later])):
        embedding = table()
        again = type(optimizer)(embedding.parameters(), **optimizer.defaults)
        moved = (moves(embedding, again, batches)[:, -1:] != 0).int().expand(-1, 5)
        ids, past = batches[-1].tolist(), again.state[embedding.weight]["momentum_buffer"]
        used = {i: i for i in ids}
        seen = {i: i for i in moved.any(1).nonzero().flatten().tolist()}
        grad = matrix(
            ax, 190, y, embedding.weight.grad.int(), "weight.grad", tokens=used, index=True
        )
        buffer = matrix(ax, grad.right + 84, y, past, "momentum_buffer", tokens=seen, places=4)
        out = matrix(ax, buffer.right + 84, y, moved, "weight != before", tokens=seen)
        label(ax, 20, grad.middle - len(ids) * ROW / 2 - 24, name)
        for i, token in enumerate(ids):
            height = grad.middle + (i + 0.5 - len(ids) / 2) * ROW
            chip(ax, 42, height, token)
            arrow(ax, (64, height), (grad.x - 34, grad.row(token)), TOKEN_COLORS[token])
            arrow(
                ax, (grad.right, grad.row(token)), (buffer.x, grad.row(token)), TOKEN_COLORS[token]
            )
        for token in seen:
            arrow(
                ax, (buffer.right, grad.row(token)), (out.x, grad.row(token)), TOKEN_COLORS[token]
            )
        if name == "idx":  # the buffer, carried to the second step
            arrow(ax, (buffer.column(2), buffer.bottom + 6), (buffer.column(2), 382), INK)
            kept = f"{optimizer.defaults['momentum']} *"
            label(ax, buffer.column(2) + 20, (buffer.bottom + 388) / 2, kept)
    return ax.figure
