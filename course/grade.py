"""Judge what a class has handed in: run each notebook again, and believe none of its outputs.

python -m course.grade folder     prints a line for each notebook, and writes into the folder
                                  grades.csv, by file, and totals.csv, by student

What a notebook hands to `check` is judged at once, by the course's own checker and cases, with the
course's own variables, whatever the notebook has made of its copies. Each notebook runs in a
process of its own, which may do whatever you may do: read it first, or use a machine that holds
nothing of yours. Code that changes PyTorch, or looks for the judge in the memory that they share,
can still make a wrong answer pass.
"""

import csv
import io
import os
import re
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Container
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import MagicMock
from zipfile import is_zipfile

import matplotlib.pyplot as plt
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from nbformat.warnings import MissingIDFieldWarning
from traitlets.config import Config

from course import CourseError, run_main, write_atomically
from course.notebook import Notebook, all_notebooks, is_stub
from course.run import (
    CELL_SECONDS,
    Namespace,
    TimeUp,
    describe_error,
    describe_syntax_error,
    execute,
    time_limit,
)

RIGHT, WRONG = "✔", "✘"
GRADES_NAME, TOTALS_NAME = "grades.csv", "totals.csv"
CHAPTER_SECONDS = 120  # for the course's own chapter
MOST_RUNS = 3  # of a file whose cells end its process; no chapter has more exercises
ALL_OTHERS = ""  # in place of an exercise's name: those without a verdict of their own
PRINTED_KEPT = 10_000  # letters
NOT_FOUND = "no answer was found"
NOT_RUN = "not judged: the course's own chapter does not run here; see what its cells say"
PLACE = "the cell that begins `{}`"
PROCESS_ENDED = "its process ended, or was ended, in {}"
NOT_INSTALLED = "{} cannot be imported here; install it into .venv, and run this again"
ENDS_PROGRAM = "the cell ends the program"
LEFT_BLANK = "in the last run {}; take that cell out, and run this again"
NO_CHAPTER = "not judged: neither its title nor its name is a chapter's; rename it"
NO_EXERCISES = "not judged: it is a note, which has no exercises"
EMPTY = "not judged: the file is empty"
ZIPPED = "not judged: the file is zipped; unpack it"
NO_NOTEBOOK = "not judged: it is no notebook"
NO_CODE = "not judged: it holds no cell of code"
# A server that has imported torch once forks a process for each notebook; Windows has none. It
# starts in the folder in which this command was given, where it finds the course.
CONTEXT = get_context("spawn") if sys.platform == "win32" else get_context("forkserver")
CONTEXT.set_forkserver_preload(["course.run"])
CHECK_CALL = re.compile(r"\bcheck\(\s*(\w+)\s*=")
# A folder or a file as Moodle and Canvas name it. Before Moodle's name stands the assignment's
# folder, and Moodle's number is another for each assignment.
MOODLE_NAME = re.compile(r"(?:(.*)/)?([^/]+)_(\d+)_assignsubmission_")
CANVAS_NAME = re.compile(r"(?:^|/)([^/]+?)(?:_LATE)?(_\d+)_\d{3,}_")
SUFFIX = re.compile(r"(\.ipynb)?\.\w+$", re.IGNORECASE)
# What browsers, JupyterLab, desktops and students add to the name of a copy.
ADDED_TO_COPY = re.compile(
    r"^((copy of|kopie von|copie de|copia de) )+|"
    r"([ _-]*(\(\d+\)|的?副本|(?<=[ _-])(copy|kopie|checkpoint|final|v\d)[ \d]*))+$",
    re.IGNORECASE,
)
COLAB_MODULES = ("google", "google.colab")  # only Colab has them
MISSING_PACKAGE = re.compile(r"ModuleNotFoundError\W+No module named '(\w+)'")
MISSING_NAME = re.compile("ModuleNotFoundError|NameError")  # where its import has failed
# The others would act on a kernel, or on the system.
MAGICS_OF_CODE = ("capture", "time", "timeit", "writefile")
NO_HISTORY = Config({"HistoryManager": {"enabled": False}})


class Verdict(NamedTuple):
    """A mark and its reason; no mark where nobody knows.

    That is after the end of a process, and where a package is missing.
    """

    mark: str
    reason: str = ""


