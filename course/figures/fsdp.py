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
    draw_solid_box,
    draw_text,
    tint,
)

COLORS = [TOKEN_COLORS[1], TOKEN_COLORS[2], TOKEN_COLORS[3]]  # of a group, by its number
WIDTH, STEP, HEIGHT, SIZE = 140, 147, 58, 24  # of a layer


def bill(sizes: dict[str, int]) -> Figure:
    """Draw what one machine has of the table and of its gradient, before, in and after a step."""
    ax = canvas(1404, 448)
    top, width, height, step, back = 44, 190, 300, 376, 14
    table, row = COLORS[0], COLORS[1]
    panels = {  # its name, what fills it, and whether the row that was looked up is in it
        "holds": ("weight", table, False),
        "looks up in": ("weight", table, True),
        "makes a gradient of": ("grad", "white", True),
        "keeps": ("grad", "white", True),
    }
    for k, (part, (name, color, has_row)) in enumerate(panels.items()):
        left = 36 + step * k
        middle, share = left + width / 2, sizes[part] / max(sizes.values()) * height
        is_whole, edge = share == height, {"ec": PALE_COLOR, "lw": 1.5}
        if is_whole:  # FSDP makes a copy, to look up in or to send
            corner = (left + back, top - back)
            ax.add_artist(Rectangle(corner, width, height, fc=tint(PALE_COLOR), **edge))
        outline = {"fill": False, "ls": (0, (4, 4))}
        ax.add_artist(Rectangle((left, top), width, height, **outline, **edge))
        ax.add_artist(Rectangle((left, top), width, share, fc=color, **edge))
        if has_row:
            ax.add_artist(Rectangle((left, top), width, 2.5, fc=row, ec="none"))
        if is_whole:
            draw_text(ax, left - 116, top + 2, "ID 0", row, BIG_FONT, weight="bold")
            draw_arrow(ax, (left - 50, top + 2), (left, top + 2), row)
        if color == "white" and is_whole:
            draw_text(ax, middle, top + height / 2, "0", size=40, ha="center")
        draw_text(ax, middle, top + height + 34, name, size=BIG_FONT, ha="center")
        size = f"2 · {sizes[part]} GB" if is_whole else f"{sizes[part]} GB"
        draw_text(ax, middle, top + height + 74, size, size=BIG_FONT, ha="center", weight="bold")
    for k, name in enumerate(["all-gather", "backward", "reduce-\nscatter"]):
        start = 36 + step * k + width + (back if k in (1, 2) else 0)
        end, y = 36 + step * (k + 1), top + 160
        draw_arrow(ax, (start + 8, y), (end - 8, y), BLACK)
        place = ((start + end) / 2, y - 20)
        draw_text(ax, *place, name, size=24, ha="center", va="bottom", linespacing=1.1)
    return ax.figure


def groups(make_model: Callable, ways: Callable) -> Figure:
    """Draw the layers in the colours of their groups, and the tables that they then have."""
    ax = canvas(1404, 316)
    for k, name in enumerate(["model", "hidden, model", "layers"]):
        left = 480 * k + 5
        model = make_model()
        owners = group_numbers(model, ways(model)[name])
        middle_x = left + STEP + WIDTH / 2
        draw_text(ax, middle_x, 30, name, size=BIG_FONT, ha="center", weight="bold")
        for j, (layer, owner) in enumerate(owners.items()):
            middle = (left + STEP * j + WIDTH / 2, 92)
            draw_solid_box(ax, middle, WIDTH, HEIGHT, layer, COLORS[owner], SIZE)
        ends = [left + WIDTH / 2, left + 2 * STEP + WIDTH / 2]  # the middles of embedding and head
        is_one = owners["embedding"] == owners["head"]
        for layer, x in zip(["embedding", "head"], ends, strict=True):
            middle = (middle_x if is_one else x, 276)
            draw_solid_box(ax, middle, WIDTH, HEIGHT, "weight", COLORS[owners[layer]], SIZE)
            end = middle[0] + (x - middle[0]) * 0.3
            draw_arrow(ax, (x, 120), (end, 248), COLORS[owners[layer]])
        if not is_one:
            draw_text(ax, middle_x, 276, "≠", size=44, ha="center", weight="bold")
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
