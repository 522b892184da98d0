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
LOOKS = {  # of a part of the model: its fill and edge, the color and weight of its text
    "solid": (CHANGED_COLOR, "none", "white", "bold"),
    "outlined": (tint(CHANGED_COLOR), CHANGED_COLOR, BLACK, "bold"),
    "pale": (tint(PALE_COLOR), "none", BLACK, "normal"),
}
WIDTH, ROW_HEIGHT, SIZE = 86, 40, 22


def ends(
    said: dict[str, float],
    words: list[str],
    weight: torch.Tensor,
    merged: torch.Tensor,
    row: torch.Tensor,
) -> Figure:
    """Draw the tied table at both ends of the model, four times, and what has changed in it."""
    ax = canvas(1404, 436)
    old = [False] * len(words)
    from_merged = (merged != weight).any(dim=1).tolist()
    new = (torch.cat([weight[:4], row]) != weight).any(dim=1).tolist()
    panels = {  # which rows have changed, where they are read and where they are scored
        "LoRA on hidden": (old, old),
        "LoRA on the table": (from_merged, old),
        "merged": (from_merged, from_merged),
        "the new row": (new, new),
    }
    for k, (name, (reads, scores)) in enumerate(panels.items()):
        x = 12 + 354 * k
        draw_text(ax, x, 28, name, size=24, weight="bold")
        for left, job, flags in [(x, "read", reads), (x + 230, "score", scores)]:
            look = "outlined" if (name, job) == ("merged", "score") else "solid"
            draw_text(ax, left + WIDTH / 2, 74, job, LABEL_COLOR, SIZE, ha="center")
            for i, (word, flag) in enumerate(zip(words, flags, strict=True)):
                corner = (left, 98 + ROW_HEIGHT * i)
                draw_part(ax, corner, ROW_HEIGHT, word, look if flag else "pale")
        corner = (x + 115, 98 + 1.5 * ROW_HEIGHT)
        draw_part(ax, corner, 2 * ROW_HEIGHT, "hidden", "pale" if k else "solid")
        middle = 98 + 2.5 * ROW_HEIGHT
        for start in (x + WIDTH, x + 115 + WIDTH):
            draw_arrow(ax, (start - 3, middle), (start + 32, middle), BLACK)
        text = f"P(owl | the) = {number_text(round(said[name], 2), 2)}"
        draw_text(ax, x + 158, 346, text, size=24, ha="center", weight="bold")
    legend = [(12, "solid", "trained"), (366, "outlined", "changed by the merge alone")]
    for x, look, text in legend:
        draw_part(ax, (x, 396), 30, "", look)
        draw_text(ax, x + WIDTH + 14, 411, text, LABEL_COLOR, SIZE)
    return ax.figure


def draw_part(ax: Axes, corner: tuple[float, float], height: float, text: str, look: str) -> None:
    """Draw a part of the model: solid if it was trained, outlined if only merged, or pale."""
    fill, edge, color, weight = LOOKS[look]
    (x, y), margin = corner, 1 if edge == "none" else 2
    size = (WIDTH - 2 * margin, height - 2 * margin)
    ax.add_artist(Rectangle((x + margin, y + margin), *size, fc=fill, ec=edge, lw=2))
    draw_text(ax, x + WIDTH / 2, y + height / 2, text, color, 20, ha="center", weight=weight)
