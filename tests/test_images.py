"""The colours of the diagrams can be read."""

import pytest
from matplotlib.colors import to_hex

from course import draw


@pytest.mark.parametrize("color", [*draw.TOKEN_COLORS, draw.PALE])
def test_contrast(color):
    assert draw.contrast(color, "white") >= 4.5, f"{color} is too pale on white"


@pytest.mark.parametrize("color", draw.TOKEN_COLORS)
def test_pale_digits_read_on_a_tint(color):
    assert draw.contrast(draw.PALE, to_hex(draw.tint(color))) >= 4.5, f"the tint of {color}"