class Grade(NamedTuple):
    """What a handed-in file is worth: a mark for each answer, and what is wrong with it.

    Of one that is not judged there are no marks, and the only reason says why.
    """

    student: str
    chapter: str
    marks: list[str]
    reasons: list[str]
    file: str = ""  # its name, with its folders
    answers: str = ""  # the cells that hold them, as text


class Total(NamedTuple):
    """What the files of a student come to; of a chapter, the best file counts."""

    student: str
    chapter_marks: dict[str, list[str]]
    reasons: list[str]

    @property
    def marks(self) -> list[str]:
        """The marks of all chapters."""
        return [mark for marks in self.chapter_marks.values() for mark in marks]


def main(arguments: list[str]) -> None:
    """Judge every notebook in a folder, and say of each that cannot be judged why."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        raise CourseError("name the folder of what was handed in: python -m course.grade folder")
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
        by_title = "" if grade.chapter in name else f" (by its title {grade.chapter})"
        print(f"{summary_of(grade)}   {name}{by_title}", flush=True)
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


def write_table(path: Path, rows: list[list[str | int]]) -> None:
    """Write a table, which Excel opens as UTF-8, too."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_atomically(path, text.getvalue().encode("utf-8-sig"))


def totals_of(grades: list[Grade]) -> list[Total]:
    """Return what the files of each student come to."""
    by_student: dict[str, list[Grade]] = {}
    for grade in sorted(grades, key=lambda grade: grade.marks.count(RIGHT)):
        by_student.setdefault(grade.student.casefold(), []).append(grade)
    totals = []
    for _, files in sorted(by_student.items()):
        judged = [grade for grade in files if grade.marks]
        best = {grade.chapter: grade for grade in judged}
        chapter_counts = Counter(grade.chapter for grade in judged)
        twice = ", ".join(name for name in sorted(best) if chapter_counts[name] > 1)
        chapter_marks = {name: best[name].marks for name in sorted(best)}
        folders = {g.file.rpartition("/")[0] for g in judged if chapter_counts[g.chapter] > 1}
        doubt = ", from several folders: is it one student?" if len(folders) > 1 else ""
        reasons = [f"the best of more than one file of {twice}{doubt}"] if twice else []
        if len(judged) < len(files):
            reasons.append(f"not judged: {len(files) - len(judged)}")
        for chapter, students in students_with_same_answers(judged, grades).items():
            reasons.append(f"same answers as {', '.join(students)} in {chapter}")
        total = Total(files[0].student, chapter_marks, reasons)
        if "" in total.marks:
            reasons.append(f"left blank: {total.marks.count('')}")
        totals.append(total)
    return totals


def students_with_same_answers(files: list[Grade], grades: list[Grade]) -> dict[str, list[str]]:
    """Return by chapter the other students whose answers are the same text as in a student's files.

    Of short answers that may be chance.
    """
    others_by_chapter: dict[str, list[str]] = {}
    for file in files:
        students = {
            grade.student
            for grade in grades
            if (grade.chapter, grade.answers) == (file.chapter, file.answers)
            and grade.student.casefold() != file.student.casefold()
        }
        if file.answers and students:
            others_by_chapter[file.chapter] = sorted(students, key=str.casefold)
    return others_by_chapter


def handed_in_names(folder: Path) -> list[str]:
    """Return the files below a folder, but for the tables and hidden ones, such as .DS_Store."""
    paths = sorted(filter(Path.is_file, folder.rglob("*")))
    names = [path.relative_to(folder).as_posix() for path in paths]
    tables = (GRADES_NAME, TOTALS_NAME)
    return [name for name in names if name not in tables and not re.search(r"(^|/)\.", name)]


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
        marks, handed_in = total.marks, total.chapter_marks
        rights = [handed_in[name].count(RIGHT) if name in handed_in else "" for name in chapters]
        note = "; ".join(total.reasons)
        rows.append([total.student, marks.count(RIGHT), len(marks), *rights, note])
    return rows


def names_of_several(names: list[str]) -> set[str]:
    """Return the names to which Moodle gives two numbers in one assignment, which is a folder."""
    numbers: dict[tuple[str | None, str], set[str]] = {}
    for match in filter(None, map(MOODLE_NAME.match, names)):
        assignment, student, number = match.groups()
        numbers.setdefault((assignment, student), set()).add(number)
    return {student for (_, student), several in numbers.items() if len(several) > 1}


