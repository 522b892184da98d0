"""The Chromium in which the tests read pages: where it is, and what it is started with."""

import os
import shutil

import pytest

from course import ROOT

SCREENSHOTS = ROOT / "tests/screenshots"  # git ignores them
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
# As root there is no sandbox; without the rest, Chromium asks the network for things of its own.
FLAGS = ["--disable-gpu", "--disable-background-networking", "--disable-sync"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    FLAGS.append("--no-sandbox")
# A reader may do without; where CI is set, the tests fail without it.
NEEDED = pytest.mark.skipif(
    not (CHROMIUM or os.environ.get("CI")),
    reason="no Chromium: install it (on Debian: apt install chromium)",
)
