"""The note on choosing a token: where a gradient passes."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course import draw
from course.draw import HEAD, LABEL, POSITION, ROW, Grid, arrow, canvas, chip, label, matrix

BACK = "#8f2d56"  # of gradients, which run against the arrows
DASHES = {"color": BACK, "lw": 3, "ls": (0, (3, 2))}
COLOR, LOSS = 820, 1180  # where a lane's colour begins, and its loss


def lane(ax: Axes, y: float, words: list[str], soft: torch.Tensor, color: torch.Tensor) -> Grid:
    """A soft row on the left, on the right a colour and its loss."""
    row = matrix(ax, 20, y, soft[None], None, tokens={0: POSITION}, places=4)
    for i, word in enumerate(words):
        lines = word.replace(" ", "\n")
        label(ax, row.column(i), y - 10, lines, LABEL, ha="center", va="bottom")
    style = {"fc": color.tolist(), "ec": draw.EDGE, "lw": 1.5}
    ax.add_patch(Rectangle((COLOR, y - 10), 180, ROW + 20, **style))
    arrow(ax, (COLOR + 184, row.middle), (LOSS - 8, row.middle), POSITION)
    label(ax, LOSS, row.middle, "loss")
    return row


def back(ax: Axes, top: float, y: float, end: float) -> None:
    """A dashed way back from the loss: down, then left to `end`."""
    ax.plot([LOSS + 24, LOSS + 24], [top, y], **DASHES)
    style = HEAD | {"color": BACK, "ls": DASHES["ls"]}
    ax.annotate("", (end, y), (LOSS + 24, y), arrowprops=style)


def way_back(words: list[str], soft: torch.Tensor, table: torch.Tensor) -> Figure:
    """Above, a soft row: forward to a colour, back to a gradient. Below, argmax cuts the way."""
    ax, row = canvas(1404, 500), soft.detach()
    above = lane(ax, 66, words, row, row @ table)
    arrow(ax, (above.right, above.middle), (COLOR - 4, above.middle), POSITION)
    label(ax, (above.right + COLOR) / 2, above.middle - 24, "soft @ table", ha="center")
    slope = matrix(ax, 20, 146, soft.grad[None], None, tokens={0: BACK}, places=4)
    label(ax, 20, slope.bottom + 24, "soft.grad: a number for every word", BACK)
    back(ax, above.middle + 22, slope.middle, slope.right + 4)
    ax.plot([12, 1392], [256, 256], color="#d0d0d0", lw=2)
    token = row.argmax().item()
    below = lane(ax, 336, words, row, table[token])
    middle = (below.right + COLOR) / 2
    arrow(ax, (below.right, below.middle), (middle - 24, below.middle), POSITION)
    label(ax, (below.right + middle - 24) / 2, below.middle - 24, "argmax", ha="center")
    chip(ax, middle, below.middle, token, POSITION)
    arrow(ax, (middle + 24, below.middle), (COLOR - 4, below.middle), POSITION)
    label(ax, (middle + COLOR + 20) / 2, below.middle - 24, "table[0]", ha="center")
    y = 450
    back(ax, below.middle + 22, y, middle + 16)
    ax.plot([middle, middle], [y - 26, y + 26], color=BACK, lw=6)
    label(ax, middle - 24, y + 4, "no way through an ID", BACK, ha="right")
    return ax.figure
