"""The course's diagrams, each drawn from the tensors that it explains.

    python tools/figures.py     redraw every figure into images/

One function per figure, listed in FIGURES by the name of its image, in the words of draw.py.
"""

import io
import sys
from pathlib import Path

import torch
from draw import (
    DIGIT,
    GRID,
    INK,
    PALE,
    POSITION,
    ROW,
    SMALL,
    STYLE,
    TOKEN_COLORS,
    Grid,
    arrow,
    canvas,
    cell,
    chip,
    digits,
    expression,
    frame,
    label,
    matrix,
    signed,
    surround,
    symbol,
    terms,
)
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from torch.nn import Embedding, Linear
from torch.nn.functional import one_hot
from torch.optim import SGD

IMAGES = Path(__file__).resolve().parent.parent / "images"

# ---- The tensors, made as the notebooks make them ----

IDX = torch.tensor([2, 3, 1])
IDX_8 = torch.tensor([2, 3, 5, 1])  # chapter 8


def table() -> torch.Tensor:
    """The 4×5 embedding table of chapters 1 to 3."""
    torch.manual_seed(123)
    return Embedding(4, 5).weight.detach()


def gradients() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Chapter 4: its IDs, G (one gradient for each position), and the table's gradient."""
    torch.manual_seed(123)
    embedding, idx = Embedding(4, 5), torch.tensor([2, 3, 1, 2])
    upstream = torch.randint(-4, 5, (4, 5)).float()
    embedding(idx).backward(upstream)
    return idx, upstream, embedding.weight.grad


def small_table() -> torch.Tensor:
    """The 6×3 embedding table of chapter 8."""
    torch.manual_seed(123)
    return Embedding(6, 3).weight.detach()


def position_table() -> torch.Tensor:
    """The 4×3 position table of chapter 8."""
    torch.manual_seed(36)
    return Embedding(4, 3).weight.detach()


# ---- The figures ----


def lookup(idx: torch.Tensor, weight: torch.Tensor, ax: Axes) -> Grid:
    """IDs, the table with their rows marked, and the rows they fetch (returned), with arrows."""
    ids = idx.tolist()
    rows = matrix(ax, 196, 52, weight, "weight", tokens={i: i for i in ids}, index=True)
    y = rows.middle - len(ids) * ROW / 2
    out = matrix(
        ax, rows.right + 148, y, weight[idx], "embedding(idx)", tokens=dict(enumerate(ids))
    )
    label(ax, 20, y - 24, "idx")
    for i, token in enumerate(ids):
        color = TOKEN_COLORS[token]
        chip(ax, 42, out.row(i), token)
        arrow(ax, (64, out.row(i)), (rows.x - 34, rows.row(token)), color)
        arrow(ax, (rows.right, rows.row(token)), (out.x, out.row(i)), color)
    return out


def lookup_figure(*ids: int) -> Figure:
    """The look-up of the IDs given, on a sheet of its own."""
    ax = canvas(1404, 294)
    lookup(torch.tensor(ids), table(), ax)
    return ax.figure


def product_figure(position: int) -> Figure:
    """The one-hot row of one position of IDX times the table, and the sum behind one number."""
    ax, weight = canvas(1484, 350), table()
    token = IDX[position].item()
    row = one_hot(IDX)[position : position + 1]
    hot = matrix(ax, 82, 127, row, f"one_hot(idx)[{position}]", tokens={0: token})
    rows = matrix(ax, 360, 52, weight, "weight", tokens={token: token}, index=True)
    out = matrix(ax, rows.right + 64, 127, row.float() @ weight, tokens={0: token})
    chip(ax, 36, hot.middle, token)
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + out.x) / 2, hot.middle, "=")
    surround(ax, rows, 0, 0, rows=4)  # the column that the sum below runs down
    surround(ax, out, 0, 0)
    total = (row.float() @ weight)[0, 0].item()
    column = weight[:, 0].tolist()
    expression(ax, rows.x, 320, terms(row[0].tolist(), column, {token: token}, total, token))
    return ax.figure


def transpose_figure() -> Figure:
    """The table and its transpose: rows become columns, each keeps its colour."""
    ax, weight = canvas(1404, 370), table()
    tokens = {i: i for i in range(len(weight))}
    rows = matrix(ax, 130, 105, weight, "embedding.weight", tokens=tokens, index=True)
    flipped = matrix(
        ax, 888, 80, weight.T, "embedding.weight.T", tokens=tokens, along="column", index=True
    )
    arrow(ax, (rows.right + 60, rows.middle), (flipped.x - 60, rows.middle), INK)
    label(ax, (rows.right + flipped.x) / 2, rows.middle - 26, ".T", ha="center")
    return ax.figure


