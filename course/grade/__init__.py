"""Judge what a class has handed in."""

import sys
from importlib.util import find_spec

for package in ("nbformat", "torch"):
    if not find_spec(package):  # else the imports end in a traceback
        sys.exit(
            f"{package} is not installed for {sys.executable}; "
            "run `make lab` once, then `.venv/bin/python -m course.grade FOLDER`"
        )
