"""Time the checks: against plain Python, against their peers, and as those who use them meet them.

    python -m course.bench [rounds]      at most 15 minutes on two cores, unless rounds are given

The floor is the notebooks' cells as plain Python scripts, two at a time; it compares nothing. The
peers, nbmake and papermill, run the cells in kernels and compare nothing either; they are installed
into .venv/bench, for this program only. Wall-clock seconds of whole commands, medians of rounds in
which the ways take turns.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
from nbformat.v4 import new_notebook
from playwright.sync_api import Page, sync_playwright

from course import ROOT, command
from course.lab import CHROMIUM, FLAGS, jupyterlab
from course.notebook import english, place, read, text

PEERS = ["nbmake==1.5.5", "papermill==2.7.0"]
ONE = ROOT / "notebooks/05_gradients.ipynb"
LAB = {
    "make lab": "notebooks/01_lookup.ipynb",
    "a blank notebook": "tests/screenshots/blank.ipynb",
}
Notebooks = list[Path]


def call(*command: object, cwd: Path = ROOT, **environment: str) -> None:
    """Run a Python command without its output. Raises CalledProcessError if it fails."""
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


def nbmake(paths: Notebooks) -> None:
    """pytest-nbmake with two workers; nothing is compared."""
    options = ["-o", "addopts=", "--nbmake", "-n2"]
    call("-m", "pytest", "-q", *options, *paths, PYTHONPATH=str(ROOT / ".venv/bench"))


def papermill(paths: Notebooks) -> None:
    """papermill, two at a time; nothing is compared."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def run(path: Path) -> None:
            out = Path(folder, path.name)
            call("-m", "papermill", path, out, PYTHONPATH=str(ROOT / ".venv/bench"))

        list(pool.map(run, paths))


def make(*words: str) -> None:
    """A command of the Makefile. Raises CalledProcessError if it fails."""
    subprocess.run(["make", *words], cwd=ROOT, capture_output=True, check=True)


def painted(page: Page, path: str) -> None:
    """Start JupyterLab as `make lab` does, and wait until it shows a notebook."""
    with (
        tempfile.TemporaryDirectory() as home,
        jupyterlab(Path(home), path, signal.SIGKILL) as address,
    ):
        page.goto(address)
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()


def table(head: str, ways: dict[str, Callable[[], None]], rounds: int) -> None:
    """Print for each way the median, its ratio to the first one's, and the spread."""
    seconds = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    first = next(iter(ways))
    floor = statistics.median(seconds[first])
    print(f"\n{head} (rounds: {rounds})")
    for name, times in seconds.items():
        median, spread = statistics.median(times), f"{min(times):.1f} to {max(times):.1f}"
        print(f"{name:32} {median:6.1f} s  {median / floor:5.2f} × {first}  ({spread})", flush=True)


def peak_memory(work: Callable[[], None]) -> float:
    """The most GiB that this process and all that it starts hold while they work (Linux' PSS)."""
    done, peak = threading.Event(), 0

    def watch() -> None:
        nonlocal peak
        while not done.wait(2):  # oftener, it would slow down what it watches
            total = 0
            for process in psutil.Process().children(recursive=True):
                try:
                    total += process.memory_full_info().pss
                except psutil.Error:  # it has ended
                    continue
            peak = max(peak, total)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work()
    finally:
        done.set()
        watcher.join()
    return peak / 2**30


def lab(rounds: int) -> None:
    """How long until a reader sees chapter 1, and a blank notebook, in Chromium."""
    blank = ROOT / LAB["a blank notebook"]
    blank.parent.mkdir(exist_ok=True)
    blank.write_text(text(new_notebook()))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        ways = {name: lambda path=path: painted(page, path) for name, path in reversed(LAB.items())}
        table("JupyterLab, until a cell is there", ways, rounds)
        browser.close()


def main(arguments: list[str]) -> None:
    """Print all tables."""
    rounds = int(arguments[0]) if arguments else 0
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for all ways, as conftest.py does for one
    install = ["-m", "pip", "install", "-q", "--target", ".venv/bench", "--upgrade"]
    call(*install, "-c", "constraints.txt", *PEERS)
    paths, usual = english(), [plain, nbval]
    for size in (1, 2, 5):
        ways = {way.__name__: lambda way=way, n=size: way(paths[:n]) for way in usual}
        table(f"{size} of {len(paths)} notebooks", ways, rounds or (5 if size < 5 else 3))
    ways = {way.__name__: lambda way=way: way(paths) for way in [*usual, nbmake, papermill]}
    table(f"all {len(paths)} notebooks", ways, rounds or 2)
    lab(rounds or 3)
    one = {f"make test NB={place(ONE)}": lambda: make("test", f"NB={place(ONE)}")}
    table("one chapter, all of its checks", one, rounds or 3)
    start = time.perf_counter()
    peak = peak_memory(lambda: make("test"))
    print(f"\nmake test: {time.perf_counter() - start:.0f} s, {peak:.1f} GiB at most")


if __name__ == "__main__":
    command(main)
