"""Chapter 6: a word and what comes next, and the words as they walk about their map."""

from collections import Counter
from collections.abc import Iterator

import torch
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course.draw import (
    GRID,
    INK,
    LABEL,
    PALE,
    ROW,
    TOKEN_COLORS,
    arrow,
    canvas,
    chip,
    digits,
    label,
    matrix,
    tint,
)

WIDE = 74  # a word's column
HEIGHT, TOP = 760, 56  # of the map's sheet, and where the map begins


def bars(
    ax: Axes, x: float, y: float, shares: list[float], colors: list[str], texts: list[str]
) -> None:
    """A bar for each word, standing on y, with its number on top."""
    ax.plot([x, x + WIDE * len(shares)], [y, y], color=LABEL, lw=2)
    for i, (share, color, text) in enumerate(zip(shares, colors, texts, strict=True)):
        left, height = x + i * WIDE, round(300 * share)
        ax.add_patch(Rectangle((left + 13, y - height), WIDE - 26, height, fc=color))
        ink = INK if share else PALE
        label(ax, left + WIDE / 2, y - height - 16, text, ink, ha="center")


def next_token(
    words: list[str],
    vocabulary: list[str],
    followers: dict[str, Counter],
    embedding: torch.nn.Embedding,
    head: torch.nn.Linear,
) -> Figure:
    """The first word's row, its scores and probabilities, and what the text has after it."""
    ax, word, x = canvas(1404, 610), words[0], 136
    colors = [TOKEN_COLORS[words.index(other) % 5] for other in vocabulary]
    row = embedding.weight.detach()[:1].float()
    scores = head(embedding.weight[0]).detach()
    label(ax, 40, 74, word, colors[0], ha="center", weight="bold")
    label(ax, 128, 34, "ID", ha="center")
    chip(ax, 128, 74, 0, colors[0])
    arrow(ax, (64, 74), (104, 74), colors[0])
    source = matrix(ax, 250, 74 - ROW / 2, row, None, tokens={0: colors[0]})
    label(ax, source.x, 34, "its row of the table")
    arrow(ax, (150, 74), (source.x, 74), colors[0])
    strip = 166
    label(ax, source.right + 70, 74, "head: 2 numbers in, 17 scores out", LABEL)
    arrow(ax, (source.right, 74), (source.right + 40, strip - 28), LABEL, corner=True)
    for i, (other, score) in enumerate(zip(vocabulary, scores.tolist(), strict=True)):
        left = x + i * WIDE
        label(ax, left + WIDE / 2, strip, other, colors[i], ha="center", weight="bold")
        ax.add_patch(Rectangle((left, strip + 22), WIDE, ROW, fc="white", ec=GRID, lw=1.5))
        text = digits(round(score, 2), 2)
        label(ax, left + WIDE - 8, strip + 22 + ROW / 2, text, ha="right")
    low, base = 400, 570
    for y, text in (
        (strip + 22 + ROW / 2, "scores"),
        (low - 40, "softmax"),
        (base - 40, "the text"),
    ):
        label(ax, x - 16, y, text, ha="right")
    chances = scores.softmax(0).tolist()
    bars(ax, x, low, chances, colors, [f"{share:.2f}" for share in chances])
    seen, total = followers[word], followers[word].total()
    counts = [seen[other] for other in vocabulary]
    bars(
        ax,
        x,
        base,
        [n / total for n in counts],
        colors,
        [f"{n}/{total}" if n else "0" for n in counts],
    )
    return ax.figure


def ground(ax: Axes, view: torch.Tensor, head: list, kinds: torch.Tensor) -> torch.Tensor:
    """Tint every spot of the map with the colour of the kind of word that is expected there.

    `view` holds the map's left, lower, right and upper edge. Returns the kinds, pixel by pixel.
    """
    right, bottom, cell = int(ax.get_xlim()[1]), int(ax.get_ylim()[0]), 6
    xs, ys = (
        (torch.arange(cell / 2, n, cell, dtype=view.dtype) / n) for n in (right, bottom - TOP)
    )
    across, up = (view[2:] - view[:2]).tolist()
    spots = torch.cartesian_prod(view[3] - ys * up, view[0] + xs * across).flip(1)
    weight, bias = head
    shares = (spots @ weight.T + bias).softmax(1)
    ahead = torch.stack([shares[:, kinds == k].sum(1) for k in range(5)], 1).argmax(1)
    colors = ListedColormap([tint(color) for color in TOKEN_COLORS[:5]])
    extent = (0, len(xs) * cell, TOP + len(ys) * cell, TOP)
    tiles = ahead.reshape(len(ys), len(xs))
    ax.imshow(
        tiles.tolist(),
        cmap=colors,
        vmin=0,
        vmax=4,
        extent=extent,
        interpolation="nearest",
        zorder=0,
    )
    return tiles.repeat_interleave(cell, 0).repeat_interleave(cell, 1)


