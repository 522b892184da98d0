"""Open the course in JupyterLab.

python3 -m course.lab [zh | notebook]     at chapter 1, in English or Chinese, or at a notebook

Readers get copies in my/, which git ignores: what JupyterLab saves there is theirs, and changes
nothing in the course. Whoever changes the course names the notebook itself. What is missing is
installed into .venv first; until then, only Python's own library is there.
"""

import json
import os
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from course import ROOT, CourseError, command, write_whole

INSTALLS = """Installing PyTorch, JupyterLab and Matplotlib into .venv, 1.3 GB, in some minutes.
(Where pip takes a PyTorch with CUDA, several GB: README.md says how to get the one without.)"""

# What the kernel says of its language, which JupyterLab would put in, and then ask to save.
KERNEL = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}


def ensure_python() -> str:
    """This Python, if it has all that is needed; or that of .venv, where the rest is installed."""
    own = ROOT / ".venv"
    has_all = all(map(find_spec, ("jupyterlab", "matplotlib", "torch")))
    if has_all and Path(sys.prefix) != own:
        return sys.executable
    python = own / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, pins = own / "lab", [ROOT / "requirements.txt", ROOT / "constraints.txt"]
    if not stamp.exists() or stamp.stat().st_mtime < max(pin.stat().st_mtime for pin in pins):
        print(INSTALLS, flush=True)
        make = [sys.executable, "-m", "venv", own]
        fill = [python, "-m", "pip", "install", "--disable-pip-version-check"]
        fill += ["-r", "requirements.txt"]
        for step in (make, fill):
            if subprocess.run(step, cwd=ROOT).returncode:
                raise CourseError("this was not installed, for the reason above; then try again")
        stamp.touch()
    return str(python)


def copy_course(folder: Path, root: Path = ROOT) -> None:
    """Copy the notebooks, and all that they link to, into a folder; a notebook there is kept."""
    files = [root / "LICENSE", *root.glob("*.md"), *root.glob("images/*.webp")]
    files += [*root.glob("notebooks/**/*.ipynb"), *root.glob("notebooks/**/*.md")]
    for file in files:
        copy = folder / file.relative_to(root)
        data = file.read_bytes()
        if file.suffix == ".ipynb":
            if copy.exists() or ".ipynb_checkpoints" in file.parts:
                continue
            notebook = json.loads(data)
            notebook["metadata"]["language_info"] = KERNEL
            data = (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_whole(copy, data)


def main(arguments: list[str]) -> None:
    """Become JupyterLab."""
    first = "".join(arguments[:1])
    if first not in ("", "zh"):
        file = (ROOT / first).resolve()
        if not (file.is_file() and file.is_relative_to(ROOT)):
            why = "no such notebook; name one as NB=notebooks/05_gradients.ipynb, or say IN=zh"
            raise CourseError(f"{first}: {why}")
        first = file.relative_to(ROOT).as_posix()
    python = ensure_python()
    if first in ("", "zh"):
        copy_course(ROOT / "my")
        print("Your copies are in my/. They stay as you leave them; delete one to get it anew.")
        first = Path("my/notebooks", first, "01_lookup.ipynb").as_posix()
    options = ["--ServerApp.root_dir=.", f"--LabApp.default_url=/lab/tree/{first}"]
    options.append("--LabApp.app_settings_dir=course/settings")  # no news, no updates; pages shown
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container; JupyterLab asks for it
        options.append("--allow-root")
    os.chdir(ROOT)
    sys.stdout.flush()
    become = [python, "-m", "jupyterlab", *options]
    if os.name == "nt":
        sys.exit(subprocess.call(become))
    os.execv(python, become)


if __name__ == "__main__":
    command(main)
