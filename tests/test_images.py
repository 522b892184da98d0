"""The colours of the diagrams can be read; a stored diagram is told from another one."""

import io

import pytest
from matplotlib.colors import to_hex
from PIL import Image, ImageDraw

from course import draw
from course.pictures import COLORS, Drawing, holds, png


@pytest.mark.parametrize("color", [*draw.TOKEN_COLORS, draw.PALE])
def test_contrast(color):
    assert draw.contrast(color, "white") >= 4.5, f"{color} is too pale on white"


@pytest.mark.parametrize("color", draw.TOKEN_COLORS)
def test_pale_digits_read_on_a_tint(color):
    assert draw.contrast(draw.PALE, to_hex(draw.tint(color))) >= 4.5, f"the tint of {color}"


def picture(number: str = "0.6957", fill: str = "#0072b2") -> Image.Image:
    """A number over a box and a ramp of more colours than a palette holds."""
    drawn = Image.new("RGB", (700, 200), "white")
    drawn.paste(Image.linear_gradient("L").resize((200, 200)), (500, 0))
    pen = ImageDraw.Draw(drawn)
    pen.rectangle((20, 100, 120, 160), fill)
    pen.text((20, 20), number, "black", font_size=20)
    return drawn


@pytest.fixture
def drawing() -> Drawing:
    return Drawing("drawn.png", png(picture(), COLORS), [picture()])


def test_another_palette_is_the_same_diagram(drawing):
    other = io.BytesIO()
    picture().quantize(COLORS, Image.Quantize.MAXCOVERAGE).save(other, "PNG")
    assert other.getvalue() != drawing.data and holds(other.getvalue(), drawing)


@pytest.mark.parametrize(
    "other",
    [
        picture("0.6958"),
        picture(fill="#3092d2"),
        Image.new("RGB", (700, 200), "white"),
        picture().crop((0, 0, 700, 190)),
    ],
    ids=["digit", "colour", "blank", "size"],
)
def test_another_diagram_is_not_the_same(drawing, other):
    assert not holds(png(other, COLORS), drawing)
