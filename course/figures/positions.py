"""Chapter 10: token rows and position rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from torch.nn import Embedding, Linear

from course.draw import (
    DIGIT,
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
    """Sums of a token row, whose colour is above, and a position row, whose colour is below."""
    grid = Grid(x, y, *rows.shape, 7 * DIGIT + 20)
    label(ax, x, y - 24, name)
    label(ax, grid.right, grid.bottom + 22, f"{grid.rows}×{grid.columns}", LABEL, ha="right")
    for i, (row, token) in enumerate(zip(rows.tolist(), tokens, strict=True)):
        top, width = y + i * ROW, grid.right - x
        for start, color in ((top, COLORS[token]), (top + ROW / 2, POSITION)):
            ax.add_artist(Rectangle((x, start), width, ROW / 2, fc=tint(color, 0.25)))
        for j, value in enumerate(row):
            label(ax, x + (j + 1) * grid.cell - 10, grid.row(i), digits(value), ha="right")
        frame(ax, x, top, width, ROW, INK, 2.5)
    return grid


def word_box(ax: Axes, x: float, y: float, word: str, color: str, solid: bool) -> None:
    """A word in its colour, in a box of 116 pixels by 42, centred on (x, y)."""
    fill, ink = (color, "white") if solid else (tint(color, 0.25), INK)
    style = "round,pad=0,rounding_size=8"
    ax.add_artist(FancyBboxPatch((x - 58, y - 21), 116, 42, style, fc=fill, ec=color, lw=2))
    label(ax, x, y, word, ink, ha="center", weight="bold")


def one_causal_layer(
    texts: torch.Tensor, causal: torch.Tensor, vocabulary: dict[str, int]
) -> Figure:
    """What each word of the two headlines has taken in after one causal layer."""
    ax, names = canvas(1404, 408), list(vocabulary)
    for text, left in zip(texts.tolist(), (236, 878), strict=True):
        xs = [left + 150 * i for i in range(len(text))]
        for i, token in enumerate(text):
            word_box(ax, xs[i], 60, names[token], COLORS[token], True)
            seen = [other for other, mask in zip(text, causal[i].tolist(), strict=True) if not mask]
            for height, other in enumerate(sorted(seen)):
                word_box(ax, xs[i], 160 + 52 * height, names[other], COLORS[other], False)
        arrow(ax, (xs[0] - 58, 104), (xs[-1] + 58, 104), PALE)
        for i, verdict in ((1, "differ"), (3, "the same")):
            bottom = 160 + 52 * i + 21
            frame(ax, xs[i] - 68, 129, 136, bottom - 119, INK)
            label(ax, xs[i], bottom + 34, verdict, ha="center", weight="bold")
    ax.plot([782, 782], [40, 390], color=PALE, lw=1.5)
    for y, line in ((60, "headline"), (160, "after one"), (188, "causal"), (216, "layer")):
        label(ax, 20, y, line)
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
        154,
        82,
        embedding_layer(idx),
        "embedding_layer(idx)",
        tokens={i: COLORS[token] for i, token in enumerate(tokens)},
    )
    grey, places = dict.fromkeys(positions.tolist(), POSITION), position_layer(positions)
    second = matrix(ax, 584, 82, places, "position_layer(positions)", tokens=grey)
    out = sums(ax, 952, 82, total, tokens, "total")
    label(ax, 122, 24, "idx", ha="center")
    label(ax, second.x - 38, 24, "positions", ha="center")
    for i, token in enumerate(tokens):
        label(ax, 88, first.row(i), names[token], COLORS[token], ha="right", weight="bold")
        chip(ax, 122, first.row(i), token, COLORS[token])
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
    symbol(ax, 540, hot.middle, "@")
    label(ax, 560, 24, "linear.weight.T, the two tables stacked")
    out = sums(ax, 1071, hot.y, total[at : at + 1], [token], f"total[{at}]")
    for name, start, end, y in (
        ("embedding_layer", 0, V, 92),
        ("position_layer", V, len(stacked), 450),
    ):
        owned = {line - start: color for line, color in picked.items() if start <= line < end}
        part = matrix(ax, 600, y, stacked[start:end], None, tokens=owned)
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
