"""Chapter 3: rows of amounts that are not one-hot, on a table of colours."""

from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke

from course.draw import (
    GRID,
    HEAD,
    INK,
    LABEL,
    PALE,
    POSITION,
    ROW,
    Grid,
    arrow,
    box,
    canvas,
    chip,
    digits,
    frame,
    label,
    matrix,
    symbol,
)

EDGE = "#909090"  # of a patch, so that white shows on white
BLANK = "#f0f0f0"  # a patch that is still to come
BACK = "#8f2d56"  # of gradients, which run against the arrows


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


def palette(
    ax: Axes, x: float, y: float, table: torch.Tensor, words: list[str], used: list[int]
) -> Grid:
    """The table, a word before each row and its colour behind it; the rows that are used strong."""
    rows = matrix(ax, x, y, table, "table", tokens=dict.fromkeys(used, POSITION))
    for i, word in enumerate(words):
        weight = "bold" if i in used else "normal"
        ink = INK if i in used else LABEL
        label(ax, x - 14, rows.row(i), f"{i} {word}", ink, ha="right", weight=weight)
        patch(ax, rows.right + 12, y + i * ROW + 4, 84, ROW - 8, table[i].tolist())
    return rows


def moment(
    table: torch.Tensor, words: list[str], rows_of: list[torch.Tensor], done: int, now: torch.Tensor
) -> Figure:
    """One row of amounts beside the table, its product, and below, what all the rows give.

    The first `done` rows have come out, the others are pale.
    """
    ax = canvas(1404, 556)
    used = now.nonzero().flatten().tolist()
    rows = palette(ax, 560, 60, table, words, used)
    x, y, width = 16, rows.middle - ROW / 2, 80
    label(ax, x, y - 54, "row")
    for i, value in enumerate(now.tolist()):
        area = (x + i * width, y, width, ROW)
        box(ax, area, digits(value, 1), *((POSITION, "strong") if value else (None, "pale")))
        ink, weight = (INK, "bold") if value else (LABEL, "normal")
        label(ax, x + (i + 0.5) * width, y - 20, words[i], ink, ha="center", weight=weight)
    for i in used:
        frame(ax, x + i * width, y, width, ROW, POSITION)
    right = x + len(words) * width
    label(ax, right, y + ROW + 22, f"1×{len(words)}", LABEL, ha="right")
    symbol(ax, right + 24, rows.middle, "@")
    result(ax, rows, now @ table)
    strip(ax, rows.bottom + 78, table, words, rows_of, done)
    return ax.figure


def result(ax: Axes, rows: Grid, color: torch.Tensor) -> None:
    """The product beside the table, as numbers and, over them, as a patch."""
    x, y = rows.right + 190, rows.bottom - ROW
    left, tip = rows.right + 104, rows.right + 118  # a bracket: the product reads all rows
    ends = [(left, rows.y + 4), (tip, rows.y + 4), (tip, rows.bottom - 4), (left, rows.bottom - 4)]
    ax.plot(*zip(*ends, strict=True), color=POSITION, lw=3)
    arrow(ax, (tip, rows.middle), (x - 4, rows.middle), POSITION)
    total = matrix(ax, x, y, color[None], None, tokens={0: POSITION}, places=4)
    label(ax, x, rows.y - 24, "row @ table")
    label(ax, total.right, total.bottom + 22, "1×3", LABEL, ha="right")
    patch(ax, x, rows.y, total.right - x, 4 * ROW - 12, color.tolist())


def strip(
    ax: Axes,
    y: float,
    table: torch.Tensor,
    words: list[str],
    rows_of: list[torch.Tensor],
    done: int,
) -> None:
    """What the rows give, patch by patch, one-hot rows first; only the first `done` are strong."""
    first, size, gap, count = 16, 170, 20, len(words)
    for k, weights in enumerate(rows_of):
        x = first + k * (size + gap) + (60 if k >= count else 0)
        patch(ax, x, y, size, 84, (weights @ table).tolist(), k >= done)
        parts = [
            words[i] if value == 1 else f"{digits(value, 1)} {words[i]}"
            for i, value in enumerate(weights.tolist())
            if value
        ]
        for line, text in enumerate(parts):
            ink = INK if k < done else PALE
            label(ax, x + size / 2, y + 106 + 26 * line, text, ink, ha="center")
    label(ax, first, y - 22, "one-hot rows: one patch per ID", LABEL)
    label(ax, first + count * (size + gap) + 60, y - 22, "other rows: no ID", LABEL)


def slide(words: list[str], table: torch.Tensor, p: torch.Tensor) -> Iterator[tuple[Figure, int]]:
    """A lone 1 jumps down the row, then part of it goes back to the top, until the row is `p`."""
    count, parts = len(words), 2
    onehot = torch.eye(count)
    rows = [*onehot, *(onehot[-1] + (p - onehot[-1]) * k / parts for k in range(1, parts + 1))]
    for k, row in enumerate(rows, 1):
        yield moment(table, words, rows, k, row), 700 if k < len(rows) else 800


