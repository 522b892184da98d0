"""Open the course in JupyterLab.

    python3 -m course.lab [zh | NOTEBOOK]

zh          opens chapter 1 in Chinese; without an argument, it is opened in English
NOTEBOOK    a notebook's file, which is opened in place

For example: python3 -m course.lab notebooks/05_gradients.ipynb

Readers get copies in my/, which git ignores: what JupyterLab saves there is theirs, and changes
nothing in the course. Maintainers name a notebook. What is missing is installed into .venv first;
until then, only Python's own library can be imported.
"""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from course import NUMBERED_FILE, ROOT, CourseError, run_main, write_atomically
from course.answers import (
    fold_answers,
    fold_stated_output,
    join_folded,
    leaves_question,
    neutralize_heading,
    source_of,
)
from course.exercises import part_of_exercise
from course.install import install_packages
from course.languages import EDITIONS, Edition

INSTALL_MESSAGE = (
    "Installing PyTorch, JupyterLab and Matplotlib into .venv. "
    "This takes some minutes, in which nothing is shown."
)

OLDEST_TORCH = (2, 5)  # the oldest that the weekly workflow runs

# What JupyterLab would otherwise ask the kernel for, put in, and then ask to save.
LANGUAGE_INFO = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}


def main(arguments: list[str]) -> None:
    """Replace this process by JupyterLab."""
    if len(arguments) > 1:
        remedy = "name one: IN=zh opens chapter 1, NB=notebooks/zh/05_gradients.ipynb another"
        raise CourseError(f"{' and '.join(arguments)} are two things to open; {remedy}")
    name_to_open = "".join(arguments)
    if name_to_open not in ("", "zh"):
        name_to_open = name_from_root(name_to_open)
    python = ensure_python()
    if name_to_open in ("", "zh"):
        copy_course(ROOT / "my", prepare=hide_answers)
        print("Your copies are in my/. They stay as you leave them; delete one to get it anew.")
        name_to_open = Path("my/notebooks", name_to_open, "01_lookup.ipynb").as_posix()
    name = Path(name_to_open).name
    options = ["--ServerApp.root_dir=.", f"--LabApp.default_url=/lab/tree/{name_to_open}"]
    options.append("--LabApp.app_settings_dir=course/settings")  # no news, no updates; pages shown
    options.append("--LabApp.workspaces_dir=my/.workspaces")  # no tabs of other projects
    options.append("--Application.log_level=WARN")  # the address is still printed
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container; JupyterLab asks for it
        options.append("--allow-root")
    command = [python, "-m", "jupyterlab", *options]
    print(f"JupyterLab opens {name} in your browser, or at the address below. Control-C stops it.")
    os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(python, command)


def name_from_root(name: str) -> str:
    """Return the name of a notebook from the root. Raises CourseError if it is not in there."""
    file = (ROOT / name).resolve()
    if not (file.is_file() and file.suffix == ".ipynb" and file.is_relative_to(ROOT)):
        if re.fullmatch("[A-Za-z_-]+", name):  # no file's name
            raise CourseError(
                f"there is no edition {name}; leave IN out for English, or take IN=zh"
            )
        remedy = "name one as NB=notebooks/05_gradients.ipynb"
        raise CourseError(f"{name}: no such notebook; {remedy}")
    return file.relative_to(ROOT).as_posix()


def ensure_python() -> str:
    """Return a Python that has all that is needed: this one, or that of .venv, once installed.

    Ends this process, or raises CourseError, if the installation fails.
    """
    venv = ROOT / ".venv"
    if has_packages() and Path(sys.prefix) != venv:
        return sys.executable
    venv_python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if venv_python.is_symlink() and not venv_python.exists():
        raise CourseError(
            "the Python that .venv was made from is gone; delete .venv, and run this again"
        )
    stamp, pins = venv / "lab", [ROOT / "requirements.txt", ROOT / "constraints.txt"]
    if mismatch := other_version(venv):
        if not stamp.exists():
            raise CourseError(mismatch)
        print(mismatch)
    if not stamp.exists() or stamp.stat().st_mtime < max(pin.stat().st_mtime for pin in pins):
        print(INSTALL_MESSAGE, flush=True)
        creator = str(venv_python) if venv_python.exists() else sys.executable
        create = [creator, "-m", "venv", str(venv)]
        if code := subprocess.run(create, cwd=ROOT).returncode:
            sys.exit(code)  # the command has said why
        # In this process: of two, both would say what to do after Control-C.
        install_packages(str(venv_python), ["--quiet", "-r", "requirements.txt"])
        stamp.touch()
    return str(venv_python)


