"""The diagrams as files: drawn from a chapter's variables, encoded, compared.

    python -m course.pictures [notebook …]     redraw all diagrams, or those of some chapters

A figure is a function in course/figures/ (its package says how it is found and called). One that
returns a Figure becomes images/NAME.png; one that yields (Figure, milliseconds) pairs is a moving
diagram, images/NAME.gif.
"""

import importlib
import inspect
import io
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageSequence

from course import CourseError, command
from course.cells import steps
from course.draw import STYLE
from course.notebook import english, image, meant, place, read, root_of, write

PLAYS = 2  # of a moving diagram
COLORS, MOVING_COLORS = 64, 32
NEAREST, AREA = 14, 32  # levels of 255, see `holds`


class Drawing(NamedTuple):
    """A diagram: the name and the bytes of its file, and its frames in all their colours."""

    file: str
    data: bytes
    pictures: list[Image.Image]


def figure(path: Path, cell: NotebookNode) -> Callable:
    """The function that draws a diagram of a chapter. Raises CourseError if there is none."""
    name, module = cell.metadata["diagram"], path.stem.partition("_")[2]
    function, file, drawn = name.replace("-", "_"), f"course/figures/{module}.py", None
    try:
        drawn = importlib.import_module(f"course.figures.{module}")
    except Exception as error:
        if getattr(error, "name", None) != f"course.figures.{module}":
            message = f"{file} raises {type(error).__name__}: {error}; correct it"
            raise CourseError(f"{place(path, cell)}: {message}") from error
    if hasattr(drawn, function):
        return getattr(drawn, function)
    where = f"{file} has no function {function} for the diagram {name}"
    other = meant(name, [known.replace("_", "-") for known in dir(drawn)])
    raise CourseError(f"{place(path, cell)}: {where}; write it{other}")


def draw(path: Path, cell: NotebookNode, namespace: dict) -> Drawing:
    """A diagram of a chapter. Raises CourseError if it can't be drawn.

    `namespace` holds the chapter's variables at the diagram's cell.
    """
    name, where = cell.metadata["diagram"], place(path, cell)
    function = figure(path, cell)
    wanted = list(inspect.signature(function).parameters)
    if missing := [variable for variable in wanted if variable not in namespace]:
        raise CourseError(f"{where}: no cell above makes {missing[0]}, which {name} draws")
    try:
        with rc_context(STYLE):
            drawn = function(**{variable: namespace[variable] for variable in wanted})
            if isinstance(drawn, Figure):
                picture = pixels(drawn)
                data = png(picture, getattr(drawn, "colors", COLORS))
                return Drawing(f"{name}.png", data, [picture])
            figures, times = zip(*drawn, strict=True)
            pictures = list(map(pixels, figures))
            return Drawing(f"{name}.gif", gif(pictures, list(times)), pictures)
    except Exception as error:
        file, calls = inspect.getfile(function), traceback.extract_tb(error.__traceback__)
        line = next((f"line {c.lineno} of " for c in reversed(calls) if c.filename == file), "")
        message = f"{line}{place(Path(file))} raises {type(error).__name__}: {error}"
        raise CourseError(f"{where}: {message}; correct the figure {name}") from error


def pixels(drawn: Figure) -> Image.Image:
    """A figure as an opaque picture."""
    canvas = FigureCanvasAgg(drawn)
    canvas.draw()
    return Image.frombytes("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB")


def png(picture: Image.Image, colors: int) -> bytes:
    """A picture as a palette PNG without metadata."""
    packed = io.BytesIO()
    # With many colours, those of a few spots keep their own.
    method = Image.Quantize.MAXCOVERAGE if colors > COLORS else Image.Quantize.MEDIANCUT
    palette = picture.quantize(colors, method, dither=Image.Dither.NONE)
    palette.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def gif(pictures: list[Image.Image], times: list[int]) -> bytes:
    """Frames and their milliseconds as an animated GIF in the colours of the last frame."""
    packed = io.BytesIO()
    # With kmeans, half as many colours come as close to the drawing.
    palette = pictures[-1].quantize(MOVING_COLORS, kmeans=1, dither=Image.Dither.NONE)
    first, *rest = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
    # GIF counts the repeats, not the plays.
    first.save(packed, "GIF", save_all=True, append_images=rest, duration=times, loop=PLAYS - 1)
    return packed.getvalue()