def expected(ax: Axes, ahead: torch.Tensor, kinds: torch.Tensor, vocabulary: list[str]) -> None:
    """In each of five places, which words are expected there."""
    right, bottom = int(ax.get_xlim()[1]) - 20, int(ax.get_ylim()[0]) - 26
    places = [(20, TOP + 28), (right, TOP + 28), (right, 590), (250, bottom), (20, bottom)]
    for x, y in places:
        k = ahead[y - TOP, x].item()
        text = "next: " + " ".join(w for w, own in zip(vocabulary, kinds, strict=True) if own == k)
        label(ax, x, y, text, TOKEN_COLORS[k], ha="right" if x == right else "left")


def names(ax: Axes, spots: torch.Tensor, kinds: torch.Tensor, vocabulary: list[str]) -> None:
    """The name of each word beside its dot, on the outer side; words that meet are stacked."""
    line, size = 28, 24
    middle, height = spots.mean(0).tolist()
    for k in range(5):
        group = sorted((kinds == k).nonzero().flatten().tolist(), key=lambda i: spots[i, 1].item())
        home = spots[group].median(0).values
        near = [i for i in group if (spots[i] - home).norm() < 110]
        side = 1 if home[0] > middle - 60 else -1
        away = -24 if home[1] < height - 120 else 0  # up, off the paths
        style = {"ha": "left" if side > 0 else "right", "weight": "bold", "zorder": 5}
        edge = max(side * spots[i, 0].item() for i in near) * side
        for i in group:
            place, y = near.index(i) if i in near else 0, spots[i, 1].item()
            if i in near:
                y = home[1].item() + (place - (len(near) - 1) / 2) * line + away
            x = edge if i in near else spots[i, 0].item()
            label(ax, x + 18 * side, y, vocabulary[i], TOKEN_COLORS[k], size, **style)


def words_walk(
    path: list, words: list[str], vocabulary: list[str], ids: torch.Tensor, new_ids: torch.Tensor
) -> Iterator[tuple[Figure, int]]:
    """The table's rows on their map, from the start to the last step; late, three words leave."""
    kinds = torch.tensor([words.index(word) % 5 for word in vocabulary])
    walk = torch.stack([table for table, *_ in path])  # (steps + 1, V, 2)
    low, high = walk.amin((0, 1)), walk.amax((0, 1))
    margin = torch.tensor([1.3, 1.3, 0.9, 0.7], dtype=walk.dtype)
    view = torch.cat([low - margin[:2], high + margin[2:]])
    scale = torch.tensor([1404, HEIGHT - TOP]) / (view[2:] - view[:2])
    x, y = (walk[..., 0] - view[0]) * scale[0], (view[3] - walk[..., 1]) * scale[1] + TOP
    spots = torch.stack([x, y], 2).mul(2).round() / 2  # coarse, so that rounding draws the same
    gathered, last = 600, len(path) - 1
    early = [round(gathered * (k / 8) ** 2) for k in range(9)]
    late = [round(gathered * (last / gathered) ** (k / 5)) for k in range(1, 6)]
    holds = {0: 500, gathered: 1000, last: 1500}
    for step in [*early, *late]:
        ax = canvas(1404, HEIGHT)
        table, *head = path[step]
        ahead = ground(ax, view, head, kinds)
        label(ax, 14, 28, f"step {step:5,}", weight="bold", size=24)
        if step in holds:
            log_p = (table @ head[0].T + head[1]).log_softmax(1)
            losses = [-log_p[tokens[:-1], tokens[1:]].mean().item() for tokens in (ids, new_ids)]
            text = f"loss: text {losses[0]:.3f}, new sentences {losses[1]:.3f}"
            label(ax, 280, 28, text, size=24)
        for i, k in enumerate(kinds.tolist()):
            if step in holds:
                trail = spots[: step + 1, i]
                turns = torch.ones(len(trail), dtype=torch.bool)
                turns[1:] = (trail[1:] != trail[:-1]).any(1)
                ax.plot(*trail[turns].T, color=TOKEN_COLORS[k], lw=2)
                ax.plot(*spots[0, i], "o", ms=9, color=TOKEN_COLORS[k], mfc="white", mew=2)
            style = {"mec": "white", "mew": 1.5, "zorder": 4}
            ax.plot(*spots[step, i], "o", ms=15, color=TOKEN_COLORS[k], **style)
        if step and step in holds:
            names(ax, spots[step], kinds, vocabulary)
            expected(ax, ahead, kinds, vocabulary)
        yield ax.figure, holds.get(step, 120)
