"""The command that judges what a class has handed in is not fooled, and not stopped."""

import csv
import os
import select
import sys
import time
from pathlib import Path
from textwrap import indent
from zipfile import ZipFile

import nbformat
import pytest

from course import CourseError
from course.checker import WORDS
from course.grade import __main__ as command
from course.grade import files, judge, process, same_code, tables
from course.grade.judge import RIGHT, WRONG, Verdict
from course.notebook import Notebook, english_notebooks, solution_code

CHAPTER = english_notebooks()[0]
SOLUTIONS = [solution_code(exercise.solution) for exercise in CHAPTER.exercises()]


def hand_in(folder, answers, checker=None):
    """Write a copy of chapter 1 without ids, with other answers, and perhaps another checker."""
    notebook = nbformat.reads(CHAPTER.text, as_version=4)
    for exercise, answer in zip(CHAPTER.exercises(), answers, strict=True):
        stub = notebook.cells[CHAPTER.cells.index(exercise.stub)]
        stub.source = f"{answer}\n\n{exercise.check_call}" if answer else 'print("✔ correct")'
    if checker:
        notebook.cells[CHAPTER.cells.index(CHAPTER.cell("checker"))].source = checker
    for cell in notebook.cells:
        del cell["id"]
    path = folder / f"anna-{CHAPTER.path.name}"
    notebook.nbformat_minor = 4
    path.write_text(nbformat.v4.writes(notebook), encoding="utf-8")
    return path


def add_cell(path, source, index=None):
    """Put a code cell into a notebook, at its end or before another cell."""
    notebook = nbformat.read(path, as_version=4)
    cells = notebook.cells
    cells.insert(len(cells) if index is None else index, nbformat.v4.new_code_cell(source))
    path.write_text(nbformat.v4.writes(notebook), encoding="utf-8")


def test_right_answers_count_without_cell_ids(tmp_path, capsys):
    answers = [f"open('mine', 'w').close()\n{solution}" for solution in SOLUTIONS]
    hand_in(tmp_path, answers, checker="pass")
    command.main([str(tmp_path)])
    assert not Path("mine").exists(), "a student's files stay here"
    assert capsys.readouterr().out.startswith("3 of 3   anna-01_lookup.ipynb\n")
    lines = (tmp_path / "grades.csv").read_text("utf-8-sig").splitlines()
    assert lines == [
        "student,chapter,file,right,of,1,2,3,why 1,why 2,why 3",
        "anna,01_lookup,anna-01_lookup.ipynb,3,3,✔,✔,✔,,,",
    ]
    lines = (tmp_path / "totals.csv").read_text("utf-8-sig").splitlines()
    assert lines == ["student,right,of,01_lookup,note", "anna,3,3,3,"]
    assert files.handed_in_names(tmp_path) == ["anna-01_lookup.ipynb"], "a table is judged"


def test_a_copy_is_judged_in_its_language(tmp_path):
    for chapter in CHAPTER.with_twin:
        path = tmp_path / f"anna-{chapter.path.name}"
        path.write_text(chapter.text, encoding="utf-8")
        assert files.original_of(path) == chapter


def test_a_copy_under_another_name_is_found_by_its_title(tmp_path):
    for chapter in CHAPTER.with_twin:
        path = tmp_path / "anna.ipynb"
        notebook = nbformat.reads(chapter.text, as_version=4)
        notebook.cells[0].source = f"# Solutions by Max\n{notebook.cells[0].source}"
        nbformat.write(notebook, path)
        assert files.original_of(path) == chapter
    notebook.cells[0].source = "# My own page"
    nbformat.write(nbformat.v4.new_notebook(cells=notebook.cells[:1]), path)
    assert not files.original_of(path)


@pytest.mark.parametrize("language", [0, 1], ids=["en", "zh"])
def test_a_copy_without_title_and_name_is_found_by_its_exercises(tmp_path, language):
    chapter = CHAPTER.with_twin[language]
    path = tmp_path / "anna.ipynb"
    notebook = nbformat.reads(chapter.text, as_version=4)
    notebook.cells[0].source = "# My own page"
    nbformat.write(notebook, path)
    assert files.original_of(path) == chapter
    assert (
        command.grade_notebook(path, files.original_of(path), "anna").chapter == chapter.path.stem
    )


@pytest.mark.parametrize(
    ("source", "chapter_name"),
    [
        ("check(find_ids=3)\ncheck(mine=3)", "01_lookup"),
        ("check(look_up=3)\ncheck( find_ids = 3)", "01_lookup"),
        ("check(look_up=3)", None),  # an exercise of three chapters
        ("check(find_ids=3)\ncheck(encode=3)", None),
        ("check(mine=3)", None),
    ],
)
def test_a_chapter_is_found_only_if_it_alone_has_the_exercises(tmp_path, source, chapter_name):
    nbformat.write(nbformat.v4.new_notebook(), path := tmp_path / "anna.ipynb")
    add_cell(path, source)
    original = files.original_of(path)
    assert (original.path.stem if original else None) == chapter_name


