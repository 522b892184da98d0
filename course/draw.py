"""Draw what the diagrams are made of: matrices, token IDs, arrows, text and colours.

Coordinates and sizes are pixels, x to the right and y downwards. The figures are in
course/figures/.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy import asarray
from PIL import Image

if TYPE_CHECKING:  # it takes more than a second, and most of the checks draw nothing
    import torch

# One colour per token ID, from the palette of Okabe and Ito (https://jfly.uni-koeln.de/color/),
# each darkened just enough to read at 4.5:1 on white (WCAG 2.1, success criterion 1.4.3).
TOKEN_COLORS = ["#9c5d83", "#0072b2", "#c25500", "#00805d", "#8a6d00", "#3b7a9e"]
POSITION_COLOR = "#404040"  # of what belongs to a position and not to a token
BLACK = "#000000"
PALE_COLOR = "#636363"  # 6:1 on white, 4.5:1 on a tint: pale beside black, still readable
LABEL_COLOR = "#404040"  # row numbers and shapes are read as often as what they stand beside
GRID_COLOR = "#d0d0d0"
PATCH_EDGE_COLOR = "#909090"  # so that a white patch shows on white
BLANK_PATCH_COLOR = "#f0f0f0"  # of a patch that a later frame fills
FONT = 20  # the size of text, in a picture 1,400 wide: 10 when it is shown 700 wide
BIG_FONT = 26
DIGIT_WIDTH = 0.602 * FONT  # DejaVu Sans Mono advances by 0.602 em
STYLE: Any = {
    "font.family": "DejaVu Sans Mono",
    "font.size": FONT,
    "path.snap": True,
    "path.simplify": False,  # by thresholds: a rounding error would move a curve by a pixel
}
ROW_HEIGHT = 50  # of a matrix
ARROW_STYLE = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "mutation_scale": 22, "lw": 3}
Owner = int | str  # a token ID, which has its colour, or the colour of what belongs to no token
Point = tuple[float, float]
Area = tuple[float, float, float, float]  # x, y, width and height
Piece = tuple[str, str]  # of an expression: a text and its colour


@dataclass
class Grid:
    """The place of a matrix: its top left corner, and the width of its cells."""

    x: float
    y: float
    rows: int
    columns: int
    cell_width: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.columns * self.cell_width

    @property
    def bottom(self) -> float:
        """The y of the bottom edge."""
        return self.y + self.rows * ROW_HEIGHT

    @property
    def middle_y(self) -> float:
        """The y halfway down."""
        return (self.y + self.bottom) / 2

    def row_y(self, row: int) -> float:
        """Return the y of the middle of a row."""
        return self.y + (row + 0.5) * ROW_HEIGHT

    def column_x(self, column: int) -> float:
        """Return the x of the middle of a column."""
        return self.x + (column + 0.5) * self.cell_width


def tint(color: str, share: float = 0.16) -> tuple[float, ...]:
    """Return a mix of a share of the colour with white; by default, black digits read on it."""
    return tuple(1 - share * (1 - channel) for channel in to_rgb(color))


def color_of(owner: Owner) -> str:
    """Return the colour of a token ID; a colour is returned as it is."""
    return owner if isinstance(owner, str) else TOKEN_COLORS[owner]


def number_text(value: float, decimals: int = 4) -> str:
    """Return a number as torch prints it, floats with a point, but with a true minus sign."""
    text = f"{value:#3.{decimals}f}" if isinstance(value, float) else str(value)
    return text.replace("-", "\N{MINUS SIGN}")


def operand_text(value: float, decimals: int = 4) -> str:
    """Return a number as a factor or a term: in parentheses if it is negative."""
    text = number_text(value, decimals)
    return f"({text})" if value < 0 else text


def text_width(text: str, size: float = FONT) -> float:
    """Return the width of a text in pixels."""
    return len(text) * DIGIT_WIDTH * size / FONT


def smoothstep(t: float) -> float:
    """Return the fraction of the way at a fraction of the time: slow at both ends."""
    return t * t * (3 - 2 * t)


def point_between(start: Point, end: Point, t: float) -> Point:
    """Return where something is that moves from one point to another, at a fraction of its time."""
    (x, y), (end_x, end_y), share = start, end, smoothstep(t)
    return x + (end_x - x) * share, y + (end_y - y) * share


def canvas(width: int, height: int) -> Axes:
    """Return the axes of an empty white figure of so many pixels."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes


