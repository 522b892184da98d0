"""Copy the course into handout/ without the solutions of its exercises, for a class.

python3 -m course.handout

What judges an answer stays, folded, since the checks need it. So do the folded answers to the
questions under a chapter's summary, which nobody hands in.
"""

import json
import re
import shutil

from course import ROOT, command, write_whole
from course.lab import copy_course

HANDOUT = ROOT / "handout"


def main(_: list[str]) -> None:
    """Make handout/ anew."""
    shutil.rmtree(HANDOUT, ignore_errors=True)
    copy_course(HANDOUT)
    for path in HANDOUT.glob("notebooks/**/*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = notebook["cells"]
        notebook["cells"] = [c for c in cells if not re.fullmatch(r"try-\d+-solution", c["id"])]
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        write_whole(path, f"{text}\n".encode())
    print("wrote handout/: the course without solutions")


if __name__ == "__main__":
    command(main)
