"""Chapter 6: a word and what comes next, and the words as they walk about their map."""

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

WIDE = 74  # a word's column
HEIGHT, TOP, MAP = 740, 56, 960  # of the map's sheet; where the map begins, and its width


def bars(
    ax: Axes, x: float, y: float, shares: list[float], colors: list[str], texts: list[str]
) -> None:
    """A bar for each word, standing on y, with its number on top."""
    ax.plot([x, x + WIDE * len(shares)], [y, y], color=LABEL_COLOR, lw=2)
    for i, (share, color, text) in enumerate(zip(shares, colors, texts, strict=True)):
        left, height = x + i * WIDE, round(300 * share)
        ax.add_patch(Rectangle((left + 13, y - height), WIDE - 26, height, fc=color))
        ink = BLACK if share else PALE_COLOR
        draw_text(ax, left + WIDE / 2, y - height - 16, text, ink, ha="center")


def next_token(
    words: list[str],
    vocabulary: list[str],
    followers: dict[str, Counter],
    embedding: torch.nn.Embedding,
    head: torch.nn.Linear,
) -> Figure:
    """The first word's row, its scores and probabilities, and what the text has after it."""
    ax, word, x = canvas(1404, 540), words[0], 136
    colors = [TOKEN_COLORS[words.index(other) % 5] for other in vocabulary]
    row = embedding.weight.detach()[:1].float()
    scores = head(embedding.weight[0]).detach()
    draw_text(ax, 40, 74, word, colors[0], ha="center", weight="bold")
    draw_text(ax, 128, 34, "ID", ha="center")
    draw_id(ax, 128, 74, 0, colors[0])
    draw_arrow(ax, (64, 74), (104, 74), colors[0])
    source = draw_matrix(ax, 250, 74 - ROW_HEIGHT / 2, row, None, owners={0: colors[0]})
    draw_text(ax, source.x, 34, "its row of the table")
    draw_arrow(ax, (150, 74), (source.x, 74), colors[0])
    strip = 166
    middle = x + 17 * WIDE / 2
    draw_text(ax, middle + 30, 74, "head: 2 numbers → 17 scores", LABEL_COLOR)
    draw_arrow(ax, (source.right, 74), (middle, strip - 30), LABEL_COLOR, corner=True)
    ax.plot([x, x + 17 * WIDE], [strip - 28, strip - 28], color=LABEL_COLOR, lw=3)
    for i, (other, score) in enumerate(zip(vocabulary, scores.tolist(), strict=True)):
        left = x + i * WIDE
        draw_text(ax, left + WIDE / 2, strip, other, colors[i], ha="center", weight="bold")
        ax.add_patch(
            Rectangle((left, strip + 22), WIDE, ROW_HEIGHT, fc="white", ec=GRID_COLOR, lw=1.5)
        )
        text = number_text(round(score, 2), 2)
        draw_text(ax, left + WIDE - 8, strip + 22 + ROW_HEIGHT / 2, text, ha="right")
    low, base = 330, 500
    for y, text in (
        (strip + 22 + ROW_HEIGHT / 2, "scores"),
        (low - 40, "softmax"),
        (base - 40, "the text"),
    ):
        draw_text(ax, x - 16, y, text, ha="right")
    chances = scores.softmax(0).tolist()
    bars(ax, x, low, chances, colors, [f"{share:.2f}" for share in chances])
    seen, total = followers[word], followers[word].total()
    counts = [seen[other] for other in vocabulary]
    draw_text(ax, x + 17 * WIDE, base - 110, "what it has to learn", LABEL_COLOR, ha="right")
    draw_text(ax, x + 17 * WIDE, 34, "the untrained model", LABEL_COLOR, ha="right")
    bars(
        ax,
        x,
        base,
        [n / total for n in counts],
        colors,
        [f"{n}/{total}" if n else "0" for n in counts],
    )
    return ax.figure


def ground(ax: Axes, view: torch.Tensor, head: list, kinds: torch.Tensor) -> None:
    """Tint every spot of the map with the colour of the kind of word that is expected there.

    `view` holds the map's left, lower, right and upper edge.
    """
    cell = 2
    xs, ys = (torch.arange(cell / 2, n, cell, dtype=view.dtype) / n for n in (MAP, HEIGHT - TOP))
    across, up = (view[2:] - view[:2]).tolist()
    spots = torch.cartesian_prod(view[3] - ys * up, view[0] + xs * across).flip(1)
    weight, bias = head
    shares = (spots @ weight.T + bias).softmax(1)
    ahead = torch.stack([shares[:, kinds == k].sum(1) for k in range(5)], 1).argmax(1)
    colors = ListedColormap([tint(color) for color in TOKEN_COLORS[:5]])
    extent = (0, len(xs) * cell, TOP + len(ys) * cell, TOP)
    style = {"cmap": colors, "vmin": 0, "vmax": 4, "interpolation": "nearest", "zorder": 0}
    ax.imshow(ahead.reshape(len(ys), len(xs)).tolist(), extent=extent, **style)