def both_ways(weight: torch.Tensor, ax: Axes) -> tuple[Grid, Grid]:
    """IDX looked up in a table, above, and multiplied with it, below; returns table and product."""
    out = lookup(IDX, weight, ax)
    tokens = dict(enumerate(IDX.tolist()))
    hot = matrix(ax, 20, 401, one_hot(IDX), "one_hot(idx)", tokens=tokens)
    rows = matrix(ax, 300, 376, weight, "weight", tokens={i: i for i in IDX.tolist()}, index=True)
    product = one_hot(IDX).float() @ weight
    same = matrix(ax, out.x, 401, product, "one_hot(idx) @ weight", tokens=tokens)
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + same.x) / 2, hot.middle, "=")
    return rows, same


def claim_figure() -> Figure:
    """The claim of the course: the look-up, the one-hot product, the same rows out."""
    ax = canvas(1404, 620)
    both_ways(table(), ax)
    return ax.figure


def sixty_figure() -> Figure:
    """Every product of one_hot(idx) @ weight, one block per ID, and the sums down its columns."""
    ax, weight, hot = canvas(1404, 744), table(), one_hot(IDX)
    x, y, width, height = 90, 62, 9 * DIGIT + 20, 44
    label(ax, x, y - 28, "one_hot(idx)[:, :, None] * weight")
    for position, token in enumerate(IDX.tolist()):
        color = TOKEN_COLORS[token]
        for i, factor in enumerate(hot[position].tolist()):
            for j, value in enumerate(weight[i].tolist()):
                box = (x + j * width, y + i * height, width, height)
                owner, strength = (token, "strong") if factor else (None, "pale")
                cell(ax, box, f"{factor}·{digits(value)}", owner, strength)
        frame(ax, x, y + token * height, 5 * width, height, color)
        middle, right = y + 2 * height, x + 5 * width
        sums = (hot[position][:, None] * weight).sum(0, keepdim=True)
        out = matrix(ax, 864, middle - ROW / 2, sums, tokens={0: token})
        chip(ax, 42, middle, token)
        arrow(ax, (right + 14, middle), (out.x - 6, middle), color)
        if position == 0:
            label(ax, (right + out.x) / 2, middle - 26, ".sum(1)", ha="center")
        y += 4 * height + 52
    label(ax, right, y - 32, "3×4×5", PALE, SMALL, ha="right")
    return ax.figure


def pile_sum(ax: Axes, y: float, token: int, zeros: bool) -> None:
    """The sum behind the first number of a row of the gradient, with its zeros or without."""
    idx, upstream, gradient = gradients()
    pieces = []
    for here, value in zip(idx.tolist(), upstream[:, 0].int().tolist(), strict=True):
        if zeros or here == token:
            text = f"{int(here == token)}·{signed(value)}" if zeros else signed(value)
            pieces += [(text, TOKEN_COLORS[token] if here == token else PALE), (" + ", PALE)]
    pieces[-1:] = [(" = ", PALE), (digits(int(gradient[token, 0])), TOKEN_COLORS[token])]
    expression(ax, 702 - DIGIT * sum(len(text) for text, _ in pieces) / 2, y, pieces)


def scatter_figure() -> Figure:
    """Four gradients, one per position, and the rows of the table's gradient where they pile up."""
    ax, (idx, upstream, gradient) = canvas(1404, 342), gradients()
    tokens, seen = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}
    source = matrix(ax, 158, 52, upstream, "G", tokens=tokens)
    rows = matrix(ax, 924, 52, gradient, "embedding.weight.grad", tokens=seen, index=True)
    label(ax, 76, source.y - 24, "idx")
    shift = {0: -9, 3: 9}  # two arrows end at row 2, one a little above the other
    for position, token in tokens.items():
        chip(ax, 98, source.row(position), token)
        end = (rows.x - 34, rows.row(token) + shift.get(position, 0))
        arrow(ax, (source.right, source.row(position)), end, TOKEN_COLORS[token])
    for grid, row in ((source, 0), (source, 3), (rows, 2)):
        surround(ax, grid, row, 0)
    pile_sum(ax, 314, 2, zeros=False)
    return ax.figure


