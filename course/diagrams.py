"""A chapter's diagrams: drawn from its variables, encoded, compared.

A figure is a function in course/figures/ (its package says how it is found and called). It returns
a Figure, or, for a moving diagram, yields (Figure, milliseconds) pairs; images/NAME.webp holds it.
"""

import inspect
import io
import runpy
import traceback
from collections.abc import Callable
from pathlib import Path

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageFilter, ImageSequence

from course import CourseError
from course.draw import STYLE
from course.notebook import name_of, root_of, topic

PLAYS = 2  # of a moving diagram
BLUR = ImageFilter.BoxBlur(2)  # 5 x 5 pixels
LEVELS = 8  # of 255, by which a channel may differ between processors, once blurred
Frame = tuple[Image.Image, int]  # and the milliseconds that it stands, 0 for a still


def figure(path: Path, cell: NotebookNode) -> Callable:
    """The function that draws a diagram of a chapter. Raises CourseError if there is none."""
    name, file = cell.metadata["diagram"], f"course/figures/{topic(path)}.py"
    where = root_of(path) / file
    try:
        module = runpy.run_path(str(where)) if where.exists() else {}
    except Exception as error:
        why = f"{file} raises {type(error).__name__}: {error}; correct it"
        raise CourseError(f"{name_of(path, cell)}: {why}") from error
    if name.replace("-", "_") not in module:
        why = f"{file} has no function {name.replace('-', '_')}; write it, or correct `diagram`"
        raise CourseError(f"{name_of(path, cell)}: {why}")
    return module[name.replace("-", "_")]


def variables(function: Callable, namespace: dict, where: str) -> dict:
    """The variables that a function asks for. Raises CourseError if the chapter lacks one."""
    wanted = list(inspect.signature(function).parameters)
    if missing := [variable for variable in wanted if variable not in namespace]:
        name = function.__name__.replace("_", "-")
        why = f"no cell above makes {missing[0]}, a parameter of {name}; correct one"
        raise CourseError(f"{where}: {why}")
    return {variable: namespace[variable] for variable in wanted}


def render(path: Path, cell: NotebookNode, namespace: dict) -> list[Frame]:
    """The frames of a diagram of a chapter. Raises CourseError if it can't be drawn.

    `namespace` holds the chapter's variables at the diagram's cell.
    """
    name, where = cell.metadata["diagram"], name_of(path, cell)
    function = figure(path, cell)
    wanted = variables(function, namespace, where)
    try:
        with rc_context(STYLE):
            drawn = function(**wanted)
            moments = [(drawn, 0)] if isinstance(drawn, Figure) else drawn
            return [(pixels(figure), milliseconds) for figure, milliseconds in moments]
    except Exception as error:
        own = [c for c in traceback.extract_tb(error.__traceback__) if "figures" in c.filename]
        line = "".join(f"line {c.lineno} of {name_of(Path(c.filename))} " for c in own[-1:])
        message = f"{line}raises {type(error).__name__}: {error}; correct the figure {name}"
        gives = "which returns a Figure, or yields pairs of one and milliseconds"
        raise CourseError(f"{where}: {message}, {gives}") from error


def pixels(drawn: Figure) -> Image.Image:
    """A figure as an opaque picture. Raises ValueError if its edge cuts a text off."""
    canvas = FigureCanvasAgg(drawn)
    canvas.draw()
    width, height = canvas.get_width_height()
    for text in [text for ax in drawn.axes for text in ax.texts]:
        box = text.get_window_extent()
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -1:
            raise ValueError(f"{text.get_text()!r} is cut off at the edge of {width} by {height}")
    return Image.frombytes("RGBA", (width, height), canvas.buffer_rgba()).convert("RGB")


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
    """The frames of a stored picture; none if it is broken, so that it is drawn anew."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            return [
                (frame.convert("RGB"), frame.info.get("duration", 0))
                for frame in ImageSequence.Iterator(image)
            ]
    except OSError:
        return []


def same_picture(ours: list[Frame], theirs: list[Frame]) -> bool:
    """Whether two pictures look the same, whatever processors drew them.

    They have as many frames, as long, as large, and no channel differs by more than LEVELS where
    both are blurred: two processors differ by some levels at single pixels, another digit differs
    by 50 at many.
    """
    if [(f.size, t) for f, t in ours] != [(f.size, t) for f, t in theirs]:
        return False
    for (one, _), (two, _) in zip(ours, theirs, strict=True):
        if ImageChops.difference(one, two).getbbox():
            blurred = ImageChops.difference(one.filter(BLUR), two.filter(BLUR))
            if any(high > LEVELS for _, high in blurred.getextrema()):
                return False
    return True
