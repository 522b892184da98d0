"""Chapter 10: a broken row, a broken number on its way back, and bytes that are read as a mask."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    PALE_COLOR,
    TOKEN_COLORS,
    Grid,
    canvas,
    draw_arrow,
    draw_at_sign,
    draw_cell_outline,
    draw_expression,
    draw_id,
    draw_matrix,
    draw_outline,
    draw_symbol,
    draw_text,
    sum_pieces,
    text_width,
    tint,
)

SHORT = {"decimals": 1, "cell_width": 88, "size": BIG_FONT}


def poisoned_row(
    idx: torch.Tensor, onehot: torch.Tensor, weight: torch.Tensor, linear: torch.nn.Linear
) -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, ids, left, right = canvas(1404, 816), idx.tolist(), 400, 950
    tokens, read = dict(enumerate(ids)), {token: token for token in ids}
    draw_text(ax, 20, 32, "look-up: row 0 is never read", size=30, weight="bold")
    rows = draw_matrix(ax, left, 106, weight, "weight", owners=read, index=True, **SHORT)
    out = draw_matrix(ax, right, 131, weight[idx], "embedding(idx)", owners=tokens, **SHORT)
    for i, token in enumerate(ids):
        draw_id(ax, 222, out.row_y(i), token)
        draw_arrow(ax, (246, out.row_y(i)), (rows.x - 42, rows.row_y(token)), TOKEN_COLORS[token])
        draw_arrow(ax, (rows.right, rows.row_y(token)), (out.x, out.row_y(i)), TOKEN_COLORS[token])
    draw_text(ax, 200, out.y - 24, "idx")
    ax.plot([12, 1392], [350, 350], color=GRID_COLOR, lw=2)
    draw_text(ax, 20, 400, "product: row 0 is multiplied by 0", size=30, weight="bold")
    rows = draw_matrix(ax, left, 474, weight, "linear.weight.T", owners=read, index=True, **SHORT)
    hot = draw_matrix(
        ax, 20, 499, onehot.int(), "onehot", owners=tokens, cell_width=60, size=BIG_FONT
    )
    product, last = linear(onehot).detach(), len(ids) - 1
    out = draw_matrix(ax, right, 499, product, "linear(onehot)", owners=tokens, **SHORT)
    draw_at_sign(ax, (hot.right + rows.x - 30) / 2, hot.middle_y)
    draw_symbol(ax, (rows.right + out.x) / 2, hot.middle_y, "=")
    draw_cell_outline(ax, hot, last, 0, columns=hot.columns, halo=True)
    draw_cell_outline(ax, rows, 0, 0, rows=rows.rows, halo=True)
    draw_cell_outline(ax, out, last, 0, halo=True)
    factors, values = onehot[last].int().tolist(), weight[:, 0].tolist()
    pieces = sum_pieces(factors, values, read, product[last, 0].item(), ids[last], decimals=1)
    width = sum(text_width(text, BIG_FONT) for text, _ in pieces)
    draw_expression(ax, out.column_x(0) + 36 - width, 766, pieces, BIG_FONT)
    draw_arrow(ax, (out.column_x(0), 742), (out.column_x(0), out.bottom), BLACK)
    return ax.figure


def counted(
    ax: Axes, at: tuple[float, float], values: torch.Tensor, name: str, tokens: dict[int, int]
) -> Grid:
    """A matrix, its rows numbered if they are the table's, and how many of its numbers are NaN."""
    rows = {"owners": tokens, "index": len(values) > len(tokens)}
    grid = draw_matrix(ax, *at, values, name, **rows, decimals=0, cell_width=60, size=BIG_FONT)
    text = f"{int(values.isnan().sum())} NaN"
    draw_text(
        ax, (grid.x + grid.right) / 2, grid.bottom + 38, text, size=32, ha="center", weight="bold"
    )
    return grid


def one_four_twenty(
    idx: torch.Tensor,
    onehot: torch.Tensor,
    G: torch.Tensor,  # noqa: N803
    embedding: torch.nn.Embedding,
) -> Figure:
    """One NaN in what comes back, the table's gradient by either way, and after clipping."""
    ax, ids, top, low = canvas(1404, 690), idx.tolist(), 64, 400
    came = {token: token for token in ids}
    landed = torch.zeros_like(embedding.weight).index_add(0, idx, G)  # before clipping
    multiplied = onehot.T @ G
    source = counted(ax, (76, 257), G, "G", dict(enumerate(ids)))
    for i, token in enumerate(ids):
        draw_id(ax, 38, source.row_y(i), token)
    last = counted(ax, (1084, 232), embedding.weight.grad, "after clip_grad_norm_", came)
    ways = {"embedding.weight.grad": (landed, top), "linear.weight.grad.T": (multiplied, low)}
    for name, (values, y) in ways.items():
        grid = counted(ax, (564, y), values, name, came)
        side = -24 if y == top else 24
        draw_arrow(
            ax, (source.right + 12, source.middle_y + side), (grid.x - 48, grid.middle_y), BLACK
        )
        draw_arrow(ax, (grid.right + 12, grid.middle_y), (last.x - 48, last.middle_y + side), BLACK)
    return ax.figure


def four_bytes(four: torch.Tensor, numbered: torch.Tensor) -> Figure:
    """Four numbers between square brackets: as IDs they fetch rows, as a mask they pick rows."""
    ax = canvas(1404, 400)
    numbers, yes = four.tolist(), four.bool().tolist()
    for x, kind, fetched in ((20, "int64: four IDs", four), (734, "uint8: a mask", four.bool())):
        draw_text(ax, x, 32, kind, size=30, weight="bold")
        came = numbered[fetched].tolist()
        masked = fetched.dtype == torch.bool
        draw_text(ax, x + 292, 74, "table", ha="center")
        for i, number in enumerate(numbers):
            y, row = 120 + 72 * i, i if masked else number
            draw_id(ax, x + 24, y, number, LABEL_COLOR if masked else number)
            if masked:
                draw_text(ax, x + 64, y, "yes" if yes[i] else "no", size=BIG_FONT, weight="bold")
            if not masked or yes[i]:
                start = x + (130 if masked else 50)
                draw_arrow(ax, (start, y), (x + 222, 120 + 72 * row), TOKEN_COLORS[row])
            bar(ax, x + 222, y, i, used=not masked or yes[i])
        for place, row in enumerate(came):
            y = 120 + 72 * place
            draw_arrow(ax, (x + 362, 120 + 72 * row), (x + 500, y), TOKEN_COLORS[row])
            bar(ax, x + 500, y, row)
    ax.plot([694, 694], [20, 380], color=GRID_COLOR, lw=2)
    return ax.figure


def bar(ax: Axes, x: float, y: float, row: int, *, used: bool = True) -> None:
    """A row of the table, by its number only."""
    color = TOKEN_COLORS[row] if used else "#a0a0a0"
    ax.add_artist(Rectangle((x, y - 25), 140, 50, fc=tint(color) if used else "white"))
    draw_outline(ax, x, y - 25, 140, 50, color)
    draw_text(ax, x + 70, y, f"row {row}", BLACK if used else PALE_COLOR, BIG_FONT, ha="center")
