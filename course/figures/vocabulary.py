"""Chapter 13: two tables and their holders, and the scores of new words."""

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
    text_width,
    tint,
)

WRONG_COLOR = "#b3261e"  # of the old table
ROW_HEIGHT = 46


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
    draw_text(ax, 12, 30, "embedding.weight = Parameter(longer)", size=BIG_FONT, weight="bold")
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


def level(h: torch.Tensor, table: torch.Tensor, lowered: torch.Tensor) -> Figure:
    """Draw histograms of the old words' scores for two tables, their means, and a score of 0."""
    ax, zero_x, score_width = canvas(1404, 424), 1180, 42
    for top, bottom in [(60, 170), (236, 350)]:  # between them, the mean of the first table
        ax.plot([zero_x, zero_x], [top, bottom], color=color_of(2), lw=4, zorder=3)
    for x, y, align in [(zero_x, 30, "center"), (zero_x - 16, 258, "right")]:
        draw_text(ax, x, y, "zeros: 0", color_of(2), BIG_FONT, ha=align, weight="bold")
    for name, weight, floor_y in [("table", table, 170), ("lowered", lowered, 350)]:
        scores = weight @ h[0]
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
        text = f"mean: {round(mean)}".replace("-", "−")
        draw_text(ax, mean_x + 20, floor_y + 36, text, POSITION_COLOR, BIG_FONT, weight="bold")
        draw_text(ax, mean_x - 76, floor_y - 30, "old words", color_of(1), BIG_FONT, ha="right")
    draw_text(ax, 1392, 386, "logits", LABEL_COLOR, BIG_FONT, ha="right")
    return ax.figure


def draw_block(
    ax: Axes, corner: tuple[float, float], width: int, text: str, color: str, *, is_solid: bool
) -> None:
    """Draw a word on a solid or a tinted colour."""
    x, y = corner
    fill = color if is_solid else tint(color, 0.3)
    text_color, weight = ("white", "bold") if is_solid else (BLACK, "normal")
    ax.add_artist(Rectangle(corner, width, ROW_HEIGHT, fc=fill, ec="none"))
    middle = (x + width / 2, y + ROW_HEIGHT / 2)
    draw_text(ax, *middle, text, text_color, BIG_FONT, ha="center", weight=weight)
