"""The vocabulary of the diagrams: canvas, matrix, chip, arrow, symbol, expression, and motion.

Coordinates are pixels, x to the right and y downwards. The figures are in course/figures/.
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
POSITION = "#404040"  # what belongs to a position and not to a token
INK = "#000000"
PALE = "#636363"  # 6:1 on white, 4.5:1 on a tint: pale beside black, still readable
LABEL = "#404040"  # row numbers and shapes, which are read as often as what they stand beside
GRID = "#d0d0d0"
EDGE = "#909090"  # of a patch of colour, so that white shows on white
BLANK = "#f0f0f0"  # a patch that is still to come
FONT = 20  # in a picture 1,400 pixels wide: 10 when it is shown 700 wide
DIGIT = 0.602 * FONT  # the advance width of DejaVu Sans Mono, in ems, times the size
STYLE: Any = {
    "font.family": "DejaVu Sans Mono",
    "font.size": FONT,
    "path.snap": True,
    "path.simplify": False,  # by thresholds: a rounding error would move a curve by a pixel
}
# A token ID, which has its colour, or the colour of what belongs to no token.
Owner = int | str
Point = tuple[float, float]
ROW = 50  # height of a matrix row
# Of every arrow: its head and its line.
HEAD = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "mutation_scale": 22, "lw": 3}


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


def tint(color: str, share: float = 0.16) -> tuple[float, ...]:
    """A share of the colour, the rest white; unless told, pale enough to carry black digits."""
    return tuple(1 - share * (1 - channel) for channel in to_rgb(color))


def hue(owner: Owner) -> str:
    """The colour of a token ID; a colour stays what it is."""
    return owner if isinstance(owner, str) else TOKEN_COLORS[owner]


def digits(value: float, places: int = 4) -> str:
    """A number as torch prints it: integers bare, floats with a point; a true minus sign."""
    text = f"{value:#3.{places}f}" if isinstance(value, float) else str(value)
    return text.replace("-", "\N{MINUS SIGN}")


def canvas(width: int, height: int) -> Axes:
    """An empty white sheet of so many pixels."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes


class Backdrop(Artist):
    """What is drawn already, under all that is drawn on a sheet."""

    def __init__(self, picture: Image.Image) -> None:
        """As large as the sheet."""
        super().__init__()
        self.pixels = asarray(picture.convert("RGBA"))[::-1]  # Agg counts from the bottom
        self.set_zorder(-1)

    def draw(self, renderer: RendererBase) -> None:
        """Copy it, pixel by pixel: figimage would work it out anew for each figure."""
        renderer.draw_image(renderer.new_gc(), 0, 0, self.pixels)


def window(ax: Axes, x: float, y: float, right: float, bottom: float) -> Axes:
    """A clear sheet over a part of another, in the same coordinates; it shows nothing outside."""
    width, height = ax.get_xlim()[1], ax.get_ylim()[0]
    area = (x / width, 1 - bottom / height, (right - x) / width, (bottom - y) / height)
    sheet = ax.figure.add_axes(area, xlim=(x, right), ylim=(bottom, y))
    sheet.axis("off")
    return sheet


def eased(t: float) -> float:
    """A fraction of the time as a fraction of the way: from 0 to 1, slow at both ends."""
    return t * t * (3 - 2 * t)


def between(start: Point, end: Point, t: float) -> Point:
    """Where something is at a fraction of its time from one point to another."""
    return tuple(a + (b - a) * eased(t) for a, b in zip(start, end, strict=True))


def label(
    ax: Axes, x: float, y: float, text: str, color: str = INK, size: float = FONT, **kwargs
) -> None:
    """Text that starts at x and is centred on y, unless ha or va say otherwise."""
    kwargs = {"ha": "left", "va": "center_baseline", "clip_on": True} | kwargs
    ax.text(x, y, text, color=color, fontsize=size, **kwargs)


def outline(
    ax: Axes, x: float, y: float, width: float, height: float, color: str, line: float = 3.5
) -> None:
    """A rounded outline with nothing inside."""
    style = {"boxstyle": "round,pad=0,rounding_size=6", "fill": False, "zorder": 3}
    ax.add_artist(FancyBboxPatch((x, y), width, height, ec=color, lw=line, **style))