def student_depth(chapters: dict[str, str]) -> int:
    """Return how many folders stand above those that name students, from chapters by file.

    That many under which the fewest students have several files of a chapter; of equals, the
    fewest.
    """
    depths = range(1 + max((name.count("/") for name in chapters), default=0))

    def count_kept_apart(depth: int) -> int:
        students = {name: student_of(name, depth=depth).casefold() for name in chapters}
        return len({(students[name], chapter) for name, chapter in chapters.items()})

    return max(depths, key=count_kept_apart)


def student_of(name: str, shared_names: Container[str] = (), depth: int = 0) -> str:
    """Return whose a file is, by a name which may hold folders.

    A learning platform's name counts first, with Canvas's number, or Moodle's where several
    students share it. Then what the file's name holds beside a chapter's; then the folder at a
    depth, among those that are more than a chapter's name, or the last; then the file's name.
    """
    added = " -_=+@"  # a table would take =a for a formula
    if moodle := MOODLE_NAME.match(name):
        _, student, number = moodle.groups()
        return (f"{student}_{number}" if student in shared_names else student).strip(added)
    if canvas := CANVAS_NAME.search(name):
        return "".join(canvas.groups()).strip(added)
    *folders, file_name = SUFFIX.sub("", name).split("/")
    chapter_names = "|".join(original.path.stem for original in originals())
    *folders, in_file = [
        re.sub(chapter_names, "", part).strip(added)
        for part in [*folders, ADDED_TO_COPY.sub("", file_name)]
    ]
    if in_file and re.search(chapter_names, file_name):
        return in_file
    candidates = [part for part in [*folders, in_file] if part] or [name.strip(added)]
    return candidates[min(depth, len(candidates) - 1)]


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


def answers_of(original: Notebook, path: Path) -> str:
    """Return the cells of a file that hand an answer over and are not the chapter's."""
    chapter_sources = {cell.source for cell in original.code_cells}
    own_sources = [source for source in cell_sources(path, "code") if source not in chapter_sources]
    return "\n".join(source for source in own_sources if CHECK_CALL.search(source))


def reason_without_code(path: Path) -> str:
    """Return why a file has no cells of code."""
    if not path.read_bytes().strip():
        return EMPTY
    if is_zipfile(path):
        return ZIPPED
    with suppress(Exception):  # whatever a stranger's file holds
        read_notebook(path)
        return NO_CODE
    return NO_NOTEBOOK


@cache
def originals() -> list[Notebook]:
    """Return the chapters and notes of both editions, each read once."""
    return all_notebooks()


def original_of(path: Path) -> Notebook | None:
    """Return the notebook that a file is a copy of, by its title, or else by its name."""
    lines = {line for text in cell_sources(path, "markdown") for line in text.splitlines()}
    titled = [each for each in originals() if f"# {each.title}" in lines]
    named = [each for each in originals() if each.path.stem in path.stem]
    return next(iter([each for each in titled if each in named] + titled + named), None)


def judge_in_process(original: Notebook, path: Path, seconds: int = CELL_SECONDS) -> list[Verdict]:
    """Return a verdict on each exercise; a file runs again without a cell that ends its process."""
    right_verdicts: dict[str, Verdict] = {}
    ended_cells: set[int] = set()
    for _ in range(MOST_RUNS):
        verdicts, ended_cell = run_in_process(original, path, ended_cells, seconds)
        right_verdicts |= {name: v for name, v in verdicts.items() if v.mark == RIGHT}
        if ended_cell is None:
            break
        ended_cells.add(ended_cell)
    verdicts |= right_verdicts
    return [verdicts.get(exercise.name, verdicts[ALL_OTHERS]) for exercise in original.exercises()]


def run_in_process(
    original: Notebook, path: Path, ended_cells: set[int], seconds: int
) -> tuple[dict[str, Verdict], int | None]:
    """Return the verdicts, by exercise, and which cell ended the process, if one did.

    A cell has some seconds, and then its process is ended. Those that ended one do not run.
    """
    receiver, sender = CONTEXT.Pipe(duplex=False)
    verdicts, running_cell = {ALL_OTHERS: Verdict("", NOT_RUN)}, None
    with TemporaryDirectory() as folder:
        arguments = (original.path, path, ended_cells, folder, seconds, sender)
        child = CONTEXT.Process(target=send_verdicts, args=arguments)
        child.start()
        sender.close()
        try:
            wait = CHAPTER_SECONDS
            while receiver.poll(wait):
                verdicts, running_cell = receiver.recv()
                if running_cell is None:
                    break  # all cells have run; a thread of the copy's may go on
                wait = 2 * seconds + 5  # for a cell that catches its interrupt, too
        except EOFError:
            pass
        finally:  # Control-C does not reach a session of its own
            end_session(child)
    return verdicts, running_cell


