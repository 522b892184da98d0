"""The script that makes .venv: what it did not make stays, and what it cannot use is refused."""

import os
import subprocess
import sys

import pytest

from course import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
# Stands for an interpreter, and, copied there by `-m venv`, for that of a .venv.
PYTHON = f"""#!/bin/sh
case "$*" in
    "-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python; touch .venv/bin/activate ;;
    *) exec {sys.executable} "$@" ;;
esac
"""
OLD = '#!/bin/sh\ncase "$*" in *version_info*) exit 1 ;; *python_version*) echo 3.10.2 ;; esac\n'
BARE = f'#!/bin/sh\ncase "$*" in *pip*) exit 1 ;; *) exec {sys.executable} "$@" ;; esac\n'


def install(folder):
    """Run the script in a folder, with something to install that needs no network: nothing new."""
    interpreter = folder / "python"
    interpreter.write_text(PYTHON)
    interpreter.chmod(0o755)
    script = ROOT / "course/install.sh"
    command = ["sh", script, interpreter, ".venv/test", "pip"]
    environment = os.environ | {"PIP_NO_INDEX": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def venv(folder, python):
    """Put a .venv there, with a file of somebody's, and return that."""
    (folder / ".venv/bin").mkdir(parents=True)
    if python:
        (folder / ".venv/bin/python").write_text(python)
        (folder / ".venv/bin/python").chmod(0o755)
    mine = folder / ".venv/mine"
    mine.touch()
    return mine


def test_none_is_made_and_then_kept(tmp_path):
    assert "Making" in install(tmp_path).stdout
    assert {path.name for path in (tmp_path / ".venv").iterdir()} == {"bin", "test"}
    assert "Making" not in install(tmp_path).stdout


def test_unfinished_one_is_made_anew(tmp_path):
    rest = venv(tmp_path, None)
    (tmp_path / ".venv/unfinished-by-make").touch()
    assert "Making" in install(tmp_path).stdout
    assert not rest.exists() and (tmp_path / ".venv/test").exists()


def test_another_that_fits_is_used(tmp_path):
    mine = venv(tmp_path, PYTHON)
    assert "Making" not in install(tmp_path).stdout
    assert mine.exists() and (tmp_path / ".venv/test").exists()


@pytest.mark.parametrize(
    ("python", "wrong"),
    [(None, "does not run"), (OLD, "Python 3.10.2"), (BARE, "has no pip")],
    ids=["broken", "old", "bare"],
)
def test_another_that_does_not_fit_is_refused(python, wrong, tmp_path):
    mine = venv(tmp_path, python)
    run = install(tmp_path)
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert wrong in run.stderr and "move .venv away" in run.stderr
    assert mine.exists() and not (tmp_path / ".venv/test").exists()
