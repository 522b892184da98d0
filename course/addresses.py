"""Where the course is found: the public repository, and its addresses on GitHub, Colab and Pages.

python -m course.addresses owner/name     move every link to another public repository
"""

import os
import re
import tomllib
from pathlib import Path

from course import ROOT, CourseError, command
from course import notebook as nb


def stored_repository(root: Path = ROOT) -> str:
    """The public repository as every stored link names it, owner/name."""
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]["repository"]


def published_repository(root: Path = ROOT) -> str:
    """The public repository as GitHub names it in its workflows, elsewhere as it is stored.

    So the web edition of a copy is right before anyone has renamed what is stored.
    """
    return os.environ.get("GITHUB_REPOSITORY") or stored_repository(root)


def renamed(text: str, old: str, new: str) -> str:
    """A text with all its links moved to another public repository, owner/name."""
    folders = [f"cd {name.split('/')[1]}\n" for name in (old, new)]
    return text.replace(old, new).replace(website(old), website(new)).replace(*folders)


def colab(path: Path, name: str = "") -> str:
    """The address that opens a notebook of a public repository in Colab: this one, unless told."""
    root = nb.root_of(path)
    github = f"{name or published_repository(root)}/blob/main/{nb.name_of(path)}"
    return f"https://colab.research.google.com/github/{github}"


def website(owner_and_name: str) -> str:
    """Where GitHub Pages shows the web edition of a repository, owner/name."""
    user, name = owner_and_name.split("/")
    return f"https://{user}.github.io/{name}/"


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Put another public repository wherever the old one stands, in every file."""
    new = "".join(arguments)
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", new):
        raise CourseError(f"`{new}` is no repository; make rename REPO=owner/name")
    old = stored_repository(root)
    others = [*root.glob("*.md"), root / "CITATION.cff", root / "pyproject.toml"]
    for path in [*others, *nb.notebooks(root)]:
        nb.write(path, renamed(path.read_text(encoding="utf-8"), old, new).encode())


if __name__ == "__main__":
    command(main)