def test_a_title_counts_for_more_than_a_name(tmp_path, capsys):
    hand_in(tmp_path, SOLUTIONS).rename(tmp_path / "ute-04_cost.ipynb")
    command.main([str(tmp_path)])
    printed = capsys.readouterr().out
    assert printed.startswith("3 of 3   ute-04_cost.ipynb (by what it holds 01_lookup)\n")
    assert "\nute: 3 of 3, chapters: 1\n" in printed


def test_a_note_has_no_exercises(tmp_path):
    path = tmp_path / "anna.ipynb"
    path.write_text(CHAPTER.notes[0].text, encoding="utf-8")
    note_name = CHAPTER.notes[0].path.stem
    assert command.grade_notebook(path, files.original_of(path), "anna") == tables.Grade(
        "anna", note_name, [], [command.NO_EXERCISES]
    )


@pytest.mark.parametrize(
    "answer",
    [
        "display(ids := torch.full((3, 1, 2), 3))\nget_ipython().run_line_magic('time', '')",
        "my_ids = torch.full((3, 1, 2), 3)\ncheck(ids=my_ids)\nids = 3\n",
        "check(ids=torch.full((3, 1, 2), 3))\n1 / 0",
        "plt.figure()\nplt.figure()\nplt.show()\nids = torch.full((3, 1, 2), 3)\nplt.figure()",
        "ids = torch.full((3, 1, 2), 3)\nplt.plot([1])",
        "from google.colab import drive\ndrive.mount('/drive')\nids = torch.full((3, 1, 2), 3)",
        "import google.colab\ngoogle.colab.files.upload()\nids = torch.full((3, 1, 2), 3)",
        "%%time\n%time ids = torch.full((3, 1, 2), 3)\n%time check(ids=ids)\nids = 3",
        "%%capture printed\nids = torch.full((3, 1, 2), 3)",
        "t = %timeit -o -n1 -r1 check(ids=torch.full((3, 1, 2), 3))\nassert t.average < 9",
        "%pip install x\n%matplotlib inline\n%load_ext tensorboard\nids = torch.full((3, 1, 2), 3)",
        "files = !ls\nassert not files.n\nif True:\n    !ls\n    ids = torch.full((3, 1, 2), 3)",
        "torch?\n?torch\ntorch.full??\nids = torch.full((3, 1, 2), 3)  # right?",
        "import asyncio\nawait asyncio.sleep(0)\nids = torch.full((3, 1, 2), 3)",
        "assert In[1] and _ is Out[max(Out)]\nids = torch.full((3, 1, 2), 3)",
    ],
)
def test_what_jupyter_finds_right_is_right(tmp_path, answer):
    path = hand_in(tmp_path, [answer, *SOLUTIONS[1:]])
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


@pytest.mark.parametrize(
    "cell",
    [
        "ids = torch.tensor([[1, -1]])",  # to try exercise 2
        "ids = 3\ncheck(ids=ids)",
        "ids.fill_(0)",
        "check(ids=1 / 0)",
        "import os\nos._exit(check(ids=ids))",
    ],
)
def test_an_answer_that_was_right_stays_right(tmp_path, cell):
    path = hand_in(tmp_path, SOLUTIONS)
    add_cell(path, cell)
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


def test_an_answer_is_judged_as_it_is_at_its_check(tmp_path):
    answer = "ids = torch.full((3, 1, 2), 2)\ncheck(ids=ids)\nids += 1\ndel ids\nids = 3"
    path = hand_in(tmp_path, [answer, *SOLUTIONS[1:]])
    first, *others = process.judge_in_process(CHAPTER, path)
    assert first.mark == WRONG and others == [Verdict(RIGHT)] * 2


def test_printed_verdicts_and_another_checker_do_not_count(tmp_path):
    answers = [None, "def look_up(ids, fetch):\n    while True: pass", SOLUTIONS[2]]
    path = hand_in(tmp_path, answers, checker='def check(**_): print("✔ correct")')
    verdicts = process.judge_in_process(CHAPTER, path, seconds=1)
    place = judge.PLACE.format("def look_up(ids, fetch):")
    assert verdicts == [
        Verdict(WRONG, judge.NOT_FOUND),
        Verdict(WRONG, f"{place}: it takes more than 1 seconds"),
        Verdict(RIGHT),
    ]


