"""The course's tools, and what all of them need: the root, the errors, writing a file."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

OLDEST_PYTHON = (3, 11)
if sys.version_info < OLDEST_PYTHON:
    sys.exit(
        f"The course needs Python 3.11 or newer, and {sys.executable} is {sys.version.split()[0]}; "
        "name another: python3.13 -m course.lab, or make lab PYTHON=python3.13"
    )
ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
[PINNED_TORCH] = re.findall(r"^torch==(\S+)", REQUIREMENTS, re.MULTILINE)
NUMBERED_FILE = "[0-9][0-9]_*.ipynb"  # a chapter or, in the folder notes/, a note


class CourseError(Exception):
    """A problem with the course, and what to do about it, in one line."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file beside its place and then move it there, so that it is never half-written.

    Raises OSError, which names the file.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:  # the error of a full disk names no file
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def run_main(main: Callable[[list[str]], int | None]) -> None:
    """Run a command's main with the command line's arguments; print an error as one line.

    Asked for help, print what the main's module says of itself.
    """
    if {"-h", "--help"}.intersection(sys.argv[1:]):
        print((sys.modules[main.__module__].__doc__ or "").strip())
        return
    try:
        sys.exit(main(sys.argv[1:]))
    except CourseError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("stopped; run it again to finish")
    except OSError as error:  # a full disk, a folder that must not be written
        sys.exit(f"{error}; mend this and run it again")
