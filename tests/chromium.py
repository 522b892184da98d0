"""The Chromium in which the tests open pages: its path, its flags, and a mark for its tests."""

import os
import shutil

import pytest

from course import ROOT

SCREENSHOTS = ROOT / "tests/screenshots"  # git ignores them
EXECUTABLE_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, EXECUTABLE_NAMES)), None)
# Chromium has no sandbox for root; without the other flags, it makes requests of its own.
FLAGS = ["--disable-gpu", "--disable-background-networking", "--disable-sync"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    FLAGS.append("--no-sandbox")
# Without Chromium, these tests are skipped, but in CI they fail.
NEEDS_CHROMIUM = pytest.mark.skipif(
    not (CHROMIUM or os.environ.get("CI")),
    reason="no Chromium: install it (on Debian: apt install chromium)",
)
