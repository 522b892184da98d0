"""Chapter 8: bags of words, and the colours that they add up to."""

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    BIG_FONT,
    DIGIT_WIDTH,
    PATCH_EDGE_COLOR,
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
    draw_text(ax, 378, 42, "ids", ha="right")
    draw_symbol(ax, counts.right + 30, counts.middle_y, "@")
    x, y = counts.right + 186, top - ROW_HEIGHT / 2
    table_grid = draw_matrix(ax, x, y, table, "table", **style)
    for i, word in enumerate(words):
        x, y = table_grid.x - 12, table_grid.row_y(i)
        draw_text(ax, x, y, f"{i} {word}", color_of(i), 24, ha="right", weight="bold")
    draw_symbol(ax, table_grid.right + 34, counts.middle_y, "=")
    product = multihot @ table
    style["owners"] = dict.fromkeys(range(len(ids)), POSITION_COLOR)
    product_grid = draw_matrix(
        ax, table_grid.right + 68, top, product, "layer(flat, offsets)", **style
    )
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


def unseen(
    grey: torch.Tensor, dark: torch.Tensor, red: torch.Tensor, survey: tuple[float, ...]
) -> Figure:
    """Draw three rows that are added up as colours; the disc is the survey's colour."""
    ax = canvas(1404, 216)
    x, y, size, rgb = 16, 64, 136, grey
    draw_text(ax, x + size / 2, 34, "grey", ha="center", weight="bold", size=24)
    draw_color_patch(ax, x, y, size, size, rgb.tolist())
    for word, row in {"dark": dark, "red": red}.items():
        rgb = rgb + row
        draw_arrow(ax, (x + size + 4, 132), (x + 430, 132), POSITION_COLOR)
        draw_text(ax, x + 284, 100, word, ha="center", weight="bold", size=24)
        for channel, color in enumerate(CHANNEL_COLORS):
            value = row[channel].item()
            text = "+" * (value >= 0) + number_text(value, 1)
            draw_text(ax, x + 194 + 90 * channel, 168, text, color, ha="center", size=24)
        x += 434
        draw_color_patch(ax, x, y, size, size, rgb.tolist())
    disc = Circle((x + size / 2, y + size / 2), 38, fc=survey, ec=PATCH_EDGE_COLOR, lw=1.5)
    ax.add_patch(disc)
    draw_text(ax, x + size / 2, 34, "dark red", ha="center", weight="bold", size=24)
    draw_text(ax, x + size + 30, 108, "■ painted", size=24)
    draw_text(ax, x + size + 30, 156, "● survey", size=24)
    return ax.figure
