"""Chapter 12: one table as the first and the last layer."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from torch.nn import Embedding

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    POSITION_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_text,
    tint,
)


def longer(seasons: list[str]) -> Figure:
    """Draw rows, each longer than the one before, and last the first again, longer than itself."""
    ax, floor_y, growth, first_height = canvas(1404, 470), 400, 62, 74
    for i, word in enumerate([*seasons, seasons[0]]):
        color, x, height = TOKEN_COLORS[i % len(seasons)], 103 + 262 * i, first_height + growth * i
        is_repeated = i == len(seasons)
        style = {"fc": "white" if is_repeated else tint(color, 0.35), "ec": color, "lw": 4}
        style |= {"ls": (0, (4, 3))} if is_repeated else {}
        ax.add_artist(Rectangle((x, floor_y - height), 150, height, **style))
        draw_text(ax, x + 75, floor_y + 36, word, color, BIG_FONT, ha="center", weight="bold")
        if i:
            draw_arrow(ax, (x - 112, floor_y - height + growth), (x, floor_y - height + 20), BLACK)
    style = {"fc": tint(color, 0.35), "ec": color, "lw": 4}
    ax.add_artist(Rectangle((x, floor_y - first_height), 150, first_height, **style))
    ax.plot([103, x], [floor_y - first_height] * 2, color=color, lw=4, ls=(0, (4, 3)), zorder=0)
    draw_text(ax, x + 75, floor_y - 196, "?", color, 90, ha="center", weight="bold")
    return ax.figure


def tied(
    idx: torch.Tensor,
    embedding: Embedding,
    h: torch.Tensor,
    few: list[str],
) -> Figure:
    """Draw a table that is used twice: an ID's row is looked up, a vector meets all rows."""
    ax, weight, token = canvas(1404, 500), embedding.weight, idx[0].item()
    owners, color = {i: i for i in range(len(weight))}, TOKEN_COLORS[token]
    table = draw_matrix(ax, 330, 62, weight, None, owners=owners)
    vector = draw_matrix(ax, table.x, 426, h[:1], None, owners={0: POSITION_COLOR})
    scores = draw_matrix(ax, 1140, table.y, weight @ h[:1].T, None, owners=owners)
    draw_text(ax, table.x, table.y - 24, "weight")
    draw_text(ax, scores.x, table.y - 24, "logits[0]")
    for i, word in enumerate(few):
        y, style = table.row_y(i), {"color": TOKEN_COLORS[i], "weight": "bold"}
        draw_text(ax, table.x - 16, y, word, ha="right", **style)
        draw_text(ax, scores.right + 22, y, word, **style)
    draw_text(ax, 90, table.row_y(token) - 44, "idx[0]", ha="center")
    draw_id(ax, 90, table.row_y(token), token)
    draw_arrow(ax, (114, table.row_y(token)), (table.x - 64, table.row_y(token)), color)
    middle_x = table.column_x(2)
    draw_arrow(ax, (middle_x, table.bottom), (middle_x, 318), color)
    draw_outline(ax, middle_x - 70, 320, 140, 44, POSITION_COLOR, 2.5)
    draw_text(ax, middle_x, 342, "hidden", POSITION_COLOR, ha="center", weight="bold")
    draw_arrow(ax, (middle_x, 366), (middle_x, vector.y), POSITION_COLOR)
    draw_text(ax, vector.x - 16, vector.middle_y, "h[0]", ha="right")
    x, tip, top, bottom = table.right + 16, table.right + 30, table.y + 4, table.bottom - 4
    # A bracket, because the vector meets all rows.
    ax.plot([x, tip, tip, x], [top, top, bottom, bottom], color=POSITION_COLOR, lw=3)
    product = (table.right + scores.x) / 2, table.middle_y
    ax.plot([tip, product[0]], [product[1]] * 2, color=POSITION_COLOR, lw=3)
    y = vector.middle_y
    corner = [vector.right, product[0], product[0]], [y, y, y - 6]  # an arrow begins with a gap
    ax.plot(*corner, color=POSITION_COLOR, lw=3, snap=False)
    draw_arrow(ax, (product[0], y - 3), (product[0], product[1] + 18), POSITION_COLOR)
    draw_arrow(ax, (product[0] + 18, product[1]), (scores.x - 8, product[1]), POSITION_COLOR)
    ax.add_artist(Circle(product, 18, fc="white", ec=POSITION_COLOR, lw=3, zorder=4))
    ax.add_artist(Circle(product, 5, fc=POSITION_COLOR, zorder=5))
    draw_text(ax, product[0] + 22, product[1] + 128, "h[0] @ weight.T", POSITION_COLOR)
    return ax.figure


def candidates(
    nothing: torch.Tensor,
    symmetric: torch.Tensor,
    free: torch.Tensor,
    after: torch.Tensor,
    seasons: list[str],
) -> Figure:
    """Draw three tables of probabilities: after each season, a square for each candidate."""
    ax, size, top = canvas(1404, 400), 54, 122
    for k, (name, p) in enumerate({"eye": nothing, "w + w.T": symmetric, "w": free}.items()):
        left = 178 + 452 * k
        middle = left + 2 * size
        draw_text(ax, middle, 34, name, size=BIG_FONT, ha="center", weight="bold")
        loss = -p[range(4), after].log().mean().item()
        draw_text(ax, middle, top + 4 * size + 36, f"loss {abs(loss):.2f}", ha="center")
        for i, row in enumerate(p.tolist()):
            y, style = top + (i + 0.5) * size, {"ha": "right", "weight": "bold"}
            draw_swatch(ax, left + (i + 0.5) * size, top - 24, TOKEN_COLORS[i])
            draw_swatch(ax, left - 24, y, TOKEN_COLORS[i])
            draw_text(ax, left - 48, y, seasons[i], TOKEN_COLORS[i], **style)
            for j, probability in enumerate(row):
                x, y, side = left + j * size, top + i * size, (size - 6) * probability**0.5
                ax.add_artist(Rectangle((x, y), size, size, fc="white", ec=GRID_COLOR, lw=1.5))
                corner = x + (size - side) / 2, y + (size - side) / 2
                if probability > 0.01:
                    ax.add_artist(Rectangle(corner, side, side, fc=TOKEN_COLORS[j]))
    return ax.figure


def draw_swatch(ax: Axes, x: float, y: float, color: str) -> None:
    """Draw a disc in a season's colour, where a row or a column begins."""
    ax.add_artist(Circle((x, y), 10, fc=color))
