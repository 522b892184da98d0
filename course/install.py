"""Install packages into the environment of this Python, PyTorch without CUDA where that works.

    python -m course.install ARGUMENT …

ARGUMENT    what `pip install` takes

For example: python -m course.install -r requirements.txt

The course needs no GPU. On Linux, pip takes the PyTorch with CUDA, several GB; uv finds the one
without. Where uv cannot reach it, pip installs, as on macOS and Windows. Only Python's own library
can be imported here: nothing else is installed yet.
"""

import os
import subprocess
import sys

from course import ROOT, CourseError, run_main

NO_PATIENCE = ["--retries=0", "--timeout=10"]  # else pip tries for 40 seconds


def main(arguments: list[str]) -> None:
    """Install what pip's arguments name. Raises CourseError if that fails."""
    install_packages(sys.executable, arguments)


def install_packages(python: str, arguments: list[str]) -> None:
    """Install what pip's arguments name for a Python. Raises CourseError if that fails."""
    pip, environment = [python, "-m", "pip"], dict(os.environ)
    install = pip_install = [*pip, "install", "--disable-pip-version-check"]
    if sys.platform == "linux":
        run_quietly([*pip_install, "-r", ".github/requirements.txt"], environment)
        index = run_quietly([*pip, "config", "get", "global.index-url"], environment)
        if index.returncode == 0:  # a mirror, of which uv does not know
            environment.setdefault("UV_DEFAULT_INDEX", index.stdout.strip())
        uv_install = [python, "-m", "uv", "pip", "install", "--torch-backend=cpu"]
        uv_install += ["--python", python]
        trial = [*uv_install, "--dry-run", *arguments]
        dry_run = run_quietly(trial, environment | {"UV_HTTP_RETRIES": "1"})
        if dry_run.returncode == 0:
            install = uv_install
        else:
            reason = dry_run.stderr.strip().rpartition("\n")[2].strip() or "no reason given"
            print(f"uv cannot get PyTorch without CUDA ({reason}); pip takes what it finds.")
    sys.stdout.flush()
    if subprocess.run([*install, *arguments], cwd=ROOT, env=environment).returncode:
        reach = run_quietly([*pip, "index", "versions", "pip", *NO_PATIENCE], environment)
        reason = "; mend what is said above"
        if reach.returncode:
            reason = ": no package index can be reached; see to the network, or to a proxy"
        raise CourseError(f"not everything was installed{reason}, and run this again")


def run_quietly(
    command: list[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command in the root, and keep what it prints."""
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    run_main(main)
