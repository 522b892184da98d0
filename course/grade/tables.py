"""Count what the files of a class are worth, and lay it out in two tables: by file, by student."""

import csv
import io
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from course import write_atomically
from course.grade.judge import RIGHT

GRADES_NAME, TOTALS_NAME = "grades.csv", "totals.csv"
Answer = tuple[str, int, str]  # its chapter, the number of its exercise, its code


class Grade(NamedTuple):
    """What a handed-in file is worth: a mark for each answer, and what is wrong with it.

    Of one that is not judged there are no marks, and the only reason says why.
    """

    student: str
    chapter: str
    marks: list[str]
    reasons: list[str]
    file: str = ""  # its name, with its folders
    answers: frozenset[tuple[int, str]] = frozenset()  # numbers of exercises, and code


class Total(NamedTuple):
    """What the files of a student come to; of a chapter, the best file counts."""

    student: str
    chapter_marks: dict[str, list[str]]
    reasons: list[str]

    @property
    def marks(self) -> list[str]:
        """The marks of all chapters."""
        return [mark for marks in self.chapter_marks.values() for mark in marks]


def totals_of(grades: list[Grade]) -> list[Total]:
    """Return what the files of each student come to."""
    by_student: dict[str, list[Grade]] = {}
    for grade in sorted(grades, key=lambda grade: grade.marks.count(RIGHT)):
        by_student.setdefault(grade.student.casefold(), []).append(grade)
    authors = authors_by_answer(grades)
    totals = []
    for _, files in sorted(by_student.items()):
        judged = [grade for grade in files if grade.marks]
        best = {grade.chapter: grade for grade in judged}
        chapter_counts = Counter(grade.chapter for grade in judged)
        repeated_chapters = ", ".join(name for name in sorted(best) if chapter_counts[name] > 1)
        chapter_marks = {name: best[name].marks for name in sorted(best)}
        folders = {g.file.rpartition("/")[0] for g in judged if chapter_counts[g.chapter] > 1}
        doubt = ", from several folders: is it one student?" if len(folders) > 1 else ""
        reasons = (
            [f"the best of more than one file of {repeated_chapters}{doubt}"]
            if repeated_chapters
            else []
        )
        if len(judged) < len(files):
            reasons.append(f"not judged: {len(files) - len(judged)}")
        for (chapter, number), students in students_with_same_code(judged, authors).items():
            names = ", ".join(sorted(students, key=str.casefold))
            reasons.append(f"same code as {names} in exercise {number} of {chapter}")
        total = Total(files[0].student, chapter_marks, reasons)
        if "" in total.marks:
            reasons.append(f"left blank: {total.marks.count('')}")
        totals.append(total)
    return totals


def authors_by_answer(grades: list[Grade]) -> dict[Answer, dict[str, str]]:
    """Return whose files hold an answer, for each; of a name, its first spelling."""
    authors: dict[Answer, dict[str, str]] = {}
    for grade in grades:
        for number, code in grade.answers:
            spellings = authors.setdefault((grade.chapter, number, code), {})
            spellings.setdefault(grade.student.casefold(), grade.student)
    return authors


def students_with_same_code(
    files: list[Grade], authors: dict[Answer, dict[str, str]]
) -> dict[tuple[str, int], set[str]]:
    """Return by chapter and exercise the others whose code is that in a student's files."""
    students: dict[tuple[str, int], set[str]] = {}
    for chapter, number, code in sorted((file.chapter, *a) for file in files for a in file.answers):
        spellings = authors[chapter, number, code]
        if others := spellings.keys() - {files[0].student.casefold()}:
            names = {spellings[other] for other in others}
            students.setdefault((chapter, number), set()).update(names)
    return students


def summary_of(grade: Grade) -> str:
    """Return how many answers are right, and how many are left blank; or why none is."""
    if not grade.marks:
        return grade.reasons[0]
    blank = f", {grade.marks.count('')} left blank" if "" in grade.marks else ""
    reason = "" if RIGHT in grade.marks else ": " + grade.reasons[0].partition("\n")[0]
    return f"{counts_of(grade.marks)}{blank}{reason}"


def counts_of(marks: list[str]) -> str:
    """Return how many answers are right, of how many."""
    return f"{marks.count(RIGHT)} of {len(marks)}"


def table_of_grades(grades: list[Grade]) -> list[list[str | int]]:
    """Return the rows of a table: its head, and one for each file."""
    numbers = range(1, max(len(grade.marks) for grade in grades) + 1)
    reason_columns = [f"why {number}" for number in numbers or [1]]
    rows = [["student", "chapter", "file", "right", "of", *numbers, *reason_columns]]
    for student, chapter, marks, reasons, name, _ in grades:
        file = re.sub("^(?=[-=+@])", "./", name)  # a table would take =a for a formula
        counts = [marks.count(RIGHT), len(marks)] if marks else ["", ""]
        empty = [""] * (len(numbers) - len(marks))
        rows.append([student, chapter, file, *counts, *marks, *empty, *reasons])
    return rows


def table_of_totals(totals: list[Total]) -> list[list[str | int]]:
    """Return the rows of a table: its head, and one for each student; a chapter has a column."""
    chapters = sorted({name for total in totals for name in total.chapter_marks})
    rows: list[list[str | int]] = [["student", "right", "of", *chapters, "note"]]
    for total in totals:
        marks, by_chapter = total.marks, total.chapter_marks
        counts = [by_chapter[name].count(RIGHT) if name in by_chapter else "" for name in chapters]
        note = "; ".join(total.reasons)
        rows.append([total.student, marks.count(RIGHT), len(marks), *counts, note])
    return rows


def write_table(path: Path, rows: list[list[str | int]]) -> None:
    """Write a table, which Excel opens as UTF-8, too."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_atomically(path, text.getvalue().encode("utf-8-sig"))