def scatter_product_figure() -> Figure:
    """The one-hot rows, transposed, times G: the same gradient, and the sum behind one number."""
    ax, (idx, upstream, _) = canvas(1404, 372), gradients()
    tokens, seen, hot = dict(enumerate(idx.tolist())), {i: i for i in idx.tolist()}, one_hot(idx).T
    left = matrix(ax, 70, 82, hot, "one_hot(idx).T", tokens=tokens, along="column", index=True)
    for i in range(left.rows):
        label(ax, left.x - 14, left.row(i), str(i), PALE, SMALL, ha="right")
    source = matrix(ax, 402, 82, upstream, "G", tokens=tokens, index=True)
    product = hot.float() @ upstream
    out = matrix(ax, 934, 82, product, "one_hot(idx).T @ G", tokens=seen, index=True)
    symbol(ax, (left.right + source.x - 24) / 2, left.middle, "@")
    symbol(ax, (source.right + out.x - 24) / 2, left.middle, "=")
    surround(ax, left, 2, 0, columns=4)
    surround(ax, source, 0, 0, rows=4)
    surround(ax, out, 2, 0)
    pile_sum(ax, 344, 2, zeros=True)
    return ax.figure


def next_token_figure() -> Figure:
    """Six tokens of chapter 5's text, the rows they fetch, and the token to guess after each."""
    ax, text = canvas(1404, 424), "the old cat sleeps . the shy"
    words = text.split()
    ids = [list(dict.fromkeys(words)).index(word) for word in words]
    inputs, targets = ids[:-1], ids[1:]
    torch.manual_seed(123)
    weight = Embedding(17, 2).weight.detach()[:6]
    read, found = {i: i for i in inputs}, dict(enumerate(inputs))
    rows = matrix(ax, 260, 62, weight, "embedding.weight[:6]", tokens=read, index=True)
    out = matrix(ax, 700, 62, weight[inputs], "embedding(idx[:6])", tokens=found)
    for x, name in ((20, "idx[:6]"), (1062, "head"), (1250, "targets[:6]")):
        label(ax, x, 38, name)
    for i, (token, target) in enumerate(zip(inputs, targets, strict=True)):
        y, color = out.row(i), TOKEN_COLORS[token]
        chip(ax, 42, y, token)
        arrow(ax, (64, y), (rows.x - 34, rows.row(token)), color)
        arrow(ax, (rows.right, rows.row(token)), (out.x, y), color)
        arrow(ax, (out.right, y), (1250, y), color)
        chip(ax, 1272, y, target)
    return ax.figure


def momentum_figure() -> Figure:
    """Two steps of SGD with momentum: a row of the gradient empties, its buffer does not."""
    ax, before = canvas(1404, 632), table()
    embedding = Embedding.from_pretrained(before.clone(), freeze=False)
    optimizer = SGD(embedding.parameters(), lr=0.1, momentum=0.9)
    for y, name, ids in ((52, "idx", IDX), (388, "later", IDX[1:])):
        optimizer.zero_grad()
        embedding(ids).sum().backward()
        optimizer.step()
        weight, used = embedding.weight.detach(), {i: i for i in ids.tolist()}
        past, moved = optimizer.state[embedding.weight]["momentum_buffer"], (weight != before).int()
        seen = {i: i for i in moved.any(1).nonzero().flatten().tolist()}
        grad = matrix(
            ax, 190, y, embedding.weight.grad.int(), "weight.grad", tokens=used, index=True
        )
        buffer = matrix(ax, grad.right + 84, y, past, "momentum_buffer", tokens=seen, places=4)
        out = matrix(ax, buffer.right + 84, y, moved, "weight != before", tokens=seen)
        label(ax, 20, grad.middle - len(ids) * ROW / 2 - 24, name)
        for i, token in enumerate(ids.tolist()):
            height = grad.middle + (i + 0.5 - len(ids) / 2) * ROW
            chip(ax, 42, height, token)
            arrow(ax, (64, height), (grad.x - 34, grad.row(token)), TOKEN_COLORS[token])
            arrow(
                ax, (grad.right, grad.row(token)), (buffer.x, grad.row(token)), TOKEN_COLORS[token]
            )
        for token in seen:
            arrow(
                ax, (buffer.right, grad.row(token)), (out.x, grad.row(token)), TOKEN_COLORS[token]
            )
        if name == "idx":  # the buffer, carried to the second step
            arrow(ax, (buffer.column(2), buffer.bottom + 6), (buffer.column(2), 382), INK)
            label(ax, buffer.column(2) + 20, (buffer.bottom + 388) / 2, "0.9 *")
        before = weight.clone()
    return ax.figure


