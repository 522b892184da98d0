"""Chapter 8: what an optimizer remembers of a row that is gone, and how far it moves it."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    INK,
    LABEL,
    ROW,
    TOKEN_COLORS,
    arrow,
    box,
    canvas,
    chip,
    digits,
    frame,
    label,
)

ROW_OF = 2  # the row whose steps are drawn
FIRST, STEP, CELL = 318, 184, 112  # x of the first step, from step to step, width of a number
TALL = 150  # height of the bar of the longest move


def history(
    batches: list[torch.Tensor], names: list[str], memory: list, moved: list, rule: str
) -> Axes:
    """Step by step, from left to right: the IDs, the row's gradient, what is kept, the move.

    `memory` has one list of values per line, and `names` one name for each of them.
    """
    color, tops = TOKEN_COLORS[ROW_OF], [52, 132]
    tops += [232 + 92 * i for i in range(len(memory))]
    floor = tops[-1] + ROW + 66 + TALL
    ax, longest = canvas(1404, floor + 48), max(float(m) for m in moved)
    for top, name in zip(tops, ["batch", f"gradient of row {ROW_OF}", *names], strict=True):
        label(ax, 20, top + ROW / 2, name)
    label(ax, 20, floor - TALL / 2 - 18, "how far it moves:")
    label(ax, 20, floor - TALL / 2 + 18, rule)
    ax.plot([FIRST - 20, FIRST + STEP * (len(batches) - 1) + CELL + 20], [floor] * 2, color=LABEL)
    for step, batch in enumerate(batches):
        x, ids = FIRST + STEP * step, batch.tolist()
        middle, present = x + CELL / 2, ROW_OF in ids
        label(ax, middle, 24, f"step {step + 1}", LABEL, ha="center")
        for i, token in enumerate(ids):
            chip(ax, middle + 50 * (i - (len(ids) - 1) / 2), tops[0] + ROW / 2, token)
        came = (x, tops[1], CELL, ROW)
        box(
            ax, came, str(int(present)), ROW_OF if present else None, "solid" if present else "pale"
        )
        for top, values in zip(tops[2:], memory, strict=True):
            area = (x, top, CELL, ROW)
            box(ax, area, "", ROW_OF, "strong")
            frame(ax, *area, color)
            label(ax, middle, top + ROW / 2, digits(float(values[step])), ha="center")
        if present:
            arrow(ax, (middle, tops[1] + ROW), (middle, tops[2]), color)
        height = TALL * float(moved[step]) / longest
        bar = {"fc": color if present else "white", "ec": color, "lw": 3}
        ax.add_artist(Rectangle((x + 18, floor), CELL - 36, -height, **bar))
        label(ax, middle, floor - height - 22, digits(float(moved[step])), INK, ha="center")
        label(ax, middle, floor + 24, "present" if present else "absent", LABEL, ha="center")
    return ax


def momentum(batches: list[torch.Tensor], buffer: list, moved: list) -> Figure:
    """The gradient of a row is gone after one step; its buffer shrinks, and the row coasts."""
    ax = history(batches, ["momentum_buffer"], [buffer], moved, "lr × buffer")
    for step in range(len(batches) - 1):
        x = FIRST + STEP * step + CELL
        arrow(ax, (x, 232 + ROW / 2), (x + STEP - CELL, 232 + ROW / 2), TOKEN_COLORS[ROW_OF])
        kept = float(buffer[step + 1] / buffer[step])
        label(ax, x + (STEP - CELL) / 2, 232 + 2, f"×{kept:.1f}", INK, ha="center")
    return ax.figure


def adam(batches: list[torch.Tensor], mean: list, root: list, moved: list) -> Figure:
    """The two corrected averages of a row that is gone, and the moves that are their quotient."""
    return history(batches, ["mean", "root"], [mean, root], moved, "lr × mean / root").figure
