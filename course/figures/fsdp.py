"""Note 14_fsdp: what a machine holds of a table, and which mark makes a gradient late."""

from collections.abc import Callable
from typing import Any

import torch.distributed as dist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn import Module

from course.draw import (
    BIG_FONT,
    BLACK,
    GRID_COLOR,
    PALE_COLOR,
    TOKEN_COLORS,
    Point,
    canvas,
    draw_arrow,
    draw_outline,
    draw_solid_box,
    draw_text,
)

TABLE_COLOR, ROW_COLOR = TOKEN_COLORS[1], TOKEN_COLORS[2]
PASS_COLORS = {"chunk": TOKEN_COLORS[0], "h": TOKEN_COLORS[1]}  # of rows 0 and 1, which they reach


def bill(sizes: dict[str, int]) -> Figure:
    """Draw what one machine has of the table and of its gradient, before, in and after a step."""
    ax = canvas(1404, 434)
    top, width, height, step = 30, 200, 300, 380
    panels = {  # its name, what fills it, and whether the row that was looked up is in it
        "holds": ("weight", TABLE_COLOR, False),
        "looks up in": ("weight", TABLE_COLOR, True),
        "makes a gradient of": ("grad", "white", True),
        "keeps": ("grad", "white", True),
    }
    for k, (part, (name, color, has_row)) in enumerate(panels.items()):
        left = 32 + step * k
        middle, share = left + width / 2, sizes[part] / max(sizes.values()) * height
        is_whole, edge = share == height, {"ec": PALE_COLOR, "lw": 1.5}
        outline = {"fill": False, "ls": (0, (4, 4))}
        ax.add_artist(Rectangle((left, top), width, height, **outline, **edge))
        ax.add_artist(Rectangle((left, top), width, share, fc=color, **edge))
        if has_row:
            ax.add_artist(Rectangle((left, top), width, 2.5, fc=ROW_COLOR, ec="none"))
        if is_whole:
            draw_text(ax, left - 116, top + 2, "ID 0", ROW_COLOR, BIG_FONT, weight="bold")
            draw_arrow(ax, (left - 50, top + 2), (left, top + 2), ROW_COLOR)
        if color == "white" and is_whole:
            draw_text(ax, middle, top + height / 2, "0", size=40, ha="center")
        draw_text(ax, middle, top + height + 34, name, size=BIG_FONT, ha="center")
        size = f"{sizes[part]} GB"
        draw_text(ax, middle, top + height + 74, size, size=BIG_FONT, ha="center", weight="bold")
        if k:
            operation = ["all-gather", "backward", "reduce-\nscatter"][k - 1]
            start, y = left - step + width, top + 160
            draw_arrow(ax, (start + 8, y), (left - 8, y), BLACK)
            place = ((start + left) / 2, y - 20)
            draw_text(ax, *place, operation, size=24, ha="center", va="bottom", linespacing=1.1)
    return ax.figure


def late_gradient(
    make_model: Callable[[], Module], ways: Callable[..., Any], three_steps: Callable[..., Any]
) -> Figure:
    """Draw what each backward pass sends to `.grad`, and the marks that the next pass finds."""
    ax, (first_x, second_x, h_x, next_x) = canvas(1404, 500), (300, 580, 860, 1200)
    ax.plot([1030, 1030], [10, 490], color=PALE_COLOR, lw=2, ls=(0, (4, 4)))
    draw_text(ax, second_x, 30, "step 1", size=BIG_FONT, ha="center")
    draw_text(ax, next_x, 30, "step 2", size=BIG_FONT, ha="center")
    for y, chunks in [(96, 2), (320, 1)]:
        (step, next_step, _), marks = run_sharded(make_model, ways, three_steps, chunks)
        draw_text(ax, 8, y, f"chunks={chunks}", size=BIG_FONT, weight="bold")
        draw_text(ax, 8, y + 116, ".grad", size=BIG_FONT)
        places = [*[first_x, second_x][:chunks], h_x]
        names = [*[f"chunk {k + 1}" for k in range(chunks)], "h"]
        for k, (x, name) in enumerate(zip(places, names, strict=True)):
            draw_pass(ax, (x, y), name, step[k], step[k + 1])
            if k:
                label = "mark" if marks[k] else "no mark"
                color, weight = (BLACK, "bold") if marks[k] else (PALE_COLOR, "normal")
                draw_arrow(ax, (places[k - 1] + 64, y), (x - 64, y), color)
                middle = (places[k - 1] + x) / 2
                draw_text(ax, middle, y - 24, label, size=24, ha="center", weight=weight)
        draw_pass(ax, (next_x, y), "chunk 1", *next_step[:2])
        if step[-1] == step[-2]:
            draw_arrow(ax, (h_x + 64, y + 10), (next_x - 64, y + 136), PASS_COLORS["h"])
    return ax.figure


def run_sharded(
    make_model: Callable[[], Module],
    ways: Callable[..., Any],
    three_steps: Callable[..., Any],
    chunks: int,
) -> tuple[list[list[list[float]]], list[bool]]:
    """Train the model with a pair in this process alone, the loop in `forward`.

    Return for each step the norms of the rows of `.grad`, before the first pass and after each;
    and for each pass of all steps, whether the pair is marked as sent when it begins.
    """
    dist.init_process_group("fake", rank=0, world_size=1)
    try:
        model, mesh = make_model(), init_device_mesh("cpu", (1,))
        for part in ways(model)["pair, hidden, model"]:
            fully_shard(part, mesh=mesh)
        embedding: Any = model.get_submodule("embedding")
        marks: list[bool] = []

        def note_mark(*_: object) -> None:
            (group,) = embedding._get_fsdp_state()._fsdp_param_groups
            marks.append(group._training_state.name == "POST_BACKWARD")

        model.get_submodule("head").register_forward_pre_hook(note_mark, prepend=True)
        model.register_forward_hook(note_mark)  # before the pass from h
        return three_steps(model, "in forward", chunks), marks
    finally:
        dist.destroy_process_group()


def draw_pass(ax: Axes, middle: Point, name: str, before: list[float], after: list[float]) -> None:
    """Draw a backward pass, and below it the first two rows of `.grad`."""
    x, y = middle
    color = PASS_COLORS[name.split()[0]]
    draw_solid_box(ax, middle, 128, 48, name, color, 24)
    if after != before:
        draw_arrow(ax, (x, y + 26), (x, y + 76), color)
    for row, row_color in enumerate(PASS_COLORS.values()):
        row_y = y + 96 + 40 * row
        if after[row]:
            draw_solid_box(ax, (x, row_y), 128, 36, f"row {row}", row_color)
        else:
            draw_outline(ax, x - 64, row_y - 18, 128, 36, GRID_COLOR, 2)
            draw_text(ax, x, row_y, "0", ha="center")
