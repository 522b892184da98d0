"""The note on soft rows: their gradients, and the averages of three colours."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke

from course.draw import (
    ARROW_STYLE,
    BLACK,
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
WHITE_HALO = {"path_effects": [withStroke(linewidth=5, foreground="white")]}
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
    draw_text(ax, 20, gradient.bottom + 24, "soft.grad: a number for every word", GRADIENT_COLOR)
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
    draw_text(ax, middle - 24, y + 4, "no way through an ID", GRADIENT_COLOR, ha="right")
    return ax.figure


def triangle(
    words: list[str], table: torch.Tensor, goal: torch.Tensor, way: torch.Tensor
) -> Figure:
    """Draw all averages of three colours, the path of a search, and its goal outside of them.

    Red runs to the right and blue upwards; green, which is small in all three, is left out.
    """
    ax, tile, unit, left, base = canvas(1404, 760), 4, 700, 310, 712

    def points_of(colors: torch.Tensor) -> torch.Tensor:
        rows = colors.reshape(-1, 3)
        return torch.stack([left + unit * rows[:, 0], base - unit * rows[:, 2]], 1)

    corners = points_of(table)
    ax.add_patch(shape := Polygon(corners.tolist(), fc="none", ec=BLACK, lw=2, zorder=2))
    (right, bottom), (start, top) = corners.max(0).values.tolist(), corners.min(0).values.tolist()
    xs, ys = torch.arange(start, right, tile), torch.arange(top, bottom, tile)
    centers = torch.cartesian_prod(ys, xs).flip(1) + tile / 2
    ones = torch.ones(len(centers), 1)
    shares = torch.linalg.solve(
        torch.cat([corners.T, torch.ones(1, 3)]), torch.cat([centers, ones], 1).T
    )
    tiles = (shares.T @ table).clamp(0, 1).reshape(len(ys), len(xs), 3).tolist()
    extent = (start, start + len(xs) * tile, top + len(ys) * tile, top)
    style = {"interpolation": "nearest", "aspect": "auto", "zorder": 1}
    ax.imshow(tiles, extent=extent, **style).set_clip_path(shape)
    for word, (x, y), color in zip(words, corners.tolist(), table.tolist(), strict=True):
        ax.plot(x, y, "o", ms=24, color=color, mec=BLACK, mew=2, zorder=3)
        side = -26 if x < left + 100 else 0
        y += 0 if side else (-38 if y < 200 else 36)
        draw_text(ax, x + side, y, word, ha="right" if side else "center", weight="bold")
    path = points_of(way @ table)
    for color, width in (("white", 8), (BLACK, 4)):
        ax.plot(*path.T, color=color, lw=width, solid_capstyle="round", zorder=3)
    (x, y), (end_x, end_y) = path[0].tolist(), path[-1].tolist()
    ax.plot(x, y, "o", ms=14, color="white", mec=BLACK, mew=2, zorder=4)
    black_halo = {"path_effects": [withStroke(linewidth=4, foreground=BLACK)]}
    draw_text(ax, x, y - 36, "start: equal amounts", "white", ha="center", zorder=5, **black_halo)
    ((goal_x, goal_y),) = points_of(goal).tolist()
    # Dashes begin at whole pixels: they carry a rounding error along the whole line.
    ends = torch.tensor([[end_x, end_y], [goal_x, goal_y]]).round()
    ax.plot(*ends.T, color=BLACK, lw=3, ls=(0, (2, 2)), zorder=2)
    ax.plot(end_x, end_y, "o", ms=20, color=(way[-1] @ table).tolist(), mec=BLACK, mew=2, zorder=4)
    draw_text(ax, end_x + 36, end_y + 52, "softmax ends here:")
    draw_text(ax, end_x + 36, end_y + 80, "no average is nearer")
    ax.plot(goal_x, goal_y, "*", ms=42, color=goal.tolist(), mec=BLACK, mew=2, zorder=4)
    draw_text(ax, goal_x + 32, goal_y, "hot pink, the wish", weight="bold", **WHITE_HALO)
    for line, text in enumerate(("every average of the", "three words lies", "in the triangle")):
        draw_text(ax, 20, 60 + 28 * line, text)
    return ax.figure
