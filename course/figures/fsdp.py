"""Note 14_fsdp: what a machine holds of a table, and which layers of a model are in one group."""

from collections.abc import Callable

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.nn import Module

from course.draw import (
    BIG_FONT,
    BLACK,
    PALE_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_text,
)

COLORS = [TOKEN_COLORS[1], TOKEN_COLORS[2], TOKEN_COLORS[3]]  # of a group, by its number
WIDTH, STEP, HEIGHT, SIZE = 130, 136, 58, 22


def bill(sizes: dict[str, int]) -> Figure:
    """Draw what one machine has of the table and of its gradient, before, in and after a step."""
    ax = canvas(1404, 436)
    top, width, height = 24, 190, 320
    table, zeros = COLORS[0], "white"
    panels = {  # what fills the part, and whether the row that was looked up can be seen there
        "holds": (table, False),
        "looks up in": (table, True),
        "makes a gradient of": (zeros, True),
        "keeps": (zeros, True),
    }
    for k, (part, (color, has_row)) in enumerate(panels.items()):
        left = 40 + 378 * k
        middle, share = left + width / 2, sizes[part] / max(sizes.values()) * height
        whole = {"fill": False, "ec": PALE_COLOR, "lw": 1.5, "ls": (0, (4, 4))}
        ax.add_artist(Rectangle((left, top), width, height, **whole))
        ax.add_artist(Rectangle((left, top), width, share, fc=color, ec=PALE_COLOR, lw=1.5))
        if has_row:
            ax.add_artist(Rectangle((left, top), width, 2.5, fc=COLORS[1], ec="none"))
        if color == zeros and share == height:
            draw_text(ax, middle, top + height / 2, "0", size=BIG_FONT, ha="center")
        draw_text(ax, middle, top + height + 32, part, size=SIZE, ha="center")
        size = f"{sizes[part]} GB"
        draw_text(ax, middle, top + height + 70, size, size=BIG_FONT, ha="center", weight="bold")
    for k, name in enumerate(["all-gather", "backward", "reduce-\nscatter"]):
        start, end = 40 + 378 * k + width + 14, 40 + 378 * (k + 1) - 14
        draw_arrow(ax, (start, top + 160), (end, top + 160), BLACK)
        draw_text(ax, (start + end) / 2, top + 128, name, ha="center", va="bottom")
    return ax.figure


def groups(make_model: Callable, ways: Callable) -> Figure:
    """Draw the layers in the colours of their groups, and the tables that they then have."""
    ax = canvas(1404, 350)
    for k, name in enumerate(["model", "hidden, model", "layers"]):
        left = 468 * k + 33
        model = make_model()
        owners = group_numbers(model, ways(model)[name])
        draw_text(ax, left + 201, 32, name, size=BIG_FONT, ha="center", weight="bold")
        for j, (layer, owner) in enumerate(owners.items()):
            draw_box(ax.add_artist, left + STEP * j, 70, COLORS[owner])
            x = left + STEP * j + WIDTH / 2
            draw_text(ax, x, 99, layer, "white", SIZE, ha="center", weight="bold")
        both = [left + WIDTH / 2, left + 2 * STEP + WIDTH / 2]  # the middles of embedding and head
        is_one = owners["embedding"] == owners["head"]
        for layer, x in zip(["embedding", "head"], both, strict=True):
            middle = sum(both) / 2 if is_one else x
            draw_box(ax.add_artist, middle - WIDTH / 2, 240, COLORS[owners[layer]])
            draw_text(ax, middle, 269, "weight", "white", SIZE, ha="center", weight="bold")
            draw_arrow(ax, (x, 132), (middle + (x - middle) * 0.3, 236), BLACK)
        if not is_one:
            draw_text(ax, sum(both) / 2, 330, "no error", size=BIG_FONT, ha="center", weight="bold")
    return ax.figure


def group_numbers(model: Module, parts: list) -> dict[str, int]:
    """Return for each layer the number of the first call of fully_shard that reaches it."""
    numbers: dict[str, int] = {}
    for number, part in enumerate(parts):
        roots = part if isinstance(part, list) else [part]
        reached = {layer for root in roots for layer in root.modules()}
        for name, layer in model.named_children():
            if layer in reached:
                numbers.setdefault(name, number)
    return {name: numbers[name] for name, _ in model.named_children()}


def draw_box(add: Callable, x: float, y: float, color: str) -> None:
    """Draw a filled box."""
    add(Rectangle((x, y), WIDTH, HEIGHT, fc=color, ec="white"))
