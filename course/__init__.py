"""What maintainers run, and what all of it needs: the root, one kind of error, writing a file."""

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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file aside, then move it to its place: nobody ever meets a half of it."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:  # one of a full disk names no file
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def command(main: Callable[[list[str]], int | None]) -> None:
    """Run a tool's main with the command line's arguments; an error a user meets is one line."""
    try:
        sys.exit(main(sys.argv[1:]))
    except CourseError as error:
        sys.exit(str(error))
    except OSError as error:  # a full disk, a folder that must not be written
        sys.exit(f"{error}; mend this and run it again")
