"""The diagrams as files: drawn from a chapter's variables, encoded, compared.

    python -m course.pictures [notebook …]     redraw all diagrams, or those of some chapters

A figure is a function in course/figures/ (its package says how it is found and called). It returns
a Figure, or, for a moving diagram, yields (Figure, milliseconds) pairs; images/NAME.webp holds it.
"""

import importlib
import inspect
import io
import traceback
from collections.abc import Callable
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from nbformat import NotebookNode
from torch.random import fork_rng
from PIL import Image, ImageChops, ImageFilter, ImageSequence

from course import CourseError, command
from course.cells import steps
from course.draw import STYLE
from course.notebook import english, image, meant, place, read, root_of, write

PLAYS = 2  # of a moving diagram
BLUR = ImageFilter.BoxBlur(2)  # 5 x 5 pixels
LEVELS = 8  # of 255, by which a channel may differ between processors, once blurred
Frame = tuple[Image.Image, int]  # and the milliseconds that it stands, 0 for a still


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


def draw(path: Path, cell: NotebookNode, namespace: dict) -> list[Frame]:
    """The frames of a diagram of a chapter. Raises CourseError if it can't be drawn.

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
            moments = [(drawn, 0)] if isinstance(drawn, Figure) else drawn
            return [(pixels(figure), milliseconds) for figure, milliseconds in moments]
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


def encode(drawn: list[Frame]) -> bytes:
    """Frames as a lossless WebP; several play PLAYS times and rest on the last.

    A palette (PNG, GIF) would be chosen by counting pixels, so that one level at a few of them
    gives another file; PNG in all colours is three times as large. Whoever shows a notebook admits
    WebP beside PNG and GIF: JupyterLab asks for the scheme `data:` alone, markdown-it (VS Code)
    and mistune (nbconvert) list `data:image/webp`, and so does Closure's SafeUrl (Google).
    """
    packed = io.BytesIO()
    (first, *rest), times = zip(*drawn, strict=True)
    moving = {"save_all": True, "append_images": rest, "duration": times, "loop": PLAYS}
    first.save(packed, "WEBP", lossless=True, method=4, **(moving if rest else {}))
    return packed.getvalue()


def frames(data: bytes) -> list[Frame]:
    """The frames of a stored picture."""
    with Image.open(io.BytesIO(data)) as image:
        return [
            (frame.convert("RGB"), frame.info.get("duration", 0))
            for frame in ImageSequence.Iterator(image)
        ]


def same_picture(ours: list[Frame], theirs: list[Frame]) -> bool:
    """Whether two pictures are one to the eye, whatever processors drew them.

    They have as many frames, as long, as large, and no channel differs by more than LEVELS where
    both are blurred: two processors differ by some levels at single pixels, another digit differs
    by 50 at many.
    """
    if [(f.size, t) for f, t in ours] != [(f.size, t) for f, t in theirs]:
        return False
    pairs = [[f.filter(BLUR) for f, _ in both] for both in zip(ours, theirs, strict=True)]
    return all(h <= LEVELS for pair in pairs for _, h in ImageChops.difference(*pair).getextrema())


def redraw(path: Path) -> None:
    """Run a chapter down to its last diagram and write every picture that changed.

    Raises CourseError if a cell raises, or a figure is unknown or raises.
    """
    notebook, root = read(path), root_of(path)
    left = sum("diagram" in cell.metadata for cell in notebook.cells)
    for step in steps(path, notebook):
        if "diagram" in step.cell.metadata:
            file = image(root, step.cell.metadata["diagram"])
            with fork_rng():
                drawn = draw(path, step.cell, step.namespace)
            if not (file.exists() and same_picture(frames(file.read_bytes()), drawn)):
                write(file, encode(drawn))
            left -= 1
        if not left:
            break


def main(arguments: list[str]) -> None:
    """Redraw the diagrams of the chapters named, or of all."""
    for path in [Path(argument) for argument in arguments] or english():
        redraw(path)


if __name__ == "__main__":
    command(main)
