"""Chapter 12: the table read backwards."""

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
    """Each row longer than the one before; after the last the first again, longer than itself."""
    ax, floor, rise, short = canvas(1404, 470), 400, 62, 74
    for i, word in enumerate([*seasons, seasons[0]]):
        color, x, high = TOKEN_COLORS[i % len(seasons)], 103 + 262 * i, short + rise * i
        again = i == len(seasons)
        look = {"fc": "white" if again else tint(color, 0.35), "ec": color, "lw": 4}
        look |= {"ls": (0, (4, 3))} if again else {}
        ax.add_artist(Rectangle((x, floor - high), 150, high, **look))
        draw_text(ax, x + 75, floor + 36, word, color, BIG_FONT, ha="center", weight="bold")
        if i:
            draw_arrow(ax, (x - 112, floor - high + rise), (x, floor - high + 20), BLACK)
            draw_text(ax, x - 64, floor - high - 12, "longer", LABEL_COLOR, BIG_FONT, ha="center")
    ax.add_artist(Rectangle((x, floor - short), 150, short, fc=tint(color, 0.35), ec=color, lw=4))
    ax.plot([103, x], [floor - short] * 2, color=color, lw=4, ls=(0, (4, 3)), zorder=0)
    draw_text(ax, x + 75, floor - 196, "?", color, 90, ha="center", weight="bold")
    return ax.figure


def tied(
    idx: torch.Tensor,
    embedding: Embedding,
    h: torch.Tensor,
    logits: torch.Tensor,
    seasons: list[str],
) -> Figure:
    """One table, read twice: an ID takes its row out; a vector meets every row, for a score."""
    ax, weight, token = canvas(1314, 500), embedding.weight, idx[-1].item()
    tokens, color, last = {i: i for i in range(len(weight))}, TOKEN_COLORS[token], len(idx) - 1
    rows = draw_matrix(ax, 330, 62, weight, "weight", owners=tokens)
    vector = draw_matrix(ax, rows.x, 420, h[last:], None, owners={0: POSITION_COLOR})
    scores = draw_matrix(ax, 1090, rows.y, logits[last:].T, None, owners=tokens)
    draw_text(ax, scores.x, rows.y - 24, f"logits[{last}]")
    for i, word in enumerate(seasons):
        draw_text(ax, rows.x - 16, rows.row_y(i), word, TOKEN_COLORS[i], ha="right", weight="bold")
        draw_text(ax, scores.right + 22, rows.row_y(i), word, TOKEN_COLORS[i], weight="bold")
    draw_text(ax, 60, rows.row_y(token) - 44, f"idx[{last}]", ha="center")
    draw_id(ax, 60, rows.row_y(token), token)
    draw_arrow(ax, (84, rows.row_y(token)), (rows.x - 102, rows.row_y(token)), color)
    down = rows.x + 3 * rows.cell_width  # between two columns, past the numbers of lower rows
    leave = (down, rows.row_y(token) + 24)
    ax.add_artist(Circle(leave, 9, fc=color, zorder=5))
    draw_arrow(ax, leave, (down, 312), color)
    draw_outline(ax, down - 70, 314, 140, 44, POSITION_COLOR, 2.5)
    draw_text(ax, down, 336, "hidden", POSITION_COLOR, ha="center", weight="bold")
    draw_arrow(ax, (down, 360), (down, vector.y), POSITION_COLOR)
    draw_text(ax, vector.x - 16, vector.middle_y, f"h[{last}]", ha="right")
    middle = (rows.right + scores.x) / 2
    ax.plot(
        [vector.right, middle, middle],
        [vector.middle_y] * 2 + [rows.row_y(0)],
        color=POSITION_COLOR,
        lw=4,
    )
    draw_arrow(ax, (middle, vector.middle_y), (middle, rows.bottom + 8), POSITION_COLOR)
    draw_text(ax, middle, rows.y - 24, "dot products", POSITION_COLOR, ha="center", weight="bold")
    for i in tokens:
        draw_arrow(ax, (rows.right, rows.row_y(i)), (scores.x - 14, rows.row_y(i)), TOKEN_COLORS[i])
        ax.add_artist(
            Circle((middle, rows.row_y(i)), 18, fc="white", ec=POSITION_COLOR, lw=3, zorder=4)
        )
        ax.add_artist(Circle((middle, rows.row_y(i)), 5, fc=POSITION_COLOR, zorder=5))
    best = scores.row_y(logits[last].argmax().item())
    draw_outline(ax, scores.x - 7, best - 29, scores.cell_width + 14, 58, BLACK, 5)
    return ax.figure


def ties(original: Module, assigned: Module, from_meta: Module) -> Figure:
    """Two layers over their parameters, over memory: one of each, two over one, two over two."""
    ax = canvas(1404, 470)
    models = {"tied": original, "assign=True": assigned, "to_empty": from_meta}
    for k, (name, model) in enumerate(models.items()):
        middle = 234 + 468 * k
        one, two = model.embedding.weight, model.head.weight
        sides = [middle - 104, middle + 104]
        parameters = [middle] if one is two else sides
        memories = [middle] if one.data_ptr() == two.data_ptr() else sides
        draw_text(ax, middle, 36, name, size=BIG_FONT, ha="center", weight="bold")
        for column, layer in zip(sides, ["embedding", "head"], strict=True):
            plate(ax, column, 84, layer, LABEL_COLOR)
        for row, (starts, ends) in enumerate([(sides, parameters), (parameters, memories)]):
            for start, end in zip(starts, ends * 2, strict=False):
                to = start if len(starts) == len(ends) else end + (start - end) * 0.35
                draw_arrow(ax, (start, 146 + 146 * row), (to, 226 + 146 * row), BLACK)
        for column in parameters:
            plate(ax, column, 230, "Parameter", BLACK)
        for column in memories:
            plate(ax, column, 376, "memory", BLACK, filled=True)
    return ax.figure


def plate(ax: Axes, x: float, y: float, text: str, color: str, *, filled: bool = False) -> None:
    """A word in a frame, centred on x."""
    if filled:
        ax.add_artist(Rectangle((x - 92, y), 184, 58, fc=tint(POSITION_COLOR, 0.16)))
    draw_outline(ax, x - 92, y, 184, 58, color)
    draw_text(ax, x, y + 29, text, color, 24, ha="center", weight="bold")
