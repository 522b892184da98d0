"""Chapter 9: what an optimizer remembers of a row that is gone, and how far it moves it."""

from collections.abc import Iterator

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
    tint,
)

ROW_OF = 2  # the row whose steps are drawn
FIRST, STEP, CELL = 318, 184, 112  # x of the first step, from step to step, width of a number
TALL = 160  # height of the bar of the longest move
GLASS = 300  # height of a glass of 1
START, LANE = 260, 88  # x of the start of the race, from lane to lane
SHOWN = (0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 101)  # steps of the race that are drawn


def heading(ax: Axes, text: str, x: float = FIRST - 20) -> None:
    """What the picture tells, on its top line."""
    label(ax, x, 40, text, size=28, weight="bold")


def steps_of(ax: Axes, batches: list[torch.Tensor], y: float) -> Iterator[tuple[float, bool]]:
    """The steps from left to right, each with its IDs: its middle, and whether the row is there."""
    for step, batch in enumerate(batches):
        middle, ids = FIRST + STEP * step + CELL / 2, batch.tolist()
        label(ax, middle, y - 53, f"step {step + 1}", LABEL, ha="center")
        for i, token in enumerate(ids):
            chip(ax, middle + 50 * (i - (len(ids) - 1) / 2), y, token)
        yield middle, ROW_OF in ids


def floor_line(ax: Axes, y: float, steps: int) -> None:
    """The line on which bars and glasses stand."""
    ax.plot([FIRST - 20, FIRST + STEP * (steps - 1) + CELL + 20], [y, y], color=LABEL)


def momentum(batches: list[torch.Tensor], buffer: list, moved: list) -> Figure:
    """The gradient of a row is gone after one step; its buffer shrinks, and the row coasts."""
    color, floor = TOKEN_COLORS[ROW_OF], 588
    ax, longest = canvas(1404, floor + 48), max(float(m) for m in moved)
    heading(ax, f"row {ROW_OF} moves on after its only batch")
    for y, name in ((157, "batch"), (237, f"gradient of row {ROW_OF}"), (337, "momentum_buffer")):
        label(ax, 20, y, name)
    label(ax, 20, floor - TALL / 2 - 18, "how far it moves:")
    label(ax, 20, floor - TALL / 2 + 18, "lr × buffer")
    floor_line(ax, floor, len(batches))
    for step, (middle, present) in enumerate(steps_of(ax, batches, 157)):
        x, kept = middle - CELL / 2, float(buffer[step])
        owner, strength = (ROW_OF, "strong") if present else (None, "pale")
        box(ax, (x, 212, CELL, ROW), str(int(present)), owner, strength, 24)
        box(ax, (x, 312, CELL, ROW), "", ROW_OF, "strong")
        frame(ax, x, 312, CELL, ROW, color)
        label(ax, middle, 337, digits(kept, 2), size=24, ha="center")
        if present:
            frame(ax, x, 212, CELL, ROW, color)
            arrow(ax, (middle, 212 + ROW), (middle, 312), color)
        if step + 1 < len(batches):
            arrow(ax, (x + CELL, 337), (x + STEP, 337), color)
            share = float(buffer[step + 1]) / kept
            label(ax, x + (STEP + CELL) / 2, 314, f"×{share:.1f}", INK, ha="center")
        height = round(TALL * float(moved[step]) / longest)  # half a pixel may round either way
        bar = {"fc": color if present else "white", "ec": color, "lw": 3}
        ax.add_artist(Rectangle((x + 18, floor), CELL - 36, -height, **bar))
        label(ax, middle, floor - height - 24, digits(float(moved[step]), 3), size=24, ha="center")
        label(ax, middle, floor + 24, "present" if present else "absent", LABEL, ha="center")
    return ax.figure


def adam(batches: list[torch.Tensor], mean: list, root: list, moved: list) -> Figure:
    """A glass for each step, as tall as the root and filled up to the mean; its share is the move.

    The mean falls faster than the root, but the glass does not run dry.
    """
    color, floor = TOKEN_COLORS[ROW_OF], 540
    ax = canvas(1404, floor + 132)
    heading(ax, f"the fuller the glass, the farther row {ROW_OF} moves")
    label(ax, 20, 157, "batch")
    label(ax, 20, floor - 170, "glass: the root", size=24)
    label(ax, 20, floor - 120, "filling: the mean", color, size=24, weight="bold")
    label(ax, 20, floor + 72, "mean / root =")
    label(ax, 20, floor + 106, "the move, in lr")
    floor_line(ax, floor, len(batches))
    for step, (middle, present) in enumerate(steps_of(ax, batches, 157)):
        tall, full = GLASS * float(root[step]), GLASS * float(mean[step])
        ax.add_artist(Rectangle((middle - 50, floor), 100, -full, fc=color))
        rim = [middle - 50, middle - 50, middle + 50, middle + 50]
        ax.plot(rim, [floor - tall, floor, floor, floor - tall], color=INK, lw=4)
        share = float(moved[step]) / float(moved[0])
        label(ax, middle, floor + 24, "present" if present else "absent", LABEL, ha="center")
        label(ax, middle, floor + 90, f"{share:.0%}", INK, size=32, ha="center", weight="bold")
    return ax.figure


def moment(trails: dict[int, torch.Tensor], done: int) -> Figure:
    """The race after so many steps: a lane for each visit, the visit solid, the coasting pale."""
    color, floor = TOKEN_COLORS[ROW_OF], 92 + LANE * len(trails)
    unit = (1404 - 170 - START) / max(float(trail.sum()) for trail in trails.values())
    ax = canvas(1404, floor + 20)
    heading(ax, f"how far a single visit carries row {ROW_OF}, in lr", START)
    ax.plot([START, START], [92, floor], color=LABEL, lw=3)

    def faded(step: int) -> tuple[float, ...]:
        return tint(color, 0.1 + 0.45 * 0.95**step if step else 1)

    for lane, (n, trail) in enumerate(trails.items()):
        y, x = 92 + LANE * (lane + 0.5), float(START)
        claimed = n > 1000  # batches that nobody trained
        label(ax, START - 24, y - 14 * claimed, f"batch {n:,}", ha="right", weight="bold")
        if claimed:
            label(ax, START - 24, y + 16, "simulated", LABEL, ha="right")
        for step, move in enumerate(trail[:done].tolist()):
            width, fill = unit * move, faded(step)
            gap = min(4, width * 0.1) if step else 0  # in proportion: short steps flow together
            ax.add_artist(Rectangle((x + gap, y - 26), width - gap, 52, fc=fill, lw=0, snap=False))
            x += width
        chip(ax, x + 28, y, ROW_OF)
        if done:
            label(ax, x + 62, y, f"{float(trail[:done].sum()):.1f}", size=28)
    for y, steps, text in (
        (114, [0], "its ID is in the batch"),
        (158, range(1, 11), "it is absent"),
    ):
        for i, step in enumerate(steps):
            width = 40 / len(steps)
            ax.add_artist(Rectangle((1034 + width * i, y - 13), width, 26, fc=faded(step)))
        label(ax, 1092, y, text, size=22)
    return ax.figure


def late_visit(trails: dict[int, torch.Tensor]) -> Iterator[tuple[Figure, int]]:
    """The same visit early and late in training: the later, the farther the row is carried."""
    for done in SHOWN:
        yield moment(trails, done), 500 if done == SHOWN[-1] else 300
