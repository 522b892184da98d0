"""Chromium, for the tests that read pages in it."""

import shutil

import pytest

from course import ROOT

SCREENSHOTS = ROOT / "tests/screenshots"  # git ignores them
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NEEDED = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium: install it (on Debian: apt install chromium)"
)
# As root there is no sandbox; without the rest, Chromium asks the network for things of its own.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
