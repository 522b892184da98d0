"""The addresses of the course: its public repository, on GitHub, in Colab and on Pages."""

import os
import re
from pathlib import Path

from course import ROOT, CourseError, read_toml
from course.notebook import Notebook


def stored_repository(root: Path = ROOT) -> str:
    """Return the public repository as every stored link names it, owner/name.

    Raises CourseError if pyproject.toml does not name it.
    """
    settings = read_toml("pyproject.toml", root).get("tool", {}).get("course", {})
    repository = str(settings.get("repository"))
    if not re.fullmatch(r"[\w-]+/[\w.-]+", repository):
        problem = "does not name the public repository"
        remedy = 'under [tool.course], write repository = "owner/name"'
        raise CourseError(f"pyproject.toml: {problem}; {remedy}")
    return repository


def published_repository(root: Path = ROOT) -> str:
    """Return the public repository as GitHub names it in its workflows, elsewhere as stored.

    So the web edition of a copy is right before anyone has renamed what is stored.
    """
    return os.environ.get("GITHUB_REPOSITORY") or stored_repository(root)


def replace_repository(text: str, old: str, new: str) -> str:
    """Return a text with all its links moved from one repository, owner/name, to another."""
    old_folder, new_folder = (f"cd {name.split('/')[1]}\n" for name in (old, new))
    text = text.replace(old, new).replace(website(old), website(new))
    return text.replace(old_folder, new_folder)


def colab(notebook: Notebook, repository: str = "") -> str:
    """Return the address that opens a notebook of a repository in Colab: the published, if none."""
    repository = repository or published_repository(notebook.root)
    return f"https://colab.research.google.com/github/{repository}/blob/main/{notebook}"


def website(repository: str) -> str:
    """Return the address at which GitHub Pages shows the web edition of a repository."""
    user, name = repository.split("/")
    return f"https://{user}.github.io/{name}/"
