"""Judge what a class has handed in: run each notebook again, and believe none of its outputs.

    python -m course.grade FOLDER

FOLDER    holds the files that were handed in, or folders of them

For example: python -m course.grade week-1

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

NO_CHAPTER = "not judged: no one chapter has its title or its name or its exercises; rename it"
NO_EXERCISES = "not judged: it is a note, which has no exercises"


def main(arguments: list[str]) -> None:
    """Judge every notebook in a folder, and say of each that cannot be judged why."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        raise CourseError("name the folder of what was handed in: python -m course.grade FOLDER")
    folder = Path(arguments[0]).resolve()
    names = handed_in_names(folder)
    if not names:
        raise CourseError(f"{folder}: holds no file; put there what was handed in")
    shared_names = names_of_several(names)
    copies = ((name, original_of(folder / name)) for name in names)
    depth = student_depth({name: original.path.stem for name, original in copies if original})
    grades: list[Grade] = []
    for name in names:
        student = student_of(name, shared_names, depth)
        grade = grade_notebook(folder / name, student)._replace(file=name)
        by_content = "" if grade.chapter in name else f" (by what it holds {grade.chapter})"
        print(f"{summary_of(grade)}   {name}{by_content}", flush=True)
        grades.append(grade)
        grades.sort(key=lambda grade: (grade.student.casefold(), grade.file))
        totals = totals_of(grades)  # at each file, for Control-C
        write_table(folder / GRADES_NAME, table_of_grades(grades))
        write_table(folder / TOTALS_NAME, table_of_totals(totals))
    for total in totals:
        details = "; ".join([f"chapters: {len(total.chapter_marks)}", *total.reasons])
        print(f"{total.student}: {counts_of(total.marks)}, {details}")
    not_judged = sum(not grade.marks for grade in grades)
    print(f"files not judged: {not_judged}")
    print(f"wrote {folder / GRADES_NAME}, with what is wrong, and {TOTALS_NAME}")


def grade_notebook(path: Path, student: str) -> Grade:
    """Judge a file that a student has handed in."""
    original = original_of(path)
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