def other_version(venv: Path) -> str:
    """Return what to say where a .venv is of another version than this Python, else nothing."""
    settings = venv / "pyvenv.cfg"
    text = settings.read_text(encoding="utf-8") if settings.exists() else ""
    found = re.search(r"^version(?:_info)? = (\d+\.\d+)", text, re.MULTILINE)
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    if found is None or found[1] == this:
        return ""
    return f".venv is of Python {found[1]}; delete it to use Python {this}"


def has_packages() -> bool:
    """Return whether this Python has what readers need, with a PyTorch that is not too old."""
    try:
        torch_version, *_ = map(version, ("torch", "jupyterlab", "matplotlib"))
    except PackageNotFoundError:
        return False
    major, minor = torch_version.split(".")[:2]
    return (int(major), int(minor)) >= OLDEST_TORCH


def hide_answers(notebook: dict[str, Any], edition: Edition) -> None:
    """Fold what answers a question, one click each, and drop the outputs: a reader runs the cell.

    JupyterLab would show the first line of an output that is folded. Where a question stands within
    a text, its answer may be any output up to the next heading.
    """
    question_code_ids = fold_answers(notebook["cells"], edition)
    is_asked = False
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            if is_asked or cell["id"] in question_code_ids:
                cell |= {"outputs": [], "execution_count": None}
        elif not part_of_exercise(cell["id"]):
            if is_asked and not source_of(cell).startswith("## "):
                fold_stated_output(cell, edition)
            is_asked = leaves_question(cell, is_asked)
            neutralize_heading(cell, edition)
    notebook["cells"] = join_folded(notebook["cells"], edition)


def copy_course(
    folder: Path,
    root: Path = ROOT,
    prepare: Callable[[dict[str, Any], Edition], None] = lambda notebook, edition: None,
) -> None:
    """Copy the notebooks, and all that they link to, into a folder; a notebook there is kept.

    `prepare` changes each notebook that is copied.
    """
    files = [root / "LICENSE", *root.glob("*.md"), *root.glob("images/*.webp")]
    files += root.glob("notebooks/zh/glossary.md")
    for name in ("notebooks", "notebooks/notes", "notebooks/zh", "notebooks/zh/notes"):
        files += root.glob(f"{name}/{NUMBERED_FILE}")
    for file in files:
        copy = folder / file.relative_to(root)
        if file.suffix == ".ipynb":
            if copy.exists():
                continue
            notebook = read_notebook(file)
            notebook["metadata"]["language_info"] = LANGUAGE_INFO
            is_chinese = file.is_relative_to(root / "notebooks/zh")
            prepare(notebook, EDITIONS["zh" if is_chinese else "en"])
            data = notebook_bytes(notebook)
        else:
            data = file.read_bytes()
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(copy, data)


def read_notebook(path: Path) -> dict[str, Any]:
    """Return a notebook as JSON gives it: nbformat may not be installed yet.

    Raises CourseError if the file is no notebook.
    """
    try:
        notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        _ = notebook["cells"], notebook["metadata"]
    except (ValueError, KeyError, TypeError) as error:
        remedy = "mend it in a text editor (a conflict of git's?), or get it back from git"
        raise CourseError(f"{path}: not a notebook ({error!r}); {remedy}") from None
    return notebook


def notebook_bytes(notebook: dict[str, Any]) -> bytes:
    """Return what the file of a notebook holds."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    run_main(main)
