"""Chapter 6: the scores of the next word, and the table's rows on a map during training."""

from collections import Counter
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    BLACK,
    GRID_COLOR,
    LABEL_COLOR,
    PALE_COLOR,
    ROW_HEIGHT,
    TOKEN_COLORS,
    canvas,
    draw_arrow,
    draw_id,
    draw_matrix,
    draw_text,
    number_text,
    tint,
)

COLUMN_WIDTH = 74  # of a word
HEIGHT = 740  # of words_walk
MAP_TOP, MAP_WIDTH = 56, 960  # of the map in it, which reaches down to its edge


def draw_bars(
    ax: Axes, x: float, y: float, shares: list[float], colors: list[str], texts: list[str]
) -> None:
    """Draw a bar for each word, from y upwards, with its number on top."""
    ax.plot([x, x + COLUMN_WIDTH * len(shares)], [y, y], color=LABEL_COLOR, lw=2)
    for i, (share, bar_color, text) in enumerate(zip(shares, colors, texts, strict=True)):
        left, height = x + i * COLUMN_WIDTH, round(300 * share)
        ax.add_patch(Rectangle((left + 13, y - height), COLUMN_WIDTH - 26, height, fc=bar_color))
        color = BLACK if share else PALE_COLOR
        draw_text(ax, left + COLUMN_WIDTH / 2, y - height - 16, text, color, ha="center")


def next_token(
    words: list[str],
    vocabulary: list[str],
    followers: dict[str, Counter[str]],
    embedding: torch.nn.Embedding,
    head: torch.nn.Linear,
) -> Figure:
    """Draw the first word's row, its scores and probabilities, and what follows it in the text."""
    ax, word, x = canvas(1404, 540), words[0], 136
    colors = [TOKEN_COLORS[words.index(next_word) % 5] for next_word in vocabulary]
    row = embedding.weight.detach()[:1].float()
    scores = head(embedding.weight[0]).detach()
    draw_text(ax, 40, 74, word, colors[0], ha="center", weight="bold")
    draw_text(ax, 128, 34, "ID", ha="center")
    draw_id(ax, 128, 74, 0, colors[0])
    draw_arrow(ax, (64, 74), (104, 74), colors[0])
    row_grid = draw_matrix(ax, 250, 74 - ROW_HEIGHT / 2, row, None, owners={0: colors[0]})
    draw_text(ax, row_grid.x, 34, "embedding.weight[0]")
    draw_arrow(ax, (150, 74), (row_grid.x, 74), colors[0])
    scores_y = 166
    middle = x + 17 * COLUMN_WIDTH / 2
    draw_text(ax, middle + 30, 74, "head: (2,) → (17,)", LABEL_COLOR)
    draw_arrow(ax, (row_grid.right, 74), (middle, scores_y - 30), LABEL_COLOR, corner=True)
    ax.plot([x, x + 17 * COLUMN_WIDTH], [scores_y - 28, scores_y - 28], color=LABEL_COLOR, lw=3)
    for i, (next_word, score) in enumerate(zip(vocabulary, scores.tolist(), strict=True)):
        left = x + i * COLUMN_WIDTH
        middle, style = left + COLUMN_WIDTH / 2, {"ha": "center", "weight": "bold"}
        draw_text(ax, middle, scores_y, next_word, colors[i], **style)
        corner, style = (left, scores_y + 22), {"fc": "white", "ec": GRID_COLOR, "lw": 1.5}
        ax.add_patch(Rectangle(corner, COLUMN_WIDTH, ROW_HEIGHT, **style))
        text = number_text(round(score, 2), 2)
        draw_text(ax, left + COLUMN_WIDTH - 8, scores_y + 22 + ROW_HEIGHT / 2, text, ha="right")
    softmax_y, text_y = 330, 500
    draw_text(ax, x - 16, scores_y + 22 + ROW_HEIGHT / 2, "logits", ha="right")
    draw_text(ax, x - 16, softmax_y - 40, "softmax", ha="right")
    draw_text(ax, x - 16, text_y - 40, "share[0]", ha="right")
    probabilities = scores.softmax(0).tolist()
    draw_bars(ax, x, softmax_y, probabilities, colors, [f"{share:.2f}" for share in probabilities])
    counts, total = followers[word], followers[word].total()
    follower_counts = [counts[next_word] for next_word in vocabulary]
    right = x + 17 * COLUMN_WIDTH
    draw_text(ax, right, 34, "step 0", LABEL_COLOR, ha="right")
    texts = [f"{n}/{total}" if n else "0" for n in follower_counts]
    draw_bars(ax, x, text_y, [n / total for n in follower_counts], colors, texts)
    return ax.figure


