"""Chapter 11: token rows and position rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.nn import Linear, Module

from course.draw import (
    BLACK,
    DIGIT_WIDTH,
    LABEL_COLOR,
    POSITION_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    Grid,
    canvas,
    draw_arrow,
    draw_expression,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_solid_box,
    draw_symbol,
    draw_text,
    number_text,
    tint,
)

# The last one is a violet here: beside the first blue, the second is hard to tell.
WORD_COLORS = [*TOKEN_COLORS[:5], "#7a4fc0"]


def draw_sums(
    ax: Axes, x: float, y: float, rows: torch.Tensor, tokens: list[int], name: str
) -> Grid:
    """Draw sums of token rows and position rows, in the colours of both; return the grid."""
    grid = Grid(x, y, len(rows), rows.shape[1], 7 * DIGIT_WIDTH + 20)
    draw_text(ax, x, y - 24, name)
    shape = f"{grid.rows}×{grid.columns}"
    draw_text(ax, grid.right, grid.bottom + 22, shape, LABEL_COLOR, ha="right")
    for i, (row, token) in enumerate(zip(rows.tolist(), tokens, strict=True)):
        corner, fill = (x, y + i * ROW_HEIGHT), tint(WORD_COLORS[token], 0.3)
        ax.add_artist(Rectangle(corner, grid.right - x, ROW_HEIGHT, fc=fill))
        draw_outline(ax, *corner, grid.right - x, ROW_HEIGHT, POSITION_COLOR)
        for j, value in enumerate(row):
            right = x + (j + 1) * grid.cell_width - 10
            draw_text(ax, right, grid.row_y(i), number_text(value), ha="right")
    return grid


def two_causal_layers(
    texts: torch.Tensor, causal: torch.Tensor, vocabulary: dict[str, int]
) -> Figure:
    """Draw which words each row has read after one layer, and that the second reads them all."""
    ax, words = canvas(1404, 416), list(vocabulary)
    y_words, y_rows, height, y_last = 38, 138, 124, 374
    count, last_token = texts.shape[1], texts[0, -1].item()
    read_positions = [[j for j in range(count) if causal[i, j] == 0] for i in range(count)]
    draw_text(ax, 8, y_words, "texts")
    draw_text(ax, 8, y_rows + height / 2, "layer 1")
    draw_text(ax, 8, y_last, "layer 2")
    for ids, left in zip(texts.tolist(), (202, 738), strict=True):
        xs = [left + 124 * i for i in range(count)]
        for x, token, positions in zip(xs, ids, read_positions, strict=True):
            color = WORD_COLORS[token]
            draw_solid_box(ax, (x, y_words), 116, 56, words[token], color, 22)
            for j in positions:
                line = {"color": tint(WORD_COLORS[ids[j]], 0.6), "lw": 3}
                ax.plot([xs[j], x], [y_words + 28, y_rows - 4], **line)
            top, band = y_rows, height / 2 / len(positions)
            for read in [token, *sorted(ids[j] for j in positions if ids[j] != token)]:
                part = band + height / 2 if read == token else band
                style = {"fc": WORD_COLORS[read], "ec": "white", "lw": 2, "zorder": 2}
                ax.add_artist(Rectangle((x - 56, top), 112, part, **style))
                top += part
            style = {"size": 22, "ha": "center", "weight": "bold", "zorder": 3}
            draw_text(ax, x, y_rows + height / 4, words[token], "white", **style)
            draw_outline(ax, x - 58, y_rows - 2, 116, height + 4, color)
            line = {"color": tint(color, 0.6), "lw": 3}
            ax.plot([x, xs[-1]], [y_rows + height + 4, y_last - 28], **line)
        color = WORD_COLORS[last_token]
        draw_solid_box(ax, (xs[-1], y_last), 116, 56, words[last_token], color, 22)
    first_y = y_rows + height / 2 - 17 * (count - 1)
    compared = [
        (token, "=" if token == last_token else "≠", first_y + 34 * i)
        for i, token in enumerate(texts[0].tolist())
    ]
    for token, sign, y in [*compared, (last_token, "≠", y_last)]:
        x, style = 1306, {"weight": "bold", "size": 20}
        draw_text(ax, x - 14, y, words[token], WORD_COLORS[token], ha="right", **style)
        draw_text(ax, x, y, sign, ha="center", **style)
        draw_text(ax, x + 14, y, words[token], WORD_COLORS[token], **style)
    return ax.figure


def untrained_rows(inputs: Module, texts: torch.Tensor, vocabulary: dict[str, int]) -> Figure:
    """Draw a text below the position table from three starts: trained rows, others, no row."""
    trained_rows = inputs.position_layer.weight.grad.any(1)
    ax, words, ids = canvas(1404, 330), list(vocabulary), texts[0].tolist()
    xs = [244 + 112 * i for i in range(len(trained_rows) + 1)]
    draw_text(ax, 8, 66, "position_layer")
    for i, (x, is_trained) in enumerate(zip(xs, trained_rows.tolist(), strict=False)):
        fill, color = (POSITION_COLOR, "white") if is_trained else ("white", POSITION_COLOR)
        line_style = "-" if is_trained else (0, (3, 2))
        style = {"fc": fill, "ec": POSITION_COLOR, "lw": 2.5}
        ax.add_artist(Rectangle((x - 52, 24), 104, 84, ls=line_style, **style))
        draw_text(ax, x, 52, str(i), color, size=24, ha="center", weight="bold")
        draw_text(ax, x, 84, "trained" if is_trained else "random", color, ha="center")
    for start, y, verdict in ((0, 156, "✓"), (4, 222, "a guess"), (5, 288, "IndexError")):
        draw_text(ax, 8, y, f"start={start}")
        for x, token in zip(xs[start:], ids, strict=False):
            draw_solid_box(ax, (x, y), 104, 50, words[token], WORD_COLORS[token], 22)
        style = {"size": 36, "family": "DejaVu Sans"} if verdict == "✓" else {"size": 24}
        draw_text(ax, xs[start] + 112 * len(ids) - 36, y, verdict, weight="bold", **style)
    return ax.figure


def two_hot(
    idx: torch.Tensor,
    two_hot: torch.Tensor,
    linear: Linear,
    total: torch.Tensor,
    vocabulary: dict[str, int],
) -> Figure:
    """Draw how a two-hot row picks a row of each table, and their sum."""
    position, V = 1, len(vocabulary)  # noqa: N806
    ax, token, stacked = canvas(1404, 640), idx[position].item(), linear.weight.detach().T
    owners = {token: WORD_COLORS[token], V + position: POSITION_COLOR}
    grid = draw_matrix(ax, 20, 350, two_hot[[position]], None, owners=owners, along="column")
    draw_text(ax, grid.x, grid.bottom + 28, f"two_hot[{position}]")
    for column in range(len(stacked)):
        owner = owners.get(column)
        style = {"ha": "center", "weight": "bold" if owner else "normal"}
        x, color = grid.column_x(column), owner or LABEL_COLOR
        draw_text(ax, x, grid.y - 20, str(column), color, **style)
    draw_symbol(ax, 558, grid.middle_y, "@")
    draw_text(ax, 646, 24, "stacked = linear.weight.T")
    sums = draw_sums(ax, 1075, grid.y, total[[position]], [token], f"total[{position}]")
    draw_symbol(ax, 1015, grid.middle_y, "=")
    for name, start, end, y, line_start, number, word in (
        ("embedding_layer", 0, V, 86, grid.y - 38, token, list(vocabulary)[token]),
        ("position_layer", V, len(stacked), 432, grid.bottom + 6, position, "position"),
    ):
        row = next(row for row in owners if start <= row < end)
        color, x = owners[row], grid.column_x(row)
        part = draw_matrix(ax, 646, y, stacked[start:end], None, owners={row - start: color})
        draw_text(ax, part.x, y - 20, f"{name}.weight", LABEL_COLOR)
        for i in range(start, end):
            owner = owners.get(i)
            style = {"ha": "right", "weight": "bold" if owner else "normal"}
            label = f"{start} + {i - start}" if start else str(i)
            draw_text(ax, part.x - 14, part.row_y(i - start), label, owner or LABEL_COLOR, **style)
        row_y = part.row_y(row - start)
        ax.plot([x, x], [line_start, row_y], color=color, lw=3)
        label_width = 60 if start else 12
        draw_arrow(ax, (x - 4, row_y), (part.x - label_width - 20, row_y), color)
        draw_text(ax, x + 20, row_y - 32, word, color, weight="bold")
        draw_id(ax, x + 20 + (len(word) + 1) * DIGIT_WIDTH + 22, row_y - 32, number, color)
        tip = (sums.x, sums.middle_y - 12 if start == 0 else sums.middle_y + 12)
        draw_arrow(ax, (part.right, row_y), tip, color)
    column = V + position
    draw_text(ax, grid.column_x(column) + 20, row_y + 28, f"{V} + {position} = {column}")
    values = stacked[token, 0], stacked[column, 0], total[position, 0]
    first, second, result = (number_text(value.item()) for value in values)
    pieces = [(first, WORD_COLORS[token]), (" + ", BLACK), (second, POSITION_COLOR)]
    pieces += [(" = ", BLACK), (result, BLACK)]
    draw_expression(ax, sums.x, sums.bottom + 62, pieces)
    return ax.figure