def test_check_does_not_name_its_judge(tmp_path):
    path = hand_in(tmp_path, ["verdicts = check.__self__.verdicts", *SOLUTIONS[1:]])
    first, *_ = process.judge_in_process(CHAPTER, path)
    assert "has no attribute '__self__'" in first.reason


def test_of_what_is_printed_only_the_end_is_kept(tmp_path):
    much = "import sys\nfor _ in range(100): print('-' * 2000)\nassert sys.stdout.tell() < 20_000\n"
    function = SOLUTIONS[1].replace("\n", f"\n{indent(much, '    ')}", 1)
    path = hand_in(tmp_path, [much + SOLUTIONS[0], function, SOLUTIONS[2]])
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows forks no process")
def test_processes_are_born_with_torch(tmp_path):
    process.judge_in_process(CHAPTER, hand_in(tmp_path, SOLUTIONS))
    code = "import sys; sys.exit('torch' not in sys.modules)"
    child = process.CONTEXT.Process(target=exec, args=(code,))
    child.start()
    child.join()
    assert child.exitcode == 0, "each notebook's process imports torch anew"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sessions")
def test_what_a_notebook_starts_ends_with_it(tmp_path):
    path = hand_in(tmp_path, SOLUTIONS)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    start = f"subprocess.Popen(['sleep', '77'], stdout=open('{pipe}', 'w'))"
    add_cell(path, f"import subprocess\n{start}")
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3
    is_closed, _, _ = select.select([reader], [], [], 9)  # by the last that could write to it
    os.close(reader)
    assert is_closed


def test_a_line_that_is_not_python_is_shown(tmp_path):
    """A word processor turns quotes and a minus into others, an input method all signs."""
    slips = ["ids = “a”", "return –1", "shapes = （1， 2）"]
    path = hand_in(tmp_path, [f"def look_up():\n    {slip}" for slip in slips])
    for slip, verdict in zip(slips, process.judge_in_process(CHAPTER, path), strict=True):
        assert f": line 2, `{slip}`, is not Python (invalid character " in verdict.reason


@pytest.mark.parametrize("end", ["import sys\nsys.exit()", "exit()"])
def test_a_cell_that_ends_the_program_is_named(tmp_path, end):
    path = hand_in(tmp_path, [end, *SOLUTIONS[1:]])
    place = judge.PLACE.format(end.partition("\n")[0])
    ended = Verdict(WRONG, f"{place}: {judge.ENDS_PROGRAM}")
    assert process.judge_in_process(CHAPTER, path) == [ended, Verdict(RIGHT), Verdict(RIGHT)]


CAUGHT = """import time
while True:
    try: time.sleep(9)
    except BaseException: pass"""


@pytest.mark.parametrize("end", ["import os; os._exit(0)", CAUGHT])
def test_the_cell_in_which_a_process_ends_is_named(tmp_path, end):
    path = hand_in(tmp_path, [SOLUTIONS[0], end, SOLUTIONS[2]])
    ended = judge.PROCESS_ENDED.format(judge.PLACE.format(end.partition("\n")[0]))
    start = time.monotonic()
    verdicts = process.judge_in_process(CHAPTER, path, seconds=1)
    assert verdicts == [Verdict(RIGHT), Verdict(WRONG, ended), Verdict(RIGHT)]
    assert time.monotonic() - start < 60, "a cell has as long as the chapter"


def test_cells_that_end_a_process_are_left_out_of_the_next_up_to_a_limit(tmp_path):
    end = "import os; os._exit(0)"
    verdicts = process.judge_in_process(CHAPTER, hand_in(tmp_path, [end] * 3))
    assert [verdict.mark for verdict in verdicts] == [WRONG] * 3
    path = hand_in(tmp_path, [f"{SOLUTIONS[0]}\ncheck(ids=ids)\n{end}", *SOLUTIONS[1:]])
    add_cell(path, end, 0)
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3
    for _ in range(2):
        add_cell(path, end, 0)
    ended = judge.PROCESS_ENDED.format(judge.PLACE.format(end))
    blank = Verdict("", judge.LEFT_BLANK.format(ended))
    assert process.judge_in_process(CHAPTER, path) == [blank] * 3


def test_after_the_end_of_a_process_an_exercise_is_left_blank(tmp_path, monkeypatch, capsys):
    verdicts = [Verdict(RIGHT), Verdict(WRONG, "it ended"), Verdict("", "left blank")]
    monkeypatch.setattr(command, "judge_in_process", lambda *_: verdicts)
    hand_in(tmp_path, SOLUTIONS)
    command.main([str(tmp_path)])
    printed = capsys.readouterr().out
    assert printed.startswith("1 of 3, 1 left blank   anna-01_lookup.ipynb\n")
    _, line = (tmp_path / "grades.csv").read_text("utf-8-sig").splitlines()
    assert line.startswith("anna,01_lookup,anna-01_lookup.ipynb,1,3,✔,✘,,,")
    _, total = (tmp_path / "totals.csv").read_text("utf-8-sig").splitlines()
    assert total == "anna,1,3,1,left blank: 1"
    assert "\nanna: 1 of 3, chapters: 1; left blank: 1\n" in printed