def clipped_axes(ax: Axes, x: float, y: float, right: float, bottom: float) -> Axes:
    """Return transparent axes over a part of others, with the same coordinates.

    Nothing that is drawn on them shows outside that part.
    """
    width, height = ax.get_xlim()[1], ax.get_ylim()[0]
    area = (x / width, 1 - bottom / height, (right - x) / width, (bottom - y) / height)
    axes = ax.figure.add_axes(area, xlim=(x, right), ylim=(bottom, y))
    axes.axis("off")
    return axes


class Background(Artist):
    """A picture under everything else in a figure, and as large as the figure."""

    def __init__(self, picture: Image.Image) -> None:
        """Keep the picture's pixels, the lowest row first, as Agg counts them."""
        super().__init__()
        self.pixels = asarray(picture.convert("RGBA"))[::-1]
        self.set_zorder(-1)

    def draw(self, renderer: RendererBase) -> None:
        """Copy the pixels: Matplotlib's figimage would convert them again for each figure."""
        renderer.draw_image(renderer.new_gc(), 0, 0, self.pixels)


def draw_text(
    ax: Axes, x: float, y: float, text: str, color: str = BLACK, size: float = FONT, **kwargs: Any
) -> None:
    """Draw text that starts at x and is centred on y, unless `ha` or `va` say otherwise."""
    options: Any = {"ha": "left", "va": "center_baseline", "clip_on": True} | kwargs
    ax.text(x, y, text, color=color, fontsize=size, **options)


def draw_symbol(ax: Axes, x: float, y: float, text: str) -> None:
    """Draw an operator such as =, centred on (x, y)."""
    draw_text(ax, x, y, text, size=BIG_FONT, ha="center")


def draw_at_sign(ax: Axes, x: float, y: float) -> None:
    """Draw the operator @ in a typeface in which its right side is closed."""
    draw_text(ax, x, y, "@", size=BIG_FONT, ha="center", family="DejaVu Sans")


def draw_outline(
    ax: Axes, x: float, y: float, width: float, height: float, color: str, line_width: float = 3.5
) -> None:
    """Draw a rectangle with rounded corners and no filling."""
    style: Any = {"boxstyle": "round,pad=0,rounding_size=6", "fill": False, "zorder": 3}
    ax.add_artist(FancyBboxPatch((x, y), width, height, ec=color, lw=line_width, **style))


def draw_cell_outline(
    ax: Axes,
    grid: Grid,
    row: int,
    column: int,
    rows: int = 1,
    columns: int = 1,
    *,
    halo: bool = False,
) -> None:
    """Draw a black outline around `rows` by `columns` cells of a grid, from one cell on.

    With a white halo, it shows on black cells, too.
    """
    x, y = grid.x + column * grid.cell_width - 4, grid.y + row * ROW_HEIGHT - 4
    width, height = columns * grid.cell_width + 8, rows * ROW_HEIGHT + 8
    if halo:
        draw_outline(ax, x, y, width, height, "white", 8)
    draw_outline(ax, x, y, width, height, BLACK, 4 if halo else 2.5)


def draw_id(ax: Axes, x: float, y: float, number: int, owner: Owner | None = None) -> None:
    """Draw a token ID in a solid box of 44 by 40 pixels, centred on (x, y).

    The box has the colour of the token, or that of another `owner` of the number.
    """
    color = color_of(number if owner is None else owner)
    draw_solid_box(ax, (x, y), 44, 40, number_text(number), color)


