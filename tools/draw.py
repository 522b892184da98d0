"""Draw the course's diagrams from the tensors that they explain.

    python tools/draw.py        redraw every figure into images/

The first half is the vocabulary: canvas, matrix, chip, arrow, symbol, expression. The second
half is one function per figure, listed in FIGURES. Coordinates are pixels, x to the right and y
downwards.
"""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from PIL import Image
from torch.nn import Embedding
from torch.nn.functional import one_hot

IMAGES = Path(__file__).resolve().parent.parent / "images"

# One colour per token ID, from the palette of Okabe and Ito (https://jfly.uni-koeln.de/color/),
# each darkened just enough to read at 4.5:1 on white (WCAG 2.1, success criterion 1.4.3).
TOKEN_COLORS = ["#9c5d83", "#0072b2", "#c25500", "#00805d", "#8a6d00", "#3b7a9e"]
INK = "#000000"
PALE = "#636363"  # 6:1 on white, 4.5:1 on a tint: pale beside black, still readable
GRID = "#d0d0d0"
FONT, SMALL = 20, 17
DIGIT = 0.602 * FONT  # the advance width of DejaVu Sans Mono, in ems, times the size
STYLE = {"font.family": "DejaVu Sans Mono", "font.size": FONT, "path.snap": True}
ROW = 50  # height of a matrix row


@dataclass
class Grid:
    """Where a matrix stands: its top left corner and the size of one cell, in pixels."""

    x: float
    y: float
    rows: int
    columns: int
    cell: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.columns * self.cell

    @property
    def bottom(self) -> float:
        """The y of the bottom edge."""
        return self.y + self.rows * ROW

    @property
    def middle(self) -> float:
        """The y halfway down."""
        return (self.y + self.bottom) / 2

    def row(self, number: int) -> float:
        """The y of the middle of a row."""
        return self.y + (number + 0.5) * ROW

    def column(self, number: int) -> float:
        """The x of the middle of a column."""
        return self.x + (number + 0.5) * self.cell


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1 to 21, as WCAG 2.1 defines it."""

    def luminance(color: str) -> float:
        rgb = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]

    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def tint(color: str) -> tuple[float, ...]:
    """The colour mixed with white, pale enough to carry black digits."""
    return tuple(1 - 0.16 * (1 - channel) for channel in to_rgb(color))


def digits(value: float) -> str:
    """A number as torch prints it: integers whole, floats with four decimals; a true minus sign."""
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    return text.replace("-", "\N{MINUS SIGN}")


def canvas(width: int, height: int) -> Axes:
    """An empty white sheet of so many pixels."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes


def label(
    ax: Axes, x: float, y: float, text: str, color: str = INK, size: float = FONT, **kwargs
) -> None:
    """Text that starts at x and is centred on y, unless ha or va say otherwise."""
    kwargs = {"ha": "left", "va": "center_baseline"} | kwargs
    ax.text(x, y, text, color=color, fontsize=size, **kwargs)


def frame(
    ax: Axes, x: float, y: float, width: float, height: float, color: str, line: float = 3.5
) -> None:
    """A rounded outline with nothing inside."""
    style = {"boxstyle": "round,pad=0,rounding_size=6", "fill": False, "zorder": 3}
    ax.add_patch(FancyBboxPatch((x, y), width, height, ec=color, lw=line, **style))


def chip(ax: Axes, x: float, y: float, token: int) -> None:
    """A token ID as a solid rounded square, 44 pixels wide, centred on (x, y)."""
    style = "round,pad=0,rounding_size=8"
    color = TOKEN_COLORS[token]
    ax.add_patch(FancyBboxPatch((x - 22, y - 20), 44, 40, style, fc=color, ec="none"))
    label(ax, x, y, str(token), "white", ha="center", weight="bold")


def cell(
    ax: Axes, box: tuple[float, float, float, float], text: str, token: int | None, strength: str
) -> None:
    """One cell of a grid, its box given as x, y, width and height.

    A cell that belongs to a token is tinted. `strength` is "pale", "strong" or "solid"; a solid
    cell is filled with the token's colour and its text is centred, else text ends at the right.
    """
    x, y, width, height = box
    color = None if token is None else TOKEN_COLORS[token]
    ax.add_patch(Rectangle((x, y), width, height, fc=tint(color or "white"), ec=GRID, lw=1.5))
    if strength == "solid":
        ax.add_patch(Rectangle((x + 4, y + 4), width - 8, height - 8, fc=color))
    ink = {"pale": PALE, "strong": INK, "solid": "white"}[strength]
    weight = "bold" if strength == "solid" else "normal"
    narrow = len(text) < 3
    at, align = (x + width / 2, "center") if narrow else (x + width - 10, "right")
    label(ax, at, y + height / 2, text, ink, ha=align, weight=weight)


