"""Chapter 8: bags of words, and the colours that they add up to."""

from collections.abc import Iterator

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    DIGIT_WIDTH,
    POSITION_COLOR,
    ROW_HEIGHT,
    Owner,
    canvas,
    color_of,
    draw_arrow,
    draw_cell_outline,
    draw_color_patch,
    draw_expression,
    draw_matrix,
    draw_symbol,
    draw_text,
    number_text,
    sum_pieces,
    text_width,
)

CHANNELS = ["#c81e1e", "#1a7f37", "#1f4fd8"]  # red, green, blue, as ink on white


def bags(
    words: list[str], ids: list[list[int]], multihot: torch.Tensor, table: torch.Tensor
) -> Figure:
    """Each bag of words and its multi-hot row; the rows times the table; one sum written out."""
    ax = canvas(1404, 372)
    owners: dict[int, Owner] = {i: i for i in range(len(words))}
    y = 96
    counts = draw_matrix(
        ax,
        410,
        y,
        multihot.long(),
        "multihot",
        owners=owners,
        along="column",
        index=True,
        size=26,
    )
    for i, bag in enumerate(ids):
        x = 386
        for token in reversed(bag):
            width = 14.5 * len(words[token]) + 18
            x -= width + 8
            box = Rectangle((x, counts.row_y(i) - 20), width, 40, fc=color_of(token), ec="none")
            ax.add_patch(box)
            draw_text(ax, x + 9, counts.row_y(i), words[token], "white", size=24, weight="bold")
    draw_text(ax, 378, 42, "three bags", ha="right")
    draw_symbol(ax, counts.right + 30, counts.middle_y, "@")
    rows = draw_matrix(
        ax, counts.right + 186, y - ROW_HEIGHT / 2, table, "table", owners=owners, size=26
    )
    for i, word in enumerate(words):
        draw_text(
            ax,
            rows.x - 12,
            rows.row_y(i),
            f"{i} {word}",
            color_of(i),
            24,
            ha="right",
            weight="bold",
        )
    draw_symbol(ax, rows.right + 34, counts.middle_y, "=")
    product = multihot @ table
    tokens = dict.fromkeys(range(len(ids)), POSITION_COLOR)
    out = draw_matrix(ax, rows.right + 68, y, product, "one row per bag", owners=tokens, size=26)
    last = len(ids) - 1
    draw_cell_outline(ax, counts, last, 0, 1, len(words))
    draw_cell_outline(ax, rows, 0, 0, len(words), 1)
    factors = multihot[last].long().tolist()
    total = product[last, 0].item()
    written = [int(value) for value in table[:, 0].tolist()]
    pieces = sum_pieces(factors, written, owners, int(total), POSITION_COLOR)
    draw_cell_outline(ax, out, last, 0)
    width = sum(text_width(text, 24) for text, _ in pieces)
    draw_expression(ax, out.column_x(0) + DIGIT_WIDTH - width, 346, pieces, 24)
    draw_arrow(ax, (out.column_x(0), 328), (out.column_x(0), out.bottom + 4), POSITION_COLOR)
    return ax.figure


def painting(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple], done: int
) -> Figure:
    """Three held-out names after so many words; the last patch holds people's colour, a disc."""
    ax = canvas(1404, 552)
    draw_text(ax, 82, 28, "canvas", ha="center", weight="bold", size=24)
    if done == 3:
        draw_text(ax, 1388, 28, "square: the model   disc: people", ha="right", size=24)
    for k, name in enumerate(["dark yellow green", "pale lime green", "bright light blue"]):
        x, y, row = 16, 58 + 168 * k, bag.weight[number["canvas"]]
        draw_color_patch(ax, x, y, 132, 132, row.tolist())
        for i, word in enumerate(name.split()[:done]):
            shift = bag.weight[number[word]]
            row = row + shift
            draw_arrow(ax, (x + 136, y + 66), (x + 409, y + 66), POSITION_COLOR)
            draw_text(ax, x + 266, y + 34, word, ha="center", weight="bold", size=24)
            for channel, (v, ink) in enumerate(zip(shift.tolist(), CHANNELS, strict=True)):
                text = "+" * (v >= 0) + number_text(v, 2)
                draw_text(ax, x + 178 + 90 * channel, y + 98, text, ink, ha="center", size=22)
            x += 413
            draw_color_patch(ax, x, y, 132, 132, row.tolist())
            if i == 2:
                ax.add_patch(Circle((x + 66, y + 66), 36, fc=colors[name], ec="none"))
    return ax.figure


def steps(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple]
) -> Iterator[tuple[Figure, int]]:
    """The names are painted word by word."""
    for done in range(4):
        yield painting(bag, number, colors, done), 1000
