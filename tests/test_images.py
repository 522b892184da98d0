"""The diagrams are what the drawing tool draws now, small enough, and readable."""

import io

import draw
import figures
import pytest
from course import notebooks, read
from matplotlib.colors import to_hex
from PIL import Image, ImageChops


def pixels(data):
    """The decoded picture of a PNG's bytes."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize("name", figures.FIGURES)
def test_image_is_what_the_tool_draws(name):
    path = figures.IMAGES / f"{name}.png"
    assert path.exists(), f"images/{name}.png is missing; run `make images`"
    stored, fresh = (pixels(data) for data in (path.read_bytes(), figures.png(name)))
    assert stored.size == fresh.size, f"images/{name}.png has another size; run `make images`"
    differs = ImageChops.difference(stored, fresh).getbbox()
    assert not differs, f"images/{name}.png differs in the box {differs}; run `make images`"


@pytest.mark.parametrize("name", figures.FIGURES)
def test_image_is_small_and_opaque(name):
    data = (figures.IMAGES / f"{name}.png").read_bytes()
    with Image.open(io.BytesIO(data)) as image:
        assert image.mode == "P", f"images/{name}.png is no palette PNG; run `make images`"
        assert "transparency" not in image.info, f"images/{name}.png is not opaque"
        assert 1300 <= image.width <= 1500, f"images/{name}.png: {image.width} px wide, not 1,400"
    assert len(data) <= 60_000, f"images/{name}.png is larger than 60 KB"


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
