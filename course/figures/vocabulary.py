"""Chapter 13: two tables and their holders, the scores of new words, and rows after sorting."""

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

WRONG_COLOR = "#b3261e"  # of the old table, and of rows that go to other words
ROW_HEIGHT, ROW_STEP = 46, 60  # the step is from one row to the next, where they stand apart


def draw_table(ax: Axes, x: float, middle_y: float, words: list[str], color: str) -> None:
    """Draw a table in an outline, with the word of each row; only a fifth row is solid."""
    y = middle_y - ROW_HEIGHT * len(words) / 2
    for i, word in enumerate(words):
        block_color = color_of(i) if i < 4 else POSITION_COLOR
        draw_block(ax, (x, y + i * ROW_HEIGHT), 140, word, block_color, is_solid=i == 4)
    draw_outline(ax, x - 3, y - 3, 146, ROW_HEIGHT * len(words) + 6, color)


def holders(new_words: list[str], broken: dict[str, int]) -> Figure:
    """Draw two tables after the first assignment, and the names that each still has."""
    ax, new_size, old_size = canvas(892, 396), max(broken.values()), min(broken.values())
    draw_text(ax, 12, 30, "weight = Parameter(longer)", size=BIG_FONT, weight="bold")
    tables = [(new_size, "looked up, never trained"), (old_size, "trained, never looked up")]
    for panel, (size, title) in enumerate(tables):
        x, color = 12 + 470 * panel, WRONG_COLOR if size == old_size else POSITION_COLOR
        draw_text(ax, x, 90, title, color, BIG_FONT)
        draw_table(ax, x + 246, 254, new_words[:size], color)
        names = [name for name, row_count in broken.items() if row_count == size]
        for i, name in enumerate(names):
            offset = i - (len(names) - 1) / 2
            draw_text(ax, x, 254 + 76 * offset, name, color, BIG_FONT, weight="bold")
            start = (x + text_width(name, BIG_FONT) + 6, 254 + 76 * offset)
            draw_arrow(ax, start, (x + 240, 254 + 34 * offset), color)
    return ax.figure


def level(h: torch.Tensor, rows: torch.Tensor, lowered: torch.Tensor) -> Figure:
    """Draw histograms of the old words' scores for two tables, their means, and a score of 0."""
    ax, zero_x, score_width = canvas(1404, 424), 1180, 42
    for top, bottom in [(60, 170), (236, 350)]:  # between them, the mean of the first table
        ax.plot([zero_x, zero_x], [top, bottom], color=color_of(2), lw=4, zorder=3)
    draw_text(
        ax, zero_x, 30, "a row of zeros: 0", color_of(2), BIG_FONT, ha="center", weight="bold"
    )
    for name, table, floor_y in [("rows", rows, 170), ("lowered", lowered, 350)]:
        scores = table @ h[0]
        bins = torch.arange(-29.0, 5, 0.2)
        counts = torch.histogram(scores, bins)[0].tolist()
        bars = zip(bins.tolist(), counts, strict=False)  # each by its left edge
        area = [(zero_x + score_width * (x + 0.1), floor_y - 0.68 * n) for x, n in bars if n]
        area = [(area[0][0], floor_y), *area, (area[-1][0], floor_y)]
        ax.plot([12, 1392], [floor_y, floor_y], color=GRID_COLOR, lw=2, zorder=0)
        ax.add_patch(Polygon(area, fc=tint(color_of(1), 0.45), ec=color_of(1), lw=2))
        mean = scores.mean().item()
        mean_x = zero_x + score_width * mean
        draw_text(ax, 12, floor_y - 88, name, BLACK, BIG_FONT, weight="bold")
        draw_arrow(ax, (mean_x, floor_y + 46), (mean_x, floor_y + 4), POSITION_COLOR)
        text = f"the mean: {round(mean)}".replace("-", "−")
        draw_text(ax, mean_x + 20, floor_y + 36, text, POSITION_COLOR, BIG_FONT, weight="bold")
        draw_text(ax, mean_x - 76, floor_y - 30, "old words", color_of(1), BIG_FONT, ha="right")
    return ax.figure


