"""The note on soft rows: where a gradient passes, and how far averages reach."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke

from course.draw import (
    ARROW_STYLE,
    BLACK,
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

BACK = "#8f2d56"  # of gradients, which run against the arrows
DASHES = {"color": BACK, "lw": 3, "ls": (0, (3, 2))}
HALO = {"path_effects": [withStroke(linewidth=5, foreground="white")]}
COLOR, LOSS = 820, 1180  # where a lane's colour begins, and its loss


def lane(ax: Axes, y: float, words: list[str], soft: torch.Tensor, color: torch.Tensor) -> Grid:
    """A soft row on the left, on the right a colour and its loss."""
    row = draw_matrix(ax, 20, y, soft[None], None, owners={0: POSITION_COLOR}, decimals=4)
    for i, word in enumerate(words):
        lines = word.replace(" ", "\n")
        draw_text(ax, row.column_x(i), y - 10, lines, LABEL_COLOR, ha="center", va="bottom")
    style = {"fc": color.tolist(), "ec": PATCH_EDGE_COLOR, "lw": 1.5}
    ax.add_patch(Rectangle((COLOR, y - 10), 180, ROW_HEIGHT + 20, **style))
    draw_arrow(ax, (COLOR + 184, row.middle_y), (LOSS - 8, row.middle_y), POSITION_COLOR)
    draw_text(ax, LOSS, row.middle_y, "loss")
    return row


def back(ax: Axes, top: float, y: float, end: float) -> None:
    """A dashed way back from the loss: down, then left to `end`."""
    ax.plot([LOSS + 24, LOSS + 24], [top, y], **DASHES)
    style = ARROW_STYLE | {"color": BACK, "ls": DASHES["ls"]}
    ax.annotate("", (end, y), (LOSS + 24, y), arrowprops=style)


def way_back(words: list[str], soft: torch.Tensor, table: torch.Tensor) -> Figure:
    """Above, a soft row: forward to a colour, back to a gradient. Below, argmax cuts the way."""
    ax, row = canvas(1404, 500), soft.detach()
    above = lane(ax, 66, words, row, row @ table)
    draw_arrow(ax, (above.right, above.middle_y), (COLOR - 4, above.middle_y), POSITION_COLOR)
    draw_text(ax, (above.right + COLOR) / 2, above.middle_y - 24, "soft @ table", ha="center")
    slope = draw_matrix(ax, 20, 146, soft.grad[None], None, owners={0: BACK}, decimals=4)
    draw_text(ax, 20, slope.bottom + 24, "soft.grad: a number for every word", BACK)
    back(ax, above.middle_y + 22, slope.middle_y, slope.right + 4)
    ax.plot([12, 1392], [256, 256], color="#d0d0d0", lw=2)
    token = row.argmax().item()
    below = lane(ax, 336, words, row, table[token])
    middle = (below.right + COLOR) / 2
    draw_arrow(ax, (below.right, below.middle_y), (middle - 24, below.middle_y), POSITION_COLOR)
    draw_text(ax, (below.right + middle - 24) / 2, below.middle_y - 24, "argmax", ha="center")
    draw_id(ax, middle, below.middle_y, token, POSITION_COLOR)
    draw_arrow(ax, (middle + 24, below.middle_y), (COLOR - 4, below.middle_y), POSITION_COLOR)
    draw_text(ax, (middle + COLOR + 20) / 2, below.middle_y - 24, "table[0]", ha="center")
    y = 450
    back(ax, below.middle_y + 22, y, middle + 16)
    ax.plot([middle, middle], [y - 26, y + 26], color=BACK, lw=6)
    draw_text(ax, middle - 24, y + 4, "no way through an ID", BACK, ha="right")
    return ax.figure


def triangle(
    words: list[str], table: torch.Tensor, goal: torch.Tensor, way: torch.Tensor
) -> Figure:
    """All averages of three colours, as red and blue; the way of a search, and the wish outside.

    Their green, next to nothing, is left out.
    """
    ax, size, unit, left, base = canvas(1404, 760), 4, 700, 310, 712

    def at(colors: torch.Tensor) -> torch.Tensor:
        rows = colors.reshape(-1, 3)
        return torch.stack([left + unit * rows[:, 0], base - unit * rows[:, 2]], 1)

    corners = at(table)
    ax.add_patch(shape := Polygon(corners.tolist(), fc="none", ec=BLACK, lw=2, zorder=2))
    (right, bottom), (start, top) = corners.max(0).values.tolist(), corners.min(0).values.tolist()
    across, down = torch.arange(start, right, size), torch.arange(top, bottom, size)
    spots = torch.cartesian_prod(down, across).flip(1) + size / 2
    ones = torch.ones(len(spots), 1)
    shares = torch.linalg.solve(
        torch.cat([corners.T, torch.ones(1, 3)]), torch.cat([spots, ones], 1).T
    )
    tiles = (shares.T @ table).clamp(0, 1).reshape(len(down), len(across), 3).tolist()
    extent = (start, start + len(across) * size, top + len(down) * size, top)
    style = {"interpolation": "nearest", "aspect": "auto", "zorder": 1}
    ax.imshow(tiles, extent=extent, **style).set_clip_path(shape)
    for word, (x, y), color in zip(words, corners.tolist(), table.tolist(), strict=True):
        ax.plot(x, y, "o", ms=24, color=color, mec=BLACK, mew=2, zorder=3)
        side = -26 if x < left + 100 else 0
        y += 0 if side else (-38 if y < 200 else 36)
        draw_text(ax, x + side, y, word, ha="right" if side else "center", weight="bold")
    path = at(way @ table)
    for color, width in (("white", 8), (BLACK, 4)):
        ax.plot(*path.T, color=color, lw=width, solid_capstyle="round", zorder=3)
    (x, y), (end_x, end_y) = path[0].tolist(), path[-1].tolist()
    ax.plot(x, y, "o", ms=14, color="white", mec=BLACK, mew=2, zorder=4)
    white = {"path_effects": [withStroke(linewidth=4, foreground=BLACK)]}
    draw_text(ax, x, y - 36, "start: equal amounts", "white", ha="center", zorder=5, **white)
    ((goal_x, goal_y),) = at(goal).tolist()
    # Dashes begin at whole pixels: they carry a rounding error along the whole line.
    ends = torch.tensor([[end_x, end_y], [goal_x, goal_y]]).round()
    ax.plot(*ends.T, color=BLACK, lw=3, ls=(0, (2, 2)), zorder=2)
    ax.plot(end_x, end_y, "o", ms=20, color=(way[-1] @ table).tolist(), mec=BLACK, mew=2, zorder=4)
    draw_text(ax, end_x + 36, end_y + 52, "softmax ends here:")
    draw_text(ax, end_x + 36, end_y + 80, "no average is nearer")
    ax.plot(goal_x, goal_y, "*", ms=42, color=goal.tolist(), mec=BLACK, mew=2, zorder=4)
    draw_text(ax, goal_x + 32, goal_y, "hot pink, the wish", weight="bold", **HALO)
    for line, words_ in enumerate(("every average of the", "three words lies", "in the triangle")):
        draw_text(ax, 20, 60 + 28 * line, words_)
    return ax.figure
