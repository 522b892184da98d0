"""What the tests that read pages in Chromium have in common."""

import pytest

from course import ROOT
from course.lab import CHROMIUM

SCREENSHOTS = ROOT / "tests/screenshots"  # git ignores them
NEEDED = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium: install it (on Debian: apt install chromium)"
)
