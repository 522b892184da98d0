"""The note on choosing a token: where a gradient passes."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    ARROW_STYLE,
    GRID_COLOR,
    LABEL_COLOR,
    PATCH_EDGE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    Grid,
    canvas,
    draw_arrow,
    draw_id,
    draw_matrix,
    draw_text,
)

GRADIENT_COLOR = "#8f2d56"
GRADIENT_LINE = {"color": GRADIENT_COLOR, "lw": 3, "ls": (0, (3, 2))}
PATCH_X, LOSS_X = 820, 1180  # the left edges of a colour and of the word loss


def draw_soft_row_and_loss(
    ax: Axes, y: float, words: list[str], soft: torch.Tensor, color: torch.Tensor
) -> Grid:
    """Draw a soft row on the left, a colour and its loss on the right; return the row's grid."""
    grid = draw_matrix(ax, 20, y, soft[None], None, owners={0: POSITION_COLOR}, decimals=4)
    for i, word in enumerate(words):
        text = word.replace(" ", "\n")
        draw_text(ax, grid.column_x(i), y - 10, text, LABEL_COLOR, ha="center", va="bottom")
    style = {"fc": color.tolist(), "ec": PATCH_EDGE_COLOR, "lw": 1.5}
    ax.add_patch(Rectangle((PATCH_X, y - 10), 180, ROW_HEIGHT + 20, **style))
    draw_arrow(ax, (PATCH_X + 184, grid.middle_y), (LOSS_X - 8, grid.middle_y), POSITION_COLOR)
    draw_text(ax, LOSS_X, grid.middle_y, "loss")
    return grid


def draw_gradient_path(ax: Axes, start_y: float, y: float, end_x: float) -> None:
    """Draw a dashed arrow back from the loss: down to y, then left to end_x."""
    ax.plot([LOSS_X + 24, LOSS_X + 24], [start_y, y], **GRADIENT_LINE)
    style = ARROW_STYLE | {"color": GRADIENT_COLOR, "ls": GRADIENT_LINE["ls"]}
    ax.annotate("", (end_x, y), (LOSS_X + 24, y), arrowprops=style)


def way_back(words: list[str], soft: torch.Tensor, table: torch.Tensor) -> Figure:
    """Draw a soft row that gets a gradient from the loss, and below, one that argmax cuts off."""
    ax, row = canvas(1404, 500), soft.detach()
    upper = draw_soft_row_and_loss(ax, 66, words, row, row @ table)
    draw_arrow(ax, (upper.right, upper.middle_y), (PATCH_X - 4, upper.middle_y), POSITION_COLOR)
    draw_text(ax, (upper.right + PATCH_X) / 2, upper.middle_y - 24, "soft @ table", ha="center")
    owners = {0: GRADIENT_COLOR}
    gradient = draw_matrix(ax, 20, 146, soft.grad[None], None, owners=owners, decimals=4)
    draw_text(ax, 20, gradient.bottom + 24, "soft.grad", GRADIENT_COLOR)
    draw_gradient_path(ax, upper.middle_y + 22, gradient.middle_y, gradient.right + 4)
    ax.plot([12, 1392], [256, 256], color=GRID_COLOR, lw=2)
    token = row.argmax().item()
    lower = draw_soft_row_and_loss(ax, 336, words, row, table[token])
    middle = (lower.right + PATCH_X) / 2
    draw_arrow(ax, (lower.right, lower.middle_y), (middle - 24, lower.middle_y), POSITION_COLOR)
    draw_text(ax, (lower.right + middle - 24) / 2, lower.middle_y - 24, "argmax", ha="center")
    draw_id(ax, middle, lower.middle_y, token, POSITION_COLOR)
    draw_arrow(ax, (middle + 24, lower.middle_y), (PATCH_X - 4, lower.middle_y), POSITION_COLOR)
    draw_text(ax, (middle + PATCH_X + 20) / 2, lower.middle_y - 24, "table[0]", ha="center")
    y = 450
    draw_gradient_path(ax, lower.middle_y + 22, y, middle + 16)
    ax.plot([middle, middle], [y - 26, y + 26], color=GRADIENT_COLOR, lw=6)
    stopped = "soft.argmax().requires_grad: False"
    draw_text(ax, middle - 24, y + 4, stopped, GRADIENT_COLOR, ha="right")
    return ax.figure