def poisoned_figure() -> Figure:
    """A table whose row 0 is NaN: looked up, above; multiplied, below, with one sum."""
    ax, weight, token = canvas(1404, 690), table(), IDX[0].item()
    weight[0] = torch.nan
    rows, spoiled = both_ways(weight, ax)
    surround(ax, rows, 0, 0, rows=4)
    frame(ax, spoiled.x + 7, spoiled.y + 7, spoiled.cell - 14, ROW - 14, "white", 2.5)
    hot, column = one_hot(IDX[0], 4), weight[:, 0]
    total = (hot.float() @ column).item()
    pieces = terms(hot.tolist(), column.tolist(), {token: token}, total, token)
    expression(ax, rows.x, 660, pieces)
    return ax.figure


def positions_figure() -> Figure:
    """Four token rows plus four position rows."""
    ax, tokens = canvas(1404, 294), dict(enumerate(IDX_8.tolist()))
    black = dict.fromkeys(range(4), POSITION)
    words, places = small_table()[IDX_8], position_table()
    first = matrix(ax, 100, 52, words, "embedding_layer(idx)", tokens=tokens)
    second = matrix(ax, 604, 52, places, "position_layer(positions)", tokens=black)
    out = matrix(ax, 1072, 52, words + places, "total", tokens=tokens)
    label(ax, 20, 28, "idx")
    for i, token in tokens.items():
        chip(ax, 42, first.row(i), token)
        chip(ax, second.x - 58, first.row(i), i, POSITION)
    symbol(ax, (first.right + second.x - 80) / 2, first.middle, "+")
    symbol(ax, (second.right + out.x) / 2, first.middle, "=")
    return ax.figure


def two_hot_figure(position: int) -> Figure:
    """One two-hot row times the stacked tables, with the sum behind its first entry."""
    ax, token = canvas(1404, 696), IDX_8[position].item()
    weight = torch.cat([small_table(), position_table()])
    row = (one_hot(IDX_8, 10) + one_hot(6 + torch.arange(4), 10))[position : position + 1]
    product = row.float() @ weight
    ones = {token: TOKEN_COLORS[token], 6 + position: POSITION}
    hot = matrix(ax, 20, 277, row, tokens=ones, along="column", index=True)
    rows = matrix(ax, 590, 52, weight, "stacked", tokens=ones, index=True)
    out = matrix(ax, 1071, 277, product, tokens={0: token})
    label(ax, hot.x, hot.bottom + 20, f"two_hot[{position}]")
    label(ax, out.x, out.bottom + 20, f"product[{position}]")
    symbol(ax, (hot.right + rows.x - 24) / 2, hot.middle, "@")
    symbol(ax, (rows.right + 16 + out.x) / 2, hot.middle, "=")
    for number, (line, color) in zip((token, position), ones.items(), strict=True):
        chip(ax, hot.column(line), hot.y - 110, number, color)
        arrow(ax, (hot.column(line), hot.y - 90), (hot.column(line), hot.y - 34), color)
    surround(ax, rows, 0, 0, rows=10)  # the column that the sum below runs down
    surround(ax, out, 0, 0)
    for name, start, end in (("embedding_layer", 0, 6), ("position_layer", 6, 10)):
        x, top, bottom = rows.right + 16, rows.y + start * ROW + 6, rows.y + end * ROW - 6
        ax.plot([x, x], [top, bottom], color=PALE, lw=2.5)
        label(ax, x + 14, (top + bottom) / 2, f"{name}.weight", PALE)
    total = product[0, 0].item()
    pieces = terms(row[0].tolist(), weight[:, 0].tolist(), ones, total, token)
    expression(ax, 20, rows.bottom + 68, pieces[:12])  # the six terms of the tokens
    expression(ax, 20, rows.bottom + 104, pieces[12:])
    return ax.figure