def draw_solid_box(
    ax: Axes, middle: Point, width: float, height: float, text: str, color: str, size: float = FONT
) -> None:
    """Draw a text, white and bold, in a solid box with round corners."""
    (x, y), style = middle, "round,pad=0,rounding_size=8"
    corner = (x - width / 2, y - height / 2)
    ax.add_artist(FancyBboxPatch(corner, width, height, style, fc=color, ec="none"))
    draw_text(ax, x, y, text, "white", size, ha="center", weight="bold")


def draw_framed_text(
    ax: Axes, x: float, y: float, text: str, color: str, *, is_filled: bool = False
) -> None:
    """Draw a word in a frame of 184 by 58 pixels, centred on x."""
    if is_filled:
        ax.add_artist(Rectangle((x - 92, y), 184, 58, fc=tint(POSITION_COLOR, 0.16)))
    draw_outline(ax, x - 92, y, 184, 58, color)
    draw_text(ax, x, y + 29, text, color, 24, ha="center", weight="bold")


def draw_color_patch(
    ax: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    rgb: list[float],
    blank: bool = False,
) -> None:
    """Draw a rectangle in the colour of three numbers, cut to 0 to 1; a blank one is grey."""
    color = BLANK_PATCH_COLOR if blank else [min(max(value, 0), 1) for value in rgb]
    edge = GRID_COLOR if blank else PATCH_EDGE_COLOR
    ax.add_patch(Rectangle((x, y), width, height, fc=color, ec=edge, lw=1.5))


def draw_arrow(ax: Axes, start: Point, end: Point, color: str, corner: bool = False) -> None:
    """Draw an arrow that stops short of both points: straight, or across and round one corner.

    Draw nothing where the points are too close for its head.
    """
    if math.dist(start, end) < 24:
        return
    style = ARROW_STYLE | {"color": color, "shrinkA": 4, "shrinkB": 4}
    if corner:
        style["connectionstyle"] = "angle,angleA=0,angleB=90"
    ax.annotate("", end, start, arrowprops=style)


def draw_cell(
    ax: Axes,
    area: Area,
    text: str,
    owner: Owner | None,
    style: str,
    size: float = FONT,
) -> None:
    """Draw one cell of a grid.

    A cell that has an owner is tinted. `style` is "pale", "strong", "solid" (filled with the
    owner's colour) or "nan" (white on black). Text of up to three characters is centred, longer
    text ends at the right.
    """
    x, y, width, height = area
    color = "white" if owner is None else color_of(owner)
    fill = BLACK if style == "nan" else tint(color)
    ax.add_artist(Rectangle((x, y), width, height, fc=fill, ec=GRID_COLOR, lw=1.5))
    if style == "solid":
        ax.add_artist(Rectangle((x + 4, y + 4), width - 8, height - 8, fc=color))
    text_color = {"pale": PALE_COLOR, "strong": BLACK, "solid": "white", "nan": "white"}[style]
    weight = "bold" if style == "solid" else "normal"
    text_x, align = (x + width / 2, "center") if len(text) < 4 else (x + width - 10, "right")
    draw_text(ax, text_x, y + height / 2, text, text_color, size, ha=align, weight=weight)


