"""What maintainers run: notebooks read, run, checked, drawn, stamped and recorded."""

import sys
from collections.abc import Callable
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 (an older one gets so far)
    sys.exit(
        f"The course needs Python 3.11 or newer, and {sys.executable} is {sys.version.split()[0]}; "
        "name another: python3.13 -m course.lab, or make lab PYTHON=python3.13"
    )
ROOT = Path(__file__).resolve().parent.parent


class CourseError(Exception):
    """What is wrong with the course and what to do about it, in one line."""


def command(main: Callable[[list[str]], int | None]) -> None:
    """Run a tool's main with the command line's arguments; an error a user meets is one line."""
    try:
        sys.exit(main(sys.argv[1:]))
    except CourseError as error:
        sys.exit(str(error))
    except OSError as error:  # a full disk, a folder that must not be written
        where = error.filename or "a file"
        sys.exit(f"{where}: {error.strerror}; nothing is half-written, mend this and run it again")
