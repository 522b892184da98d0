"""Note 14_fsdp: which layers of a tied model one call of fully_shard puts together."""

from collections.abc import Callable

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.nn import Module

from course.draw import BIG_FONT, BLACK, TOKEN_COLORS, canvas, draw_arrow, draw_text

COLORS = [TOKEN_COLORS[1], TOKEN_COLORS[2], TOKEN_COLORS[3]]  # of a group, by its number
WIDTH, STEP, HEIGHT, SIZE = 130, 136, 58, 22


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