def end_session(process: BaseProcess) -> None:
    """End a process, and what it has started."""
    process.kill()
    if sys.platform != "win32" and process.pid:
        with suppress(OSError):  # nothing of it is left
            os.killpg(process.pid, signal.SIGKILL)
    process.join()


def send_verdicts(
    original_path: Path,
    path: Path,
    ended_cells: set[int],
    folder: str,
    seconds: int,
    connection: Connection,
) -> None:
    """Run a chapter and the copy that was handed in; send the verdicts, and the running cell."""
    if sys.platform != "win32":
        os.setsid()  # what the copy starts ends with it, unless it leaves the session, too
    plt.switch_backend("Agg")
    os.chdir(folder)
    for name in COLAB_MODULES:
        sys.modules.setdefault(name, MagicMock())  # drive.mount() does nothing
    handed_in = HandedInNotebook(Notebook(original_path), seconds, connection)
    for number, source in enumerate(cell_sources(path, "code")):
        handed_in.judge_cell(number, source, number in ended_cells)
    not_found = {ALL_OTHERS: Verdict(WRONG, handed_in.not_found)}
    connection.send((not_found | handed_in.verdicts, None))


class HandedInNotebook:
    """A notebook that was handed in, and the verdicts on it so far.

    What is handed to `check` is judged at once; so is what a cell gives an exercise's name, if it
    is not handed over. An answer that was right once stays right.
    """

    def __init__(self, original: Notebook, seconds: int, connection: Connection) -> None:
        """Run the original; a cell of the copy has some seconds."""
        self.checker_namespace = run_original(original)
        self.chapter_sources = [cell.source for cell in original.code_cells if not is_stub(cell)]
        self.unsolved = {exercise.name for exercise in original.exercises()}
        self.verdicts: dict[str, Verdict] = {}
        self.not_found = NOT_FOUND  # why there is no verdict on an exercise
        self.missing_packages: set[str] = set()
        self.shell: Any = Shell.instance(config=NO_HISTORY)
        # The file's name in the traceback of an error.
        self.shell.compile.get_code_name = lambda *_: self.place  # type: ignore[method-assign]
        self.answers: Namespace = self.shell.user_ns
        self.seconds, self.connection = seconds, connection
        self.number, self.place = 0, ""  # of the cell that runs
        self.checked: set[str] = set()  # the exercises that it checks

    def judge_cell(self, number: int, source: str, has_ended_process: bool) -> None:
        """Run a cell of the copy, unless it has ended a process, and judge its answers."""
        self.number, self.place = number, PLACE.format(source.strip().partition("\n")[0])
        self.checked = set(CHECK_CALL.findall(source))
        is_own_cell = source not in self.chapter_sources
        before, verdicts_before = dict(self.answers), dict(self.verdicts)
        self.send_in_case_process_ends()
        # Whatever the cell before has made of it; a bound method would name its judge.
        self.answers["check"] = lambda **handed_over: self.check(**handed_over)
        if has_ended_process:
            problem = PROCESS_ENDED.format(self.place)
        else:
            problem = self.problem_of(lambda: self.shell.run_cell(source, True).raise_error())
        self.missing_packages.update(MISSING_PACKAGE.findall(problem))
        if problem and not self.checked and is_own_cell and self.not_found == NOT_FOUND:
            self.not_found += f"; {problem}"
        for name in sorted(self.unsolved):
            answer = self.answers.get(name)
            if self.verdicts.get(name) is not verdicts_before.get(name):
                continue  # judged in this cell
            if problem and name in self.checked:
                self.verdicts[name] = self.refuse(problem)
            elif is_own_cell and answer is not before.get(name):
                self.send_in_case_process_ends()
                if problem_of_answer := self.problem_of(partial(self.check, **{name: answer})):
                    self.verdicts[name] = Verdict(WRONG, problem_of_answer)

    def check(self, **handed_over: Any) -> None:
        """Judge answers, by the names of their exercises; this is the `check` of the copy."""
        for name in self.unsolved & set(handed_over):
            verdict = judge(self.checker_namespace, name, handed_over[name])
            self.verdicts[name] = verdict if verdict.mark == RIGHT else self.refuse(verdict.reason)
            if verdict.mark == RIGHT:
                self.unsolved.remove(name)
                self.send_in_case_process_ends()

    def refuse(self, reason: str) -> Verdict:
        """Return the verdict on an answer that fails: no mark if a missing package is the cause."""
        packages = self.missing_packages | set(MISSING_PACKAGE.findall(reason))
        if packages and MISSING_NAME.search(reason):
            return Verdict("", NOT_INSTALLED.format(", ".join(sorted(packages))))
        return Verdict(WRONG, reason)

    def send_in_case_process_ends(self) -> None:
        """Send the verdicts so far, and what is to be said if the process ends in this cell."""
        ended = PROCESS_ENDED.format(self.place)
        ended_verdicts = dict.fromkeys(self.checked & self.unsolved, Verdict(WRONG, ended))
        all_others = {ALL_OTHERS: Verdict("", LEFT_BLANK.format(ended))}
        self.connection.send((all_others | self.verdicts | ended_verdicts, self.number))

    def problem_of(self, run: Callable[[], None]) -> str:
        """Run a student's code without a trace; return why it fails or takes too long, if so."""
        stdout, stderr = redirect_stdout(EndOfPrinted()), redirect_stderr(EndOfPrinted())
        try:
            with time_limit(self.seconds), stdout, stderr:
                run()
        except SyntaxError as error:
            return f"{self.place}: {describe_syntax_error(error)}"
        except TimeUp as error:
            return f"{self.place}: {error}"
        except SystemExit:
            return f"{self.place}: {ENDS_PROGRAM}"
        except BaseException as error:
            return f"{self.place}: {describe_error(error, self.place)}"
        return ""


