"""Chapter 12: one table as the first and the last layer."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from torch.nn import Embedding, Module

from course.draw import (
    BIG_FONT,
    BLACK,
    LABEL_COLOR,
    POSITION_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_text,
    tint,
)


def longer(seasons: list[str]) -> Figure:
    """Draw rows, each longer than the one before, and last the first again, longer than itself."""
    ax, floor_y, growth, first_height = canvas(1404, 470), 400, 62, 74
    for i, word in enumerate([*seasons, seasons[0]]):
        color, x, height = TOKEN_COLORS[i % len(seasons)], 103 + 262 * i, first_height + growth * i
        is_repeated = i == len(seasons)
        style = {"fc": "white" if is_repeated else tint(color, 0.35), "ec": color, "lw": 4}
        style |= {"ls": (0, (4, 3))} if is_repeated else {}
        ax.add_artist(Rectangle((x, floor_y - height), 150, height, **style))
        draw_text(ax, x + 75, floor_y + 36, word, color, BIG_FONT, ha="center", weight="bold")
        if i:
            draw_arrow(ax, (x - 112, floor_y - height + growth), (x, floor_y - height + 20), BLACK)
            draw_text(
                ax, x - 64, floor_y - height - 12, "longer", LABEL_COLOR, BIG_FONT, ha="center"
            )
    style = {"fc": tint(color, 0.35), "ec": color, "lw": 4}
    ax.add_artist(Rectangle((x, floor_y - first_height), 150, first_height, **style))
    ax.plot([103, x], [floor_y - first_height] * 2, color=color, lw=4, ls=(0, (4, 3)), zorder=0)
    draw_text(ax, x + 75, floor_y - 196, "?", color, 90, ha="center", weight="bold")
    return ax.figure


def tied(
    idx: torch.Tensor,
    embedding: Embedding,
    h: torch.Tensor,
    logits: torch.Tensor,
    seasons: list[str],
) -> Figure:
    """Draw a table that is used twice: an ID's row is looked up, a vector meets all rows."""
    ax, weight, token = canvas(1314, 500), embedding.weight, idx[-1].item()
    owners, color, last = {i: i for i in range(len(weight))}, TOKEN_COLORS[token], len(idx) - 1
    table = draw_matrix(ax, 330, 62, weight, "weight", owners=owners)
    vector = draw_matrix(ax, table.x, 420, h[last:], None, owners={0: POSITION_COLOR})
    scores = draw_matrix(ax, 1090, table.y, logits[last:].T, None, owners=owners)
    draw_text(ax, scores.x, table.y - 24, f"logits[{last}]")
    for i, word in enumerate(seasons):
        y, style = table.row_y(i), {"color": TOKEN_COLORS[i], "weight": "bold"}
        draw_text(ax, table.x - 16, y, word, ha="right", **style)
        draw_text(ax, scores.right + 22, y, word, **style)
    draw_text(ax, 60, table.row_y(token) - 44, f"idx[{last}]", ha="center")
    draw_id(ax, 60, table.row_y(token), token)
    draw_arrow(ax, (84, table.row_y(token)), (table.x - 102, table.row_y(token)), color)
    column_x = table.x + 3 * table.cell_width  # between two columns, past the numbers of lower rows
    exit_point = (column_x, table.row_y(token) + 24)
    ax.add_artist(Circle(exit_point, 9, fc=color, zorder=5))
    draw_arrow(ax, exit_point, (column_x, 312), color)
    draw_outline(ax, column_x - 70, 314, 140, 44, POSITION_COLOR, 2.5)
    draw_text(ax, column_x, 336, "hidden", POSITION_COLOR, ha="center", weight="bold")
    draw_arrow(ax, (column_x, 360), (column_x, vector.y), POSITION_COLOR)
    draw_text(ax, vector.x - 16, vector.middle_y, f"h[{last}]", ha="right")
    middle = (table.right + scores.x) / 2
    ys = [vector.middle_y, vector.middle_y, table.row_y(0)]
    ax.plot([vector.right, middle, middle], ys, color=POSITION_COLOR, lw=4)
    draw_arrow(ax, (middle, vector.middle_y), (middle, table.bottom + 8), POSITION_COLOR)
    draw_text(ax, middle, table.y - 24, "dot products", POSITION_COLOR, ha="center", weight="bold")
    for i in owners:
        y, style = table.row_y(i), {"fc": "white", "ec": POSITION_COLOR, "lw": 3, "zorder": 4}
        draw_arrow(ax, (table.right, y), (scores.x - 14, y), TOKEN_COLORS[i])
        ax.add_artist(Circle((middle, y), 18, **style))
        ax.add_artist(Circle((middle, y), 5, fc=POSITION_COLOR, zorder=5))
    best_y = scores.row_y(logits[last].argmax().item())
    draw_outline(ax, scores.x - 7, best_y - 29, scores.cell_width + 14, 58, BLACK, 5)
    return ax.figure


def ties(original: Module, assigned: Module, from_meta: Module) -> Figure:
    """Draw how many parameters, and how many memories, the two layers of three models have."""
    ax = canvas(1404, 470)
    models = {"tied": original, "assign=True": assigned, "to_empty": from_meta}
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
    return ax.figure


def draw_framed_text(
    ax: Axes, x: float, y: float, text: str, color: str, *, is_filled: bool = False
) -> None:
    """Draw a word in a frame of 184 by 58 pixels, centred on x."""
    if is_filled:
        ax.add_artist(Rectangle((x - 92, y), 184, 58, fc=tint(POSITION_COLOR, 0.16)))
    draw_outline(ax, x - 92, y, 184, 58, color)
    draw_text(ax, x, y + 29, text, color, 24, ha="center", weight="bold")
