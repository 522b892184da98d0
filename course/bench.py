"""Time the check of the notebooks against plain Python, the floor, and against its peers.

    python -m course.bench [rounds]      5 unless told; the ways take turns within a round

The floor is the notebooks' cells as plain Python scripts, two at a time. It compares nothing. The
peers, nbmake and papermill, run the cells in kernels and compare nothing either. They are installed
into .venv/bench, for this program only. Wall-clock seconds of whole commands; medians.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course import ROOT, command
from course.notebook import english, read

PEERS = ["nbmake==1.5.5", "papermill==2.7.0"]
SIZES = (1, 2, 5, 10)
Notebooks = list[Path]


def call(*command: object, cwd: Path = ROOT, **environment: str) -> None:
    """Run a command without its output. Raises CalledProcessError if it fails."""
    run = {"cwd": cwd, "env": os.environ | environment, "capture_output": True, "check": True}
    subprocess.run([sys.executable, *map(str, command)], **run)


def plain(paths: Notebooks) -> None:
    """The cells of each notebook as one script, two scripts at a time."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        scripts = [Path(folder, path.with_suffix(".py").name) for path in paths]
        for path, script in zip(paths, scripts, strict=True):
            sources = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
            script.write_text("\n\n".join(sources))

        def run(script: Path) -> None:
            call(script, cwd=Path(folder), MPLBACKEND="agg")

        list(pool.map(run, scripts))


def nbval(paths: Notebooks) -> None:
    """The notebooks as `make test` runs them."""
    call("-m", "pytest", "-q", *paths)


def nbval_cold(paths: Notebooks) -> None:
    """The same with ordinary kernels."""
    call("-m", "pytest", "-q", *paths, COLD="1")


def nbmake(paths: Notebooks) -> None:
    """pytest-nbmake with two workers; nothing is compared."""
    options = ["-o", "addopts=", "--nbmake", "-n2"]
    call("-m", "pytest", "-q", *options, *paths, PYTHONPATH=str(ROOT / ".venv/bench"), COLD="1")


def papermill(paths: Notebooks) -> None:
    """papermill, one notebook after the other; nothing is compared."""
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            out = Path(folder, path.name)
            call("-m", "papermill", path, out, PYTHONPATH=str(ROOT / ".venv/bench"))


WAYS = [plain, nbval, nbval_cold, nbmake, papermill]


def main(arguments: list[str]) -> None:
    """Print medians, their ratios to the floor, and how they grow with the number of notebooks."""
    rounds = int(arguments[0]) if arguments else 5
    install = ["-m", "pip", "install", "-q", "--target", ".venv/bench", "--upgrade"]
    call(*install, "-c", "constraints.txt", *PEERS)
    paths = english()
    for size in SIZES:
        seconds = {way.__name__: [] for way in WAYS}
        for _ in range(rounds):
            for way in WAYS:
                start = time.perf_counter()
                way(paths[:size])
                seconds[way.__name__].append(time.perf_counter() - start)
        floor = statistics.median(seconds["plain"])
        print(f"\n{size} notebook{'s' * (size > 1)}, {rounds} rounds")
        for name, times in seconds.items():
            median = statistics.median(times)
            spread = f"{min(times):.1f} to {max(times):.1f}"
            print(
                f"{name:12} {median:6.1f} s   {median / floor:5.2f} × plain   ({spread})",
                flush=True,
            )


if __name__ == "__main__":
    command(main)
