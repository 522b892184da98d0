"""Kernels for nbval that need not import torch again, and that are alone with their notebook.

An ordinary kernel spends most of its time on imports. Here each kernel is forked from a server
process (multiprocessing's forkserver) that has the imports behind it and has computed nothing, so a
notebook still has a process and a namespace of its own. The kernel then goes where a copied
notebook would be: an empty folder and an empty home. Imports do not find the repository. COLD=1 in
the environment, or another system than Linux, gives ordinary kernels.
"""

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from pathlib import Path

from course import ROOT

# What the notebooks import, and what torch itself imports at the first optimizer or FLOP count.
IMPORTS = [
    "ipykernel.kernelapp",
    "matplotlib.pyplot",
    "torch",
    "torch._dynamo",
    "torch.utils.flop_counter",
]


def available() -> bool:
    """Whether kernels can be forked here, and are wanted.

    macOS has forkserver too, but its system libraries forbid a fork after they are loaded.
    """
    return sys.platform == "linux" and not os.environ.get("COLD")


def inside(path: str) -> bool:
    """Whether a path lies in the repository, .venv apart."""
    absolute = Path(path).absolute()
    return absolute.is_relative_to(ROOT) and not absolute.is_relative_to(sys.prefix)


def end_with_pytest(folder: str) -> None:
    """When the process that asked for the kernel is gone, end the kernel and what it started."""
    wait([multiprocessing.parent_process().sentinel])
    os.chdir(os.path.dirname(folder))
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def serve(connection_file: str, ready: Connection) -> None:
    """Become a kernel: the life of a forked process."""
    os.setsid()  # a process group of its own: whoever kills the kernel kills what it started
    folder = tempfile.mkdtemp(prefix="notebook-")
    ready.send(folder)
    threading.Thread(target=end_with_pytest, args=[folder], daemon=True).start()
    for name in ("home", "work"):
        os.mkdir(os.path.join(folder, name))
    os.environ["HOME"] = os.path.join(folder, "home")
    os.chdir(os.path.join(folder, "work"))
    sys.path[:] = [entry for entry in sys.path if not inside(entry)]
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # ipykernel behaves otherwise under pytest
    from ipykernel.kernelapp import IPKernelApp

    # At a lower level, ipykernel remarks on how to connect to it.
    IPKernelApp.launch_instance(argv=["-f", connection_file, "--log-level=CRITICAL"])


class Kernel:
    """A forked kernel behind the part of subprocess.Popen's interface that jupyter_client uses."""

    stdin = stdout = stderr = None

    def __init__(self, command: list[str], **_: object) -> None:
        """Fork a kernel; the connection file is the last word of the command."""
        context = multiprocessing.get_context("forkserver")
        ready, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=serve, args=(command[-1], theirs))
        self.process.start()
        theirs.close()  # ours of it, so that a child that dies early ends the wait below
        try:
            # It has then left our process group, for which jupyter_client asks next.
            self.folder = ready.recv()
        except EOFError:
            self.process.join()
            raise OSError(f"a forked kernel died with exit code {self.process.exitcode}") from None
        self.pid = self.process.pid

    def poll(self) -> int | None:
        """The exit code, or None while the kernel runs."""
        if self.process.exitcode is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.exitcode

    def wait(self) -> int | None:
        """Wait for the end and return the exit code."""
        self.process.join()
        return self.poll()

    def send_signal(self, number: int) -> None:
        """Send a signal to the kernel alone; one that has ended is left alone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the kernel at once."""
        self.process.kill()

    terminate = kill


def install() -> None:
    """Let jupyter_client start its kernels here, and begin the imports in the background."""
    from jupyter_client.provisioning import local_provisioner

    # Matplotlib reads its backend when it is imported; ipykernel would have set this before.
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    multiprocessing.set_forkserver_preload(IMPORTS)
    forkserver.ensure_running()
    del os.environ["MPLBACKEND"]
    local_provisioner.launch_kernel = Kernel