def test_where_no_answer_is_right_the_first_reason_is_printed():
    no_answer_right = tables.Grade("anna", "01_lookup", [WRONG, ""], ["not so:\nline 1", "blank"])
    assert tables.summary_of(no_answer_right) == "0 of 2, 1 left blank: not so:"


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        ("", "import panda\n" + SOLUTIONS[1]),
        ("import math, panda as pd", SOLUTIONS[1] + "\npd"),
        ("import panda as pd", SOLUTIONS[1].replace("\n", "\n    pd\n", 1)),
        ("", SOLUTIONS[1].replace("\n", "\n    import panda.core\n", 1)),
    ],
)
def test_where_a_package_is_missing_an_exercise_is_left_blank(tmp_path, cell, answer):
    path = hand_in(tmp_path, ["ids = 3", answer, SOLUTIONS[2]])
    add_cell(path, cell, 0)
    first, *others = process.judge_in_process(CHAPTER, path)
    assert first.mark == WRONG, "no package is to blame"
    assert others == [Verdict("", judge.NOT_INSTALLED.format("panda")), Verdict(RIGHT)]


@pytest.mark.parametrize("answer", ["import torch.panda", "import panda", "panda"])
def test_no_other_name_is_a_missing_package(tmp_path, answer):
    (tmp_path / "panda.py").touch()
    path = hand_in(tmp_path, [f"import sys; sys.path.append('{tmp_path}')", answer, SOLUTIONS[2]])
    assert process.judge_in_process(CHAPTER, path)[1].mark == WRONG


@pytest.mark.parametrize(
    "cell", ["while True: pass", "answer = missing", "def look_up(:", "raise KeyboardInterrupt"]
)
def test_a_cell_that_fails_without_its_check_is_named(tmp_path, cell):
    path = hand_in(tmp_path, [SOLUTIONS[0], "look_up = ...", SOLUTIONS[2]])
    notebook = nbformat.read(path, as_version=4)
    stub = next(each for each in notebook.cells if each.source.startswith("look_up = ..."))
    stub.source = cell
    path.write_text(nbformat.v4.writes(notebook), encoding="utf-8")
    verdicts = process.judge_in_process(CHAPTER, path, seconds=1)
    assert verdicts[::2] == [Verdict(RIGHT), Verdict(RIGHT)]
    assert verdicts[1].reason.startswith(f"{judge.NOT_FOUND}; {judge.PLACE.format(cell)}: ")


@pytest.mark.parametrize(
    "name",
    [
        "anna-01_lookup.ipynb",
        "anna-01_lookup (1).ipynb",
        "anna-01_lookup-checkpoint.ipynb",
        "Copy of anna-01_lookup.ipynb",
        "Kopie von anna-01_lookup.ipynb",
        "01_lookup-anna-Copy1.ipynb",
        "anna/01_lookup的副本.ipynb",
        "anna/Copy of 01_lookup(2).IPYNB",
        "anna/hw1.ipynb",
        "anna/hw2 final/01_lookup.ipynb",
        "01_lookup/anna.ipynb",
        "anna-04_cost.ipynb",
        "week1/anna-05_gradients.ipynb",
        "week1/05_gradients_anna.ipynb",
        "anna/02_one_hot-Kopie.ipynb",
        "anna/02_one_hot - Copy (2).ipynb",
        "anna/hw/05_gradients_final.ipynb",
        "anna-01_lookup.ipynb.txt",
        "anna_4711_assignsubmission_file/01_lookup.ipynb",
        "Assignment 1/anna_4711_assignsubmission_file_/ben-05_gradients.ipynb",
        "Assignment 2/anna_4712_assignsubmission_file_05_gradients.ipynb",
        "anna - 01_lookup - Copie.ipynb",
        "anna - 01_lookup - Kopie (2).ipynb",
        "anna-01_lookup - copia.ipynb",
        "Cópia de anna-01_lookup.ipynb",
        "Copy_of_anna-01_lookup.ipynb",
        "anna-01_lookup-colab.ipynb",
        "anna (1) 01_lookup.ipynb",
        "anna 01_lookup のコピー.ipynb",
        "anna-01_lookup - コピー.ipynb",
        "anna-01_lookup - 副本 (3).ipynb",
        "anna/“01_lookup_ipynb”的副本.ipynb",
    ],
)
def test_a_copy_belongs_to_its_student(name):
    assert files.student_of(name) == "anna"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("annali_4711_98765_01_lookup.ipynb", "annali_4711"),
        ("annali_LATE_4711_98766_04_cost-1.ipynb", "annali_4711"),
        ("week2/annali_4711_98767_anna-02_one_hot.ipynb", "annali_4711"),
        ("team-1/01_lookup.ipynb", "team-1"),
        ("01_lookup-team-2.ipynb", "team-2"),
        ("Copy of 01_lookup.ipynb", "Copy of 01_lookup.ipynb"),
        ("=01_lookup.ipynb", "01_lookup.ipynb"),
        ("Elsa B - 01_lookup - Copie.ipynb", "Elsa B"),
        ("elsa-01_lookup-b.ipynb", "elsa-b"),
        ("Elsa - 01_lookup - B.ipynb", "Elsa - B"),
        ("山田 01_lookup のコピー.ipynb", "山田"),
        ("E\u0301lodie-01_lookup.ipynb", "\u00c9lodie"),  # as macOS writes it
    ],
)
def test_students_of_one_name_or_none_are_kept_apart(name, student):
    assert files.student_of(name) == student


