"""Note 12_holding_a_tie: how many parameters, and how many memories, two layers have."""

from matplotlib.figure import Figure
from torch.nn import Module

from course.draw import (
    BIG_FONT,
    BLACK,
    LABEL_COLOR,
    canvas,
    draw_arrow,
    draw_framed_text,
    draw_text,
)


def ties(original: Module, assigned: Module, from_meta: Module) -> Figure:
    """Draw the parameters and memories of two layers, in three models, and what Adam does."""
    ax = canvas(1404, 494)
    models = {"tied": original, "assigned": assigned, "from meta": from_meta}
    for k, (name, model) in enumerate(models.items()):
        middle = 234 + 468 * k
        input_weight, output_weight = model.embedding.weight, model.head.weight
        sides = [middle - 104, middle + 104]
        parameters = [middle] if input_weight is output_weight else sides
        memories = [middle] if input_weight.data_ptr() == output_weight.data_ptr() else sides
        draw_text(ax, middle, 36, name, size=BIG_FONT, ha="center", weight="bold")
        for column, layer in zip(sides, ["embedding", "head"], strict=True):
            draw_framed_text(ax, column, 84, layer, LABEL_COLOR)
        for row, (starts, ends) in enumerate([(sides, parameters), (parameters, memories)]):
            for start, end in zip(starts, ends * 2, strict=False):
                tip = start if len(starts) == len(ends) else end + (start - end) * 0.35
                draw_arrow(ax, (start, 146 + 146 * row), (tip, 226 + 146 * row), BLACK)
        for column in parameters:
            draw_framed_text(ax, column, 230, "Parameter", BLACK)
        for column in memories:
            draw_framed_text(ax, column, 376, "memory", BLACK, is_filled=True)
        if len(memories) == 2:
            fate = "two tables, one update each"
        else:
            fate = "one update" if len(parameters) == 1 else "two updates of one table"
        draw_text(ax, middle, 464, fate, LABEL_COLOR, ha="center")
    return ax.figure
