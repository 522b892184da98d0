"""The course's tools, and what all of them need: the root, the errors, writing a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

OLDEST_PYTHON = (3, 11)
if sys.version_info < OLDEST_PYTHON:
    sys.exit(
        f"The course needs Python 3.11 or newer, and {sys.executable} is {sys.version.split()[0]}; "
        "name another: python3.13 -m course.lab, or make lab PYTHON=python3.13"
    )
ROOT = Path(__file__).resolve().parent.parent
NUMBERED_FILE = "[0-9][0-9]_*.ipynb"  # a chapter or, in the folder notes/, a note


class CourseError(Exception):
    """A problem with the course, and what to do about it, in one line."""


def read_toml(name: str, root: Path = ROOT) -> dict[str, Any]:
    """Return what a TOML file below a root holds. Raises CourseError if it is missing or broken."""
    import tomllib  # not above: an older Python has none, and is refused there

    try:
        return tomllib.loads((root / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CourseError(f"{name}: there is no such file; get it back from git") from None
    except ValueError as error:
        remedy = "mend it, or get it back from git"
        raise CourseError(f"{name}: is no TOML ({error}); {remedy}") from None


def require_line(name: str, start: str, example: str) -> str:
    """Return what follows a start in a line of a file, where a module needs it to be imported.

    Exits in one line, which gives an example, if there is none: no command runs yet that would
    catch an error.
    """
    path = ROOT / name
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for line in lines:
        if line.startswith(start) and line != start:
            return line.removeprefix(start)
    problem = f"has no line `{start}{example}`" if path.exists() else "there is no such file"
    sys.exit(f"{name}: {problem}; write it, or get it back from git")


PINNED_TORCH = require_line("requirements.txt", "torch==", "2.13.0").split()[0]


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
