"""Chapter 1: IDs fetch their rows."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch.nn import Embedding

from course.draw import (
    PALE_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    Grid,
    Point,
    canvas,
    clipped_axes,
    draw_arrow,
    draw_cell,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_text,
    number_text,
    point_between,
    tint,
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
    x, y = point_between(
        (rows.x, rows.y + token * ROW_HEIGHT), (out.x, out.y + position * ROW_HEIGHT), way
    )
    sheet = clipped_axes(ax, rows.right + 2, 0, ax.get_xlim()[1], ax.get_ylim()[0])
    draw_matrix(sheet, x, y, row, None, owners={0: token})


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
    rows = draw_matrix(ax, left, 52, weight, table, owners=read, index=True)
    y, right = rows.middle_y - len(ids) * ROW_HEIGHT / 2, places[1] if places else rows.right + gap
    out = draw_matrix(ax, right, y, weight[idx], names[1], owners=came, filled_rows=len(came))
    draw_text(ax, x, y - 24, names[0])
    for i, token in enumerate(ids):
        color, (reach, way) = TOKEN_COLORS[token], stages(done, i)
        draw_id(ax, x + 22, out.row_y(i), token)
        if words:
            draw_text(ax, x - 12, out.row_y(i), words[token], color, ha="right", weight="bold")
        start = (x + 44, out.row_y(i))
        draw_arrow(ax, start, point_between(start, (rows.x - 34, rows.row_y(token)), reach), color)
        start = (rows.right, rows.row_y(token))
        draw_arrow(ax, start, point_between(start, (out.x, out.row_y(i)), way), color)
        if 0 < way < 1:
            fetch(ax, weight[[token]], rows, token, out, i, way)
    return out


def lookup_2_3_1(embedding: Embedding, idx: torch.Tensor, words: list[str]) -> Figure:
    """All IDs of `idx`."""
    ax = canvas(1404, 294)
    look_up(ax, idx, embedding.weight, words=words)
    return ax.figure


def written(
    ax: Axes, at: Point, width: float, word: str, color: str, edge: str = "", pale: bool = False
) -> None:
    """A word in a box, of which `at` is the middle of the left edge."""
    x, y = at
    draw_cell(ax, (x, y - ROW_HEIGHT / 2, width, ROW_HEIGHT), "", None if pale else color, "strong")
    if not pale:
        draw_outline(
            ax,
            x,
            y - ROW_HEIGHT / 2,
            width,
            ROW_HEIGHT,
            edge or color,
            5 if edge == POSITION_COLOR else 3.5,
        )
    draw_text(ax, x + width / 2, y, word, color, ha="center", weight="bold")


def gap(texts: list[list[int]], words: list[str]) -> Figure:
    """The third text read back: its gaps, counted from the end, find the list's last word."""
    ax, top, width = canvas(1404, 276), 52, 190
    numbers, left, right = texts[2], 560, 1060
    found = [number % len(words) for number in numbers]
    draw_text(ax, 246, 28, "texts[2]")
    draw_text(ax, left, 28, "words")
    draw_text(ax, right, 28, "words[number]")
    middles = [top + (i + 0.5) * ROW_HEIGHT for i in range(len(words))]
    for i, (word, y) in enumerate(zip(words, middles, strict=True)):
        color = TOKEN_COLORS[i] if i in found else PALE_COLOR
        written(ax, (left, y), width, word, color, pale=i not in found)
        draw_text(ax, left - 14, y, str(i), color, ha="right", weight="bold")
    ends = left - 52  # where the last word's other number ends, counted from the end
    draw_text(ax, ends, middles[-1], number_text(-1), POSITION_COLOR, ha="right", weight="bold")
    for number, token, y in zip(numbers, found, middles, strict=True):
        missing, color = number < 0, TOKEN_COLORS[token]
        own, word = (POSITION_COLOR, "gap") if missing else (color, words[token])
        line = own if missing else tint(color, 0.5)  # the wrong arrow stands out
        draw_text(ax, 234, y, word, own, ha="right", weight="bold")
        draw_id(ax, 268, y, number, own)
        draw_arrow(ax, (290, y), (ends - 28 if missing else left - 34, middles[token]), line)
        draw_arrow(ax, (left + width, middles[token]), (right, y), line)
        written(ax, (right, y), width, words[token], color, edge=own)
    return ax.figure
