"""Note 14_fsdp: which layers of a tied model are in one group, and when a gradient arrives."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.nn import Module

from course.draw import (
    BIG_FONT,
    BLACK,
    LABEL_COLOR,
    PALE_COLOR,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_id,
    draw_outline,
    draw_text,
)

COLORS = [TOKEN_COLORS[1], TOKEN_COLORS[2], TOKEN_COLORS[3]]  # of a group, by its number
WIDTH, STEP, HEIGHT, SIZE, SMALL = 130, 136, 58, 22, 19


def groups(tied_model: Callable, ways: Callable) -> Figure:
    """Draw the layers in the colours of their groups, and the tables that they then have."""
    ax = canvas(1404, 316)
    for k, name in enumerate(["model", "pair, model", "one by one"]):
        left = 468 * k + 33
        model = tied_model()
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


def late_gradient(printed: list[str]) -> Figure:
    """Draw the first two ways of three steps: when does a look-up's gradient reach `.grad`?"""
    ax = canvas(1404, 516)
    for step in range(3):
        draw_text(ax, slot_x(step, 1.5) - 34, 30, f"step {step + 1}", ha="center")
        draw_id(ax, slot_x(step, 1.5) + 44, 30, step + 1)
    for step in (1, 2):
        x = slot_x(step, -0.5)
        ax.plot([x, x], [76, 506], color=PALE_COLOR, lw=2, ls=(0, (4, 4)))
        draw_text(ax, x, 22, "step()", LABEL_COLOR, ha="center")
        draw_text(ax, x, 50, "zero_grad()", LABEL_COLOR, ha="center")
    lines = [line for line in printed if line.startswith("#")]
    for k, line in enumerate(lines[:2]):
        name, noted = line.removeprefix("# ").split(":")
        draw_way(ax, 70 + 228 * k, name, noted.split())
    return ax.figure


def draw_way(ax: Axes, y: float, name: str, noted: list[str]) -> None:
    """Draw three steps of one way, and below them the rows that were noted in `.grad`."""
    is_inside = name.endswith("inside")
    draw_text(ax, 12, y + 22, name, weight="bold")
    draw_text(ax, 12, y + 186, ".grad")
    for step in range(3):
        left, width = slot_x(step, 0) - 46, 302 if is_inside else 92
        draw_outline(ax, left, y + 44, width, 74, PALE_COLOR, 2)
        draw_text(ax, slot_x(step, 0), y + 81, "forward", ha="center", size=SMALL)
        for slot in (1, 2):
            draw_part(ax, slot_x(step, slot), y + 81, 84, "chunk", PALE_COLOR)
        x = slot_x(step, 3)
        draw_part(ax, x, y + 81, 92, "look-up", TOKEN_COLORS[step + 1])
        arrival = noted.index(str(step + 1)) if str(step + 1) in noted else 9
        end = slot_x(arrival // 3, arrival % 3 + 1)
        draw_arrow(ax, (x, y + 110), (min(end, 1400), y + 160), TOKEN_COLORS[step + 1])
    for place, row in enumerate(noted):
        x = slot_x(place // 3, place % 3 + 1)
        if row.isdigit():
            draw_id(ax, x, y + 186, int(row))
        else:
            draw_text(ax, x, y + 186, row, PALE_COLOR, ha="center")


def draw_part(ax: Axes, x: float, y: float, width: float, name: str, color: str) -> None:
    """Draw a part of a step: its name, white, in a solid box."""
    ax.add_artist(Rectangle((x - width / 2, y - 27), width, 54, fc=color, ec="none"))
    draw_text(ax, x, y, name, "white", SMALL, ha="center", weight="bold")


def slot_x(step: int, slot: float) -> float:
    """Return the middle of a part of a step: forward, two chunks, look-up."""
    return 142 + 428 * step + 104 * slot
