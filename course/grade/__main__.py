"""Judge what a class has handed in: run each notebook again, and believe none of its outputs.

    python -m course.grade FOLDER [--students LIST]

FOLDER    holds the files that were handed in, or folders of them
LIST      names the students of the class, one a line

For example: python -m course.grade week-1 --students class.txt

It prints a line for each file, and writes into the folder grades.csv, by file, and totals.csv, by
student.

Each notebook runs in a process of its own, which may do whatever you may do: read it first, or use
a machine that holds nothing of yours. Code that changes PyTorch, or looks for the judge in the
memory that they share, can still make a wrong answer pass.
"""

from pathlib import Path

from course import CourseError, run_main
from course.grade.files import (
    cell_sources,
    handed_in_names,
    names_of_several,
    original_of,
    reason_without_code,
    student_depth,
    student_of,
)
from course.grade.process import judge_in_process
from course.grade.roster import comparable, read_roster, with_roster
from course.grade.same_code import answers_of
from course.grade.tables import (
    GRADES_NAME,
    TOTALS_NAME,
    Grade,
    counts_of,
    summary_of,
    table_of_grades,
    table_of_totals,
    totals_of,
    write_table,
)
from course.notebook import Notebook

USAGE = "python -m course.grade FOLDER [--students LIST]"
NO_CHAPTER = "not judged: no one chapter has its title or its name or its exercises; rename it"
NO_EXERCISES = "not judged: it is a note, which has no exercises"


def main(arguments: list[str]) -> None:
    """Judge every notebook in a folder, and say of each that cannot be judged why."""
    roster_path: Path | None = None
    roster: dict[str, str] = {}
    match arguments:
        case [folder_name, "--students", list_name] if Path(folder_name).is_dir():
            roster_path = Path(list_name).resolve()
            roster = read_roster(roster_path)
        case [folder_name] if Path(folder_name).is_dir():
            pass
        case _:
            raise CourseError(f"name the folder of what was handed in: {USAGE}")
    folder = Path(folder_name).resolve()
    names = [name for name in handed_in_names(folder) if folder / name != roster_path]
    if not names:
        raise CourseError(f"{folder}: holds no file; put there what was handed in")
    shared_names = names_of_several(names)
    originals = {name: original_of(folder / name) for name in names}
    depth = student_depth({name: o.path.stem for name, o in originals.items() if o})
    students = {name: student_of(name, shared_names, depth) for name in names}
    students = {name: roster.get(comparable(s), s) for name, s in students.items()}
    grades: list[Grade] = []
    for name, student in students.items():
        grade = grade_notebook(folder / name, originals[name], student)._replace(file=name)
        by_content = "" if grade.chapter in name else f" (by what it holds {grade.chapter})"
        print(f"{summary_of(grade)}   {name}{by_content}", flush=True)
        grades.append(grade)
        grades.sort(key=lambda grade: (grade.student.casefold(), grade.file))
        totals = totals_of(grades)  # at each file, for Control-C
        if roster:
            totals = with_roster(totals, roster, students)
        write_table(folder / GRADES_NAME, table_of_grades(grades))
        write_table(folder / TOTALS_NAME, table_of_totals(totals))
    for total in totals:
        details = "; ".join([f"chapters: {len(total.chapter_marks)}", *total.reasons])
        print(f"{total.student}: {counts_of(total.marks)}, {details}")
    not_judged = sum(not grade.marks for grade in grades)
    print(f"files not judged: {not_judged}")
    print(f"wrote {folder / GRADES_NAME}, with what is wrong, and {TOTALS_NAME}")


def grade_notebook(path: Path, original: Notebook | None, student: str) -> Grade:
    """Judge a file that a student has handed in, a copy of an original, if one is known."""
    chapter = original.path.stem if original else ""
    if not cell_sources(path, "code"):
        return Grade(student, chapter, [], [reason_without_code(path)])
    if not original:
        return Grade(student, chapter, [], [NO_CHAPTER])
    if original.is_note:
        return Grade(student, chapter, [], [NO_EXERCISES])
    verdicts = judge_in_process(original, path)
    marks, reasons = [v.mark for v in verdicts], [v.reason for v in verdicts]
    return Grade(student, chapter, marks, reasons, answers=answers_of(original, path))


if __name__ == "__main__":
    run_main(main)
