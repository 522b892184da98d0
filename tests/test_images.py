"""The diagrams are what the drawing tool draws now, small enough, and readable."""

import draw
import figures
import pytest
from checks import diagram
from course import notebooks, read
from matplotlib.colors import to_hex


@pytest.mark.parametrize("name", figures.FIGURES)
def test_diagram(name):
    problems = list(diagram(name))
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_every_image_has_a_figure_and_a_use():
    files = {path.stem for path in figures.IMAGES.iterdir()}
    assert files == set(figures.FIGURES), "images/ and FIGURES in tools/figures.py differ"
    used = {c.metadata.get("diagram") for path in notebooks() for c in read(path).cells}
    unused = files - used
    assert not unused, f"no notebook shows {unused}; use the figure or remove it"


@pytest.mark.parametrize("color", [*draw.TOKEN_COLORS, draw.PALE])
def test_contrast(color):
    assert draw.contrast(color, "white") >= 4.5, f"{color} is too pale on white"


@pytest.mark.parametrize("color", draw.TOKEN_COLORS)
def test_pale_digits_read_on_a_tint(color):
    assert draw.contrast(draw.PALE, to_hex(draw.tint(color))) >= 4.5, f"the tint of {color}"
