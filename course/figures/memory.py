"""Chapter 15: a row that the last four letters choose."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_outline,
    draw_symbol,
    draw_text,
    tint,
)

LETTER_WIDTH, LETTER_HEIGHT = 44, 52
ENDING_GAP = 36  # from the middle to each of two endings
DENSE_COLOR, TABLE_COLOR = TOKEN_COLORS[1], TOKEN_COLORS[2]
SHOWN_WINDOW = 11  # one of those that the cells above print
STRIP_WIDTH, STRIP_HEIGHT = 150, 14  # a row of the table
STRIPS = (-4, -1, 0, 1, 4)  # the rows that are drawn, counted from the chosen one


def draw_letter(ax: Axes, x: float, y: float, letter: str, color: str) -> None:
    """Draw a letter in a box whose left edge is at x, centred on y; a space is an open box."""
    corner = (x, y - LETTER_HEIGHT / 2)
    style = {"fc": tint(color), "ec": GRID_COLOR, "lw": 1.5}
    ax.add_patch(Rectangle(corner, LETTER_WIDTH, LETTER_HEIGHT, **style))
    place = (x + LETTER_WIDTH / 2, y)
    draw_text(ax, *place, letter, BLACK, BIG_FONT, ha="center", weight="bold")


def draw_box(ax: Axes, x: float, y: float, width: float, lines: list[str], color: str) -> None:
    """Draw lines of text in a tinted box with an outline, centred on y."""
    height = 36 * len(lines) + 24
    ax.add_patch(Rectangle((x, y - height / 2), width, height, fc=tint(color), ec="none"))
    draw_outline(ax, x, y - height / 2, width, height, color, 2.5)
    for i, line in enumerate(lines):
        line_y = y + 36 * (i - (len(lines) - 1) / 2)
        weight = "normal" if i else "bold"
        draw_text(ax, x + width / 2, line_y, line, BLACK, 24, ha="center", weight=weight)


def find_collision(endings: torch.Tensor, rows: torch.Tensor, place: int) -> torch.Tensor:
    """Return the commonest other ending that reads the same row as the one at a place."""
    same_row = endings[rows == rows[place]]
    others = same_row[(same_row != endings[place]).any(dim=1)]
    different, counts = torch.unique(others, dim=0, return_counts=True)
    return different[counts.argmax()]


def one_row_more(
    x: torch.Tensor,
    letters: str,
    R: int,
    last_four: Callable[[torch.Tensor], torch.Tensor],
    network: torch.nn.Module,
) -> Figure:
    """Draw six letters through the hidden layer, and the row that two endings choose."""
    ax = canvas(1404, 470)
    window, rows = x[SHOWN_WINDOW], last_four(x)
    row = rows[SHOWN_WINDOW].item()
    other = find_collision(x[:, -4:], rows, SHOWN_WINDOW)
    left, upper, lower = 20, 100, 320
    for i, letter in enumerate(window.tolist()):
        draw_letter(ax, left + i * LETTER_WIDTH, upper, letters[letter], DENSE_COLOR)
    right = left + len(window) * LETTER_WIDTH
    for ending, step, color in ((window[-4:], -1, TABLE_COLOR), (other, 1, LABEL_COLOR)):
        y = lower + step * ENDING_GAP
        for i, letter in enumerate(ending.tolist()):
            x_left = right + (i - len(ending)) * LETTER_WIDTH
            draw_letter(ax, x_left, y, letters[letter], color)
        draw_arrow(ax, (right + 4, y), (400, y), color)
    products, width = network.hidden.weight.numel(), network.hidden.out_features
    label = f"{len(window)} rows of {network.letters.embedding_dim} numbers"
    draw_text(ax, (left + right) / 2, upper - 52, label, DENSE_COLOR, 24, ha="center")
    draw_arrow(ax, (right + 4, upper), (400, upper), DENSE_COLOR)
    draw_box(ax, 404, upper, 330, ["hidden", f"{products:,} multiplications"], DENSE_COLOR)
    draw_arrow(ax, (738, upper), (868, upper), DENSE_COLOR)
    rule_x = (right + 402) / 2
    draw_text(ax, rule_x, lower, f"% {R:,}", TABLE_COLOR, 24, ha="center", weight="bold")
    draw_box(ax, 404, lower, 180, [f"row {row:,}", "shared"], TABLE_COLOR)
    strip_x = 670
    middle = strip_x + STRIP_WIDTH / 2
    for place in STRIPS:
        color = "white" if place else TABLE_COLOR
        corner = (strip_x, lower + (place - 0.5) * STRIP_HEIGHT)
        style = {"fc": color, "ec": GRID_COLOR, "lw": 1.5}
        ax.add_patch(Rectangle(corner, STRIP_WIDTH, STRIP_HEIGHT, **style))
    for place in (-3, -2.5, -2, 2, 2.5, 3):  # an ellipsis above, and one below
        ax.add_patch(Circle((middle, lower + place * STRIP_HEIGHT), 2, fc=LABEL_COLOR, ec="none"))
    top = lower + (STRIPS[0] - 0.5) * STRIP_HEIGHT
    bottom = lower + (STRIPS[-1] + 0.5) * STRIP_HEIGHT
    draw_text(ax, middle, top - 20, "table", ha="center", size=24, weight="bold")
    draw_text(ax, middle, bottom + 24, f"{R:,} rows", LABEL_COLOR, 24, ha="center")
    draw_arrow(ax, (588, lower), (strip_x - 2, lower), TABLE_COLOR)
    draw_arrow(ax, (strip_x + STRIP_WIDTH + 4, lower), (892, upper + 24), TABLE_COLOR, corner=True)
    draw_text(ax, 842, lower + 28, "0 multiplications", TABLE_COLOR, 24, weight="bold")
    ax.add_patch(Circle((892, upper), 20, fc="white", ec=LABEL_COLOR, lw=2))
    draw_symbol(ax, 892, upper, "+")
    draw_arrow(ax, (916, upper), (1062, upper), LABEL_COLOR)
    draw_text(ax, 988, upper - 26, f"{width} numbers", LABEL_COLOR, 24, ha="center")
    products = network.head.weight.numel()
    draw_box(ax, 1066, upper, 330, ["head", f"{products:,} multiplications"], LABEL_COLOR)
    return ax.figure