def test_a_number_of_moodle_is_kept_where_an_assignment_holds_a_name_twice():
    folders = ["1/anna_11", "1/anna_12", "1/ben_13", "2/anna_24", "2/ben_25"]
    names = [f"{folder}_assignsubmission_file/01_lookup.ipynb" for folder in folders]
    names.append(names[2].replace("01_lookup", "02_one_hot"))
    students = [files.student_of(name, files.names_of_several(names)) for name in names]
    assert students == ["anna_11", "anna_12", "ben", "anna_24", "ben", "ben"]


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["HW1/anna/01_lookup.ipynb", "HW1/ben/01_lookup.ipynb", "HW2/ben/04_cost.ipynb"], "abb"),
        (["作业1/anna/01_lookup.ipynb", "作业1/ben/01_lookup.ipynb", "c/01_lookup.ipynb"], "abc"),
        (["all/1/anna/01_lookup.ipynb", "all/1/ben/01_lookup.ipynb"], "ab"),
        (["all/anna/hw/01_lookup.ipynb", "all/Ben/hw/01_lookup.ipynb"], "aB"),
        (["anna/hw1/01_lookup.ipynb", "anna/hw2/04_cost.ipynb", "ben/hw1/01_lookup.ipynb"], "aab"),
        (["anna/01_lookup.ipynb", "anna/01_lookup (1).ipynb", "ben/01_lookup.ipynb"], "aab"),
        ([f"{s}/try {n}/01_lookup.ipynb" for s in ("anna", "ben") for n in "12"], "aabb"),
        (["week1/anna-01_lookup.ipynb", "week1/ben-01_lookup.ipynb"], "ab"),
    ],
)
def test_the_folder_that_keeps_most_files_apart_names_the_students(names, students):
    chapters = {name: "04_cost" if "04_cost" in name else "01_lookup" for name in names}
    depth = files.student_depth(chapters)
    assert "".join(files.student_of(name, depth=depth)[0] for name in names) == students


def test_a_file_without_a_chapter_in_its_name_belongs_to_its_folder_or_names_its_student():
    chapters = {"Li Lei/hw1.ipynb": "01_lookup", "Li Lei/hw2 final.ipynb": "04_cost"}
    assert files.student_depth(chapters) == 0
    assert {files.student_of(name) for name in chapters} == {"Li Lei"}
    chapters = dict.fromkeys(["HW1/anna.ipynb", "HW1/ben.ipynb"], "01_lookup")
    depth = files.student_depth(chapters)
    assert [files.student_of(name, depth=depth) for name in chapters] == ["anna", "ben"]