def names(
    ax: Axes, spots: torch.Tensor, last: torch.Tensor, kinds: torch.Tensor, vocabulary: list[str]
) -> None:
    """The name of each word beside its dot; words of a kind that meet are stacked.

    Where the words are `last` decides on which side of them a kind's names stand. A word that has
    left its kind to the left has its path on the right, and its name on the left.
    """
    spots = spots + torch.arange(len(spots))[:, None] / 1000  # no two in one place
    for k, color in enumerate(TOKEN_COLORS[:5]):
        own = (kinds == k).nonzero().flatten()
        side = 1 if last[own, 0].median() > last[:, 0].mean() - 60 else -1
        away, most = {1: (42, 3), 2: (-38, 1)}.get(k, (0, 0))  # off their paths
        close = (torch.cdist(spots[own], spots[own]) < 70).float().matrix_power(4) > 0
        for i, met in zip(own, close, strict=True):
            near = spots[own][met]
            left = len(near) == 1 and spots[i, 0] < spots[own, 0].mean()
            at = -1 if left else side
            x = (near[:, 0] * at).amax().item() * at + 18 * at
            place = (near[:, 1] < spots[i, 1]).sum().item() - (len(near) - 1) / 2
            y = near[:, 1].mean().item() + 27 * place + away * (len(near) > most)
            style = {"ha": "left" if at > 0 else "right", "weight": "bold", "zorder": 5}
            text = vocabulary[i] if len(own) > 1 else f"“{vocabulary[i]}”"
            draw_text(ax, x, y, text, color, 23 if len(own) > 1 else 34, **style)


def losses_so_far(ax: Axes, losses: torch.Tensor, step: int) -> None:
    """Two losses, from step 150 to this one; both scales are fixed, the steps' by powers."""
    left, right, top, bottom = MAP + 82, 1384, TOP + 110, HEIGHT - 90

    def place(steps: torch.Tensor, loss: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        across = (steps / 150).log() / torch.tensor(2000 / 150).log()
        return left + across * (right - left), bottom - (loss - 1.05) / 0.18 * (bottom - top)

    draw_text(ax, left - 48, 28, "loss", weight="bold", size=24)
    for tick in (1.1, 1.2):
        y = place(torch.ones(1), torch.tensor(tick))[1].item()
        ax.plot([left, right], [y, y], color=GRID_COLOR, lw=1.5, zorder=0)
        draw_text(ax, left - 12, y, f"{tick}", LABEL_COLOR, ha="right")
    for tick, align in ((150, "center"), (400, "center"), (2000, "right")):
        x = place(torch.tensor(float(tick)), torch.ones(1))[0].item()
        ax.plot([x, x], [bottom, bottom + 12], color=LABEL_COLOR, lw=2)
        draw_text(ax, x, bottom + 32, f"{tick:,}", LABEL_COLOR, ha=align)
    draw_text(ax, right, HEIGHT - 22, "step, log scale", LABEL_COLOR, ha="right")
    looks = (("the text", 1.085, 2, "normal"), ("new sentences", 1.222, 5, "bold"))
    for loss, (name, at, width, weight) in zip(losses, looks, strict=True):
        y = place(torch.ones(1), torch.tensor(at))[1].item()
        draw_text(ax, left + 6, y, name, size=24, weight=weight)
        steps = torch.arange(150, step + 1)
        xs, ys = place(steps, loss[steps])
        ax.plot(xs, ys, color=BLACK, lw=width)
        ax.plot(xs[-1], ys[-1], "o", ms=12, color=BLACK, mec="white", mew=1.5)
        low = loss.argmin().item()
        if 150 < low < min(step, len(loss) - 1):  # where it has turned
            x, y = (spot.item() for spot in place(torch.tensor(low), loss[low]))
            ax.plot(x, y, "o", ms=12, color="white", mec=BLACK, mew=3)
            for text, up in (("lowest", 62), (f"at {low}", 32)):
                draw_text(ax, x, y - up, text, ha="center")


def words_walk(
    path: list,
    words: list[str],
    vocabulary: list[str],
    ids: torch.Tensor,
    new_ids: torch.Tensor,
) -> Iterator[tuple[Figure, int]]:
    """The table's rows on their map from step 400 on, as words part, and two losses."""
    kinds = torch.tensor([words.index(word) % 5 for word in vocabulary])
    walk = torch.stack([table for table, *_ in path])  # (steps + 1, V, 2)
    logs = torch.stack([(table @ head.T + bias).log_softmax(1) for table, head, bias in path])
    losses = torch.stack(
        [-logs[:, some[..., :-1], some[..., 1:]].flatten(1).mean(1) for some in (ids, new_ids)]
    )
    low, high = walk.amin((0, 1)), walk.amax((0, 1))
    margin = torch.tensor([1.8, 0.9, 1.2, 0.6], dtype=walk.dtype)
    view = torch.cat([low - margin[:2], high + margin[2:]])
    scale = torch.tensor([MAP, HEIGHT - TOP]) / (view[2:] - view[:2])
    x, y = (walk[..., 0] - view[0]) * scale[0], (view[3] - walk[..., 1]) * scale[1] + TOP
    spots = torch.stack([x, y], 2)
    gathered, last = 400, len(path) - 1
    holds = {gathered: 1000, last: 1500}
    for step in [round(gathered * (last / gathered) ** (k / 6)) for k in range(7)]:
        ax = canvas(1404, HEIGHT)
        ground(ax, view, path[step][1:], kinds)
        draw_text(ax, 14, 28, f"step {step:5,}", weight="bold", size=24)
        draw_text(ax, 300, 28, "background: the words expected next", LABEL_COLOR, size=24)
        for i, k in enumerate(kinds.tolist()):
            ax.plot(*spots[: step + 1, i].T, color=TOKEN_COLORS[k], lw=2.5)
            ax.plot(*spots[0, i], "o", ms=9, color=TOKEN_COLORS[k], mfc="white", mew=2)
            style = {"mec": "white", "mew": 1.5, "zorder": 4}
            ax.plot(*spots[step, i], "o", ms=15, color=TOKEN_COLORS[k], **style)
        names(ax, spots[step], spots[-1], kinds, vocabulary)
        losses_so_far(ax, losses, step)
        yield ax.figure, holds.get(step, 180)
