"""Chapter 12: who holds which table, and whose row a word gets."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course.draw import (
    DIGIT,
    FONT,
    GRID,
    INK,
    PALE,
    POSITION,
    Owner,
    arrow,
    box,
    canvas,
    digits,
    frame,
    hue,
    label,
)

STALE = "#b3261e"  # what still holds the old table
BIG = 24
ACROSS = DIGIT * BIG / FONT  # of a big letter
HIGH, APART = 44, 60  # a row; from one row to the next, where they stand apart


def shelf(ax: Axes, x: float, y: float, words: list[str], color: str | None) -> float:
    """A table, each row its word, in an outline; without a colour nobody holds it. Its middle."""
    for i, word in enumerate(words):
        box(ax, (x, y + i * HIGH, 124, HIGH), "", i if color else None, "strong")
        ink = INK if color else PALE
        label(ax, x + 62, y + (i + 0.5) * HIGH, word, ink, BIG, ha="center")
    frame(ax, x, y, 124, HIGH * len(words), color or GRID)
    return y + HIGH * len(words) / 2


def holders(new_words: list[str], broken: dict[str, int], cured: dict[str, int]) -> Figure:
    """Three names and the tables they hold: before, after the first assignment, in the end."""
    ax, new, old = canvas(1404, 610), max(cured.values()), min(broken.values())
    before = dict.fromkeys(broken, old)
    steps = {"before": before, "embedding.weight = longer": broken}
    steps["retied, new optimizer"] = cured
    for panel, (title, state) in enumerate(steps.items()):
        x, sizes = 20 + 492 * panel, set(state.values())
        label(ax, x, 32, title, size=BIG)
        colors = {size: STALE if size < max(sizes) else POSITION for size in sizes}
        tops = {old: 408} if state == before else {new: 124, old: 408}
        middles = {
            size: shelf(ax, x + 270, top, new_words[:size], colors.get(size))
            for size, top in tops.items()
        }
        if len(sizes) > 1:
            label(ax, x + 394, 98, "looked up, never trained", colors[new], ha="right")
            label(ax, x + 394, 382, "trained, never looked up", colors[old], ha="right")
        for row, (name, size) in enumerate(state.items()):
            y, nudge = (234, 460, 532)[row], 24 * (row - 1) * (len(sizes) == 1 or row > 0)
            label(ax, x, y, name, colors[size], BIG, weight="bold")
            start = (x + ACROSS * len(name) + 6, y)
            arrow(
                ax,
                start,
                (x + 266, middles[size] + nudge - 12 * (len(sizes) > 1 and row > 0)),
                colors[size],
            )
        if panel:
            ax.plot([x - 46, x - 46], [12, 598], color=GRID, lw=2)
    return ax.figure


def shown(
    ax: Axes,
    x: float,
    title: str,
    words: dict[str, int],
    rows: torch.Tensor,
    owners: list[Owner],
    color: str = INK,
) -> None:
    """A table whose rows stand apart, each in its owner's colour, its word before it in its own."""
    label(ax, x, 30, title, color, BIG)
    for i, (word, row, owner) in enumerate(zip(words, rows.tolist(), owners, strict=True)):
        y = 60 + i * APART
        label(
            ax,
            x - 14,
            y + HIGH / 2,
            f"{i} {word}",
            hue(words[word]),
            BIG,
            ha="right",
            weight="bold",
        )
        for j, value in enumerate(row):
            box(ax, (x + 60 * j, y, 60, HIGH), "", owner, "strong")
            label(ax, x + 60 * j + 54, y + HIGH / 2, digits(value, 1), ha="right")
        frame(ax, x, y, 60 * len(row), HIGH, hue(owner))


def by_word(
    new_words: list[str],
    old: torch.Tensor,
    sorted_words: list[str],
    by_word: torch.Tensor,
    longer: torch.Tensor,
) -> Figure:
    """The old rows, where they go by the word, and beside it where they go by the ID."""
    ax, left, right = canvas(1404, 374), 110, 676
    number = {word: i for i, word in enumerate(new_words)}
    ids = {word: number[word] for word in sorted_words}

    def owners(table: torch.Tensor) -> list[Owner]:
        found = [[torch.equal(row, known) for known in old] for row in table]
        return [same.index(True) if any(same) else POSITION for same in found]

    known = dict(list(number.items())[: len(old)])
    shown(ax, left, "old", known, old, owners(old))
    shown(ax, right, "by word: its own row", ids, by_word, owners(by_word))
    shown(ax, 1094, "by ID: another's row", ids, longer, owners(longer), STALE)
    edge, bottom = left + 60 * old.shape[1], 60 + APART * len(old) - APART + HIGH
    for i, (word, owner) in enumerate(zip(ids, owners(by_word), strict=True)):
        tip = (right - 20 - ACROSS * len(f"{i} {word}"), 60 + i * APART + HIGH / 2)
        if owner == POSITION:
            ax.plot([edge + 14, edge + 14], [60, bottom], color=POSITION, lw=3)
            arrow(ax, (edge + 10, (60 + bottom) / 2), tip, POSITION)
            label(ax, edge + 14, bottom + 28, "mean of all", POSITION, BIG, ha="center")
        else:
            arrow(ax, (edge + 20, 60 + owner * APART + HIGH / 2), tip, hue(owner))
    return ax.figure
