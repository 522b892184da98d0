"""Judge the answers of a notebook that was handed in, cell by cell, as each cell runs.

What a notebook hands to `check` is judged at once, by the course's own checker and cases, with the
course's own variables, whatever the notebook has made of its copies.
"""

import io
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets.config import Config

from course.notebook import Notebook, is_stub
from course.run import (
    Namespace,
    TimeUp,
    describe_error,
    describe_syntax_error,
    execute,
    time_limit,
)

RIGHT, WRONG = "✔", "✘"
ALL_OTHERS = ""  # in place of an exercise's name: those without a verdict of their own
PRINTED_KEPT = 10_000  # letters
NOT_FOUND = "no answer was found"
PLACE = "the cell that begins `{}`"
PROCESS_ENDED = "its process ended, or was ended, in {}"
NOT_INSTALLED = "{} cannot be imported here; install it into .venv, and run this again"
ENDS_PROGRAM = "the cell ends the program"
LEFT_BLANK = "in the last run {}; take that cell out, and run this again"
CHECK_CALL = re.compile(r"\bcheck\(\s*(\w+)\s*=")
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
        is_cell_of_student = source not in self.chapter_sources
        before, verdicts_before = dict(self.answers), dict(self.verdicts)
        self.send_in_case_process_ends()
        # Whatever the cell before has made of it; a bound method would name its judge.
        self.answers["check"] = lambda **handed_over: self.check(**handed_over)
        if has_ended_process:
            problem = PROCESS_ENDED.format(self.place)
        else:
            problem = self.problem_of(lambda: self.shell.run_cell(source, True).raise_error())
        self.missing_packages.update(MISSING_PACKAGE.findall(problem))
        if problem and not self.checked and is_cell_of_student and self.not_found == NOT_FOUND:
            self.not_found += f"; {problem}"
        for name in sorted(self.unsolved):
            answer = self.answers.get(name)
            if self.verdicts.get(name) is not verdicts_before.get(name):
                continue  # judged in this cell
            if problem and name in self.checked:
                self.verdicts[name] = self.refuse(problem)
            elif is_cell_of_student and answer is not before.get(name):
                self.send_in_case_process_ends()
                if problem_of_answer := self.problem_of(partial(self.check, **{name: answer})):
                    self.verdicts[name] = Verdict(WRONG, problem_of_answer)

    def check(self, **handed_over: Any) -> None:
        """Judge answers, by the names of their exercises; this is the `check` of the copy."""
        for name in self.unsolved & set(handed_over):
            verdict = judge_answer(self.checker_namespace, name, handed_over[name])
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


class EndOfPrinted(io.StringIO):
    """The end of what is printed: an endless loop that prints would fill the memory."""

    def write(self, text: str) -> int:
        """Add a text, and forget what is too long ago."""
        if self.tell() > PRINTED_KEPT:
            end = self.getvalue()[-PRINTED_KEPT:]
            self.seek(self.truncate(0))
            super().write(end)
        return super().write(text)


def run_original(original: Notebook) -> Namespace:
    """Return the variables of a chapter: the checker and the judges are among them."""
    namespace: Namespace = {"__name__": "__main__"}
    for cell in original.code_cells:
        if "output_digest" not in cell.metadata and not is_stub(cell):
            execute(cell.source, namespace, original.place_of(cell))
    return namespace


def judge_answer(namespace: Namespace, name: str, answer: Any) -> Verdict:
    """Return the verdict of the course's own checker on an answer."""
    with redirect_stdout(EndOfPrinted()) as stdout:
        namespace["check"](**{name: answer})
    printed = stdout.getvalue().strip()
    if printed.splitlines()[-1:] == [namespace["messages"]["right"]]:  # an answer may print before
        return Verdict(RIGHT)
    return Verdict(WRONG, "".join(printed.rpartition(WRONG)[1:]))
