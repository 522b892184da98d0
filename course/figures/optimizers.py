"""Chapter 9: Adam's averages for a row, and its moves in batches without it."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import BLACK, LABEL_COLOR, TOKEN_COLORS, canvas, draw_id, draw_text

DRAWN_ROW = 2  # of the table
FIRST_GLASS_X, GLASS_STEP = 324, 168  # the left edge of the first; from one to the next
GLASS_WIDTH, GLASS_HEIGHT = 100, 300  # the height where the corrected root is 1
IDS_Y, FLOOR_Y = 157, 540  # the IDs; what the glasses stand on


def adam(batches: list[torch.Tensor], fillings: list[float], glasses: list[float]) -> Figure:
    """Draw a glass for each step, as tall as the corrected root, filled up to the corrected mean.

    The share that is filled is the move, in learning rates.
    """
    color = TOKEN_COLORS[DRAWN_ROW]
    ax = canvas(1404, FLOOR_Y + 102)
    heading = f"embedding.weight[{DRAWN_ROW}, 0]"
    draw_text(ax, FIRST_GLASS_X - 26, 40, heading, size=28, weight="bold")
    draw_text(ax, 20, IDS_Y, "batch")
    draw_text(ax, 20, FLOOR_Y + 60, "filling / glass", size=24)
    end = FIRST_GLASS_X + GLASS_STEP * (len(batches) - 1) + GLASS_WIDTH
    ax.plot([FIRST_GLASS_X - 26, end + 26], [FLOOR_Y, FLOOR_Y], color=LABEL_COLOR)
    for step, (batch, filling, glass) in enumerate(zip(batches, fillings, glasses, strict=True)):
        left, ids = FIRST_GLASS_X + GLASS_STEP * step, batch.tolist()
        middle, right = left + GLASS_WIDTH / 2, left + GLASS_WIDTH
        draw_text(ax, middle, IDS_Y - 53, f"step {step + 1}", LABEL_COLOR, ha="center")
        for i, token in enumerate(ids):
            draw_id(ax, middle + 50 * (i - (len(ids) - 1) / 2), IDS_Y, token)
        ax.add_artist(Rectangle((left, FLOOR_Y), GLASS_WIDTH, -GLASS_HEIGHT * filling, fc=color))
        rim = FLOOR_Y - GLASS_HEIGHT * glass
        ax.plot([left, left, right, right], [rim, FLOOR_Y, FLOOR_Y, rim], color=BLACK, lw=4)
        share = f"{filling / glass:.0%}"
        draw_text(ax, middle, FLOOR_Y + 60, share, BLACK, size=32, ha="center", weight="bold")
    for name, part, shade in [("glass", glasses, BLACK), ("filling", fillings, color)]:
        y = FLOOR_Y - GLASS_HEIGHT * part[-1]  # beside the last glass
        draw_text(ax, end + 22, y, name, shade, size=24, weight="bold")
    return ax.figure
