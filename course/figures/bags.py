"""Chapter 8: bags of words, and the colours that they add up to."""

from collections.abc import Iterator

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    BIG_FONT,
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

CHANNEL_COLORS = ["#c81e1e", "#1a7f37", "#1f4fd8"]  # red, green, blue, of text on white


def bags(
    words: list[str], ids: list[list[int]], multihot: torch.Tensor, table: torch.Tensor
) -> Figure:
    """Draw bags of words, their multi-hot rows times the table, and one sum written out."""
    ax = canvas(1404, 372)
    owners: dict[int, Owner] = {i: i for i in range(len(words))}
    top = 96
    style = {"owners": owners, "size": BIG_FONT}
    counts = draw_matrix(
        ax, 410, top, multihot.long(), "multihot", along="column", index=True, **style
    )
    for i, bag in enumerate(ids):
        x = 386  # the right edge, from which words are added to the left
        for token in reversed(bag):
            width = 14.5 * len(words[token]) + 18
            x -= width + 8
            y, color = counts.row_y(i), color_of(token)
            ax.add_patch(Rectangle((x, y - 20), width, 40, fc=color, ec="none"))
            draw_text(ax, x + 9, y, words[token], "white", size=24, weight="bold")
    draw_text(ax, 378, 42, "three bags", ha="right")
    draw_symbol(ax, counts.right + 30, counts.middle_y, "@")
    x, y = counts.right + 186, top - ROW_HEIGHT / 2
    table_grid = draw_matrix(ax, x, y, table, "table", **style)
    for i, word in enumerate(words):
        x, y = table_grid.x - 12, table_grid.row_y(i)
        draw_text(ax, x, y, f"{i} {word}", color_of(i), 24, ha="right", weight="bold")
    draw_symbol(ax, table_grid.right + 34, counts.middle_y, "=")
    product = multihot @ table
    style["owners"] = dict.fromkeys(range(len(ids)), POSITION_COLOR)
    product_grid = draw_matrix(ax, table_grid.right + 68, top, product, "one row per bag", **style)
    last_bag = len(ids) - 1
    draw_cell_outline(ax, counts, last_bag, 0, 1, len(words))
    draw_cell_outline(ax, table_grid, 0, 0, len(words), 1)
    factors = multihot[last_bag].long().tolist()
    total = product[last_bag, 0].item()
    column = [int(value) for value in table[:, 0].tolist()]
    pieces = sum_pieces(factors, column, owners, int(total), POSITION_COLOR)
    draw_cell_outline(ax, product_grid, last_bag, 0)
    width = sum(text_width(text, 24) for text, _ in pieces)
    x = product_grid.column_x(0)
    draw_expression(ax, x + DIGIT_WIDTH - width, 346, pieces, 24)
    draw_arrow(ax, (x, 328), (x, product_grid.bottom + 4), POSITION_COLOR)
    return ax.figure


def draw_frame(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple], word_count: int
) -> Figure:
    """Draw three held-out names after their first words; discs are people's colours."""
    ax = canvas(1404, 552)
    draw_text(ax, 82, 28, "canvas", ha="center", weight="bold", size=24)
    if word_count == 3:
        draw_text(ax, 1388, 28, "square: the model   disc: people", ha="right", size=24)
    for panel, name in enumerate(["dark yellow green", "pale lime green", "bright light blue"]):
        x, y, rgb = 16, 58 + 168 * panel, bag.weight[number["canvas"]]
        draw_color_patch(ax, x, y, 132, 132, rgb.tolist())
        for i, word in enumerate(name.split()[:word_count]):
            word_row = bag.weight[number[word]]
            rgb = rgb + word_row
            draw_arrow(ax, (x + 136, y + 66), (x + 409, y + 66), POSITION_COLOR)
            draw_text(ax, x + 266, y + 34, word, ha="center", weight="bold", size=24)
            for channel, color in enumerate(CHANNEL_COLORS):
                value = word_row[channel].item()
                text = "+" * (value >= 0) + number_text(value, 2)
                draw_text(ax, x + 178 + 90 * channel, y + 98, text, color, ha="center", size=22)
            x += 413
            draw_color_patch(ax, x, y, 132, 132, rgb.tolist())
            if i == 2:
                ax.add_patch(Circle((x + 66, y + 66), 36, fc=colors[name], ec="none"))
    return ax.figure


def steps(
    bag: torch.nn.EmbeddingBag, number: dict[str, int], colors: dict[str, tuple]
) -> Iterator[tuple[Figure, int]]:
    """Draw three names that are painted word by word."""
    for word_count in range(4):
        yield draw_frame(bag, number, colors, word_count), 1000
