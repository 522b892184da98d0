"""A notebook's diagrams: drawn from its variables, encoded, compared.

A figure is a function in course/figures/ (its package says how it is found and called). It returns
a Figure, or, for a moving diagram, yields (Figure, milliseconds) pairs; images/NAME.webp holds it.
"""

import inspect
import io
import runpy
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageFilter, ImageSequence

from course import CourseError
from course.draw import STYLE
from course.notebook import Notebook, relative_name

PLAY_COUNT = 2  # of a moving diagram
BLUR = ImageFilter.BoxBlur(2)  # 5 x 5 pixels
MAX_LEVELS = 8  # of 255, by which a channel may differ between processors, once blurred
Frame = tuple[Image.Image, int]  # and the milliseconds for which it is shown, 0 for a still


def draw_diagram(notebook: Notebook, cell: NotebookNode, namespace: dict[str, Any]) -> list[Frame]:
    """Draw the diagram of a cell from the notebook's variables there.

    Raises CourseError if there is no such figure, or it can't be drawn.
    """
    name, place = cell.metadata["diagram"], notebook.place_of(cell)
    figure_function = find_figure(notebook, cell)
    arguments = arguments_for(figure_function, namespace, place)
    try:
        with rc_context(STYLE):
            figures = figure_function(**arguments)
            timed_figures = [(figures, 0)] if isinstance(figures, Figure) else figures
            frames = [(rasterize(figure), milliseconds) for figure, milliseconds in timed_figures]
        if not frames:
            raise ValueError("no frame")
        return frames
    except Exception as error:
        code = inspect.unwrap(figure_function).__code__
        places = [(code.co_filename, code.co_firstlineno)]  # for what it returns may be at fault
        for call in traceback.extract_tb(error.__traceback__):
            if "figures" in call.filename:
                places.append((call.filename, call.lineno or 0))
        file_name, line = places[-1]
        where = f"line {line} of {relative_name(Path(file_name), notebook.root)}"
        message = f"{where} raises {type(error).__name__}: {error}"
        remedy = f"correct the figure {name}, which returns a Figure, or yields pairs of one and "
        raise CourseError(f"{place}: {message}; {remedy}milliseconds") from error


def find_figure(notebook: Notebook, cell: NotebookNode) -> Callable[..., Any]:
    """Return the function that draws the diagram of a cell. Raises CourseError if there is none."""
    function_name = cell.metadata["diagram"].replace("-", "_")
    place, file_name = notebook.place_of(cell), f"course/figures/{notebook.topic}.py"
    file = notebook.root / file_name
    if not file.exists():
        message = f"there is no {file_name}; write it, or rename the module of its figures"
        raise CourseError(f"{place}: {message}")
    try:
        module = runpy.run_path(str(file))
    except Exception as error:
        message = f"{file_name} raises {type(error).__name__}: {error}; correct it"
        raise CourseError(f"{place}: {message}") from error
    if function_name not in module:
        message = f"{file_name} has no function {function_name}; write it, or correct `diagram`"
        raise CourseError(f"{place}: {message}")
    return module[function_name]


def arguments_for(
    function: Callable[..., Any], namespace: dict[str, Any], place: str
) -> dict[str, Any]:
    """Return the variables that a function has as parameters. Raises CourseError if one is missing.

    `place` is where the function is called, for the message.
    """
    parameters = list(inspect.signature(function).parameters)
    if missing_names := [parameter for parameter in parameters if parameter not in namespace]:
        name = function.__name__.replace("_", "-")
        message = f"no cell above makes {missing_names[0]}, a parameter of {name}; correct one"
        raise CourseError(f"{place}: {message}")
    return {parameter: namespace[parameter] for parameter in parameters}


def rasterize(figure: Figure) -> Image.Image:
    """Return a figure as an opaque picture. Raises ValueError if its edge cuts a text off."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = canvas.get_width_height()
    for text in [text for ax in figure.axes for text in ax.texts]:
        box = text.get_window_extent()
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -1:
            raise ValueError(f"{text.get_text()!r} is cut off at the edge of {width} by {height}")
    return Image.frombytes("RGBA", (width, height), canvas.buffer_rgba()).convert("RGB")


def encode_webp(frames: list[Frame]) -> bytes:
    """Return frames as a lossless WebP; several play PLAY_COUNT times and rest on the last.

    A palette (PNG, GIF) would be chosen by counting pixels, so that one level at a few of them
    gives another file; PNG in all colours is three times as large. Whoever shows a notebook admits
    WebP beside PNG and GIF: JupyterLab asks for the scheme `data:` alone, markdown-it (VS Code)
    and mistune (nbconvert) list `data:image/webp`, and so does Closure's SafeUrl (Google).
    """
    encoded = io.BytesIO()
    first, *rest = (frame for frame, _ in frames)
    options: dict[str, Any] = {}
    if rest:
        times = [milliseconds for _, milliseconds in frames]
        options = {"save_all": True, "append_images": rest, "duration": times, "loop": PLAY_COUNT}
    first.save(encoded, "WEBP", lossless=True, method=4, **options)
    return encoded.getvalue()


def decode_frames(data: bytes) -> list[Frame]:
    """Return the frames of a stored picture; none if it is broken, so that it is drawn anew."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            return [
                (frame.convert("RGB"), frame.info.get("duration", 0))
                for frame in ImageSequence.Iterator(image)
            ]
    except OSError:
        return []


def same_picture(stored: list[Frame], drawn: list[Frame]) -> bool:
    """Return whether two pictures look the same, whatever processors drew them.

    They have equally many frames, of equal sizes and times, and no channel differs by more than
    MAX_LEVELS where both are blurred: two processors differ by some levels at single pixels,
    another digit differs by 50 at many.
    """
    if [(f.size, time) for f, time in stored] != [(f.size, time) for f, time in drawn]:
        return False
    for (stored_frame, _), (drawn_frame, _) in zip(stored, drawn, strict=True):
        if ImageChops.difference(stored_frame, drawn_frame).getbbox():
            blurred = ImageChops.difference(stored_frame.filter(BLUR), drawn_frame.filter(BLUR))
            if blurred.point([level > MAX_LEVELS for level in range(256)] * 3).getbbox():
                return False
    return True
