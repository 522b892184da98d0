"""JupyterLab as `make lab` starts it, and the Chromium in which the tests and the bench open it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course import ROOT, CourseError

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
# As root there is no sandbox; without the rest, Chromium asks the network for things of its own.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


@contextmanager
def jupyterlab(
    home: Path, notebook: str = "", ending: int = signal.SIGTERM, **environment: str
) -> Iterator[str]:
    """The address of JupyterLab, which has all that a user has in the folder `home`.

    It opens `notebook`, a place in the repository, or chapter 1, and runs in this interpreter,
    which has what it needs. Raises CourseError if it does not start. SIGTERM lets it shut its
    kernels down; after SIGKILL they end by themselves.
    """
    dry_run = ["make", "--dry-run", "--old-file=.venv/lab", "lab", f"NB={notebook}"]
    shown = subprocess.run(dry_run, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    command = [sys.executable, *re.search(r"-m jupyterlab .*", shown)[0].split()]
    own = {"HOME": str(home), "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces")}
    own |= {"BROWSER": "true"} | environment
    log = home / "log"
    with log.open("w") as file:
        run = {"cwd": ROOT, "env": os.environ | own, "stdout": file, "stderr": file}
        process = subprocess.Popen(command, **run, start_new_session=True)
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:\S+", log.read_text())):
            if process.poll() is not None:
                raise CourseError(f"JupyterLab ended: {log.read_text()}")
            time.sleep(0.05)
        time.sleep(0.05)  # the address is printed a moment too early
        yield found[0]
    finally:
        os.killpg(process.pid, ending)
        process.wait(60)
