"""Chapter 13: who holds which table, where a new word's score lies, and whose row a word gets."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    POSITION_COLOR,
    canvas,
    color_of,
    draw_arrow,
    draw_outline,
    draw_text,
    point_between,
    text_width,
    tint,
)

STALE = "#b3261e"  # what still holds the old table, and what gives its rows to the wrong words
HIGH, APART = 46, 60  # a row; from one row to the next, where they stand apart


def shelf(ax: Axes, x: float, middle: float, words: list[str], color: str) -> None:
    """A table in an outline, each row its word."""
    y = middle - HIGH * len(words) / 2
    for i, word in enumerate(words):
        slab(
            ax, (x, y + i * HIGH), 140, word, color_of(i) if i < 4 else POSITION_COLOR, solid=i == 4
        )
    draw_outline(ax, x - 3, y - 3, 146, HIGH * len(words) + 6, color)


def holders(new_words: list[str], broken: dict[str, int]) -> Figure:
    """Two tables after the first assignment, and who holds each."""
    ax, new, old = canvas(892, 396), max(broken.values()), min(broken.values())
    draw_text(ax, 12, 30, "weight = Parameter(longer)", size=BIG_FONT, weight="bold")
    tables = [(new, "looked up, never trained"), (old, "trained, never looked up")]
    for panel, (size, fate) in enumerate(tables):
        x, color = 12 + 470 * panel, STALE if size == old else POSITION_COLOR
        draw_text(ax, x, 90, fate, color, BIG_FONT)
        shelf(ax, x + 246, 254, new_words[:size], color)
        names = [name for name, held in broken.items() if held == size]
        for i, name in enumerate(names):
            aside = i - (len(names) - 1) / 2
            draw_text(ax, x, 254 + 76 * aside, name, color, BIG_FONT, weight="bold")
            start = (x + text_width(name, BIG_FONT) + 6, 254 + 76 * aside)
            draw_arrow(ax, start, (x + 240, 254 + 34 * aside), color)
    return ax.figure


def level(h: torch.Tensor, rows: torch.Tensor, lowered: torch.Tensor) -> Figure:
    """The old words' scores at the first position, for two tables; where 0 lies, and the mean."""
    ax, zero, unit = canvas(1404, 424), 1180, 42
    for top, bottom in [(60, 170), (236, 350)]:  # between them, the mean of the first table
        ax.plot([zero, zero], [top, bottom], color=color_of(2), lw=4, zorder=3)
    draw_text(ax, zero, 30, "a row of zeros: 0", color_of(2), BIG_FONT, ha="center", weight="bold")
    for name, table, floor in [("rows", rows, 170), ("lowered", lowered, 350)]:
        scores = table @ h[0]
        bins = torch.arange(-29.0, 5, 0.2)
        counts = torch.histogram(scores, bins)[0].tolist()
        bars = zip(bins.tolist(), counts, strict=False)  # each by its left edge
        hill = [(zero + unit * (x + 0.1), floor - 0.68 * n) for x, n in bars if n]
        hill = [(hill[0][0], floor), *hill, (hill[-1][0], floor)]
        ax.plot([12, 1392], [floor, floor], color=GRID_COLOR, lw=2, zorder=0)
        ax.add_patch(Polygon(hill, fc=tint(color_of(1), 0.45), ec=color_of(1), lw=2))
        mean = scores.mean().item()
        middle = zero + unit * mean
        draw_text(ax, 12, floor - 88, name, BLACK, BIG_FONT, weight="bold")
        draw_arrow(ax, (middle, floor + 46), (middle, floor + 4), POSITION_COLOR)
        text = f"the mean: {round(mean)}".replace("-", "−")
        draw_text(ax, middle + 20, floor + 36, text, POSITION_COLOR, BIG_FONT, weight="bold")
        draw_text(ax, middle - 76, floor - 30, "old words", color_of(1), BIG_FONT, ha="right")
    return ax.figure


def slab(ax: Axes, place: tuple[float, float], width: int, text: str, color: str, *, solid: bool):
    """A word, solid, or a row of the table, tinted; no name that it would half cover is left."""
    (x, y), over = place, len(ax.texts)
    fill, ink, weight = (color, "white", "bold") if solid else (tint(color, 0.3), BLACK, "normal")
    ax.add_artist(Rectangle((x, y), width, HIGH, fc=fill, ec="none", zorder=over))
    for name in ax.texts:
        (left, middle), half = name.get_position(), HIGH / 2
        if x < left < x + width and 2 < abs(middle - y - half) < HIGH - 6:
            name.set_visible(False)
    place = (x + width / 2, y + HIGH / 2)
    draw_text(ax, *place, text, ink, BIG_FONT, ha="center", weight=weight, zorder=over)


def by_word(
    new_words: list[str], last_words: list[str], trained: torch.Tensor, by_word: torch.Tensor
) -> Iterator[tuple[Figure, int]]:
    """A new word in another's place, then all sorted: rows stay, or each goes with its word."""
    owners = dict(zip(map(tuple, trained.tolist()), new_words, strict=True))
    newcomer = next(word for word in last_words if word not in new_words)
    colors = {word: color_of(i) if i < 4 else POSITION_COLOR for i, word in enumerate(new_words)}
    colors[newcomer] = color_of(4)
    orders = [[word if word in last_words else newcomer for word in new_words]]
    for place in reversed(range(len(last_words))):  # from the last place up, one word at a time
        rest = [word for word in orders[-1] if word != last_words[place]]
        order = [*rest[:place], last_words[place], *rest[place:]]
        orders += [order] * (order != orders[-1])
    stills, y = 8, lambda k: 64 + APART * k
    last = stills * (len(orders) - 1)
    for step in range(last + 1):
        before, after = (orders[min(step // stills + k, len(orders) - 1)] for k in (0, 1))
        t, ax = step % stills / stills, canvas(1404, 372)
        place = {
            word: point_between((k, 0), (after.index(word), 0), t) for k, word in enumerate(before)
        }
        out = {w: min(1, 6 * t * (1 - t)) * (k[0] > before.index(w)) for w, k in place.items()}
        for panel, table in enumerate([trained, by_word]):
            x = 50 + 660 * panel
            title = "by word: each row goes along" if panel else "by ID: the rows stay"
            draw_text(ax, x, 30, title, POSITION_COLOR if panel else STALE, BIG_FONT, weight="bold")
            rows = dict(zip(last_words, table.tolist(), strict=True))
            for i, word in enumerate(sorted(rows, key=out.get)):  # what moves past others is last
                draw_text(ax, x - 14, y(i) + HIGH / 2, str(i), LABEL_COLOR, BIG_FONT, ha="right")
                owner = owners.get(tuple(rows[word]), newcomer)  # the mean is nobody's yet
                text = "the mean" if owner == newcomer else f"row of “{owner}”"
                aside = out[word]
                moving, high = (aside, place[word][0]) if panel else (0, new_words.index(owner))
                slab(ax, (x + 242 + 230 * moving, y(high)), 215, text, colors[owner], solid=False)
                high = y(place[word][0])
                slab(ax, (x + 122 * aside, high), 110, word, colors[word], solid=True)
                if step == last:
                    own = owner == word
                    sign = "≠" if not own else "new" if word == newcomer else "="
                    place_of, ink = (x + 176, high + HIGH / 2), BLACK if own else STALE
                    draw_text(ax, *place_of, sign, ink, BIG_FONT, ha="center", weight="bold")
        yield ax.figure, {0: 1200, last: 1600}.get(step, 80)
