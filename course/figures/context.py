"""Note 11_context: three ways to count the positions of a padded text."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from course.draw import (
    BIG_FONT,
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    POSITION_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_outline,
    draw_solid_box,
    draw_text,
)

STEP, LEFT, RIGHT = 128, 236, 1130


def three_counts(
    alone: torch.Tensor,
    ids: torch.Tensor,
    keep: torch.Tensor,
    learned: Callable[..., torch.Tensor],
    rope: Callable[..., torch.Tensor],
) -> Figure:
    """Draw a padded text over its positions, counted in three ways, and what each model makes."""
    ax = canvas(1404, 346)
    slots = torch.arange(len(ids))
    from_first = (keep.cumsum(0) - 1).clamp(min=0)
    last_by_slot = torch.where(slots == len(ids) - 1, slots, from_first)
    counts = {"with padding": slots, "from man": from_first, "with a jump": last_by_slot}
    models = {"learned": learned, "rope": rope}
    for i, (token, is_kept) in enumerate(zip(ids.tolist(), keep.tolist(), strict=True)):
        word = ["bites", "dog", "man"][token] if is_kept else "pad"
        color = TOKEN_COLORS[token] if is_kept else PALE_COLOR
        draw_solid_box(ax, (LEFT + STEP * i, 48), 116, 56, word, color, 24)
    for line, y in [("distances", 38), ("to dog", 68)]:
        draw_text(ax, 936, y, line, LABEL_COLOR, ha="center")
    for k, name in enumerate(models):
        draw_text(ax, RIGHT + 184 * k, 34, name, size=BIG_FONT, ha="center", weight="bold")
        draw_text(ax, RIGHT + 184 * k, 70, "as alone?", LABEL_COLOR, ha="center")
    for row, (count, positions) in enumerate(counts.items()):
        y = 130 + 82 * row
        draw_text(ax, 8, y, count, LABEL_COLOR)
        for i, (position, is_kept) in enumerate(zip(positions.tolist(), keep, strict=True)):
            x, color = LEFT + STEP * i, POSITION_COLOR if is_kept else PALE_COLOR
            if is_kept:
                draw_outline(ax, x - 32, y - 28, 64, 56, color, 2.5)
            weight = "bold" if is_kept else "normal"
            draw_text(ax, x, y, str(position), color, BIG_FONT, ha="center", weight=weight)
        distances = " ".join(str(d) for d in (positions[-1] - positions)[keep == 1].tolist())
        draw_text(ax, 936, y, distances, LABEL_COLOR, BIG_FONT, ha="center")
        for k, model in enumerate(models.values()):
            expected = model(alone, torch.ones(len(alone)), torch.arange(len(alone)))[-1]
            is_same = torch.allclose(model(ids, keep, positions)[-1], expected, atol=1e-5)
            mark = "✓" if is_same else "✗"
            style = {"size": 36, "ha": "center", "family": "DejaVu Sans"}
            draw_text(ax, RIGHT + 184 * k, y, mark, BLACK, **style)
    return ax.figure
