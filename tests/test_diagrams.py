"""Tests of the diagrams' colours and of how a stored picture is compared with a drawn one."""

import io

import pytest
from matplotlib.colors import to_hex, to_rgb
from PIL import Image, ImageDraw

from course import build, draw
from course.diagrams import PLAY_COUNT, decode_frames, encode_webp, same_picture


def contrast_ratio(first, second):
    """Return the contrast ratio of two colours, 1 to 21, as WCAG 2.1 defines it."""

    def luminance(color):
        rgb = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]

    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("color", [*draw.TOKEN_COLORS, draw.PALE_COLOR])
def test_colors_read_on_white(color):
    assert contrast_ratio(color, "white") >= 4.5, f"{color} is too pale on white"


@pytest.mark.parametrize("color", draw.TOKEN_COLORS)
def test_pale_digits_read_on_a_tint(color):
    assert contrast_ratio(draw.PALE_COLOR, to_hex(draw.tint(color))) >= 4.5, f"the tint of {color}"


def draw_picture(number="0.6957", fill="#0072b2", point=300):
    """Draw a number, a box, a point, and a ramp of more colours than a palette holds."""
    picture = Image.new("RGB", (700, 200), "white")
    picture.paste(Image.linear_gradient("L").resize((200, 200)), (500, 0))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((20, 100, 120, 160), fill)
    pen.ellipse((point, 100, point + 12, 112), "black")
    pen.text((20, 20), number, "black", font_size=20)
    return picture


def with_rounding_errors(picture):
    """Return a copy that differs by two levels at 200 pixels, as if another processor drew it."""
    copy = picture.copy()
    for i in range(200):
        pixel = (i * 37 % 700, i * 53 % 200)
        levels = tuple(min(255, level + 2 - 4 * (i % 2)) for level in copy.getpixel(pixel))
        copy.putpixel(pixel, levels)
    return copy


def test_stored_picture_is_the_drawn_one():
    """Also test that a moving one plays PLAY_COUNT times."""
    frames = [(draw_picture(), 200), (draw_picture("0.6958"), 400)]
    for drawn in (frames, [(draw_picture(), 0)]):
        stored = decode_frames(encode_webp(drawn))
        assert [(f.tobytes(), t) for f, t in stored] == [(f.tobytes(), t) for f, t in drawn]
    assert Image.open(io.BytesIO(encode_webp(frames))).info["loop"] == PLAY_COUNT


def test_another_processor_draws_the_same():
    picture = with_rounding_errors(draw_picture())
    assert picture != draw_picture() and same_picture([(draw_picture(), 0)], [(picture, 0)])


CHANGED_PICTURES = {
    "digit": draw_picture("0.6958"),
    "shade": draw_picture(fill="#0972b2"),  # nine levels of red
    "point": draw_picture(point=303),
    "size": draw_picture().crop((0, 0, 700, 190)),
}


@pytest.mark.parametrize("changed", CHANGED_PICTURES.values(), ids=CHANGED_PICTURES)
def test_another_picture_is_not_the_same(changed):
    assert not same_picture([(draw_picture(), 0)], [(changed, 0)])


def test_another_frame_or_time_is_not_the_same():
    frames = [(draw_picture(point=x), 200) for x in (300, 320, 340)]
    assert not same_picture(frames, [frames[0], frames[0], frames[2]])
    assert not same_picture(frames, [*frames[:2], (frames[2][0], 300)])
    assert not same_picture(frames, frames[:2])


def test_numbers_of_an_exhibit_are_stored_again_only_if_they_differ(tmp_path):
    file = tmp_path / "paint.json"
    file.write_bytes(build.exhibit_bytes(file, {"red": [0.2113, -0.1]}))
    stored = file.read_bytes()
    assert build.exhibit_bytes(file, {"red": [0.2114, -0.1]}) == stored, (
        "another processor trained it"
    )
    for numbers in ({"red": [0.2213, -0.1]}, {"red": [0.2113, 0.1]}, {"blue": [0.2113, -0.1]}):
        assert build.exhibit_bytes(file, numbers) != stored
    assert build.exhibit_bytes(file, {"red": [0.2113]}) != stored
