"""Note 13_fine_tuning: what training changes where a tied table reads, and where it scores."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_text,
    number_text,
    tint,
)

CHANGED_COLOR = TOKEN_COLORS[2]
WIDTH, ROW_HEIGHT, SIZE = 86, 40, 22


def ends(
    said: dict[str, float],
    words: list[str],
    weight: torch.Tensor,
    merged: torch.Tensor,
    row: torch.Tensor,
) -> Figure:
    """Draw the tied table at both ends of the model, four times, and what has changed in it."""
    ax = canvas(1404, 390)
    tables = [weight, weight, merged, torch.cat([weight[:4], row])]
    changed = [(table != weight).any(dim=1).tolist() for table in tables]
    from_merged = changed[2]
    reads, scores = [changed[0], from_merged, *changed[2:]], changed
    for k, (name, probability) in enumerate(said.items()):
        x = 12 + 354 * k
        draw_text(ax, x, 28, name, size=24, weight="bold")
        for left, job, flags in [(x, "read", reads[k]), (x + 230, "score", scores[k])]:
            draw_text(ax, left + WIDTH / 2, 74, job, LABEL_COLOR, SIZE, ha="center")
            for i, (word, flag) in enumerate(zip(words, flags, strict=True)):
                draw_part(ax, left, 98 + ROW_HEIGHT * i, ROW_HEIGHT, word, is_changed=flag)
        draw_part(ax, x + 115, 98 + 1.5 * ROW_HEIGHT, 2 * ROW_HEIGHT, "hidden", is_changed=k == 0)
        middle = 98 + 2.5 * ROW_HEIGHT
        for start in (x + WIDTH, x + 115 + WIDTH):
            draw_arrow(ax, (start - 3, middle), (start + 32, middle), BLACK)
        text = f"owl after the {number_text(round(probability, 2), 2)}"
        draw_text(ax, x + 158, 346, text, size=26, ha="center", weight="bold")
    return ax.figure


def draw_part(ax: Axes, x: float, y: float, height: float, text: str, *, is_changed: bool) -> None:
    """Draw a part of the model: orange if it has changed, pale if not."""
    fill = CHANGED_COLOR if is_changed else tint(PALE_COLOR)
    ax.add_artist(Rectangle((x, y), WIDTH, height, fc=fill, ec="white", lw=2))
    color, weight = ("white", "bold") if is_changed else (BLACK, "normal")
    draw_text(ax, x + WIDTH / 2, y + height / 2, text, color, 20, ha="center", weight=weight)