def frames(data: bytes) -> list[tuple[Image.Image, int]]:
    """The frames of a PNG or GIF, each with its milliseconds (0 in a PNG)."""
    with Image.open(io.BytesIO(data)) as image:
        return [
            (frame.convert("RGB"), frame.info.get("duration", 0))
            for frame in ImageSequence.Iterator(image)
        ]


def same_picture(stored: bytes, fresh: bytes, levels: int = 8) -> bool:
    """Whether two pictures show the same: as many frames, as long, as large, and alike.

    No channel of any pixel, from 0 to 255, differs by more than `levels`. Two honest runs were
    seen to differ by 1.
    """
    ours, theirs = frames(stored), frames(fresh)
    if [(f.size, t) for f, t in ours] != [(f.size, t) for f, t in theirs]:
        return False
    pairs = zip(ours, theirs, strict=True)
    extrema = [ImageChops.difference(one, two).getextrema() for (one, _), (two, _) in pairs]
    return all(high <= levels for bands in extrema for _, high in bands)


def numbered(picture: Image.Image) -> np.ndarray:
    """Each pixel of an RGB picture as one number of 24 bits."""
    return np.asarray(picture, dtype=np.int64) @ [1 << 16, 1 << 8, 1]


def channels(numbers: np.ndarray) -> np.ndarray:
    """The numbers of `numbered` as rows of three, red, green and blue."""
    return np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=1)


def holds(stored: bytes, drawing: Drawing) -> bool:
    """Whether a stored file is this drawing, on whatever machine it was made.

    A palette is chosen by counting pixels: where the same figure, drawn by processors of two
    kinds, differed by one level at 14 pixels, the files differed by 97. So unless the files show
    the same, each stored pixel is compared with what is drawn there: it must be the nearest of
    the stored colours, or within NEAREST of it (GIF looks its colours up in steps of 4 levels),
    and what covers a thousandth of the picture must be within AREA of it in each channel.
    """
    if same_picture(stored, drawing.data, levels=0):
        return True
    ours, theirs = frames(stored), frames(drawing.data)
    if [(f.size, t) for f, t in ours] != [(f.size, t) for f, t in theirs]:
        return False
    palette = channels(np.unique(np.concatenate([np.unique(numbered(kept)) for kept, _ in ours])))
    for (kept, _), picture in zip(ours, drawing.pictures, strict=True):
        pairs, count = np.unique(numbered(picture) << 24 | numbered(kept), return_counts=True)
        drawn, shown = channels(pairs >> 24), channels(pairs & (1 << 24) - 1)
        nearest = np.linalg.norm(drawn[:, None] - palette, axis=2).min(axis=1)
        off, large = np.abs(drawn - shown), count > picture.width * picture.height / 1000
        if (np.linalg.norm(off, axis=1) > nearest + NEAREST).any() or (off[large] > AREA).any():
            return False
    return True


def redraw(path: Path) -> None:
    """Run a chapter down to its last diagram and write every picture that changed.

    Raises CourseError if a cell raises, or a figure is unknown or raises.
    """
    notebook, root = read(path), root_of(path)
    left = sum("diagram" in cell.metadata for cell in notebook.cells)
    for step in steps(path, notebook):
        if "diagram" in step.cell.metadata:
            drawing = draw(path, step.cell, step.namespace)
            old = image(root, step.cell.metadata["diagram"])
            # A shade that was meant to change is drawn anew, however little; `holds` lets it pass.
            if old is None or not same_picture(old.read_bytes(), drawing.data, levels=0):
                write(root / "images" / drawing.file, drawing.data)
            if old is not None and old.name != drawing.file:
                old.unlink()
            left -= 1
        if not left:
            break


def main(arguments: list[str]) -> None:
    """Redraw the diagrams of the chapters named, or of all."""
    for path in [Path(argument) for argument in arguments] or english():
        redraw(path)


if __name__ == "__main__":
    command(main)