def draw_block(
    ax: Axes, corner: tuple[float, float], width: int, text: str, color: str, *, is_solid: bool
) -> None:
    """Draw a block of a solid or a tinted colour; hide texts that it would cover in part."""
    (x, y), zorder = corner, len(ax.texts)
    fill = color if is_solid else tint(color, 0.3)
    text_color, weight = ("white", "bold") if is_solid else (BLACK, "normal")
    ax.add_artist(Rectangle((x, y), width, ROW_HEIGHT, fc=fill, ec="none", zorder=zorder))
    for artist in ax.texts:
        (left, middle), half = artist.get_position(), ROW_HEIGHT / 2
        if x < left < x + width and 2 < abs(middle - y - half) < ROW_HEIGHT - 6:
            artist.set_visible(False)
    style = {"ha": "center", "weight": weight, "zorder": zorder}
    draw_text(ax, x + width / 2, y + ROW_HEIGHT / 2, text, text_color, BIG_FONT, **style)


def by_word(
    new_words: list[str], last_words: list[str], trained: torch.Tensor, by_word: torch.Tensor
) -> Iterator[tuple[Figure, int]]:
    """Draw a new word in the place of another, then the sorting: rows stay, or move with words."""
    owners = dict(zip(map(tuple, trained.tolist()), new_words, strict=True))
    newcomer = next(word for word in last_words if word not in new_words)
    colors = {word: color_of(i) if i < 4 else POSITION_COLOR for i, word in enumerate(new_words)}
    colors[newcomer] = color_of(4)
    orders = [[word if word in last_words else newcomer for word in new_words]]
    for i in reversed(range(len(last_words))):  # sort one word at a time, the last place first
        rest = [word for word in orders[-1] if word != last_words[i]]
        order = [*rest[:i], last_words[i], *rest[i:]]
        orders += [order] * (order != orders[-1])
    frame_count = 8  # for each order
    last = frame_count * (len(orders) - 1)

    def row_y(place: float) -> float:
        return 64 + ROW_STEP * place

    for step in range(last + 1):
        before, after = (orders[min(step // frame_count + k, len(orders) - 1)] for k in (0, 1))
        t, ax = step % frame_count / frame_count, canvas(1404, 372)
        places = {  # the place in the table, a fraction while a word moves
            word: point_between((k, 0), (after.index(word), 0), t)[0]
            for k, word in enumerate(before)
        }
        detour = min(1, 6 * t * (1 - t))  # a word that moves down leaves its column
        offsets = {word: detour * (places[word] > k) for k, word in enumerate(before)}
        for panel, table in enumerate([trained, by_word]):
            x = 50 + 660 * panel
            title = "by word: each row goes along" if panel else "by ID: the rows stay"
            color = POSITION_COLOR if panel else WRONG_COLOR
            draw_text(ax, x, 30, title, color, BIG_FONT, weight="bold")
            rows = dict(zip(last_words, table.tolist(), strict=True))
            # What moves past others is drawn last.
            for i, word in enumerate(sorted(rows, key=offsets.get)):
                number_y = row_y(i) + ROW_HEIGHT / 2
                draw_text(ax, x - 14, number_y, str(i), LABEL_COLOR, BIG_FONT, ha="right")
                owner = owners.get(tuple(rows[word]), newcomer)  # the mean belongs to no old word
                text = "the mean" if owner == newcomer else f"row of “{owner}”"
                offset, word_y = offsets[word], row_y(places[word])
                if panel:
                    corner = (x + 242 + 230 * offset, word_y)
                else:
                    corner = (x + 242, row_y(new_words.index(owner)))
                draw_block(ax, corner, 215, text, colors[owner], is_solid=False)
                corner = (x + 122 * offset, word_y)
                draw_block(ax, corner, 110, word, colors[word], is_solid=True)
                if step == last:
                    sign = "≠" if owner != word else "new" if word == newcomer else "="
                    color, y = BLACK if owner == word else WRONG_COLOR, word_y + ROW_HEIGHT / 2
                    draw_text(ax, x + 176, y, sign, color, BIG_FONT, ha="center", weight="bold")
        yield ax.figure, {0: 1200, last: 1600}.get(step, 80)