def matrix(
    ax: Axes,
    x: float,
    y: float,
    tensor: torch.Tensor,
    name: str = "",
    *,
    tokens: dict[int, int] | None = None,
    along: str = "row",
    index: bool = False,
) -> Grid:
    """A 2-D tensor as a grid of numbers, its name above it and its shape in the corner.

    `tokens` maps a row (or, with along="column", a column) to the token ID that it belongs to:
    it gets that colour and an outline. What is in no such line is pale. Ones of an integer tensor
    are solid, its zeros pale. With index=True the lines are numbered, at the left (or on top).
    """
    tokens = tokens or {}
    whole = not tensor.is_floating_point()
    grid = Grid(x, y, *tensor.shape, 48 if whole else 7 * DIGIT + 20)
    for i, row in enumerate(tensor.tolist()):
        for j, value in enumerate(row):
            token = tokens.get(i if along == "row" else j)
            pale = token is None or (whole and value == 0)
            strength = "pale" if pale else "solid" if whole else "strong"
            box = (x + j * grid.cell, y + i * ROW, grid.cell, ROW)
            cell(ax, box, digits(value), token, strength)
    for line, token in tokens.items():
        if along == "row":
            frame(ax, x, y + line * ROW, grid.right - x, ROW, TOKEN_COLORS[token])
        else:
            frame(ax, x + line * grid.cell, y, grid.cell, grid.bottom - y, TOKEN_COLORS[token])
    if index and along == "row":
        for i in range(grid.rows):
            label(ax, x - 14, grid.row(i), str(i), PALE, SMALL, ha="right")
    elif index:
        for j in range(grid.columns):
            label(ax, grid.column(j), y - 20, str(j), PALE, SMALL, ha="center")
    label(ax, x, y - (54 if index and along == "column" else 24), name)
    shape = f"{grid.rows}×{grid.columns}"
    label(ax, grid.right, grid.bottom + 20, shape, PALE, SMALL, ha="right")
    return grid


def arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], color: str) -> None:
    """A straight arrow between two points, stopping short of both."""
    style = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "mutation_scale": 22, "lw": 3}
    ax.annotate("", end, start, arrowprops=style | {"color": color, "shrinkA": 4, "shrinkB": 4})


def symbol(ax: Axes, x: float, y: float, text: str) -> None:
    """An operator such as @ or =, centred on (x, y)."""
    label(ax, x, y, text, size=26, ha="center")


def expression(ax: Axes, x: float, y: float, pieces: list[tuple[str, str]]) -> None:
    """Text in several colours on one line, as (text, colour) pairs; token colours are bold."""
    for text, color in pieces:
        label(ax, x, y, text, color, weight="normal" if color in (PALE, INK) else "bold")
        x += len(text) * DIGIT


# ---- The tensors, made as the notebooks make them ----

IDX = torch.tensor([2, 3, 1])


def table() -> torch.Tensor:
    """The 4×5 embedding table of chapters 1 to 3."""
    torch.manual_seed(123)
    return Embedding(4, 5).weight.detach()


# ---- The figures ----


def lookup(idx: torch.Tensor, ax: Axes) -> Grid:
    """IDs, the table with their rows marked, and the rows they fetch (returned), with arrows."""
    weight, ids = table(), idx.tolist()
    rows = matrix(ax, 196, 52, weight, "weight", tokens={i: i for i in ids}, index=True)
    y = rows.middle - len(ids) * ROW / 2
    out = matrix(
        ax, rows.right + 148, y, weight[idx], "embedding(idx)", tokens=dict(enumerate(ids))
    )
    label(ax, 20, y - 24, "idx")
    for i, token in enumerate(ids):
        color = TOKEN_COLORS[token]
        chip(ax, 42, out.row(i), token)
        arrow(ax, (64, out.row(i)), (rows.x - 34, rows.row(token)), color)
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), color)
    return out


def lookup_figure(*ids: int) -> Figure:
    """The look-up of the IDs given, on a sheet of its own."""
    ax = canvas(1404, 294)
    lookup(torch.tensor(ids), ax)
    return ax.figure


