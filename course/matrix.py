"""Compare all that is stored under each CPU capability, with one and two threads, twice.

    python -m course.matrix      print configuration and mismatches; 0 everywhere is success

ATEN_CPU_CAPABILITY chooses PyTorch's vector instructions. A machine without AVX-512 falls back to
what it has, so look at where you run this.
"""

import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

from course import ROOT, CourseError, command

CAPABILITIES = ("default", "avx2", "avx512")
THREADS = ("1", "2")
REPEATS = 2


def mismatches(capability: str, threads: str) -> int:
    """How many cells print something else than what is stored, or do not run, in one run of all.

    A chapter counts as one more if its diagrams, plots, exercises or computed numbers differ.

    Raises CourseError if the run itself fails.
    """
    environment = os.environ | {"ATEN_CPU_CAPABILITY": capability, "OMP_NUM_THREADS": threads}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", f"--junitxml={report}"]
        command += ["notebooks", "tests/test_cells.py"]
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        if run.returncode not in (0, 1):
            raise CourseError(
                f"{capability}, {threads}: no result; see `pytest notebooks tests/test_cells.py`"
            )
        suite = ElementTree.parse(report).find("testsuite")
    count = {key: int(suite.get(key)) for key in ("tests", "skipped", "failures", "errors")}
    if count["tests"] == count["skipped"]:
        raise CourseError(f"{capability}, {threads}: nothing was compared; see `pytest notebooks`")
    return count["failures"] + count["errors"]


def main(_: list[str]) -> int:
    """Print the table; the exit status is 1 if anything differs."""
    print(f"{'capability':12}{'threads':>8}{'repeat':>8}{'mismatches':>12}")
    total = 0
    for capability, threads, repeat in product(CAPABILITIES, THREADS, range(1, REPEATS + 1)):
        found = mismatches(capability, threads)
        total += found
        print(f"{capability:12}{threads:>8}{repeat:>8}{found:>12}", flush=True)
    print(f"{total} mismatches")
    return int(total > 0)


if __name__ == "__main__":
    command(main)