def draw_matrix(
    ax: Axes,
    x: float,
    y: float,
    tensor: "torch.Tensor",
    name: str | None = "",
    *,
    owners: dict[int, Owner] | None = None,
    along: str = "row",
    index: bool = False,
    decimals: int | None = None,
    filled_rows: int | None = None,
    cell_width: float | None = None,
    size: float = FONT,
) -> Grid:
    """Draw a 2-D tensor as a grid of numbers, its name above and its shape below; return the grid.

    `owners` maps a row (or, with along="column", a column) to the token ID or colour that owns
    it: it gets that colour and an outline. Cells of no owner are pale. Ones of an integer tensor
    are solid, its zeros pale; a NaN is white on black.

    Floats have four decimals, or none if all are whole, as torch prints them, unless `decimals`
    says how many. Unless it is given, `cell_width` follows from the decimals. `size` is that of
    the digits.

    With index=True, rows (or columns) are numbered, at the left (or on top); the number of a row
    that the token of this ID owns has the token's colour. In a moving diagram, only the first
    `filled_rows` rows show their numbers. With the name None, there is no name and no shape.
    """
    owners = owners or {}
    is_integer = not tensor.is_floating_point()
    if decimals is None:
        decimals = 0 if tensor.equal(tensor.round()) else 4
    default_width = 48 if is_integer else (7 if decimals else 5) * DIGIT_WIDTH + 20
    rows, columns = tensor.shape
    grid = Grid(x, y, rows, columns, cell_width or default_width)
    for i, row in enumerate(tensor.tolist()):
        for j, value in enumerate(row):
            owner = owners.get(i if along == "row" else j)
            is_pale = owner is None or (is_integer and value == 0)
            style = "pale" if is_pale else "solid" if is_integer else "strong"
            style = "nan" if math.isnan(value) else style
            area = (x + j * grid.cell_width, y + i * ROW_HEIGHT, grid.cell_width, ROW_HEIGHT)
            is_filled = filled_rows is None or i < filled_rows
            text = number_text(value, decimals) if is_filled else ""
            draw_cell(ax, area, text, owner, style, size)
    for i, owner in owners.items():
        outline: Area = (x, y + i * ROW_HEIGHT, grid.right - x, ROW_HEIGHT)
        if along == "column":
            outline = (x + i * grid.cell_width, y, grid.cell_width, grid.bottom - y)
        draw_outline(ax, *outline, color_of(owner))
    if index:
        for i in range(grid.rows if along == "row" else grid.columns):
            color, weight = (color_of(i), "bold") if owners.get(i) == i else (LABEL_COLOR, "normal")
            place = (x - 14, grid.row_y(i)) if along == "row" else (grid.column_x(i), y - 20)
            align = "right" if along == "row" else "center"
            draw_text(ax, *place, str(i), color, size, ha=align, weight=weight)
    if name is None:
        return grid
    draw_text(ax, x, y - (54 if index and along == "column" else 24), name)
    shape = f"{grid.rows}×{grid.columns}"
    draw_text(ax, grid.right, grid.bottom + 22, shape, LABEL_COLOR, ha="right")
    return grid


def draw_expression(ax: Axes, x: float, y: float, pieces: list[Piece], size: float = FONT) -> None:
    """Draw text in several colours on one line; what has a token's colour is bold.

    A piece with a NaN in it is white on black, as in a matrix.
    """
    for text, color in pieces:
        width, text_color = text_width(text, size), color
        if "nan" in text:
            text_color = "white"
            ax.add_artist(Rectangle((x - 8, y - 0.9 * size), width + 16, 1.8 * size, fc=BLACK))
        weight = "normal" if color in (PALE_COLOR, BLACK) else "bold"
        draw_text(ax, x, y, text, text_color, size, weight=weight)
        x += width


def sum_pieces(
    factors: list[int],
    values: list[float],
    owners: dict[int, Owner],
    total: float,
    total_owner: Owner,
    decimals: int = 4,
) -> list[Piece]:
    """Return the pieces of a written-out sum of products, factors[i] times values[i].

    `owners` maps the positions of the factors that are not zero to what owns them; products by
    zero are pale, and whatever is NaN is black. `total` is given, so that the diagram shows what
    torch computes.
    """
    pieces = []
    for i, (factor, value) in enumerate(zip(factors, values, strict=True)):
        color = BLACK if math.isnan(value) else color_of(owners[i]) if factor else PALE_COLOR
        pieces += [(f"{factor}·{operand_text(value, decimals)}", color), (" + ", PALE_COLOR)]
    color = BLACK if math.isnan(total) else color_of(total_owner)
    return [*pieces[:-1], (" = ", PALE_COLOR), (number_text(total, decimals), color)]