def surround(
    ax: Axes,
    grid: Grid,
    row: int,
    column: int,
    rows: int = 1,
    columns: int = 1,
    *,
    halo: bool = False,
) -> None:
    """A black outline around some cells of a grid, from the first one's row and column on.

    With a halo it is broader, and is seen on black cells, too.
    """
    x, y = grid.x + column * grid.cell - 4, grid.y + row * ROW - 4
    width, height = columns * grid.cell + 8, rows * ROW + 8
    if halo:
        outline(ax, x, y, width, height, "white", 8)
    outline(ax, x, y, width, height, INK, 4 if halo else 2.5)


def chip(ax: Axes, x: float, y: float, number: int, owner: Owner | None = None) -> None:
    """A token ID as a solid square of 44 pixels, centred on (x, y), or another owner's number."""
    style = "round,pad=0,rounding_size=8"
    color = hue(number if owner is None else owner)
    ax.add_artist(FancyBboxPatch((x - 22, y - 20), 44, 40, style, fc=color, ec="none"))
    label(ax, x, y, digits(number), "white", ha="center", weight="bold")


def box(
    ax: Axes,
    area: tuple[float, float, float, float],
    text: str,
    owner: Owner | None,
    strength: str,
    size: float = FONT,
) -> None:
    """One cell of a grid, its area given as x, y, width and height.

    A cell that has an owner is tinted. `strength` is "pale", "strong", "solid" (filled with the
    owner's colour) or "broken" (black). Short text is centred, else text ends at the right.
    """
    x, y, width, height = area
    color = "white" if owner is None else hue(owner)
    fill = INK if strength == "broken" else tint(color)
    ax.add_artist(Rectangle((x, y), width, height, fc=fill, ec=GRID, lw=1.5))
    if strength == "solid":
        ax.add_artist(Rectangle((x + 4, y + 4), width - 8, height - 8, fc=color))
    ink = {"pale": PALE, "strong": INK, "solid": "white", "broken": "white"}[strength]
    weight = "bold" if strength == "solid" else "normal"
    at, align = (x + width / 2, "center") if len(text) < 4 else (x + width - 10, "right")
    label(ax, at, y + height / 2, text, ink, size, ha=align, weight=weight)


def matrix(
    ax: Axes,
    x: float,
    y: float,
    tensor: "torch.Tensor",
    name: str | None = "",
    *,
    tokens: dict[int, Owner] | None = None,
    along: str = "row",
    index: bool = False,
    places: int | None = None,
    filled: int | None = None,
    cell: float | None = None,
    size: float = FONT,
) -> Grid:
    """A 2-D tensor as a grid of numbers, its name above it and its shape in the corner.

    `tokens` maps a row (or, with along="column", a column) to the token ID or colour that owns
    it: it gets that colour and an outline. What is in no such line is pale. Ones of an integer
    tensor are solid, its zeros pale; a NaN is white on black. Floats have four decimals, or none
    if all are whole, as torch prints them, unless `places` says how many. With index=True the
    lines are numbered, at the left (or on top); a line owned by the token of its number has it in
    the token's colour. In a moving diagram, only the first `filled` rows have their numbers yet;
    with the name None, a part of a matrix has no name and no shape. `cell` is the width of a
    cell, unless it is to follow from the places, and `size` that of the digits.
    """
    tokens = tokens or {}
    whole = not tensor.is_floating_point()
    if places is None:
        places = 0 if tensor.equal(tensor.round()) else 4
    usual = 48 if whole else (7 if places else 5) * DIGIT + 20
    grid = Grid(x, y, *tensor.shape, cell or usual)
    for i, row in enumerate(tensor.tolist()):
        for j, value in enumerate(row):
            owner = tokens.get(i if along == "row" else j)
            pale = owner is None or (whole and value == 0)
            strength = "pale" if pale else "solid" if whole else "strong"
            strength = "broken" if math.isnan(value) else strength
            area = (x + j * grid.cell, y + i * ROW, grid.cell, ROW)
            text = digits(value, places) if filled is None or i < filled else ""
            box(ax, area, text, owner, strength, size)
    for line, owner in tokens.items():
        if along == "row":
            outline(ax, x, y + line * ROW, grid.right - x, ROW, hue(owner))
        else:
            outline(ax, x + line * grid.cell, y, grid.cell, grid.bottom - y, hue(owner))
    numbered = grid.rows if along == "row" else grid.columns
    for i in range(numbered if index else 0):
        ink, weight = (hue(i), "bold") if tokens.get(i) == i else (LABEL, "normal")
        spot = (x - 14, grid.row(i)) if along == "row" else (grid.column(i), y - 20)
        align = "right" if along == "row" else "center"
        label(ax, *spot, str(i), ink, size, ha=align, weight=weight)
    if name is None:
        return grid
    label(ax, x, y - (54 if index and along == "column" else 24), name)
    shape = f"{grid.rows}×{grid.columns}"
    label(ax, grid.right, grid.bottom + 22, shape, LABEL, ha="right")
    return grid