def product_figure(position: int) -> Figure:
    """The one-hot row of one position of IDX times the table, and the sum behind one number."""
    ax, weight = canvas(1484, 350), table()
    token = IDX[position].item()
    row = one_hot(IDX)[position : position + 1]
    hot = matrix(ax, 82, 127, row, f"one_hot(idx)[{position}]", tokens={0: token})
    rows = matrix(ax, 360, 52, weight, "weight", tokens={token: token}, index=True)
    out = matrix(ax, rows.right + 64, 127, row.float() @ weight, tokens={0: token})
    chip(ax, 36, hot.middle, token)
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    for grid in (rows, out):  # the column that the sum below runs down, and where it ends up
        frame(ax, grid.x - 4, grid.y - 4, grid.cell + 8, grid.bottom - grid.y + 8, INK, 2.5)
    pieces = []
    for factor, value in zip(row[0].tolist(), weight[:, 0].tolist(), strict=True):
        number = digits(value) if value >= 0 else f"({digits(value)})"
        pieces += [(f"{factor}·{number}", TOKEN_COLORS[token] if factor else PALE), (" + ", PALE)]
    total = (row.float() @ weight)[0, 0].item()
    pieces[-1:] = [(" = ", PALE), (digits(total), TOKEN_COLORS[token])]
    expression(ax, rows.x, 320, pieces)
    return ax.figure


def transpose_figure() -> Figure:
    """The table and its transpose: rows become columns, each keeps its colour."""
    ax, weight = canvas(1404, 370), table()
    tokens = {i: i for i in range(len(weight))}
    rows = matrix(ax, 130, 105, weight, "embedding.weight", tokens=tokens, index=True)
    flipped = matrix(
        ax, 888, 80, weight.T, "embedding.weight.T", tokens=tokens, along="column", index=True
    )
    arrow(ax, (rows.right + 60, rows.middle), (flipped.x - 60, rows.middle), INK)
    label(ax, (rows.right + flipped.x) / 2, rows.middle - 26, ".T", ha="center")
    return ax.figure


def claim_figure() -> Figure:
    """The claim of the course: the look-up above, the one-hot product below, the same rows out."""
    ax, weight = canvas(1404, 620), table()
    out = lookup(IDX, ax)
    tokens = dict(enumerate(IDX.tolist()))
    hot = matrix(ax, 20, 401, one_hot(IDX), "one_hot(idx)", tokens=tokens)
    rows = matrix(ax, 300, 376, weight, "weight", tokens={i: i for i in IDX.tolist()}, index=True)
    same = matrix(
        ax, out.x, 401, one_hot(IDX).float() @ weight, "one_hot(idx) @ weight", tokens=tokens
    )
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + same.x) / 2, hot.middle, "=")
    return ax.figure


def sixty_figure() -> Figure:
    """Every product of one_hot(idx) @ weight, one block per ID, and the sums down its columns."""
    ax, weight, hot = canvas(1404, 744), table(), one_hot(IDX)
    x, y, width, height = 90, 62, 9 * DIGIT + 20, 44
    label(ax, x, y - 28, "one_hot(idx)[:, :, None] * weight")
    for position, token in enumerate(IDX.tolist()):
        color = TOKEN_COLORS[token]
        for i, factor in enumerate(hot[position].tolist()):
            for j, value in enumerate(weight[i].tolist()):
                box = (x + j * width, y + i * height, width, height)
                owner, strength = (token, "strong") if factor else (None, "pale")
                cell(ax, box, f"{factor}·{digits(value)}", owner, strength)
        frame(ax, x, y + token * height, 5 * width, height, color)
        middle, right = y + 2 * height, x + 5 * width
        sums = (hot[position][:, None] * weight).sum(0, keepdim=True)
        out = matrix(ax, 864, middle - ROW / 2, sums, tokens={0: token})
        chip(ax, 42, middle, token)
        arrow(ax, (right + 14, middle), (out.x - 6, middle), color)
        if position == 0:
            label(ax, (right + out.x) / 2, middle - 26, ".sum(1)", ha="center")
        y += 4 * height + 52
    label(ax, right, y - 32, "3×4×5", PALE, SMALL, ha="right")
    return ax.figure


FIGURES = {
    "lookup-1": lambda: lookup_figure(1),
    "lookup-2": lambda: lookup_figure(2),
    "lookup-2-3-1": lambda: lookup_figure(*IDX.tolist()),
    "product-2": lambda: product_figure(0),
    "product-3": lambda: product_figure(1),
    "transpose": transpose_figure,
    "claim": claim_figure,
    "sixty-products": sixty_figure,
}


def png(name: str) -> bytes:
    """A figure as a palette PNG without metadata. Raises KeyError for a name not in FIGURES."""
    raw, packed = io.BytesIO(), io.BytesIO()
    with rc_context(STYLE):
        FIGURES[name]().savefig(raw, format="png")
    Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
        packed, "PNG", optimize=True
    )
    return packed.getvalue()


def main() -> None:
    """Redraw every figure; write only those that changed."""
    IMAGES.mkdir(exist_ok=True)
    for name in FIGURES:
        path, data = IMAGES / f"{name}.png", png(name)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            print(f"drew images/{path.name}, {len(data):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
