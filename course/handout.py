"""Copy the course into handout/ without the answers to its exercises, for a class.

python3 -m course.handout

What judges an answer stays, since the checks need it, and is encoded, since it often holds one. So
do the folded answers to the questions under a chapter's summary, which nobody hands in. Outputs go,
so that a class can say what comes before it runs a cell, and the text that says it too is folded.
So does what leads to the whole course:
links to Colab, pages for teachers and maintainers, and of the READMEs all but the chapters and the
origin.
"""

import base64
import json
import re
import shutil
from pathlib import Path

from course import ROOT, command, write_whole
from course.lab import copy_course
from course.languages import EDITIONS

COLAB = re.compile(r"( \| )?\[[^][]+\]\(https://colab\.[^)]+\)( · )?")
# A sentence that ends in a link to a page that is left out.
ELSEWHERE = re.compile(r"[^.。]*\[[^]]+\]\((?:TEACHING|CONTRIBUTING)[^)]+\)[.。]")
ENCODED = """{}
# {}
import base64

exec(base64.b64decode("{}").decode())"""
BEHIND_A_CLICK = """<details class="answer">
<summary>{}</summary>

{}

</details>"""
WHY = {
    "en": "Encoded so that nobody reads an answer by accident. It is no secret.",
    "zh": "编码只是为了避免无意中看到答案，并没有加密。",
}

BEGIN = {
    "en": "Begin with `notebooks/01_lookup.ipynb`, with Jupyter, PyTorch and Matplotlib.",
    "zh": "装好 Jupyter、PyTorch 和 Matplotlib，从 `notebooks/zh/01_lookup.ipynb` 开始。",
}


def encoded(source: str, language: str) -> str:
    """A folded cell that does the same, and cannot be read at a glance."""
    title, code = source.split("\n", 1)
    return ENCODED.format(title, WHY[language], base64.b64encode(code.encode()).decode())


def ends_in_question(cell: dict) -> bool:
    """Whether a text ends in a question; what an exercise asks has a check."""
    return "".join(cell["source"]).endswith(("?", "？")) and not cell["id"].startswith("try-")


def fold_answers(cells: list[dict], language: str) -> set[str]:
    """Put behind a click what follows the code under a question, up to a heading or a question.

    Before more code, only the first paragraph answers. Gives the names of the cells of the code.
    """
    asked, answering, code = False, False, set()
    for cell, after in zip(cells, [*cells[1:], {}], strict=True):
        if cell["cell_type"] == "code":
            answering = asked
            code |= {cell["id"]} if asked else set()
            continue
        source = "".join(cell["source"])
        asked = ends_in_question(cell)
        heading = re.search("^##", source, re.MULTILINE)  # one # is a comment in code
        end = len(source)
        if heading:
            end = heading.start()
        elif asked:
            end = source.rfind("\n\n")
        elif after.get("cell_type") == "code" and "\n\n" in source:
            end = source.index("\n\n")
        if answering and (answer := source[: max(end, 0)].strip()):
            folded = BEHIND_A_CLICK.format(EDITIONS[language].guess, answer)
            cell["source"] = f"{folded}\n\n{source[end:].strip()}"
        answering = answering and not heading and not asked
    return code


def without_answers(notebook: dict, language: str) -> None:
    """Take solutions and outputs out of a notebook, and out of sight what judges an answer."""
    cells = notebook["cells"]
    notebook["cells"] = [c for c in cells if not re.fullmatch(r"try-\d+-solution", c["id"])]
    fold_answers(notebook["cells"], language)
    for cell in notebook["cells"]:
        cell["metadata"].pop("wrong", None)
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        if cell["id"] == "try":
            source = "".join(cell["source"])
            cell["source"] = source.removesuffix(EDITIONS[language].answers)
        if re.fullmatch(r"try-\d+-cases", cell["id"]):
            cell["source"] = encoded("".join(cell["source"]), language)


def fill(folder: Path) -> None:
    """Write the handout into an empty folder."""
    copy_course(folder)
    for path in [*folder.glob("TEACHING*.md"), folder / "CONTRIBUTING.md"]:
        path.unlink()
    for path in [*folder.glob("notebooks/**/*.ipynb"), *folder.glob("README*.md")]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            notebook = json.loads(text)
            without_answers(notebook, "zh" if "zh" in path.relative_to(folder).parts else "en")
            text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        else:
            title, *parts = re.split(r"\n(?=## )", text)
            kept = [part for part in parts if "<!-- chapters -->" in part or "Apache" in part]
            begin = BEGIN["zh" if path.stem.endswith(".zh") else "en"]
            text = "\n".join([title.split("\n")[0], "", begin, "", *kept])
            text = ELSEWHERE.sub("", text)
        write_whole(path, COLAB.sub("", text).encode())


def main(_: list[str]) -> None:
    """Make handout/ anew."""
    shutil.rmtree(ROOT / "handout", ignore_errors=True)
    fill(ROOT / "handout")
    print("wrote handout/: the course without answers")


if __name__ == "__main__":
    command(main)