def arrow(ax: Axes, start: Point, end: Point, color: str, corner: bool = False) -> None:
    """An arrow that stops short of both points: straight, or across and round one corner.

    There is none where a head has no room.
    """
    if math.dist(start, end) < 24:
        return
    style = HEAD | {"color": color, "shrinkA": 4, "shrinkB": 4}
    if corner:
        style["connectionstyle"] = "angle,angleA=0,angleB=90"
    ax.annotate("", end, start, arrowprops=style)


def symbol(ax: Axes, x: float, y: float, text: str) -> None:
    """An operator such as @ or =, centred on (x, y)."""
    label(ax, x, y, text, size=26, ha="center")


def span(text: str, size: float = FONT) -> float:
    """How wide a text is, in pixels."""
    return len(text) * DIGIT * size / FONT


def expression(
    ax: Axes, x: float, y: float, pieces: list[tuple[str, str]], size: float = FONT
) -> None:
    """Text in several colours on one line, as (text, colour) pairs; token colours are bold.

    What has a NaN in it is white on black, as in a matrix.
    """
    for text, color in pieces:
        width, ink = span(text, size), color
        if "nan" in text:
            ink = "white"
            ax.add_artist(Rectangle((x - 8, y - 0.9 * size), width + 16, 1.8 * size, fc=INK))
        label(ax, x, y, text, ink, size, weight="normal" if color in (PALE, INK) else "bold")
        x += width


def signed(value: float, places: int = 4) -> str:
    """A number as a factor or a term: in parentheses if it is negative."""
    return f"({digits(value, places)})" if value < 0 else digits(value, places)


def terms(
    factors: list[int],
    values: list[float],
    owners: dict[int, Owner],
    total: float,
    owner: Owner,
    places: int = 4,
) -> list[tuple[str, str]]:
    """The pieces of a written-out sum of products, and what it comes to.

    `owners` maps the positions of the factors that are not zero to what owns them; products by
    zero are pale. Whatever is NaN is black. `total` is given, not added up here.
    """
    pieces = []
    for i, (factor, value) in enumerate(zip(factors, values, strict=True)):
        color = INK if math.isnan(value) else hue(owners[i]) if factor else PALE
        pieces += [(f"{factor}·{signed(value, places)}", color), (" + ", PALE)]
    color = INK if math.isnan(total) else hue(owner)
    return [*pieces[:-1], (" = ", PALE), (digits(total, places), color)]


def times(ax: Axes, x: float, y: float) -> None:
    """The operator @, in a face in which its right side is closed."""
    label(ax, x, y, "@", size=26, ha="center", family="DejaVu Sans")


def patch(
    ax: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    row: list[float],
    pale: bool = False,
) -> None:
    """A row of three numbers as the colour that a screen makes of it; a pale one is to come."""
    color = BLANK if pale else [min(max(value, 0), 1) for value in row]
    ax.add_patch(Rectangle((x, y), width, height, fc=color, ec=GRID if pale else EDGE, lw=1.5))
