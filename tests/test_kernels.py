"""The forked kernels change nothing: no state passes between notebooks, none outlives the run."""

import os
import signal
import subprocess
import sys
import time

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course import ROOT, kernels
from course.notebook import METADATA, text

pytestmark = pytest.mark.skipif(not kernels.available(), reason="kernels are not forked here")

TRACES = """
import builtins, os, sys, torch
traces = [hasattr(builtins, "trace"), "TRACE" in os.environ, hasattr(torch, "traced"),
          torch.get_default_dtype() != torch.float32, "traces" in sys.modules, os.listdir(),
          torch.initial_seed() == 7, torch.is_inference_mode_enabled(), "trace" in globals()]
print(any(traces))
builtins.trace = torch.traced = trace = 1
os.environ["TRACE"] = "1"
sys.modules["traces"] = torch
open("trace", "w").close()
torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
"""
SLEEPER = """
import os, time
with open({file!r}, "w") as file:
    print(os.getpid(), file=file)
time.sleep(600)
"""


def write(course, name, source, output):
    """A notebook of one cell and what it is to print."""
    outputs = [new_output("stream", text=output)] if output else []
    cell = new_code_cell(source.strip(), id="only", outputs=outputs, execution_count=1)
    path = course / "notebooks" / name
    path.write_text(text(new_notebook(cells=[cell], metadata=METADATA)), encoding="utf-8")


def test_no_state_passes_and_no_kernel_outlives_a_killed_run(tmp_path):
    """Two notebooks that look for each other's traces, and one during which pytest is killed."""
    course, file = tmp_path / "course", tmp_path / "pid"
    (course / "notebooks").mkdir(parents=True)
    for name in ("course", "tests", "conftest.py", "pyproject.toml"):
        (course / name).symlink_to(ROOT / name)
    for name in ("02_second.ipynb", "03_first.ipynb"):  # the last chapter runs first
        write(course, name, TRACES, "False\n")
    write(course, "01_sleeper.ipynb", SLEEPER.format(file=str(file)), "")
    command = [sys.executable, "-m", "pytest", "-n0", "-v", "notebooks"]
    process = subprocess.Popen(command, cwd=course, stdout=subprocess.PIPE, text=True)
    while not (file.exists() and file.read_text()):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.1)
    kernel = int(file.read_text())
    process.kill()
    printed, _ = process.communicate()
    assert printed.count("PASSED") == 2, printed
    for _ in range(600):
        try:
            os.kill(kernel, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(kernel, signal.SIGKILL)
    pytest.fail("a kernel outlived pytest by a minute")