def back(ax: Axes, y: float, start: float, end: float, text: str, top: float = 0) -> None:
    """A dashed arrow from right to left, its name over it; from `top` it comes down first."""
    if top:
        ax.plot([start, start], [top, y], color=BACK, lw=3, ls=(0, (3, 2)))
    style = HEAD | {"color": BACK, "ls": (0, (3, 2))}
    ax.annotate("", (end, y), (start, y), arrowprops=style)
    label(ax, (start + end) / 2, y - 22, text, BACK, ha="center")


def lane(
    ax: Axes, y: float, words: list[str], soft: torch.Tensor, out: torch.Tensor, name: str
) -> tuple[Grid, Grid]:
    """A soft row on the left, on the right the colour that comes of it, and its sum."""
    row = matrix(ax, 20, y, soft[None], None, tokens={0: POSITION}, places=1)
    for i, word in enumerate(words):
        label(ax, row.column(i), y - 20, word, LABEL, ha="center")
    label(ax, 20, y - 52, "soft")
    color = matrix(ax, 850, y, out[None], None, tokens={0: POSITION}, places=4)
    label(ax, 850, y - 24, name)
    patch(ax, color.right + 14, y, 80, ROW, out.tolist())
    arrow(ax, (color.right + 98, row.middle), (1304, row.middle), POSITION)
    label(ax, 1310, row.middle, ".sum()")
    return row, color


def way_back(
    words: list[str], p: torch.Tensor, table: torch.Tensor, gradient: torch.Tensor
) -> Figure:
    """Above, a soft row: forward to a colour, back to a gradient. Below, argmax cuts the way."""
    ax = canvas(1404, 836)
    row, color = lane(ax, 80, words, p, p @ table, "linear(soft)")
    arrow(ax, (row.right, row.middle), (color.x, row.middle), POSITION)
    weight = matrix(ax, 20, 190, table.T, None, places=4)
    for i, rgb in enumerate(table.tolist()):
        patch(ax, weight.x + i * weight.cell + 3, 168, weight.cell - 6, 20, rgb)
    label(ax, weight.right + 24, 178, "linear.weight: each word's colour is a column")
    slope = matrix(ax, 20, 388, gradient[None], None, tokens={0: BACK}, places=4)
    for i in range(len(words)):
        arrow(ax, (slope.column(i), weight.bottom - 4), (slope.column(i), slope.y + 2), BACK)
    label(ax, 20, slope.bottom + 26, "gradient: each column, added up", BACK)
    back(ax, slope.middle, 1344, slope.right + 4, "backward", row.middle + 22)
    ax.plot([12, 1392], [504, 504], color=GRID, lw=2)
    token = p.argmax().item()
    row, color = lane(ax, 610, words, p, table[token], "embedding(soft.argmax())")
    middle = 690
    arrow(ax, (row.right, row.middle), (middle - 24, row.middle), POSITION)
    label(ax, (row.right + middle - 24) / 2, row.middle - 26, "argmax", ha="center")
    chip(ax, middle, row.middle, token, POSITION)
    arrow(ax, (middle + 24, row.middle), (color.x, row.middle), POSITION)
    slope = matrix(ax, color.x, 716, torch.ones(1, 3), None, tokens={0: BACK}, places=4)
    back(ax, slope.middle, 1344, slope.right + 4, "backward", row.middle + 22)
    label(ax, slope.x, slope.bottom + 26, f"gradient of row {token} of the table", BACK)
    back(ax, slope.middle, slope.x - 4, middle + 16, "")
    ax.plot([middle, middle], [slope.y - 4, slope.bottom + 4], color=BACK, lw=6)
    label(ax, middle - 24, slope.middle, "None: no way through an ID", BACK, ha="right")
    return ax.figure


