"""Chapter 11: token rows and position rows."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from torch.nn import Linear, Module

from course.draw import (
    BLACK,
    DIGIT_WIDTH,
    FONT,
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
    draw_symbol,
    draw_text,
    number_text,
    tint,
)

# The last one is a violet here: beside the first blue, the second is hard to tell.
COLORS = [*TOKEN_COLORS[:5], "#7a4fc0"]


def sums(
    ax: Axes,
    x: float,
    y: float,
    rows: torch.Tensor,
    tokens: list[int],
    name: str,
    cell: float = 7 * DIGIT_WIDTH + 20,
    size: float = FONT,
) -> Grid:
    """Sums of a token row, which fills them in its colour, and of a position row, the frame."""
    grid = Grid(x, y, *rows.shape, cell)
    draw_text(ax, x, y - 24, name)
    draw_text(
        ax, grid.right, grid.bottom + 22, f"{grid.rows}×{grid.columns}", LABEL_COLOR, ha="right"
    )
    for i, (row, token) in enumerate(zip(rows.tolist(), tokens, strict=True)):
        ax.add_artist(
            Rectangle(
                (x, y + i * ROW_HEIGHT), grid.right - x, ROW_HEIGHT, fc=tint(COLORS[token], 0.3)
            )
        )
        draw_outline(ax, x, y + i * ROW_HEIGHT, grid.right - x, ROW_HEIGHT, POSITION_COLOR)
        for j, value in enumerate(row):
            at = x + (j + 1) * grid.cell_width - 10
            draw_text(ax, at, grid.row_y(i), number_text(value), size=size, ha="right")
    return grid


def two_causal_layers(
    texts: torch.Tensor, causal: torch.Tensor, vocabulary: dict[str, int]
) -> Figure:
    """Whose colours each row has taken in: that of `so` differs only after the second layer."""
    ax, names, high = canvas(1404, 520), list(vocabulary), (38, 194, 420)

    def box(x: float, y: float, wide: float, high: float, row: tuple, share: float = 1) -> None:
        """A row: its owner's frame around a band for each word that it has taken in."""
        owner, tokens = row
        for j, token in enumerate(tokens):
            band = high / len(tokens)
            look = {"fc": tint(COLORS[token], share), "ec": "white", "lw": 2, "zorder": 2}
            ax.add_artist(Rectangle((x, y + j * band), wide, band, **look))
        draw_outline(ax, x - 2, y - 2, wide + 4, high + 4, tint(COLORS[owner], max(share, 0.5)))

    reads = [[j for j in range(texts.shape[1]) if causal[i, j] == 0] for i in range(texts.shape[1])]
    rows = [
        [(text[i], sorted(text[j] for j in row)) for i, row in enumerate(reads)]
        for text in texts.tolist()
    ]
    same = [row for row in rows[0] if row in rows[1]]
    draw_text(ax, 8, high[2] + 36, "pale: in both", LABEL_COLOR)
    for name, y in zip(("words", "after layer 1", "after layer 2"), high, strict=True):
        draw_text(ax, 8, y, name)
    for text, taken, left in zip(texts.tolist(), rows, (250, 790), strict=True):
        xs = [left + 124 * i for i in range(len(text))]
        for i, (x, token) in enumerate(zip(xs, text, strict=True)):
            style = "round,pad=0,rounding_size=8"
            look = {"fc": COLORS[token], "ec": "none", "zorder": 2}
            ax.add_artist(FancyBboxPatch((x - 58, high[0] - 28), 116, 56, style, **look))
            draw_text(
                ax, x, high[0], names[token], "white", size=22, ha="center", weight="bold", zorder=3
            )
            for j in reads[i]:
                ax.plot(
                    [xs[j], x], [high[0] + 28, high[1] - 44], color=tint(COLORS[text[j]], 0.6), lw=3
                )
            box(x - 56, high[1] - 42, 112, 84, taken[i])
            column = xs[-1] - 253 + 78 * i
            box(column, high[2] - 78, 66, 156, taken[i], 0.3 if taken[i] in same else 1)
            ends = [x, column + 33], [high[1] + 44, high[2] - 88]
            ax.plot(*ends, color=tint(COLORS[token], 0.6), lw=3)
        draw_outline(ax, xs[-1] - 262, high[2] - 88, 320, 176, COLORS[text[-1]])
    last = texts[0, -1].item()
    for word, y in (("equal", high[1]), ("different", high[2])):
        draw_text(ax, 1396, y - 18, f"both {names[last]}:", COLORS[last], ha="right")
        draw_text(ax, 1396, y + 18, word, COLORS[last], size=26, ha="right", weight="bold")
    return ax.figure


