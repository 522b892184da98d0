"""Open the course in JupyterLab.

python -m course.lab [notebook]     at chapter 1, or at the notebook named
"""

import os
import sys

from course import ROOT, command


def main(arguments: list[str]) -> None:
    """Become JupyterLab."""
    first = "".join(arguments[:1]) or "notebooks/01_lookup.ipynb"
    options = ["--ServerApp.root_dir=.", f"--LabApp.default_url=/lab/tree/{first}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container; JupyterLab asks for it
        options.append("--allow-root")
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *options])


if __name__ == "__main__":
    command(main)