def front(
    table: torch.Tensor, places: torch.Tensor, depth: torch.Tensor, spots: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """What is seen of all averages of some colours: at each spot the colour in front, its depth.

    `places` says where each colour is on the picture, `depth` how near to the eye. The front is
    made of triangles between three of the colours; a spot beside them takes from the nearest,
    and its depth is far below all others.
    """
    best, seen = torch.full((len(spots),), -torch.inf), torch.zeros(len(spots), 3)
    for three in torch.combinations(torch.arange(len(table)), 3):
        corners = torch.cat([places[three].T, torch.ones(1, 3)])
        if corners.det().abs() < 1:  # edge-on
            continue
        shares = torch.linalg.solve(corners, torch.cat([spots.T, torch.ones(1, len(spots))])).T
        score = shares @ depth[three] + 1000 * shares.min(1).values.clamp(max=0)
        shares = shares.clamp(min=0) / shares.clamp(min=0).sum(1, keepdim=True)
        better = score > best
        best[better], seen[better] = score[better], (shares @ table[three])[better]
    return seen, best


def hull(
    words: list[str],
    table: torch.Tensor,
    names: list[str],
    named: torch.Tensor,
    walks: dict[str, torch.Tensor],
    my_target: str,
    goal: torch.Tensor,
) -> Figure:
    """All averages of the words, the face red, white, blue edge-on, and the walks to a target.

    A walk is drawn whole, dotted where it is behind the solid, but for the last steps of the
    softmax, which hardly move: there it goes straight to its end.
    """
    ax, size, face = canvas(1404, 760), 4, 800
    red, green, blue, white, yellow = table
    across = torch.linalg.cross(white - red, blue - red)
    across = across / across.norm() * torch.sign((red - green) @ across)  # away from the others
    up = (blue - red) / (blue - red).norm()  # lies in the face, so it is at right angles to across

    def at(colors: torch.Tensor) -> torch.Tensor:
        rows = colors.reshape(-1, 3) - red
        return torch.stack([face + 540 * rows @ across, 724 - 540 * rows @ up], 1)

    rim = at(torch.stack([red, blue, green, yellow]))  # white is between red and blue, in front
    ax.add_patch(shape := Polygon(rim.tolist(), fc="none", ec=INK, lw=2, zorder=2))
    spots = torch.cartesian_prod(torch.arange(0, face, size), torch.arange(4, 760, size)) + size / 2
    nearer = torch.linalg.cross(up, across)  # towards the eye
    colors, _ = front(table, at(table), (table - red) @ nearer, spots)
    tiles = colors.reshape(face // size, -1, 3).transpose(0, 1).tolist()
    extent = (0, face, 4 + len(tiles) * size, 4)
    style = {"interpolation": "nearest", "aspect": "auto", "zorder": 1}
    ax.imshow(tiles, extent=extent, **style).set_clip_path(shape)
    for edge in (green, yellow):  # the edges that face us, so that the solid looks solid
        ax.plot(*at(torch.stack([white, edge])).T, color=PALE, lw=1.2)
    halo = {"path_effects": [withStroke(linewidth=5, foreground="white")]}
    lines = {"softmax": ((INK, 6.5), ("white", 2.5)), "any amounts": (("white", 8), (INK, 3))}
    end = walks["softmax"][-1]
    for kind, walk in walks.items():
        walk = torch.cat([walk[:20], end[None]]) if kind == "softmax" else walk
        fine = walk[:-1, None] + torch.linspace(0, 1, 9)[:-1, None] * walk.diff(dim=0)[:, None]
        fine = torch.cat([fine.reshape(-1, 3), walk[-1:]])
        spots, (_, rear) = at(fine), front(table, at(table), (red - table) @ nearer, at(fine))
        behind = ((fine - red) @ nearer < -rear) & (rear > -10)
        hidden = behind.long().cumprod(0).sum().item()  # so many points, all at the beginning
        for color, width in lines[kind]:
            ax.plot(*spots[hidden:].T, color=color, lw=width, solid_capstyle="round", zorder=1.9)
        dots = {"color": PALE, "lw": 4, "ls": (0, (0.1, 1.8)), "dash_capstyle": "round"}
        ax.plot(*spots[: hidden + 1].T, **dots)
        (x, y), color = spots[0].tolist(), walk[0].clamp(0, 1).tolist()
        ax.plot(x, y, "o", ms=18, color=color, mec="white", mew=2.5, zorder=3)
        if kind == "softmax":
            label(ax, x + 36, y - 66, kind, ha="right", weight="bold", **halo)
            label(ax, x + 36, y - 40, "start: equal amounts", ha="right", **halo)
        else:
            label(ax, 20, y + 58, kind, weight="bold")
            label(ax, 20, y + 86, "start: black, behind the solid")
            ax.plot([386, x - 12], [y + 80, y + 6], color=INK, lw=1.5, zorder=3)
    # Dashes begin at whole pixels: they carry a rounding error of the walk along the whole line.
    ax.plot(*at(torch.stack([end, goal])).round().T, color=INK, lw=3, ls=(0, (2, 2)))
    for word, (x, y), color in zip(words, at(table).tolist(), table.tolist(), strict=True):
        ax.plot(x, y, "o", ms=22, color=color, mec=INK, mew=2)
        side = 26 if x > face - 10 else -26
        text = f"{word}, towards you" if word == "white" else word
        label(ax, x + side, y, text, ha="left" if side > 0 else "right", weight="bold")
    mauve = named[names.index("mauve")]
    for name, color, size, above in ((my_target, goal, 40, 46), ("mauve", mauve, 34, 40)):
        ((x, y),) = at(color).tolist()
        ax.plot(x, y, "*", ms=size + 6, color="white", mec="white", mew=2)
        ax.plot(x, y, "*", ms=size, color=color.tolist(), mec=INK, mew=2)
        label(ax, x, y - above, name, ha="center", weight="bold", **halo)
    ((x, y),) = at(end).tolist()
    ax.plot(x, y, "o", ms=14, color=end.tolist(), mec=INK, mew=2, zorder=3)
    ax.plot([x + 8, x + 34], [y + 14, y + 88], color=INK, lw=1.5)
    label(ax, x + 36, y + 104, "softmax ends:")
    label(ax, x + 36, y + 132, "no average is nearer")
    for line, text in enumerate(("every average of the", "five words lies", "in this solid")):
        label(ax, 20, 40 + 28 * line, text)
    return ax.figure