def test_of_a_name_in_two_folders_a_total_asks_whether_it_is_one_student(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    for folder in ("Anna Kraus", "Anna Meier"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "anna-01_lookup.ipynb").write_text(CHAPTER.text, encoding="utf-8")
    command.main([str(tmp_path)])
    assert "from several folders: is it one student?" in (tmp_path / "totals.csv").read_text()


def test_a_list_of_the_class_names_who_is_absent_and_who_is_not_on_it(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    for student in ("anna_li", "E\u0301lodie", "zoe"):
        (tmp_path / f"{student}-01_lookup.ipynb").write_text(CHAPTER.text, encoding="utf-8")
    (tmp_path / "class.txt").write_text("Anna Li\nben  Ost\n\nE\u0301lodie\n", encoding="utf-8-sig")
    command.main([str(tmp_path), "--students", str(tmp_path / "class.txt")])
    _, *lines = (tmp_path / "totals.csv").read_text("utf-8-sig").splitlines()
    assert lines == [
        "Anna Li,1,1,1,",
        "ben Ost,0,0,,handed in nothing",
        "zoe,1,1,1,not on the list: zoe-01_lookup.ipynb",
        "\u00c9lodie,1,1,1,",
    ]


@pytest.fixture
def interrupted_at_ben(monkeypatch):
    """Control-C comes at the file of ben; those before are right."""

    def judge_until_ben(original, path):
        if "ben" in path.name:
            raise KeyboardInterrupt
        return [Verdict(RIGHT)]

    monkeypatch.setattr(command, "judge_in_process", judge_until_ben)


def test_after_control_c_nobody_who_has_a_file_is_absent(tmp_path, interrupted_at_ben):
    (tmp_path / "class.txt").write_text("anna\nben\neva\n")
    for student in ("anna", "ben"):
        (tmp_path / f"{student}-01_lookup.ipynb").write_text(CHAPTER.text, encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        command.main([str(tmp_path), "--students", str(tmp_path / "class.txt")])
    _, *lines = (tmp_path / "totals.csv").read_text("utf-8-sig").splitlines()
    assert [line.partition(",")[0] for line in lines] == ["anna", "eva"]


def test_a_list_in_another_encoding_is_refused_in_one_line(tmp_path):
    (tmp_path / "class.txt").write_bytes("张三".encode("gbk"))
    with pytest.raises(CourseError, match="is not a text in UTF-8; save it as one"):
        command.main([str(tmp_path), "--students", str(tmp_path / "class.txt")])


@pytest.mark.parametrize("arguments", [[], ["missing"], [".", "--students"], [".", "a", "b"]])
def test_other_arguments_are_refused_in_one_line(arguments):
    with pytest.raises(CourseError, match="name the folder of what was handed in: python -m"):
        command.main(arguments)


def test_each_of_two_folders_in_one_has_a_total(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    for student in ("anna", "ben"):
        (tmp_path / "HW1" / student).mkdir(parents=True)
        (tmp_path / "HW1" / student / "hw.ipynb").write_text(CHAPTER.text, encoding="utf-8")
    command.main([str(tmp_path)])
    printed = capsys.readouterr().out
    assert "\nanna: 1 of 1, chapters: 1\nben: 1 of 1, chapters: 1\n" in printed


@pytest.mark.parametrize(
    ("verdict", "of_grade"),
    [
        ("✔ correct", Verdict(RIGHT)),
        ("✔ correct\n✘ not quite: no", Verdict(WRONG, "✘ not quite: no")),
        ("printed\n✔ correct", Verdict(RIGHT)),
        ("not yet", Verdict(WRONG, "not yet")),
    ],
)
def test_what_an_answer_prints_is_no_verdict(verdict, of_grade):
    namespace = {"check": lambda ids: print(verdict), "messages": WORDS["en"]}
    assert judge.judge_answer(namespace, "ids", 3) == of_grade


def test_a_chapter_that_does_not_run_judges_nobody(tmp_path):
    path = hand_in(tmp_path, SOLUTIONS)
    notebook = nbformat.reads(CHAPTER.text, as_version=4)
    notebook.cells.insert(1, nbformat.v4.new_code_cell("1 / 0"))
    broken = tmp_path / CHAPTER.path.name
    broken.write_text(nbformat.v4.writes(notebook), encoding="utf-8")
    verdicts = process.judge_in_process(Notebook(broken), path)
    assert verdicts == [Verdict("", process.NOT_RUN)] * 3


def test_answers_are_found_without_a_check_and_beside_magics(tmp_path):
    path = hand_in(tmp_path, SOLUTIONS)
    text = path.read_text(encoding="utf-8")
    calls = [exercise.check_call for exercise in CHAPTER.exercises()]
    text = text.replace(calls[0], "").replace(calls[1], f"%time {calls[1]}")
    path.write_text(text.replace(calls[2], calls[2].replace("=", " = ")), encoding="utf-8")
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


def test_commands_of_the_system_do_not_run(tmp_path):
    path = hand_in(tmp_path, [f"open('mine', 'x').close()\n{SOLUTIONS[0]}", *SOLUTIONS[1:]])
    for start in ("!", "files = !", "%%bash\n", "%%script bash\n", "%system ", "%sx "):
        add_cell(path, f"{start}touch mine", 0)
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


def test_no_package_is_taken_from_an_active_environment(tmp_path):
    activate = "import os, sys\nos.environ['VIRTUAL_ENV'] = '/x'\nget_ipython().init_virtualenv()"
    is_left_out = "assert not any(path.startswith('/x') for path in sys.path)"
    path = hand_in(tmp_path, [f"{activate}\n{is_left_out}\n{SOLUTIONS[0]}", *SOLUTIONS[1:]])
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3


def test_what_cannot_be_judged_has_a_row(tmp_path, capsys):
    (tmp_path / "=mine.pdf").write_bytes(b"no notebook")
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), tmp_path / "=my.ipynb"
    )
    (tmp_path / "list-01_lookup.IPYNB").write_text("[1, 2]")
    (tmp_path / f"anna-{CHAPTER.path.name}").touch()
    with ZipFile(tmp_path / "zip-01_lookup.ipynb", "w"):
        pass
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "bare-01_lookup.ipynb")
    command.main([str(tmp_path)])
    lines = (tmp_path / "grades.csv").read_text("utf-8-sig").splitlines()
    assert lines == [
        "student,chapter,file,right,of,why 1",
        f"anna,01_lookup,anna-01_lookup.ipynb,,,{files.EMPTY}",
        f"bare,01_lookup,bare-01_lookup.ipynb,,,{files.NO_CODE}",
        f"list,01_lookup,list-01_lookup.IPYNB,,,{files.NO_NOTEBOOK}",
        f"mine,,./=mine.pdf,,,{files.NO_NOTEBOOK}",
        f"my,,./=my.ipynb,,,{command.NO_CHAPTER}",
        f"zip,01_lookup,zip-01_lookup.ipynb,,,{files.ZIPPED}",
    ]
    _, *totals = (tmp_path / "totals.csv").read_text("utf-8-sig").splitlines()
    assert totals == [f"{s},0,0,not judged: 1" for s in "anna bare list mine my zip".split()]
    printed = capsys.readouterr().out
    assert command.NO_CHAPTER in printed and "files not judged: 6\nwrote" in printed
    assert "\nanna: 0 of 0, chapters: 0; not judged: 1\n" in printed


def test_after_control_c_the_tables_hold_what_was_judged(tmp_path, interrupted_at_ben):
    for student in ("anna", "ben", "zoe"):
        (tmp_path / f"{student}-{CHAPTER.path.name}").write_text(CHAPTER.text, encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        command.main([str(tmp_path)])
    for table in ("grades.csv", "totals.csv"):
        _, *lines = (tmp_path / table).read_text("utf-8-sig").splitlines()
        assert [line.partition(",")[0] for line in lines] == ["anna"], table


def test_a_table_is_never_half_written(tmp_path, monkeypatch):
    def stop(*_):
        raise OSError(28, "the disk is full")

    table = tmp_path / "grades.csv"
    table.write_text("before")
    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(OSError, match="the disk is full"):
        tables.write_table(table, [["student"]])
    assert list(tmp_path.iterdir()) == [table] and table.read_text() == "before"


def test_a_folder_of_hidden_files_is_empty(tmp_path):
    (tmp_path / "anna/.ipynb_checkpoints").mkdir(parents=True)
    (tmp_path / "anna/.ipynb_checkpoints/01_lookup-checkpoint.ipynb").touch()
    (tmp_path / ".DS_Store").touch()
    with pytest.raises(CourseError, match="holds no file; put there what was handed in"):
        command.main([str(tmp_path)])


def test_a_notebook_with_a_byte_order_mark_is_read(tmp_path):
    path = hand_in(tmp_path, SOLUTIONS)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert process.judge_in_process(CHAPTER, path) == [Verdict(RIGHT)] * 3
    path.write_text(nbformat.v4.writes(nbformat.v4.new_notebook()), encoding="utf-8-sig")
    assert files.reason_without_code(path) == files.NO_CODE


def test_a_total_counts_the_best_file_of_a_chapter_that_came_twice(tmp_path):
    grades = [tables.Grade("Mia", name, [RIGHT, WRONG], ["", "no"]) for name in ("01", "01", "02")]
    grades.append(tables.Grade("Mia", "03", [], [files.EMPTY]))
    grades.append(tables.Grade("mia", "01", [WRONG, WRONG], ["no", "no"]))
    [total] = tables.totals_of(grades)
    assert total.student.casefold() == "mia" and tables.counts_of(total.marks) == "2 of 4"
    assert total.reasons == ["the best of more than one file of 01", "not judged: 1"]
    note = "the best of more than one file of 01; not judged: 1"
    assert tables.table_of_totals([total])[-1] == [total.student, 2, 4, 1, 1, note]


LOOP = """def look_up(ids, weight):
    rows = []
    for i in ids:
        rows.append(weight[i])
    return torch.stack(rows), ids >= 0"""


def notes_of_class(folder, answers_by_student):
    """Judge what students have handed in for chapter 1; return the notes in totals.csv."""
    for student, answers in answers_by_student.items():
        hand_in(folder, answers).rename(folder / f"{student}-{CHAPTER.path.name}")
    command.main([str(folder)])
    with (folder / "totals.csv").open(encoding="utf-8-sig") as file:
        return {row["student"]: row["note"] for row in csv.DictReader(file) if row["note"]}


def test_a_total_names_the_exercises_with_the_same_code(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    laid_out_anew = LOOP.replace("ids:\n", "(ids):  # mine\n\n").replace("rows = []", "rows=[]")
    answers_by_student = {
        "Mia": ["ids = 3", LOOP, SOLUTIONS[2]],
        "mia": ["ids = 4", LOOP, SOLUTIONS[2]],  # who is Mia
        "ben": ["ids = 5", laid_out_anew, "shapes = ()"],
        "cem": ["ids = 6", f"%%time\nimport math\nprint(3)\n{LOOP}", SOLUTIONS[2]],
        "zoe": ["ids = 7", LOOP.replace("rows", "found"), SOLUTIONS[2]],
    }
    assert notes_of_class(tmp_path, answers_by_student) == {
        "ben": "same code as cem, Mia in exercise 2 of 01_lookup",
        "cem": "same code as ben, Mia in exercise 2 of 01_lookup",
        "Mia": "the best of more than one file of 01_lookup; "
        "same code as ben, cem in exercise 2 of 01_lookup",
    }


@pytest.mark.parametrize(
    "answer",
    [
        "",
        CHAPTER.cell("try-2-stub").source,
        SOLUTIONS[1],
        f"{CHAPTER.cell('try-2-stub').source}\n\n# mine\n{SOLUTIONS[1]}",
        "import math\ndef look_up(ids, weight):\n    return weight[ids]  # mine\nprint(3)",
    ],
    ids="nothing stub solution stub-and-solution one-line".split(),
)
def test_nobody_is_named_for_the_code_that_all_have_or_many_find(tmp_path, monkeypatch, answer):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    assert not notes_of_class(tmp_path, {s: ["", answer, ""] for s in ("ben", "zoe")})


@pytest.mark.parametrize(
    ("cell", "exercises"),
    [
        (LOOP, {2}),  # it is checked in another cell
        (f"{LOOP.replace('look_up', 'mine')}\ncheck(look_up=mine)", {2}),
        ("a = 1\nids = a + 2", {1}),
        ("a = 1\nids == a + 2", set()),
        (LOOP.replace("look_up", "mine"), set()),
    ],
)
def test_a_cell_answers_an_exercise_that_it_names_or_checks(tmp_path, cell, exercises):
    path = hand_in(tmp_path, ["", "", ""])
    add_cell(path, cell)
    assert {number for number, _ in same_code.answers_of(CHAPTER, path)} == exercises


def test_code_that_does_not_run_is_compared_line_by_line(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(WRONG)])
    broken = LOOP.replace("]", "")
    answers = {"ben": ["", broken, ""], "zoe": ["", broken.replace("\n", "  # mine\n\n"), ""]}
    assert list(notes_of_class(tmp_path, answers)) == ["ben", "zoe"]


def test_both_tables_name_students_in_the_same_order(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "judge_in_process", lambda *_: [Verdict(RIGHT)])
    for student in ("Zoe", "anna", "Ben"):
        (tmp_path / f"{student}-{CHAPTER.path.name}").write_text(CHAPTER.text, encoding="utf-8")
    command.main([str(tmp_path)])
    for name in ("grades.csv", "totals.csv"):
        lines = (tmp_path / name).read_text("utf-8-sig").splitlines()[1:]
        assert [line.partition(",")[0] for line in lines] == ["anna", "Ben", "Zoe"], name


def test_a_chapter_that_a_student_did_not_hand_in_is_left_empty():
    grades = [tables.Grade("Mia", "02", [RIGHT], [""]), tables.Grade("Ann", "01", [WRONG], ["no"])]
    assert tables.table_of_totals(tables.totals_of(grades)) == [
        ["student", "right", "of", "01", "02", "note"],
        ["Ann", 0, 1, 0, "", ""],
        ["Mia", 1, 1, "", 1, ""],
    ]


def test_cells_without_ids_are_read_without_a_warning(tmp_path, recwarn):
    path = hand_in(tmp_path, SOLUTIONS)
    as_version_5 = path.read_text(encoding="utf-8").replace(
        '"nbformat_minor": 4', '"nbformat_minor": 5'
    )
    path.write_text(as_version_5, encoding="utf-8")
    assert files.cell_sources(path, "code") and not recwarn.list