class Shell(InteractiveShell):
    """IPython, as in Jupyter, except that commands of the system and most magics do nothing."""

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        """Run a magic that runs code; others do nothing."""
        if magic_name in MAGICS_OF_CODE:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        return None

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        """Run a magic that runs code; others do nothing."""
        if magic_name in MAGICS_OF_CODE:
            return super().run_cell_magic(magic_name, line, cell)  # type: ignore[no-untyped-call]
        return None

    def system(self, cmd: str) -> None:
        """Run no command."""

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> SList:
        """Run no command, which prints nothing."""
        return SList()

    def ask_exit(self) -> None:
        """End the program, as exit() asks."""
        raise SystemExit

    def init_virtualenv(self) -> None:
        """Take no packages from an environment that is active beside the course's own."""


def run_original(original: Notebook) -> Namespace:
    """Return the variables of a chapter: the checker and the judges are among them."""
    namespace: Namespace = {"__name__": "__main__"}
    for cell in original.code_cells:
        if "output_digest" not in cell.metadata and not is_stub(cell):
            execute(cell.source, namespace, original.place_of(cell))
    return namespace


class EndOfPrinted(io.StringIO):
    """The end of what is printed: an endless loop that prints would fill the memory."""

    def write(self, text: str) -> int:
        """Add a text, and forget what is too long ago."""
        if self.tell() > PRINTED_KEPT:
            end = self.getvalue()[-PRINTED_KEPT:]
            self.seek(self.truncate(0))
            super().write(end)
        return super().write(text)


def judge(namespace: Namespace, name: str, answer: Any) -> Verdict:
    """Return the verdict of the course's own checker on an answer."""
    with redirect_stdout(EndOfPrinted()) as stdout:
        namespace["check"](**{name: answer})
    printed = stdout.getvalue().strip()
    if printed.splitlines()[-1:] == [namespace["messages"]["right"]]:  # an answer may print before
        return Verdict(RIGHT)
    return Verdict(WRONG, "".join(printed.rpartition(WRONG)[1:]))


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook, which some editors begin with a byte order mark."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingIDFieldWarning)  # a cell's place is enough
        return nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)


def cell_sources(path: Path, cell_type: str) -> list[str]:
    """Return the sources of a notebook's cells of a type; none if it is no notebook."""
    with suppress(Exception):  # whatever a stranger's file holds
        notebook = read_notebook(path)
        return [cell.source for cell in notebook.cells if cell.cell_type == cell_type]
    return []


if __name__ == "__main__":
    run_main(main)
