"""Whatever ends the tests, no kernel of theirs is left."""

import os
import signal
import subprocess
import sys
import time

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course import ROOT
from course.notebook import METADATA, text

SLEEPER = """
import os, time
with open({file!r}, "w") as file:
    print(os.getpid(), file=file)
time.sleep(600)
"""


def gone(process):
    """Whether a process has ended, or does so within ten seconds."""
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    os.kill(process, signal.SIGKILL)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_kernel_outlives_a_stopped_run(number, tmp_path):
    file, path = tmp_path / "pid", tmp_path / "notebooks/01_sleeper.ipynb"
    path.parent.mkdir()
    for name in ("course", "conftest.py", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    cell = new_code_cell(SLEEPER.format(file=str(file)).strip(), id="sleep", execution_count=1)
    path.write_text(text(new_notebook(cells=[cell], metadata=METADATA)), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n0", "notebooks"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    while not (file.exists() and file.read_text()):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.1)
    process.send_signal(number)
    process.communicate()
    assert gone(int(file.read_text())), "the kernel outlived pytest"
