"""Chapter 9: what Adam remembers of a row that is gone, and how far that moves it."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import BLACK, LABEL_COLOR, TOKEN_COLORS, canvas, draw_id, draw_text

ROW = 2  # whose steps are drawn
FIRST, STEP, WIDTH = 324, 184, 100  # x of the first glass, from glass to glass, width of one
FULL = 300  # height of a glass of 1
TOP, FLOOR = 157, 540  # y of the IDs, and of what the glasses stand on


def adam(batches: list[torch.Tensor], means: list[float], roots: list[float]) -> Figure:
    """A glass for each step, as tall as the root and filled up to the mean; its share is the move.

    The mean falls faster than the root, but the glass does not run dry.
    """
    color = TOKEN_COLORS[ROW]
    ax = canvas(1404, FLOOR + 132)
    heading = f"the fuller the glass, the farther row {ROW} moves"
    draw_text(ax, FIRST - 26, 40, heading, size=28, weight="bold")
    draw_text(ax, 20, TOP, "batch")
    draw_text(ax, 20, FLOOR - 170, "glass: the root", size=24)
    draw_text(ax, 20, FLOOR - 120, "filling: the mean", color, size=24, weight="bold")
    draw_text(ax, 20, FLOOR + 72, "mean / root =")
    draw_text(ax, 20, FLOOR + 106, "the move, in lr")
    last = FIRST + STEP * (len(batches) - 1) + WIDTH
    ax.plot([FIRST - 26, last + 26], [FLOOR, FLOOR], color=LABEL_COLOR)
    for step, (batch, mean, root) in enumerate(zip(batches, means, roots, strict=True)):
        left, ids = FIRST + STEP * step, batch.tolist()
        middle, right = left + WIDTH / 2, left + WIDTH
        draw_text(ax, middle, TOP - 53, f"step {step + 1}", LABEL_COLOR, ha="center")
        for i, token in enumerate(ids):
            draw_id(ax, middle + 50 * (i - (len(ids) - 1) / 2), TOP, token)
        ax.add_artist(Rectangle((left, FLOOR), WIDTH, -FULL * mean, fc=color))
        rim = FLOOR - FULL * root
        ax.plot([left, left, right, right], [rim, FLOOR, FLOOR, rim], color=BLACK, lw=4)
        there = "present" if ROW in ids else "absent"
        draw_text(ax, middle, FLOOR + 24, there, LABEL_COLOR, ha="center")
        share = f"{mean / root:.0%}"
        draw_text(ax, middle, FLOOR + 90, share, BLACK, size=32, ha="center", weight="bold")
    return ax.figure
