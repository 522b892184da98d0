"""Compare the students who have handed in with the list of the class."""

import re
from pathlib import Path
from unicodedata import normalize

from course import CourseError
from course.grade.tables import Total

NOTHING = "handed in nothing"
NOT_ON_LIST = "not on the list: {}"


def read_roster(path: Path) -> dict[str, str]:
    """Return the names of a list, one a line, by what they are compared by."""
    try:
        lines = normalize("NFC", path.read_text(encoding="utf-8-sig")).splitlines()
    except UnicodeDecodeError:
        raise CourseError(f"{path}: is not a text in UTF-8; save it as one") from None
    return {comparable(line): " ".join(line.split()) for line in lines if line.strip()}


def comparable(name: str) -> str:
    """Return a name without what platforms change: case, spaces and the marks in their place."""
    return re.sub(r"[\s_.,-]", "", name).casefold()


def with_roster(
    totals: list[Total], roster: dict[str, str], student_by_file: dict[str, str]
) -> list[Total]:
    """Return the totals, and one of nothing for each student of a list who has no file.

    The total of a student who is not on the list says so, and names the files.
    """
    for total in totals:
        if comparable(total.student) not in roster:
            student = total.student.casefold()
            files = [file for file, name in student_by_file.items() if name.casefold() == student]
            total.reasons.append(NOT_ON_LIST.format(", ".join(files)))
    absent = roster.keys() - set(map(comparable, student_by_file.values()))
    totals = totals + [Total(roster[key], {}, [NOTHING]) for key in absent]
    return sorted(totals, key=lambda total: total.student.casefold())
