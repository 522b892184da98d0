"""Run the English notebooks with other versions of PyTorch, and compare every printed output.

    python -m course.versions [set ...]     all sets, or those named; status 0 if all agree

The Python that runs this makes an environment for each set in a temporary folder, up to 5 GB, and
removes it afterwards. A line for each set says what was installed, how many cells were compared,
and which differ; under it stands what nbval says of those.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from course import ROOT, CourseError, command

SETS = {
    "colab": "torch==2.11.0 matplotlib==3.10.0 numpy==2.1.3 ipython==7.34.0 ipykernel==6.17.1",
    "newest": "torch matplotlib",
    "oldest": "torch==2.5.0 matplotlib",
}
SEEN = "2.5.0 2.6.0 2.11.0 2.13.0 2.15.0"  # versions of torch that were seen to agree
LINES = 15  # at most, of what nbval says of a cell: the difference stands at the end
SHOW = """
import platform
from importlib.metadata import version
names = ["torch", "matplotlib", "numpy", "ipython", "ipykernel"]
print(", ".join(["Python " + platform.python_version(), *(f"{n} {version(n)}" for n in names)]))
"""


def call(step: str, advice: str, *command: object, good: tuple = (0,), cwd: Path = ROOT) -> str:
    """What a command prints. Raises CourseError if it ends with another status than a good one."""
    run = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    if run.returncode in good:
        return run.stdout.strip()
    lines = (run.stdout + run.stderr).strip().splitlines() or ["it said nothing"]
    why = next((line for line in lines if line.startswith("ERROR")), lines[-1])
    if run.returncode < 0:
        why = f"stopped by signal {-run.returncode}"
    raise CourseError(f"{step} failed ({why}); {advice}")


def install(folder: Path, packages: list[str]) -> Path:
    """Make an environment with these packages and the nbval of requirements.txt; its Python."""
    advice = "on Debian and Ubuntu: apt install python3-venv"
    call("making an environment", advice, sys.executable, "-m", "venv", folder)
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    nbval = [line for line in lines if line.startswith("nbval==")]
    python = folder / "bin/python"
    advice = "is there a network, is the disk full, is there such a version for this Python?"
    call("the installation", advice, python, "-m", "pip", "install", *packages, *nbval)
    return python


def code_cells(path: Path) -> list[str]:
    """The ids of a notebook's code cells, in order: nbval knows a cell by its place among them."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell["id"] for cell in cells if cell["cell_type"] == "code"]


def compare(python: Path, folder: Path) -> ElementTree.Element:
    """Run nbval on copies of the notebooks, alone in a folder; its report as JUnit's XML."""
    folder.mkdir()
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, folder)
    report = folder.with_suffix(".xml")
    options = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=300", "--color=no"]
    options += [f"--nbval-sanitize-with={ROOT / 'course/sanitize.cfg'}", f"--junitxml={report}"]
    options += ["--rootdir=.", "-pno:cacheprovider"]
    # Status 1 is a mismatch. Whatever else is wrong, too few cells are compared.
    command = [python, "-m", "pytest", *options]
    call("pytest", "does `make test` pass?", *command, good=(0, 1), cwd=folder)
    return ElementTree.parse(report).getroot()


def verdict(report: ElementTree.Element) -> tuple[bool, str]:
    """Whether all cells were compared and none differs; and the same in words, with the cells."""
    ids = {path.name: code_cells(path) for path in (ROOT / "notebooks").glob("*.ipynb")}
    total, compared = sum(map(len, ids.values())), 0
    found, details = {"mismatches": [], "errors": []}, ""
    for case in report.iter("testcase"):
        chapter, name = case.get("classname"), case.get("name")
        if chapter in ids and name.startswith("Cell "):
            name = f"{Path(chapter).stem} {ids[chapter][int(name.removeprefix('Cell '))]}"
        wrong = [part for part in case if part.tag in ("failure", "error", "skipped")]
        compared += all(part.tag == "failure" for part in wrong)
        for part in wrong:
            found["mismatches" if part.tag == "failure" else "errors"].append(name)
            said = re.sub(r"#x1B\[[\d;]*m", "", part.text or "").strip().splitlines()
            details += "\n        ".join([f"\n    {name}: {part.tag}", *said[-LINES:]])
    words = f"{compared} of {total} cells compared"
    for kind, names in found.items():
        words += f", {len(names)} {kind}" + (f" ({', '.join(names)})" if names else "")
    return 0 < total == compared and not details, words + details


def try_set(name: str) -> bool:
    """Install a set, compare, and print the line. Returns whether the set agrees."""
    print(f"{name}: installing {SETS[name]} …", file=sys.stderr, flush=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            python = install(Path(folder, "environment"), SETS[name].split())
            shown = call("asking for the versions", "install the set by hand", python, "-c", SHOW)
            agrees, words = verdict(compare(python, Path(folder, "notebooks")))
    except CourseError as error:
        agrees, shown, words = False, "nothing was compared", str(error)
    print(f"{name}: {shown}: {words}", flush=True)
    return agrees


def main(names: list[str]) -> int:
    """Try each set; the exit status is 1 unless all agree."""
    if unknown := sorted(set(names) - set(SETS)):
        raise CourseError(f"no set {', '.join(unknown)}; there are {', '.join(SETS)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the environment is removed
    try:
        return int(not all([try_set(name) for name in names or SETS]))
    except KeyboardInterrupt:
        print("stopped, and the environment is removed", file=sys.stderr)
        return 130


if __name__ == "__main__":
    command(main)
