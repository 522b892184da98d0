"""Note 02_swapping: which memory each name holds."""

import torch
from matplotlib.figure import Figure

from course.draw import BLACK, LABEL_COLOR, canvas, draw_arrow, draw_framed_text


def memories(
    optimizer: torch.optim.Optimizer,
    embedding: torch.nn.Embedding,
    linear: torch.nn.Linear,
    loaded: torch.nn.Embedding,
    zeros: torch.Tensor,
) -> Figure:
    """Draw an arrow from each name to its memory, which says what it holds."""
    ax = canvas(1168, 236)
    tensors = {
        "optimizer": optimizer.param_groups[0]["params"][0],
        "embedding": embedding.weight,
        "linear": linear.weight,
        "loaded": loaded.weight,
        "zeros": zeros,
    }
    contents = {zeros.data_ptr(): "your tensor", embedding.weight.data_ptr(): "new table"}
    holders: dict[int, list[float]] = {}  # of each memory, by its address
    for k, (name, tensor) in enumerate(tensors.items()):
        x = 112 + 236 * k
        draw_framed_text(ax, x, 16, name, LABEL_COLOR)
        holders.setdefault(tensor.data_ptr(), []).append(x)
    for address, columns in holders.items():
        middle = sum(columns) / len(columns)
        content = contents.get(address, "old table")
        draw_framed_text(ax, middle, 162, content, BLACK, is_filled=True)
        for x in columns:
            draw_arrow(ax, (x, 76), (middle + (x - middle) * 0.35, 160), BLACK)
    return ax.figure