def draw_expected_kinds(
    ax: Axes, view: torch.Tensor, head: list[torch.Tensor], kinds: torch.Tensor
) -> None:
    """Tint the map: each tile in the colour of the kind of word that is expected next there.

    `view` holds the map's left, lower, right and upper edge.
    """
    tile = 2  # pixels
    sides = MAP_WIDTH, HEIGHT - MAP_TOP
    xs, ys = (torch.arange(tile / 2, n, tile, dtype=view.dtype) / n for n in sides)
    width, height = (view[2:] - view[:2]).tolist()
    centers = torch.cartesian_prod(view[3] - ys * height, view[0] + xs * width).flip(1)
    weight, bias = head
    shares = (centers @ weight.T + bias).softmax(1)
    expected_kinds = torch.stack([shares[:, kinds == k].sum(1) for k in range(5)], 1).argmax(1)
    colors = ListedColormap([tint(color) for color in TOKEN_COLORS[:5]])
    extent = (0, len(xs) * tile, MAP_TOP + len(ys) * tile, MAP_TOP)
    style = {"cmap": colors, "vmin": 0, "vmax": 4, "interpolation": "nearest", "zorder": 0}
    ax.imshow(expected_kinds.reshape(len(ys), len(xs)).tolist(), extent=extent, **style)


def draw_words(
    ax: Axes, points: torch.Tensor, ends: torch.Tensor, kinds: torch.Tensor, vocabulary: list[str]
) -> None:
    """Draw each word beside its point; words of a kind whose points are close are stacked.

    `ends`, the points at the last step, decide on which side of its points a kind's words stand.
    A word that has left its kind to the left has its path on the right, so it stands on the left.
    """
    points = points + torch.arange(len(points))[:, None] / 1000  # no two in one place
    for k, color in enumerate(TOKEN_COLORS[:5]):
        members = (kinds == k).nonzero().flatten()
        side = 1 if ends[members, 0].median() > ends[:, 0].mean() - 60 else -1
        shift, limit = {1: (42, 3), 2: (-38, 1)}.get(k, (0, 0))  # off their paths
        closeness = (torch.cdist(points[members], points[members]) < 70).float().matrix_power(4) > 0
        for i, is_close in zip(members, closeness, strict=True):
            group = points[members][is_close]
            left = len(group) == 1 and points[i, 0] < points[members, 0].mean()
            sign = -1 if left else side
            x = (group[:, 0] * sign).amax().item() * sign + 18 * sign
            rank = (group[:, 1] < points[i, 1]).sum().item() - (len(group) - 1) / 2
            y = group[:, 1].mean().item() + 27 * rank + shift * (len(group) > limit)
            style = {"ha": "left" if sign > 0 else "right", "weight": "bold", "zorder": 5}
            text = vocabulary[i] if len(members) > 1 else f"“{vocabulary[i]}”"
            draw_text(ax, x, y, text, color, 23 if len(members) > 1 else 34, **style)


