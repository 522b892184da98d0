"""Chapter 1: IDs fetch their rows."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    POSITION,
    ROW,
    TOKEN_COLORS,
    Grid,
    arrow,
    between,
    canvas,
    chip,
    digits,
    frame,
    label,
    matrix,
    tint,
    window,
)


def stages(done: float, position: int) -> tuple[float, float]:
    """How far a position is on its way to its row, and how far that row is on its way out.

    Each from 0 to 1. `done` counts the positions: 1.25 is all of the first one and half of the
    second one's way to its row.
    """
    t = 2 * (done - position)
    return min(max(t, 0), 1), min(max(t - 1, 0), 1)


def met(ids: list[int], done: float) -> tuple[dict[int, int], dict[int, int]]:
    """The rows of the table that have been read, and those of the output that have come."""
    read = {token: token for i, token in enumerate(ids) if stages(done, i)[0] == 1}
    return read, {i: token for i, token in enumerate(ids) if stages(done, i)[1] == 1}


def fetch(
    ax: Axes, row: torch.Tensor, rows: Grid, token: int, out: Grid, position: int, way: float
) -> None:
    """A copy of a row on its way from the table to its place in the output.

    It comes from under the table, and passes over the rows that are there already.
    """
    x, y = between((rows.x, rows.y + token * ROW), (out.x, out.y + position * ROW), way)
    sheet = window(ax, rows.right + 2, 0, ax.get_xlim()[1], ax.get_ylim()[0])
    matrix(sheet, x, y, row, None, tokens={0: token})


def look_up(
    ax: Axes,
    idx: torch.Tensor,
    weight: torch.Tensor,
    done: float = math.inf,
    words: list[str] | None = None,
    names: tuple[str, str] = ("idx", "embedding(idx)"),
    places: tuple[float, float] | None = None,
    table: str = "weight",
) -> Grid:
    """IDs, the table with their rows marked, and the rows they fetch (returned), with arrows.

    In a moving diagram, as it stands when so many IDs are `done`. With `words`, each ID has the
    word that it stands for before it. `names` are those of the IDs and of the rows, `table` is that
    of the table; `places`, if given, says how far from the left the table stands, and the rows.
    """
    ids = idx.tolist()
    read, came = met(ids, done)
    x, gap = (82, 112) if words else (20, 148)  # of the IDs; before the rows that they fetch
    left = places[0] if places else x + 152 if words else 196
    rows = matrix(ax, left, 52, weight, table, tokens=read, index=True)
    y, right = rows.middle - len(ids) * ROW / 2, places[1] if places else rows.right + gap
    if len(ids) == 1:  # level with its row
        y = rows.y + ids[0] * ROW
    out = matrix(ax, right, y, weight[idx], names[1], tokens=came, filled=len(came))
    label(ax, x, y - 24, names[0])
    for i, token in enumerate(ids):
        color, (reach, way) = TOKEN_COLORS[token], stages(done, i)
        chip(ax, x + 22, out.row(i), token)
        if words:
            label(ax, x - 12, out.row(i), words[token], color, ha="right", weight="bold")
        start = (x + 44, out.row(i))
        arrow(ax, start, between(start, (rows.x - 34, rows.row(token)), reach), color)
        start = (rows.right, rows.row(token))
        arrow(ax, start, between(start, (out.x, out.row(i)), way), color)
        if 0 < way < 1:
            fetch(ax, weight[[token]], rows, token, out, i, way)
    return out


def lookup_1(embedding: Embedding, _: torch.Tensor, words: list[str]) -> Figure:
    """The look-up of the one ID whose row the last cell displayed."""
    token = (embedding.weight == _).all(1).nonzero()[0]
    ax, names = canvas(1404, 294), ("", f"embedding(torch.tensor({token.tolist()}))")
    look_up(ax, token, embedding.weight, words=words, names=names)
    return ax.figure


def lookup_2_3_1(embedding: Embedding, idx: torch.Tensor, words: list[str]) -> Figure:
    """All IDs of `idx`."""
    ax = canvas(1404, 294)
    look_up(ax, idx, embedding.weight, words=words)
    return ax.figure


def gap(embedding: Embedding, padded: torch.Tensor, words: list[str]) -> Figure:
    """A text with two gaps, which have no row: counted from the end, they read the last one."""
    ax, ids = canvas(1404, 294), padded[2].tolist()
    weight = embedding.weight
    came = {i: token % len(words) for i, token in enumerate(ids)}
    read = {token: token for token in came.values()}
    rows = matrix(ax, 246, 52, weight, "weight", tokens=read, index=True)
    out = matrix(ax, 872, 52, weight[padded[2]], "embedding.weight[padded[2]]", tokens=came)
    label(ax, 66, 28, "padded[2]")
    ends = rows.x - 46  # where the last row's other number ends, counted from the end
    label(ax, ends, rows.row(len(weight) - 1), digits(-1), POSITION, ha="right", weight="bold")
    label(ax, ends - 24, rows.bottom + 22, f"{digits(-1)}: counted from the end", POSITION)
    for i, number in enumerate(ids):
        y, missing, color = out.row(i), number < 0, TOKEN_COLORS[came[i]]
        own, word = (POSITION, "gap") if missing else (color, words[number])
        line = own if missing else tint(color, 0.5)  # the wrong arrow stands out
        label(ax, 54, y, word, own, ha="right", weight="bold")
        chip(ax, 88, y, number, own)
        arrow(ax, (110, y), (ends - 28 if missing else rows.x - 34, rows.row(came[i])), line)
        arrow(ax, (rows.right, rows.row(came[i])), (out.x - 66, y), line)
        label(ax, out.x - 14, y, words[came[i]], color, ha="right", weight="bold")
        if missing:
            frame(ax, out.x, out.y + i * ROW, out.right - out.x, ROW, POSITION, 5)
    return ax.figure
