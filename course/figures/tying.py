"""Chapter 12: the table read backwards."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from torch.nn import Embedding, Module

from course.draw import (
    INK,
    LABEL,
    POSITION,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    label,
    matrix,
    outline,
    tint,
)

BIG = 26


def longer(seasons: list[str]) -> Figure:
    """Each row longer than the one before; after the last the first again, longer than itself."""
    ax, floor, rise, short = canvas(1404, 470), 400, 62, 74
    for i, word in enumerate([*seasons, seasons[0]]):
        color, x, high = TOKEN_COLORS[i % len(seasons)], 103 + 262 * i, short + rise * i
        again = i == len(seasons)
        look = {"fc": "white" if again else tint(color, 0.35), "ec": color, "lw": 4}
        look |= {"ls": (0, (4, 3))} if again else {}
        ax.add_artist(Rectangle((x, floor - high), 150, high, **look))
        label(ax, x + 75, floor + 36, word, color, BIG, ha="center", weight="bold")
        if i:
            arrow(ax, (x - 112, floor - high + rise), (x, floor - high + 20), INK)
            label(ax, x - 64, floor - high - 12, "longer", LABEL, BIG, ha="center")
    ax.add_artist(Rectangle((x, floor - short), 150, short, fc=tint(color, 0.35), ec=color, lw=4))
    ax.plot([103, x], [floor - short] * 2, color=color, lw=4, ls=(0, (4, 3)), zorder=0)
    label(ax, x + 75, floor - 196, "?", color, 90, ha="center", weight="bold")
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
    rows = matrix(ax, 330, 62, weight, "weight", tokens=tokens)
    vector = matrix(ax, rows.x, 420, h[last:], None, tokens={0: POSITION})
    scores = matrix(ax, 1090, rows.y, logits[last:].T, None, tokens=tokens)
    label(ax, scores.x, rows.y - 24, f"logits[{last}]")
    for i, word in enumerate(seasons):
        label(ax, rows.x - 16, rows.row(i), word, TOKEN_COLORS[i], ha="right", weight="bold")
        label(ax, scores.right + 22, rows.row(i), word, TOKEN_COLORS[i], weight="bold")
    label(ax, 60, rows.row(token) - 44, f"idx[{last}]", ha="center")
    chip(ax, 60, rows.row(token), token)
    arrow(ax, (84, rows.row(token)), (rows.x - 102, rows.row(token)), color)
    down = rows.x + 3 * rows.cell  # between two columns, past the numbers of lower rows
    leave = (down, rows.row(token) + 24)
    ax.add_artist(Circle(leave, 9, fc=color, zorder=5))
    arrow(ax, leave, (down, 312), color)
    outline(ax, down - 70, 314, 140, 44, POSITION, 2.5)
    label(ax, down, 336, "hidden", POSITION, ha="center", weight="bold")
    arrow(ax, (down, 360), (down, vector.y), POSITION)
    label(ax, vector.x - 16, vector.middle, f"h[{last}]", ha="right")
    middle = (rows.right + scores.x) / 2
    ax.plot(
        [vector.right, middle, middle], [vector.middle] * 2 + [rows.row(0)], color=POSITION, lw=4
    )
    arrow(ax, (middle, vector.middle), (middle, rows.bottom + 8), POSITION)
    label(ax, middle, rows.y - 24, "dot products", POSITION, ha="center", weight="bold")
    for i in tokens:
        arrow(ax, (rows.right, rows.row(i)), (scores.x - 14, rows.row(i)), TOKEN_COLORS[i])
        ax.add_artist(Circle((middle, rows.row(i)), 18, fc="white", ec=POSITION, lw=3, zorder=4))
        ax.add_artist(Circle((middle, rows.row(i)), 5, fc=POSITION, zorder=5))
    best = scores.row(logits[last].argmax().item())
    outline(ax, scores.x - 7, best - 29, scores.cell + 14, 58, INK, 5)
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
        label(ax, middle, 36, name, size=BIG, ha="center", weight="bold")
        for column, layer in zip(sides, ["embedding", "head"], strict=True):
            plate(ax, column, 84, layer, LABEL)
        for row, (starts, ends) in enumerate([(sides, parameters), (parameters, memories)]):
            for start, end in zip(starts, ends * 2, strict=False):
                to = start if len(starts) == len(ends) else end + (start - end) * 0.35
                arrow(ax, (start, 146 + 146 * row), (to, 226 + 146 * row), INK)
        for column in parameters:
            plate(ax, column, 230, "Parameter", INK)
        for column in memories:
            plate(ax, column, 376, "memory", INK, filled=True)
    return ax.figure


def plate(ax: Axes, x: float, y: float, text: str, color: str, *, filled: bool = False) -> None:
    """A word in a frame, centred on x."""
    if filled:
        ax.add_artist(Rectangle((x - 92, y), 184, 58, fc=tint(POSITION, 0.16)))
    outline(ax, x - 92, y, 184, 58, color)
    label(ax, x, y + 29, text, color, 24, ha="center", weight="bold")