def draw_losses(ax: Axes, losses: torch.Tensor, step: int) -> None:
    """Draw two losses from step 150 to a step, on fixed scales, logarithmic for the steps."""
    left, right, top, bottom = MAP_WIDTH + 82, 1384, MAP_TOP + 110, HEIGHT - 90

    def points_of(steps: torch.Tensor, loss: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        fraction = (steps / 150).log() / torch.tensor(2000 / 150).log()
        return left + fraction * (right - left), bottom - (loss - 1.05) / 0.18 * (bottom - top)

    draw_text(ax, left - 48, 28, "loss", weight="bold", size=24)
    for tick in (1.1, 1.2):
        y = points_of(torch.ones(1), torch.tensor(tick))[1].item()
        ax.plot([left, right], [y, y], color=GRID_COLOR, lw=1.5, zorder=0)
        draw_text(ax, left - 12, y, f"{tick}", LABEL_COLOR, ha="right")
    for tick, align in ((150, "center"), (400, "center"), (2000, "right")):
        x = points_of(torch.tensor(float(tick)), torch.ones(1))[0].item()
        ax.plot([x, x], [bottom, bottom + 12], color=LABEL_COLOR, lw=2)
        draw_text(ax, x, bottom + 32, f"{tick:,}", LABEL_COLOR, ha=align)
    draw_text(ax, right, HEIGHT - 22, "step, log scale", LABEL_COLOR, ha="right")
    curves = (("text", 1.085, 2, "normal"), ("new sentences", 1.222, 5, "bold"))
    for loss, (name, name_loss, width, weight) in zip(losses, curves, strict=True):
        y = points_of(torch.ones(1), torch.tensor(name_loss))[1].item()
        draw_text(ax, left + 6, y, name, size=24, weight=weight)
        steps = torch.arange(150, step + 1)
        xs, ys = points_of(steps, loss[steps])
        ax.plot(xs, ys, color=BLACK, lw=width)
        ax.plot(xs[-1], ys[-1], "o", ms=12, color=BLACK, mec="white", mew=1.5)
        lowest_step = loss.argmin().item()
        if 150 < lowest_step < min(step, len(loss) - 1):  # the loss rises again
            x, y = (
                value.item() for value in points_of(torch.tensor(lowest_step), loss[lowest_step])
            )
            ax.plot(x, y, "o", ms=12, color="white", mec=BLACK, mew=3)
            for text, offset in (("lowest", 62), (f"at {lowest_step}", 32)):
                draw_text(ax, x, y - offset, text, ha="center")


def words_walk(
    path: list[list[torch.Tensor]],
    words: list[str],
    vocabulary: list[str],
    ids: torch.Tensor,
    new_ids: torch.Tensor,
) -> Iterator[tuple[Figure, int]]:
    """Draw the table's rows on a map, from step 400 on, and two losses.

    The words that lack a follower in the text are ringed.
    """
    kinds = torch.tensor([words.index(word) % 5 for word in vocabulary])
    tables = torch.stack([table for table, *_ in path])  # (steps + 1, V, 2)
    logs = torch.stack([(table @ head.T + bias).log_softmax(1) for table, head, bias in path])
    losses = torch.stack(
        [-logs[:, text[..., :-1], text[..., 1:]].flatten(1).mean(1) for text in (ids, new_ids)]
    )
    low, high = tables.amin((0, 1)), tables.amax((0, 1))
    margin = torch.tensor([1.8, 0.9, 1.2, 0.6], dtype=tables.dtype)
    view = torch.cat([low - margin[:2], high + margin[2:]])
    scale = torch.tensor([MAP_WIDTH, HEIGHT - MAP_TOP]) / (view[2:] - view[:2])
    x, y = (tables[..., 0] - view[0]) * scale[0], (view[3] - tables[..., 1]) * scale[1] + MAP_TOP
    points = torch.stack([x, y], 2)
    known = set(zip(words, words[1:], strict=False))
    pairs = {pair for line in new_ids.tolist() for pair in zip(line, line[1:], strict=False)}
    lacking = {i for i, after in pairs if (vocabulary[i], vocabulary[after]) not in known}
    first_step, last_step = 400, len(path) - 1
    milliseconds = {first_step: 1000, last_step: 1500}
    for step in [round(first_step * (last_step / first_step) ** (k / 6)) for k in range(7)]:
        ax = canvas(1404, HEIGHT)
        draw_expected_kinds(ax, view, path[step][1:], kinds)
        draw_text(ax, 14, 28, f"step {step:5,}", weight="bold", size=24)
        draw_text(ax, 300, 28, "background: the words expected next", LABEL_COLOR, size=24)
        for i, k in enumerate(kinds.tolist()):
            ax.plot(*points[: step + 1, i].T, color=TOKEN_COLORS[k], lw=2.5)
            ax.plot(*points[0, i], "o", ms=9, color=TOKEN_COLORS[k], mfc="white", mew=2)
            style = {"mec": "white", "mew": 1.5, "zorder": 4}
            if i in lacking:
                style = {"mec": BLACK, "mew": 2.5, "zorder": 4.5}
            ax.plot(*points[step, i], "o", ms=15, color=TOKEN_COLORS[k], **style)
        draw_words(ax, points[step], points[-1], kinds, vocabulary)
        draw_losses(ax, losses, step)
        yield ax.figure, milliseconds.get(step, 180)
