"""Chapter 12: who holds which table, and whose row a word gets."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    POSITION,
    arrow,
    between,
    canvas,
    frame,
    hue,
    label,
    span,
    tint,
)

STALE = "#b3261e"  # what still holds the old table, and what gives its rows to the wrong words
BIG = 26
HIGH, APART = 46, 60  # a row; from one row to the next, where they stand apart


def shelf(ax: Axes, x: float, middle: float, words: list[str], color: str) -> None:
    """A table in an outline, each row its word."""
    y = middle - HIGH * len(words) / 2
    for i, word in enumerate(words):
        slab(ax, (x, y + i * HIGH), 140, word, hue(i) if i < 4 else POSITION, solid=i == 4)
    frame(ax, x - 3, y - 3, 146, HIGH * len(words) + 6, color)


def holders(new_words: list[str], broken: dict[str, int], cured: dict[str, int]) -> Figure:
    """Three names and the tables they hold: before, after the first assignment, in the end."""
    ax, new, old = canvas(1404, 600), max(cured.values()), min(broken.values())
    steps = {"before": dict.fromkeys(broken, old), "weight = Parameter(longer)": broken}
    steps["retied, new optimizer"] = cured
    for panel, (title, state) in enumerate(steps.items()):
        x, parted = 12 + 490 * panel, len(set(state.values())) > 1
        label(ax, x, 32, title, size=BIG, weight="bold")
        middles = {new: 222, old: 488} if parted else {size: 340 for size in state.values()}
        for size, middle in middles.items():
            color = STALE if size < max(middles) else POSITION
            shelf(ax, x + 256, middle, new_words[:size], color)
            names = [name for name, held in state.items() if held == size]
            for i, name in enumerate(names):
                aside = i - (len(names) - 1) / 2
                label(ax, x, middle + 76 * aside, name, color, BIG, weight="bold")
                start = (x + span(name, BIG) + 6, middle + 76 * aside)
                arrow(ax, start, (x + 254, middle + 34 * aside), color)
        if parted:
            label(ax, x, 84, "looked up, never trained", POSITION, BIG)
            label(ax, x, 372, "trained, never looked up", STALE, BIG)
        if panel:
            ax.plot([x - 44, x - 44], [12, 588], color=GRID, lw=2)
    return ax.figure


def slab(ax: Axes, place: tuple[float, float], width: int, text: str, color: str, *, solid: bool):
    """A word, solid, or a row of the table, tinted; no name that it would half cover is left."""
    (x, y), over = place, len(ax.texts)
    fill, ink, weight = (color, "white", "bold") if solid else (tint(color, 0.3), INK, "normal")
    ax.add_artist(Rectangle((x, y), width, HIGH, fc=fill, ec="none", zorder=over))
    for name in ax.texts:
        (left, middle), half = name.get_position(), HIGH / 2
        if x < left < x + width and 2 < abs(middle - y - half) < HIGH - 6:
            name.set_visible(False)
    place = (x + width / 2, y + HIGH / 2)
    label(ax, *place, text, ink, BIG, ha="center", weight=weight, zorder=over)


def by_word(
    new_words: list[str],
    old: torch.Tensor,
    sorted_words: list[str],
    by_word: torch.Tensor,
    longer: torch.Tensor,
) -> Iterator[tuple[Figure, int]]:
    """The words are sorted; on the left the rows stay, on the right each goes with its word."""
    owners = dict(zip(map(tuple, old.tolist()), new_words, strict=False))  # whose row it was
    number = {word: i for i, word in enumerate(new_words)}
    colors = [*(hue(i) for i in range(len(old))), POSITION]
    panels = [("by ID: the rows stay", longer), ("by word: each row goes along", by_word)]
    last, y = 13, lambda k: 64 + APART * k
    for step in range(last + 1):
        ax = canvas(1404, 372)
        for panel, (title, table) in enumerate(panels):
            x = 50 + 722 * panel
            label(ax, x, 30, title, POSITION if panel else STALE, BIG, weight="bold")
            for i, (word, row) in enumerate(zip(sorted_words, table.tolist(), strict=True)):
                label(ax, x - 14, y(i) + HIGH / 2, str(i), LABEL, BIG, ha="right")
                owner = number[owners.get(tuple(row), new_words[-1])]
                text = f"row of “{new_words[owner]}”" if owner < len(old) else "mean of all"
                tall = [between((x, y(k)), (x, y(i)), step / last) for k in (owner, number[word])]
                slab(ax, (x + 184, tall[0][1]), 426, text, colors[owner], solid=False)
                slab(ax, tall[1], 136, word, colors[number[word]], solid=True)
                own = owner == number[word]
                if step == last and not (own and owner == len(old)):
                    sign, ink = ("=", INK) if own else ("≠", STALE)
                    label(ax, x + 160, y(i) + HIGH / 2, sign, ink, 32, ha="center", weight="bold")
        yield ax.figure, {0: 1200, last: 1600}.get(step, 80)
