"""The miniature course in which tests/test_faults.py plants its faults: tests/fixture/.

    python -m course.fixture      draw, stamp and record it anew, with the pinned PyTorch

It has what a course has: two chapters in both languages, their pictures, READMEs, pins. Its
figures are in tests/fixture/figures/.
"""

import shutil

from course import ROOT, command, figures, pictures, record, stamp
from course.notebook import english

FIXTURE = ROOT / "tests/fixture"
figures.__path__.append(str(FIXTURE / "figures"))  # for `pictures.figure`


def main(_: list[str]) -> None:
    """Make all anew that is derived. Raises CourseError if a cell or a figure raises."""
    shutil.copy(ROOT / "requirements.txt", FIXTURE)
    chapters = [str(path) for path in english(FIXTURE)]
    pictures.main(chapters)
    stamp.main([], FIXTURE)
    record.main(chapters)


if __name__ == "__main__":
    command(main)
