"""Chapter 10: token rows and position rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from torch.nn import Embedding, Linear

from course.draw import (
    DIGIT,
    GRID,
    INK,
    LABEL,
    PALE,
    POSITION,
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    canvas,
    chip,
    digits,
    expression,
    frame,
    label,
    matrix,
    symbol,
    tint,
)

# The last one is a violet here: beside the first blue, the second is hard to tell.
COLORS = [*TOKEN_COLORS[:5], "#7a4fc0"]


def sums(ax: Axes, x: float, y: float, rows: torch.Tensor, tokens: list[int], name: str) -> Grid:
    """Sums of a token row, which fills them in its colour, and of a position row, the frame."""
    grid = Grid(x, y, *rows.shape, 7 * DIGIT + 28)
    label(ax, x, y - 24, name)
    label(ax, grid.right, grid.bottom + 22, f"{grid.rows}×{grid.columns}", LABEL, ha="right")
    for i, (row, token) in enumerate(zip(rows.tolist(), tokens, strict=True)):
        ax.add_artist(Rectangle((x, y + i * ROW), grid.right - x, ROW, fc=tint(COLORS[token], 0.3)))
        frame(ax, x, y + i * ROW, grid.right - x, ROW, POSITION)
        for j, value in enumerate(row):
            label(ax, x + (j + 1) * grid.cell - 14, grid.row(i), digits(value), ha="right")
    return grid


def one_causal_layer(
    texts: torch.Tensor, causal: torch.Tensor, vocabulary: dict[str, int]
) -> Figure:
    """What `bites` and `so` see of each headline in one causal layer, and whether it differs."""
    ax, names = canvas(1404, 250), list(vocabulary)
    for at, y, sign, verdict in ((1, 60, "≠", "differ"), (3, 170, "=", "the same four")):
        word = texts[0, at].item()
        label(ax, 20, y, names[word], COLORS[word], weight="bold")
        label(ax, 20 + (len(names[word]) + 1) * DIGIT, y, "sees")
        for text, left in zip(texts.tolist(), (170, 904), strict=True):
            for i, token in enumerate(text):
                x, hidden = left + 122 * i, causal[at, i].item() < 0
                fill = "white" if hidden else COLORS[token] if i == at else tint(COLORS[token], 0.3)
                style, edge = "round,pad=0,rounding_size=8", GRID if hidden else COLORS[token]
                ax.add_artist(FancyBboxPatch((x, y - 24), 110, 48, style, fc=fill, ec=edge, lw=2))
                if not hidden:
                    ink = "white" if i == at else INK
                    label(ax, x + 55, y, names[token], ink, ha="center", weight="bold")
        label(ax, 778, y - 12, sign, size=38, ha="center")
        label(ax, 778, y + 22, verdict, ha="center")
    return ax.figure


def positions(
    idx: torch.Tensor,
    embedding_layer: Embedding,
    position_layer: Embedding,
    positions: torch.Tensor,
    total: torch.Tensor,
    vocabulary: dict[str, int],
) -> Figure:
    """Four token rows plus four position rows."""
    ax, names, tokens = canvas(1404, 326), list(vocabulary), idx.tolist()
    first = matrix(
        ax,
        140,
        82,
        embedding_layer(idx),
        "embedding_layer(idx)",
        tokens={i: COLORS[token] for i, token in enumerate(tokens)},
    )
    grey, places = dict.fromkeys(positions.tolist(), POSITION), position_layer(positions)
    second = matrix(ax, 566, 82, places, "position_layer(positions)", tokens=grey)
    out = sums(ax, 930, 82, total, tokens, "total")
    label(ax, 108, 24, "idx", ha="center")
    label(ax, second.x - 38, 24, "positions", ha="center")
    for i, token in enumerate(tokens):
        label(ax, 74, first.row(i), names[token], COLORS[token], ha="right", weight="bold")
        chip(ax, 108, first.row(i), token, COLORS[token])
        chip(ax, second.x - 38, first.row(i), i, POSITION)
        label(ax, out.right + 14, out.row(i), f"{names[token]} at {i}")
    symbol(ax, (first.right + second.x - 60) / 2, first.middle, "+")
    symbol(ax, (second.right + out.x) / 2, first.middle, "=")
    return ax.figure


def two_hot(
    idx: torch.Tensor,
    two_hot: torch.Tensor,
    linear: Linear,
    total: torch.Tensor,
    vocabulary: dict[str, int],
) -> Figure:
    """One two-hot row picks a row of each table, and their sum comes out."""
    at, V = 1, len(vocabulary)  # noqa: N806
    ax, token, stacked = canvas(1404, 690), idx[at].item(), linear.weight.detach().T
    picked = {token: COLORS[token], V + at: POSITION}
    hot = matrix(ax, 20, 350, two_hot[at : at + 1], None, tokens=picked, along="column")
    label(ax, hot.x, hot.bottom + 60, f"two_hot[{at}]")
    for column in range(len(stacked)):
        label(ax, hot.column(column), hot.bottom + 20, str(column), LABEL, ha="center")
    for (line, color), number, word in zip(
        picked.items(), (token, at), (list(vocabulary)[token], "position"), strict=True
    ):
        label(ax, hot.column(line), 216, word, color, ha="center", weight="bold")
        chip(ax, hot.column(line), 252, number, color)
        arrow(ax, (hot.column(line), 274), (hot.column(line), 348), color)
    label(ax, hot.column(V + at), hot.bottom + 60, f"{V} + {at} = {V + at}", ha="center")
    symbol(ax, 530, hot.middle, "@")
    label(ax, 612, 24, "linear.weight.T, the two tables stacked")
    out = sums(ax, 1050, hot.y, total[at : at + 1], [token], f"total[{at}]")
    symbol(ax, 990, hot.middle, "=")
    for name, start, end, y in (
        ("embedding_layer", 0, V, 92),
        ("position_layer", V, len(stacked), 450),
    ):
        owned = {line - start: color for line, color in picked.items() if start <= line < end}
        part = matrix(ax, 612, y, stacked[start:end], None, tokens=owned)
        label(ax, part.x, y - 22, f"{name}.weight", PALE)
        for line in range(start, end):
            here = picked.get(line)
            style = {"ha": "right", "weight": "bold" if here else "normal"}
            label(ax, part.x - 14, part.row(line - start), str(line), here or LABEL, **style)
        for line, color in owned.items():
            target = (out.x, out.middle - 12 if start == 0 else out.middle + 12)
            arrow(ax, (part.right, part.row(line)), target, color)
    a, b = stacked[token, 0].item(), stacked[V + at, 0].item()
    pieces = [(digits(a), COLORS[token]), (" + ", INK), (digits(b), POSITION)]
    pieces += [(" = ", INK), (digits(total[at, 0].item()), INK)]
    expression(ax, out.x, out.bottom + 62, pieces)
    return ax.figure
