"""Note 02_swapping: which memory each name holds."""

import torch
from matplotlib.figure import Figure

from course.draw import (
    BLACK,
    LABEL_COLOR,
    ROW_HEIGHT,
    canvas,
    draw_arrow,
    draw_cell,
    draw_framed_text,
    draw_matrix,
    draw_text,
)


def memories(
    optimizer: torch.optim.Optimizer,
    embedding: torch.nn.Embedding,
    linear: torch.nn.Linear,
    loaded: torch.nn.Embedding,
    zeros: torch.Tensor,
) -> Figure:
    """Draw an arrow from each name to its memory, and the numbers there, by row."""
    ax, cell_width = canvas(1192, 414), 44
    old, new = optimizer.param_groups[0]["params"][0], embedding.weight
    tensors = {
        "optimizer": old,
        "embedding": new,
        "linear": linear.weight,
        "loaded": loaded.weight,
        "zeros": zeros,
    }
    tables = {old.data_ptr(): old, new.data_ptr(): new, zeros.data_ptr(): zeros}
    names = {old.data_ptr(): "old table", new.data_ptr(): "new table"}
    holders: dict[int, list[float]] = {}  # of each memory, by its address
    for k, (name, tensor) in enumerate(tensors.items()):
        x = 124 + 236 * k
        draw_framed_text(ax, x, 4, name, LABEL_COLOR)
        holders.setdefault(tensor.data_ptr(), []).append(x)
    for address, columns in holders.items():
        middle, table = sum(columns) / len(columns), tables[address].detach()
        rows, width = len(table), cell_width * table.shape[1]
        left, top = middle - width / 2, 156
        for x in columns:
            draw_arrow(ax, (x, 64), (middle + (x - middle) * 0.35, top - 2), BLACK)
        if address == old.data_ptr():
            height = rows * ROW_HEIGHT
            draw_cell(ax, (left, top, width, height), "", None, "pale")
            draw_text(ax, middle, top + height / 2, "random", LABEL_COLOR, ha="center")
        else:
            moved = {i: i for i in range(rows) if not table[i].equal(table[0])}
            draw_matrix(ax, left, top, table, None, owners=moved, index=True, cell_width=cell_width)
        name = names.get(address, "your tensor")
        place = (middle, top + rows * ROW_HEIGHT + 28)
        draw_text(ax, *place, name, BLACK, 24, ha="center", weight="bold")
    return ax.figure
