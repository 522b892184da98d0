"""The colours of the diagrams can be read; a stored picture is told from another one."""

import io

import pytest
from matplotlib.colors import to_hex
from PIL import Image, ImageDraw

from course import build, draw
from course.diagrams import PLAYS, decode_frames, encode_webp, same_picture


@pytest.mark.parametrize("color", [*draw.TOKEN_COLORS, draw.PALE_COLOR])
def test_contrast(color):
    assert draw.contrast_ratio(color, "white") >= 4.5, f"{color} is too pale on white"


@pytest.mark.parametrize("color", draw.TOKEN_COLORS)
def test_pale_digits_read_on_a_tint(color):
    assert draw.contrast_ratio(draw.PALE_COLOR, to_hex(draw.tint(color))) >= 4.5, (
        f"the tint of {color}"
    )


def picture(number="0.6957", fill="#0072b2", point=300):
    """A number, a box, a point, and a ramp of more colours than a palette holds."""
    drawn = Image.new("RGB", (700, 200), "white")
    drawn.paste(Image.linear_gradient("L").resize((200, 200)), (500, 0))
    pen = ImageDraw.Draw(drawn)
    pen.rectangle((20, 100, 120, 160), fill)
    pen.ellipse((point, 100, point + 12, 112), "black")
    pen.text((20, 20), number, "black", font_size=20)
    return drawn


def another_processor(drawn):
    """Two levels more or less at 200 pixels, as two processors draw one figure."""
    drawn = drawn.copy()
    for i in range(200):
        spot = (i * 37 % 700, i * 53 % 200)
        drawn.putpixel(spot, tuple(min(255, c + 2 - 4 * (i % 2)) for c in drawn.getpixel(spot)))
    return drawn


def test_stored_picture_is_the_drawn_one():
    """And comes to rest."""
    moments = [(picture(), 200), (picture("0.6958"), 400)]
    for drawn in (moments, [(picture(), 0)]):
        stored = decode_frames(encode_webp(drawn))
        assert [(f.tobytes(), t) for f, t in stored] == [(f.tobytes(), t) for f, t in drawn]
    assert Image.open(io.BytesIO(encode_webp(moments))).info["loop"] == PLAYS


def test_another_processor_draws_the_same():
    drawn = another_processor(picture())
    assert drawn != picture() and same_picture([(picture(), 0)], [(drawn, 0)])


FAULTS = {
    "digit": picture("0.6958"),
    "shade": picture(fill="#1082c2"),
    "point": picture(point=303),
    "size": picture().crop((0, 0, 700, 190)),
}


@pytest.mark.parametrize("other", FAULTS.values(), ids=FAULTS)
def test_another_picture_is_not_the_same(other):
    assert not same_picture([(picture(), 0)], [(other, 0)])


def test_another_frame_or_time_is_not_the_same():
    moments = [(picture(point=x), 200) for x in (300, 320, 340)]
    assert not same_picture(moments, [moments[0], moments[0], moments[2]])
    assert not same_picture(moments, [*moments[:2], (moments[2][0], 300)])
    assert not same_picture(moments, moments[:2])


def test_numbers_of_an_exhibit_are_stored_again_only_if_they_differ(tmp_path):
    file = tmp_path / "paint.json"
    file.write_bytes(build.exhibit_bytes(file, {"red": [0.2113, -0.1]}))
    old = file.read_bytes()
    assert build.exhibit_bytes(file, {"red": [0.2114, -0.1]}) == old, "another processor trained it"
    for other in ({"red": [0.2213, -0.1]}, {"red": [0.2113, 0.1]}, {"blue": [0.2113, -0.1]}):
        assert build.exhibit_bytes(file, other) != old
    assert build.exhibit_bytes(file, {"red": [0.2113]}) != old