def untrained_rows(inputs: Module, texts: torch.Tensor, vocabulary: dict[str, int]) -> Figure:
    """A headline under the rows of the position table: on trained ones, on others, off its end."""
    reached = inputs.position_layer.weight.grad.any(1)
    ax, names, text = canvas(1404, 330), list(vocabulary), texts[0].tolist()
    xs = [244 + 112 * i for i in range(len(reached) + 1)]
    draw_text(ax, 8, 66, "table row")
    for i, (x, trained) in enumerate(zip(xs, reached.tolist(), strict=False)):
        fill, ink = (POSITION_COLOR, "white") if trained else ("white", POSITION_COLOR)
        dashed = "-" if trained else (0, (3, 2))
        patch = Rectangle((x - 52, 24), 104, 84, fc=fill, ec=POSITION_COLOR, lw=2.5, ls=dashed)
        ax.add_artist(patch)
        draw_text(ax, x, 52, str(i), ink, size=24, ha="center", weight="bold")
        draw_text(ax, x, 84, "trained" if trained else "random", ink, ha="center")
    draw_text(ax, xs[-1], 66, "no row", ha="center")
    for start, y, verdict in ((0, 156, "learned"), (4, 222, "a guess"), (5, 288, "IndexError")):
        draw_text(ax, 8, y, f"start={start}")
        for x, token in zip(xs[start:], text, strict=False):
            style = "round,pad=0,rounding_size=8"
            look = {"fc": COLORS[token], "ec": "none"}
            ax.add_artist(FancyBboxPatch((x - 52, y - 25), 104, 50, style, **look))
            draw_text(ax, x, y, names[token], "white", size=22, ha="center", weight="bold")
        draw_text(ax, xs[start] + 112 * len(text) - 36, y, verdict, size=24, weight="bold")
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
    picked = {token: COLORS[token], V + at: POSITION_COLOR}
    hot = draw_matrix(ax, 20, 350, two_hot[at : at + 1], None, owners=picked, along="column")
    draw_text(ax, hot.x, hot.bottom + 28, f"two_hot[{at}]")
    for column in range(len(stacked)):
        here = picked.get(column)
        style = {"ha": "center", "weight": "bold" if here else "normal"}
        draw_text(ax, hot.column_x(column), hot.y - 20, str(column), here or LABEL_COLOR, **style)
    draw_symbol(ax, 558, hot.middle_y, "@")
    draw_text(ax, 646, 24, "linear.weight.T, the two tables stacked")
    out = sums(ax, 1075, hot.y, total[at : at + 1], [token], f"total[{at}]")
    draw_symbol(ax, 1015, hot.middle_y, "=")
    for name, start, end, y, leave, number, word in (
        ("embedding_layer", 0, V, 86, hot.y - 38, token, list(vocabulary)[token]),
        ("position_layer", V, len(stacked), 432, hot.bottom + 6, at, "position"),
    ):
        line = next(line for line in picked if start <= line < end)
        color, x = picked[line], hot.column_x(line)
        part = draw_matrix(ax, 646, y, stacked[start:end], None, owners={line - start: color})
        draw_text(ax, part.x, y - 20, f"{name}.weight", LABEL_COLOR)
        for i in range(start, end):
            here = picked.get(i)
            style = {"ha": "right", "weight": "bold" if here else "normal"}
            draw_text(ax, part.x - 14, part.row_y(i - start), str(i), here or LABEL_COLOR, **style)
        height = part.row_y(line - start)
        ax.plot([x, x], [leave, height], color=color, lw=3)
        draw_arrow(ax, (x - 4, height), (part.x - 32, height), color)
        draw_text(ax, x + 20, height - 32, word, color, weight="bold")
        draw_id(ax, x + 20 + (len(word) + 1) * DIGIT_WIDTH + 22, height - 32, number, color)
        target = (out.x, out.middle_y - 12 if start == 0 else out.middle_y + 12)
        draw_arrow(ax, (part.right, height), target, color)
    draw_text(ax, hot.column_x(V + at) + 20, height + 28, f"{V} + {at} = {V + at}")
    a, b = stacked[token, 0].item(), stacked[V + at, 0].item()
    pieces = [(number_text(a), COLORS[token]), (" + ", BLACK), (number_text(b), POSITION_COLOR)]
    pieces += [(" = ", BLACK), (number_text(total[at, 0].item()), BLACK)]
    draw_expression(ax, out.x, out.bottom + 62, pieces)
    return ax.figure