def tied_figure() -> Figure:
    """One table, read twice: an ID takes a row out (down), a vector gets a score from every row."""
    ax, weight, token = canvas(1404, 540), table(), IDX[1].item()
    hidden = Linear(5, 5, bias=False)  # made right after the table, as in chapter 9
    vector = hidden(weight[token : token + 1]).detach()
    tokens, color = {i: i for i in range(len(weight))}, TOKEN_COLORS[token]
    rows = matrix(ax, 360, 52, weight, "weight", tokens=tokens, index=True)
    h = matrix(ax, rows.x, 392, vector, tokens={0: token})
    scores = matrix(ax, rows.right + 200, rows.y, weight @ vector.T, "logits[1]", tokens=tokens)
    label(ax, 128, rows.row(token) - 44, "idx[1]", ha="center")
    chip(ax, 128, rows.row(token), token)
    arrow(ax, (150, rows.row(token)), (rows.x - 34, rows.row(token)), color)
    arrow(ax, (rows.column(2), rows.bottom), (h.column(2), h.y), color)
    label(ax, rows.column(2) + 18, (rows.bottom + h.y) / 2, "hidden")
    label(ax, h.x - 14, h.middle, "h[1]", ha="right")
    surround(ax, scores, 0, 0, rows=4)
    arrow(ax, (h.right, h.middle), (scores.column(0), scores.bottom), color, corner=True)
    for i in tokens:
        arrow(ax, (rows.right, rows.row(i)), (scores.x, rows.row(i)), TOKEN_COLORS[i])
        chip(ax, scores.right + 46, rows.row(i), i)
    pieces = []
    for pair in zip(weight[0].tolist(), vector[0].tolist(), strict=True):
        left, right = (signed(value) for value in pair)
        pieces += [(left, TOKEN_COLORS[0]), ("·", PALE), (right, color), (" + ", PALE)]
    total = (weight @ vector.T)[0].item()
    pieces[-1:] = [(" = ", PALE), (digits(total), TOKEN_COLORS[0])]
    expression(ax, 94, 508, pieces)
    return ax.figure


def halves_figure() -> Figure:
    """Two machines answer the same IDs from half a table each, or with zeros; below, the sum."""
    ax, weight, ids = canvas(1404, 836), table(), IDX.tolist()
    answers = []
    for first, name in ((0, "weight[:2]"), (2, "weight[2:]")):
        y = 58 + 150 * first
        own = {position: token for position, token in enumerate(ids) if first <= token < first + 2}
        mine = torch.tensor([position in own for position in range(len(ids))])
        answers.append(torch.where(mine[:, None], weight[IDX], 0))
        tokens = {token - first: token for token in own.values()}
        rows = matrix(ax, 188, y + ROW / 2, weight[first : first + 2], name, tokens=tokens)
        out = matrix(
            ax, rows.right + 148, y, answers[-1], f"partial({name}, {first}, idx)", tokens=own
        )
        frame(ax, 4, y - 50, 1396, out.bottom - y + 88, GRID, 2.5)
        label(ax, 22, y - 24, "idx")
        for line in range(2):
            label(ax, rows.x - 14, rows.row(line), str(first + line), PALE, SMALL, ha="right")
        for position, token in enumerate(ids):
            if position in own:
                chip(ax, 44, out.row(position), token)
                line, color = rows.row(token - first), TOKEN_COLORS[token]
                arrow(ax, (66, out.row(position)), (rows.x - 34, line), color)
                arrow(ax, (rows.right, line), (out.x, out.row(position)), color)
            else:  # an ID of the other machine
                frame(ax, 22, out.row(position) - 20, 44, 40, GRID, 2.5)
                label(ax, 44, out.row(position), str(token), PALE, ha="center")
        symbol(ax, out.column(2), out.bottom + 69, "+" if first == 0 else "=")
    matrix(ax, out.x, out.bottom + 132, sum(answers), "embedding(idx)", tokens=dict(enumerate(ids)))
    return ax.figure


FIGURES = {
    "lookup-1": lambda: lookup_figure(1),
    "lookup-2": lambda: lookup_figure(2),
    "lookup-2-3-1": lambda: lookup_figure(*IDX.tolist()),
    "product-2": lambda: product_figure(0),
    "product-3": lambda: product_figure(1),
    "transpose": transpose_figure,
    "claim": claim_figure,
    "sixty-products": sixty_figure,
    "scatter-add": scatter_figure,
    "scatter-add-product": scatter_product_figure,
    "next-token": next_token_figure,
    "momentum": momentum_figure,
    "poisoned-row": poisoned_figure,
    "positions": positions_figure,
    "two-hot": lambda: two_hot_figure(1),
    "tied": tied_figure,
    "half-tables": halves_figure,
}


def png(name: str) -> bytes:
    """A figure as a palette PNG without metadata. Raises KeyError for a name not in FIGURES."""
    raw, packed = io.BytesIO(), io.BytesIO()
    with rc_context(STYLE):
        FIGURES[name]().savefig(raw, format="png")
    Image.open(raw).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
        packed, "PNG", optimize=True
    )
    return packed.getvalue()


def main() -> None:
    """Redraw every figure; write only those that changed."""
    IMAGES.mkdir(exist_ok=True)
    for name in FIGURES:
        path, data = IMAGES / f"{name}.png", png(name)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            print(f"drew images/{path.name}, {len(data):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
