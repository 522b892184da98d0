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
    grid = Grid(x, y, *rows.shape, 7 * DIGIT + 20)
    label(ax, x, y - 24, name)
    label(ax, grid.right, grid.bottom + 22, f"{grid.rows}×{grid.columns}", LABEL, ha="right")
    for i, (row, token) in enumerate(zip(rows.tolist(), tokens, strict=True)):
        ax.add_artist(Rectangle((x, y + i * ROW), grid.right - x, ROW, fc=tint(COLORS[token], 0.3)))
        frame(ax, x, y + i * ROW, grid.right - x, ROW, POSITION)
        for j, value in enumerate(row):
            label(ax, x + (j + 1) * grid.cell - 10, grid.row(i), digits(value), ha="right")
    return grid


def one_causal_layer(
    texts: torch.Tensor, causal: torch.Tensor, vocabulary: dict[str, int]
) -> Figure:
    """What `bites` and `so` see of each headline in one causal layer, and whether it differs."""
    ax, names = canvas(1404, 250), list(vocabulary)
    lefts = (160, 706)
    for text, left in zip(texts.tolist(), lefts, strict=True):
        label(ax, left + 238, 26, " ".join(names[token] for token in text), LABEL, ha="center")
    for at, y, sign, verdict in ((1, 90, "≠", "differ"), (3, 190, "=", "the same four")):
        word = texts[0, at].item()
        label(ax, 8, y, names[word], COLORS[word], weight="bold")
        label(ax, 8 + (len(names[word]) + 1) * DIGIT, y, "sees")
        for text, left in zip(texts.tolist(), lefts, strict=True):
            for i, token in enumerate(text):
                x, hidden = left + 122 * i, causal[at, i].item() < 0
                fill = "white" if hidden else COLORS[token] if i == at else tint(COLORS[token], 0.3)
                style, edge = "round,pad=0,rounding_size=8", GRID if hidden else COLORS[token]
                ax.add_artist(FancyBboxPatch((x, y - 28), 110, 56, style, fc=fill, ec=edge, lw=2))
                if not hidden:
                    ink = "white" if i == at else INK
                    label(ax, x + 55, y, names[token], ink, ha="center", weight="bold")
        label(ax, 671, y, sign, size=38, ha="center")
        label(ax, 1210, y, verdict, weight="bold")
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
    ax, names, tokens = canvas(1404, 306), list(vocabulary), idx.tolist()
    owners = {i: COLORS[token] for i, token in enumerate(tokens)}
    first = matrix(ax, 154, 62, embedding_layer(idx), "embedding_layer(idx)", tokens=owners)
    grey, places = dict.fromkeys(positions.tolist(), POSITION), position_layer(positions)
    second = matrix(ax, 590, 62, places, "position_layer(positions)", tokens=grey)
    out = sums(ax, 950, 62, total, tokens, "total")
    for grid, name in ((first, "idx"), (second, "positions")):
        label(ax, grid.x - 24, 38, name, POSITION, ha="right", weight="bold")
    for i, token in enumerate(tokens):
        label(
            ax, first.x - 80, first.row(i), names[token], COLORS[token], ha="right", weight="bold"
        )
        chip(ax, first.x - 46, first.row(i), token, COLORS[token])
        chip(ax, second.x - 46, first.row(i), i, POSITION)
        label(ax, out.right + 14, out.row(i), f"{names[token]} at {i}")
    symbol(ax, (first.right + second.x - 68) / 2, first.middle, "+")
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
    ax, token, stacked = canvas(1404, 640), idx[at].item(), linear.weight.detach().T
    picked = {token: COLORS[token], V + at: POSITION}
    hot = matrix(ax, 20, 350, two_hot[at : at + 1], None, tokens=picked, along="column")
    label(ax, hot.x, hot.bottom + 28, f"two_hot[{at}]")
    for column in range(len(stacked)):
        here = picked.get(column)
        style = {"ha": "center", "weight": "bold" if here else "normal"}
        label(ax, hot.column(column), hot.y - 20, str(column), here or LABEL, **style)
    symbol(ax, 558, hot.middle, "@")
    label(ax, 646, 24, "linear.weight.T, the two tables stacked")
    out = sums(ax, 1075, hot.y, total[at : at + 1], [token], f"total[{at}]")
    symbol(ax, 1015, hot.middle, "=")
    for name, start, end, y, leave, number, word in (
        ("embedding_layer", 0, V, 86, hot.y - 38, token, list(vocabulary)[token]),
        ("position_layer", V, len(stacked), 432, hot.bottom + 6, at, "position"),
    ):
        line = next(line for line in picked if start <= line < end)
        color, x = picked[line], hot.column(line)
        part = matrix(ax, 646, y, stacked[start:end], None, tokens={line - start: color})
        label(ax, part.x, y - 20, f"{name}.weight", LABEL)
        for i in range(start, end):
            here = picked.get(i)
            style = {"ha": "right", "weight": "bold" if here else "normal"}
            label(ax, part.x - 14, part.row(i - start), str(i), here or LABEL, **style)
        height = part.row(line - start)
        ax.plot([x, x], [leave, height], color=color, lw=3)
        arrow(ax, (x - 4, height), (part.x - 32, height), color)
        label(ax, x + 20, height - 32, word, color, weight="bold")
        chip(ax, x + 20 + (len(word) + 1) * DIGIT + 22, height - 32, number, color)
        target = (out.x, out.middle - 12 if start == 0 else out.middle + 12)
        arrow(ax, (part.right, height), target, color)
    label(ax, hot.column(V + at) + 20, height + 28, f"{V} + {at} = {V + at}")
    a, b = stacked[token, 0].item(), stacked[V + at, 0].item()
    pieces = [(digits(a), COLORS[token]), (" + ", INK), (digits(b), POSITION)]
    pieces += [(" = ", INK), (digits(total[at, 0].item()), INK)]
    expression(ax, out.x, out.bottom + 62, pieces)
    return ax.figure
