"""Copy the course into handout/ without the answers to its exercises, for a class.

    python3 -m course.handout     (it takes no arguments)

The cells that judge an answer stay, since the checks need them, and are encoded, since they often
hold one. The folded answers to the questions under a chapter's summary stay, since nobody hands
them in. Outputs go, so that a class can say what comes before it runs a cell; text that states an
output is folded, and a heading that states it becomes a neutral one. Files of pictures go, unless
a page shows them: a notebook holds its own. Links to the whole course go, too: to Colab, to the
pages for teachers and maintainers; of the READMEs the chapters and the origin stay.
"""

import base64
import re
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from course import PINNED_TORCH, ROOT, CourseError, run_main, write_atomically
from course.answers import (
    fold_answers,
    fold_stated_output,
    join_folded,
    neutralize_heading,
    source_of,
)
from course.exercises import part_of_exercise
from course.lab import copy_course
from course.languages import EDITIONS, Edition, edition_of_page

COLAB_LINK = re.compile(r"( \| )?\[[^][]+\]\(https://colab\.[^)]+\)( · )?")
# A sentence that ends in a link to a page that is left out.
SENTENCE_ON_OTHER_PAGE = re.compile(r"[^.。]*\[[^]]+\]\((?:TEACHING|CONTRIBUTING)[^)]+\)[.。]")
ENCODED_CELL = """{}
# {}
import base64

exec(base64.b64decode("{}").decode())"""


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Make handout/. Raises CourseError if it is there: a teacher may have worked in it."""
    if arguments:
        raise CourseError(f"{arguments[0]}: this command takes no arguments; run it without")
    folder = root / "handout"
    if folder.exists():
        remedy = "move it away, or delete it, and run this again"
        raise CourseError(f"handout/ is there, and may hold changes of yours; {remedy}")
    with tempfile.TemporaryDirectory(dir=root, prefix=".handout-") as temporary:
        write_handout(Path(temporary) / "handout", root)
        (Path(temporary) / "handout").rename(folder)
    print("wrote handout/: the course without answers")


def write_handout(folder: Path, root: Path = ROOT) -> None:
    """Write the handout into an empty folder."""
    commit = commit_of(root)

    def prepare(notebook: dict[str, Any], edition: Edition) -> None:
        remove_answers(notebook, edition)
        if commit:
            title = next(cell for cell in notebook["cells"] if cell.get("id") == "title")
            made_from = edition.made_from_template.format(commit).strip()
            title["source"] = f"{source_of(title)}\n\n{made_from}"

    copy_course(folder, root, prepare)
    readmes = [edition.readme for edition in EDITIONS.values()]
    for path in folder.glob("*.md"):
        if path.name not in readmes:  # a page for teachers, or one that only this checkout has
            path.unlink()
            continue
        readme = path.read_text(encoding="utf-8")
        text = handout_readme(readme, edition_of_page(path.name), commit)
        write_atomically(path, text.encode())
    pages = [*folder.rglob("*.md"), *folder.rglob("*.ipynb")]
    text_of_pages = "".join(page.read_text(encoding="utf-8") for page in pages)
    for picture in folder.glob("images/*"):
        if f"images/{picture.name}" not in text_of_pages:
            picture.unlink()
    with suppress(OSError):  # no such folder, or a picture stays in it
        (folder / "images").rmdir()


def commit_of(root: Path) -> str:
    """Return a checkout's commit, with `-dirty` if files have changed since, or "" without git."""
    if not (root / ".git").exists():  # a downloaded zip, perhaps inside another checkout
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:  # git is not installed
        return ""


def handout_readme(readme: str, edition: Edition, commit: str) -> str:
    """Return a README with its title, how to start, what it was made from, chapters and origin."""
    title, *parts = re.split(r"\n(?=## )", readme)
    chapters_and_origin = [
        part for part in parts if "<!-- chapters -->" in part or "Apache" in part
    ]
    versions = edition.tested_with_template.format(PINNED_TORCH)
    if commit:
        versions += edition.made_from_template.format(commit)
    start = [title.split("\n")[0], "", edition.handout_start, "", versions, ""]
    text = "\n".join([*start, *chapters_and_origin])
    return COLAB_LINK.sub("", SENTENCE_ON_OTHER_PAGE.sub("", text))


def remove_answers(notebook: dict[str, Any], edition: Edition) -> None:
    """Take solutions, outputs and links to Colab out; encode the cases, and fold the answers."""
    cells = notebook["cells"]
    notebook["cells"] = [c for c in cells if part_of_exercise(c.get("id", "")) != "solution"]
    fold_answers(notebook["cells"], edition)
    for cell in notebook["cells"]:
        cell["metadata"].pop("wrong", None)
        fold_stated_output(cell, edition)
        neutralize_heading(cell, edition)
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        else:
            cell["source"] = COLAB_LINK.sub("", source_of(cell))
        if cell.get("id", "") == "try":
            cell["source"] = source_of(cell).removesuffix(edition.answers_warning)
        if part_of_exercise(cell.get("id", "")) == "cases":
            cell["source"] = encode_source(source_of(cell), edition)
    notebook["cells"] = join_folded(notebook["cells"], edition)


def encode_source(source: str, edition: Edition) -> str:
    """Return the source of a folded cell that does the same, and cannot be read at a glance."""
    title, code = source.split("\n", 1)
    return ENCODED_CELL.format(
        title, edition.encoding_comment, base64.b64encode(code.encode()).decode()
    )


if __name__ == "__main__":
    run_main(main)
