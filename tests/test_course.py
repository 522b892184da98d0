"""The rules of the course hold, and its commands do what they promise."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from nbval.plugin import IPyNbCell

from course import (
    PINNED_TORCH,
    ROOT,
    CourseError,
    answers,
    build,
    handout,
    install,
    lab,
    require_line,
    run,
    run_main,
)
from course.check import RULES, editions, executed, repository, structure
from course.grade import __main__ as grade
from course.languages import EDITIONS
from course.notebook import (
    Notebook,
    all_notebooks,
    chapters,
    chinese_notebooks,
    english_notebooks,
)
from course.site import __main__ as site

NOTES = [notebook for notebook in english_notebooks() if notebook.is_note]


def require_none(problems):
    """Fail with the lines of the problems, and nothing else."""
    if lines := list(problems):
        pytest.fail("\n".join(lines), pytrace=False)


class TestChapters:
    """Run each chapter: a class, so that one worker runs these while another runs the notes."""

    @pytest.mark.parametrize("notebook", chapters(english_notebooks()), ids=str)
    def test_run(self, notebook):
        require_none(executed.problems(notebook))


class TestNotes:
    """Run each note."""

    @pytest.mark.parametrize("notebook", NOTES, ids=str)
    def test_run(self, notebook):
        require_none(executed.problems(notebook))


@pytest.mark.parametrize("notebook", all_notebooks(), ids=str)
def test_structure(notebook):
    require_none(structure.problems(notebook))


@pytest.mark.parametrize("notebook", english_notebooks(), ids=str)
def test_editions_agree(notebook):
    require_none(editions.problems(notebook))


@pytest.mark.parametrize("rule", RULES[repository.__name__], ids=lambda rule: rule.__name__)
def test_repository(rule):
    require_none(rule(ROOT))


def test_nbval_collected_every_cell(request):
    options = map(request.config.getoption, ("keyword", "markexpr", "deselect", "lf", "stepwise"))
    if request.config.args != request.config.getini("testpaths") or any(options):
        pytest.skip("part of the suite was asked for; `make test` asks for all")
    cell_counts = Counter(i.path for i in request.session.items if isinstance(i, IPyNbCell))
    require_none(
        f"{notebook}: nbval saw {cell_counts[notebook.path]} of {cells} cells; see pyproject.toml"
        for notebook in english_notebooks()
        if cell_counts[notebook.path] != (cells := len(notebook.code_cells))
    )


def dead_links_of_copy(folder):
    """Yield what the rules say of the links in a copy of the course."""
    yield from repository.page_links_lead_somewhere(folder)
    for notebook in all_notebooks(folder):
        yield from structure.problems(notebook, [structure.links_lead_somewhere])


def test_copies_are_made_once(tmp_path):
    lab.copy_course(tmp_path)
    require_none(dead_links_of_copy(tmp_path))
    first, second, *_ = english_notebooks(tmp_path)
    first.path.write_text("mine")
    second.path.unlink()
    lab.copy_course(tmp_path)
    assert first.path.read_text() == "mine", "a reader's copy is overwritten"
    assert Notebook(second.path).cells == english_notebooks()[1].cells


def test_copies_hold_no_checkpoints(tmp_path):
    checkpoint = tmp_path / "notebooks/.ipynb_checkpoints/01_lookup-checkpoint.ipynb"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_bytes(english_notebooks()[0].path.read_bytes())
    (tmp_path / "LICENSE").touch()
    lab.copy_course(tmp_path / "my", tmp_path)
    assert not list(tmp_path.glob("my/**/*.ipynb"))


def test_the_handout_holds_no_stray_page_or_notebook(tmp_path):
    """Whatever else lies in the checkout may hold the answers."""
    (tmp_path / "notebooks").mkdir()
    for name in ("LICENSE", "SOLUTIONS.md", "notebooks/answers.md", "README.md"):
        (tmp_path / name).write_text("# A\n")
    (tmp_path / "notebooks/scratch.ipynb").write_text('{"cells": [], "metadata": {}}')
    handout.main([], tmp_path)
    copied = sorted(path.name for path in tmp_path.glob("handout/**/*.*"))
    assert copied == ["README.md"]


def test_the_handout_holds_no_picture_that_no_page_shows(tmp_path):
    """Its name and what it shows answer a question."""
    (tmp_path / "images").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "LICENSE").touch()
    for name in ("shown.webp", "linked.webp", "answer.webp"):
        (tmp_path / "images" / name).touch()
    cell = {"cell_type": "markdown", "metadata": {}, "source": "![A](../images/shown.webp)"}
    notebook = {"cells": [cell], "metadata": {}}
    (tmp_path / "notebooks/01_lookup.ipynb").write_text(json.dumps(notebook))
    chapters = "# A\n\n## B\n\n<!-- chapters --> [c](images/linked.webp)\n"
    (tmp_path / "README.md").write_text(chapters)
    handout.write_handout(tmp_path / "handout", tmp_path)
    pictures = sorted(path.name for path in tmp_path.glob("handout/images/*"))
    assert pictures == ["linked.webp", "shown.webp"]


@pytest.mark.parametrize("is_checkout", [True, False])
def test_the_handout_names_pytorch_and_its_commit(is_checkout, tmp_path):
    """A downloaded zip has no commit."""
    for name in ("LICENSE", "README.md", "README.zh.md"):
        (tmp_path / name).write_text("# A\n")
    title = {"id": "title", "cell_type": "markdown", "metadata": {}, "source": ["# A\n", "b"]}
    notebook = {"cells": [title], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    for name in ("notebooks/01_lookup.ipynb", "notebooks/zh/notes/01_gaps.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(json.dumps(notebook))
    commit = "commit"
    if is_checkout:
        git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a"]
        subprocess.run([*git, "init", "--quiet"], check=True)
        subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message=a"], check=True)
        commit = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()
    handout.write_handout(tmp_path / "handout", tmp_path)
    for path in tmp_path.glob("handout/README*.md"):
        readme = path.read_text(encoding="utf-8")
        assert f"PyTorch {PINNED_TORCH}" in readme and (commit in readme) == is_checkout, readme
    for path in tmp_path.glob("handout/**/*.ipynb"):
        assert (commit in Notebook(path).cell("title").source) == is_checkout, path


def test_one_click_opens_what_answers_a_question(tmp_path):
    lab.copy_course(tmp_path, prepare=lab.hide_answers)
    fold = '<details class="answer">'
    for notebook in english_notebooks(tmp_path):
        for above, below in pairwise(notebook.cells):
            is_folded = fold in above.source and above.source.endswith("</details>")
            place = f"{notebook}, cell {below.id}"
            assert not (is_folded and below.source.startswith(fold)), place
            assert not (below.source.startswith(fold) and above.get("outputs")), place


def test_an_output_that_a_question_is_about_is_hidden():
    """Also of a question in a heading or within a text, and its answer is folded."""
    texts = {
        "## Is it 3?\n\nAdd.": {},
        "Now 2.": {},
        "It is 3.\n\n## It is 4\n\nAdd ([?](a?b)).": {
            "handout": "fold",
            "neutral_heading": {"en": "More"},
        },
        "Why? Go on.": {},
        "## In short\n\nIt is 3.": {"handout": "fold"},
    }
    cells = []
    for n, (text, metadata) in enumerate(texts.items()):
        cells += [
            {"cell_type": "markdown", "id": f"a{n}", "metadata": metadata, "source": text},
            {"cell_type": "code", "id": f"b{n}", "source": "1 + 2", "outputs": ["3"]},
        ]
    lab.hide_answers({"cells": cells}, EDITIONS["en"])
    assert [cell["outputs"] for cell in cells[1::2]] == [[], [], ["3"], [], ["3"]]
    assert cells[4]["source"].startswith('<details class="answer">')
    assert cells[4]["source"].endswith("\n\n## More\n\nAdd ([?](a?b)).")
    assert cells[8]["source"] == "## In short\n\nIt is 3."


def test_what_a_teacher_has_changed_in_the_handout_is_kept(tmp_path):
    (tmp_path / "handout").mkdir()
    (tmp_path / "handout/mine.txt").touch()
    with pytest.raises(CourseError, match="handout/ is there, .*; move it away, or delete it"):
        handout.main([], tmp_path)
    assert (tmp_path / "handout/mine.txt").exists()


def test_only_the_first_paragraph_before_more_code_is_an_answer():
    texts = ["What comes out?", "It is 3.\n\nNow add.\n\nGo on.", "It is 4.\n\nAnd so on."]
    cells = [{"cell_type": "markdown", "id": f"a{n}", "source": t} for n, t in enumerate(texts)]
    code = [{"cell_type": "code", "id": f"b{n}", "source": "1 + 2"} for n in range(2)]
    in_order = [cells[0], code[0], cells[1], code[1], cells[2]]
    assert answers.fold_answers(in_order, EDITIONS["en"]) == {"b0"}
    assert cells[1]["source"].endswith("It is 3.\n\n</details>\n\nNow add.\n\nGo on.")
    assert cells[2]["source"] == texts[2]


def test_what_follows_the_task_of_an_exercise_stays_open():
    """A check answers it."""
    kinds_and_ids = {"try-1": "markdown", "try-1-cases": "code", "open": "markdown"}
    cells = [{"cell_type": k, "id": i, "source": "Why?"} for i, k in kinds_and_ids.items()]
    assert not answers.fold_answers(cells, EDITIONS["en"])
    assert cells[2]["source"] == "Why?"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("It is 3.\n\nAs it should be.\n\nWhat comes next?", "It is 3.\n\nAs it should be."),
        ("What comes next?", ""),
        ("## Next\n\nNow add.\n\n## Then\n\nGo on.", ""),
    ],
)
def test_what_is_no_answer_stays_open(text, folded):
    """The next question, and what stands under a heading right before more code."""
    sources = ["What comes out?", "1 + 2", text, "3 + 4"]
    kinds = ["markdown", "code"] * 2
    cells = [{"cell_type": k, "source": s} for k, s in zip(kinds, sources, strict=True)]
    answers.fold_answers(cells, EDITIONS["en"])
    answer = answers.FOLDED_ANSWER.format(EDITIONS["en"].show_answer_label, folded)
    assert cells[2]["source"] == (text.replace(folded, answer) if folded else text)


def test_the_end_of_a_note_stays_open():
    sources = {"check-text": "Where?", "check": "1", "practice": "## A\n\nB.", "nav-bottom": "C."}
    cells = [{"cell_type": "markdown", "id": i, "source": text} for i, text in sources.items()]
    cells[1]["cell_type"] = "code"
    assert answers.fold_answers(cells, EDITIONS["en"]) == {"check"}
    assert [cell["source"] for cell in cells] == list(sources.values())


def test_an_answer_ends_at_a_heading():
    texts = ["What comes out?", "It is 3.", "As 1 + 2 is.\n\n## Next", "## Add\n\nNow 2."]
    cells = [{"cell_type": "markdown", "source": text} for text in texts]
    code = {"cell_type": "code", "source": "1 + 2"}
    answers.fold_answers([cells[0], code, *cells[1:]], EDITIONS["en"])
    assert cells[1]["source"].startswith("<details")
    assert cells[2]["source"].endswith("As 1 + 2 is.\n\n</details>\n\n## Next")
    assert cells[3]["source"] == texts[3]
    assert len(answers.join_folded(cells, EDITIONS["en"])) == 3


def test_the_handout_folds_a_first_paragraph_and_leaves_the_next_task_open():
    texts = ["It is 3.\n\nNow add.", "## Now see\n\nIt is 3.\n\nNow add.\n\n## Add", "It is 3."]
    metadata = {"handout": answers.FOLD_FIRST_PARAGRAPH}
    cells = [{"cell_type": "markdown", "metadata": {**metadata}, "source": text} for text in texts]
    cells.insert(1, {"cell_type": "code", "metadata": {}, "source": "1 + 2"})
    notebook = {"cells": cells}
    handout.remove_answers(notebook, EDITIONS["en"])
    fold = answers.FOLDED_ANSWER.format(EDITIONS["en"].show_answer_label, "It is 3.")
    first, _, second, third = [answers.source_of(cell) for cell in notebook["cells"]]
    assert first == f"{fold}\n\nNow add."
    assert second == f"## Now see\n\n{fold}\n\nNow add.\n\n## Add"
    assert third == fold


def test_lab_opens_one_thing():
    with pytest.raises(CourseError, match="are two things to open; name one"):
        lab.main(["notebooks/05_gradients.ipynb", "zh"])


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("de", "there is no edition de; leave IN out for English, or take IN=zh"),
        ("README.md", "README.md: no such notebook; name one as NB=notebooks/05_gradients.ipynb"),
    ],
)
def test_lab_names_what_there_is(name, remedy):
    with pytest.raises(CourseError, match=f"^{remedy}$"):
        lab.name_from_root(name)


@pytest.mark.parametrize(("stamp_time", "command_count"), [(None, 2), (1, 2), (3, 0)])
def test_lab_installs_again_if_a_pin_is_newer(stamp_time, command_count, tmp_path, monkeypatch):
    commands = []

    def run(command, **_):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(lab, "ROOT", tmp_path)
    monkeypatch.setattr(lab, "has_packages", lambda: False)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(lab, "install_packages", lambda python, arguments: commands.append(python))
    times = {".venv/lab": stamp_time, "requirements.txt": 0, "constraints.txt": 2}
    (tmp_path / ".venv").mkdir()
    for name, seconds in times.items():
        if seconds is not None:
            (tmp_path / name).touch()
            os.utime(tmp_path / name, (seconds, seconds))
    assert Path(lab.ensure_python()).is_relative_to(tmp_path / ".venv")
    assert len(commands) == command_count
    assert Path(lab.ensure_python()).is_relative_to(tmp_path / ".venv")
    assert len(commands) == command_count, "an installation is repeated"


@pytest.mark.skipif(os.name == "nt", reason="Windows has links only for developers")
@pytest.mark.parametrize("is_installed", [True, False])
def test_lab_says_that_the_python_of_venv_is_gone(is_installed, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    monkeypatch.setattr(lab, "has_packages", lambda: False)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(tmp_path / "python3.10")
    for name in ["requirements.txt", "constraints.txt"] + [".venv/lab"] * is_installed:
        (tmp_path / name).touch()
    with pytest.raises(CourseError, match="^the Python that .venv was made from is gone; delete"):
        lab.ensure_python()


@pytest.mark.parametrize("is_installed", [True, False])
def test_lab_says_that_venv_is_of_another_python(is_installed, tmp_path, monkeypatch, capsys):
    """Once installed, it serves; until then, it may be why the installation fails."""
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    monkeypatch.setattr(lab, "has_packages", lambda: False)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: pytest.fail("it installs"))
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.1.4\n")
    for name in ["requirements.txt", "constraints.txt"] + [".venv/lab"] * is_installed:
        (tmp_path / name).touch()
    message = f"Python 3.1; delete it to use Python {sys.version_info[0]}.{sys.version_info[1]}"
    if is_installed:
        lab.ensure_python()
        out = capsys.readouterr().out
        assert message in out and out.count("\n") == 1, out
    else:
        with pytest.raises(CourseError, match=message):
            lab.ensure_python()


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    ("venv_python", "arguments", "taken"),
    [
        ("script", [], "venv"),
        ("broken link", [], "system"),
        (None, [], "system"),
        ("script", ["PYTHON=echo other"], "other"),
    ],
)
def test_make_lab_takes_a_python_that_is_there(venv_python, arguments, taken, tmp_path):
    """A Python that is named goes first: `course.lab` says what becomes of .venv."""
    scripts = {"python3": "system"}
    (tmp_path / ".venv/bin").mkdir(parents=True)
    if venv_python == "script":
        scripts[".venv/bin/python"] = "venv"
    elif venv_python:
        (tmp_path / ".venv/bin/python").symlink_to("python3.10")
    for name, printed in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {printed} $*\n")
        (tmp_path / name).chmod(0o755)
    environment = os.environ | {"PATH": os.pathsep.join([str(tmp_path), os.environ["PATH"]])}
    environment.pop("MAKEFLAGS", None)  # of `make test NB=…`
    command = ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "lab", *arguments]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.stdout == f"{taken} -m course.lab\n", result.stderr


@pytest.mark.parametrize(
    ("torch_version", "is_enough"), [("2.13.0+cpu", True), ("2.5.0", True), ("1.9.0", False)]
)
def test_lab_takes_no_old_pytorch(torch_version, is_enough, monkeypatch):
    monkeypatch.setattr(lab, "version", lambda _: torch_version)
    assert lab.has_packages() == is_enough


def test_lab_takes_the_oldest_pytorch_that_runs_every_week():
    workflow = (ROOT / ".github/workflows/weekly.yml").read_text(encoding="utf-8")
    versions = re.findall(r"\btorch==(\d+)\.(\d+)", workflow)
    assert min((int(major), int(minor)) for major, minor in versions) == lab.OLDEST_TORCH


def test_a_cell_may_take_as_long_as_nbval_waits(request):
    assert request.config.getoption("nbval_cell_timeout") == run.NBVAL_SECONDS


@pytest.mark.parametrize(
    ("module", "usage"),
    [
        (build, "course.build [NOTEBOOK …]\n\nNOTEBOOK "),
        (grade, "course.grade FOLDER [--students LIST]\n\nFOLDER "),
        (handout, "course.handout     (it takes no arguments)"),
        (install, "course.install ARGUMENT …\n\nARGUMENT "),
        (lab, "course.lab [zh | NOTEBOOK]\n\nzh "),
        (site, "course.site     (it takes no arguments)"),
    ],
)
def test_help_says_what_a_command_takes(module, usage, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["", "--help"])
    run_main(module.main)
    printed = capsys.readouterr().out
    assert usage in printed and ("no arguments" in usage or "\nFor example: python" in printed)


def test_ctrl_c_is_one_line():
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(SystemExit, match="^stopped; "):
        run_main(interrupt)


def test_a_full_disk_is_one_line():
    def write(_):
        raise OSError(28, "No space left on device", "a")

    with pytest.raises(SystemExit, match="No space left on device: 'a'; mend this and run it"):
        run_main(write)


def test_handout(tmp_path, capsys):
    """Nothing is missing but the solutions; no answer is shown, and the checks still judge."""
    handout.write_handout(tmp_path)
    require_none(dead_links_of_copy(tmp_path))
    for notebook in all_notebooks():
        copy = Notebook(tmp_path / str(notebook))
        solution_ids = {exercise.solution.id for exercise in notebook.exercises()}
        assert not solution_ids & set(copy.cells_by_id) and (solution_ids or notebook.is_note)
        assert [cell.id for cell in copy.code_cells] == [cell.id for cell in notebook.code_cells]
        assert copy.path.read_text(encoding="utf-8").count("](data:") == notebook.text.count(
            "](data:"
        ), copy
        sources = "\n".join(cell.source for cell in copy.cells)
        assert not re.search(r"<details(?:(?!</details>)[^\0])*<details", sources), copy
        for cell in notebook.markdown_cells:  # those that are gone are joined to another
            if cell.id not in solution_ids | set(copy.cells_by_id):
                assert cell.source.splitlines()[-1] in sources, f"{copy} lacks cell {cell.id}"
        answers = "|".join(edition.answers_warning for edition in EDITIONS.values())
        text = copy.path.read_text(encoding="utf-8")
        assert not re.search(rf"def judge_(?!by_cases)|https://colab|{answers}", text), copy
        assert not any(cell.outputs or "wrong" in cell.metadata for cell in copy.code_cells), copy
    for edition in EDITIONS.values():
        readme = (tmp_path / edition.readme).read_text(encoding="utf-8")
        assert "rasbt/LLMs-from-scratch" in readme and "](LICENSE)" in readme, readme
        start = readme.partition("```")[0]
        assert all(sign in start for sign in ("●○○", "●●○", "●●●", "↳")), start
    for notebooks in (english_notebooks(tmp_path), chinese_notebooks(tmp_path)):
        answer = notebooks[0].cell("errors-why").source
        assert re.fullmatch(r"<details class.+\n</details>\n\n## .+", answer, re.DOTALL), answer
    namespace = {}
    for cell in english_notebooks(tmp_path)[0].code_cells:
        exec(cell.source, namespace)
    plt.close("all")  # other tests refuse a plot that nobody has shown
    for answer in ("torch.full((3, 1, 2), 3)", "3"):
        exec(f"check(ids={answer})", namespace)
    verdicts = capsys.readouterr().out.splitlines()[-2:]
    assert verdicts[0] == "✔ correct" and verdicts[1].startswith("✘ not quite"), verdicts


def handout_and_teaching(edition, folder):
    """Write the handout; return its chapters, by number, and the page for teachers."""
    handout.write_handout(folder)
    notebooks = {"en": english_notebooks, "zh": chinese_notebooks}[edition.language](folder)
    chapters_by_number = {n.number: n for n in notebooks if not n.is_note}
    return chapters_by_number, (ROOT / edition.teaching).read_text(encoding="utf-8")


def heading_pattern(name):
    """Return what matches a heading; TEACHING writes … for some of its words."""
    return re.escape(f"## {name}").replace("…", ".*")


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_lessons_name_headings_of_the_handout(edition, tmp_path):
    chapters_by_number, teaching = handout_and_teaching(edition, tmp_path)
    rows = re.findall(r"^\|(?: \d+ \|)? [^\d\n|]*(\d+)(?!\d| \|)(.+)", teaching, re.MULTILINE)
    quoted = [(number, name) for number, row in rows for name in re.findall("“(.+?)”", row)]
    assert len(quoted) > 50, quoted
    for number, name in quoted:
        chapter, heading = chapters_by_number[int(number)], heading_pattern(name)
        headings = "\n".join(cell.source for cell in chapter.markdown_cells)
        assert re.search(rf"^{heading}", headings, re.MULTILINE), f"{chapter}: {name}"


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_handout_folds_what_answers_the_questions_of_a_term(edition, tmp_path):
    """They follow the cell that the table names: the first under its heading, by default."""
    chapters_by_number, teaching = handout_and_teaching(edition, tmp_path)
    questions = re.findall(r"^\| \[(\d+)\][^“\n]+“(.+?)”([^|]*)\|", teaching, re.MULTILINE)
    assert len(questions) == 12, questions
    for number, name, ordinal in questions:
        chapter, heading = chapters_by_number[int(number)], heading_pattern(name)
        page = "\n\n".join("\0" if c.cell_type == "code" else c.source for c in chapter.cells)
        _, below = re.split(f"^{heading}.*$", page, maxsplit=1, flags=re.MULTILINE)
        texts = below.split("\0")  # before the first cell, then after each
        last = next(index for index, text in enumerate(texts) if "\n## " in text)
        index = {"": 1, "second": 2, "第二个": 2, "last": last, "最后一个": last}[
            ordinal.strip(", ，")
        ]
        assert re.match(r"\n\n(## .+\n\n)?<details class", texts[index]), f"{chapter}: {name}"


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_an_exam_question_names_as_many_points_as_its_answer_has_ticks(edition):
    teaching = (ROOT / edition.teaching).read_text(encoding="utf-8")
    lines = re.findall(r"^\*\*\d+\.\*\* .+", teaching, re.MULTILINE)  # two papers, then the answers
    assert len(lines) == 60, lines
    for question, answer in zip(lines[:30], lines[30:], strict=True):
        points = re.search(r"[(（](\d) (?:points\)|分）)$", question)
        assert points and int(points[1]) == answer.count("✓"), question


@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_handout_of_a_lesson_folds_summary_and_claim(number, tmp_path):
    """They tell what the class is asked later."""
    handout.write_handout(tmp_path)
    for notebook in all_notebooks(tmp_path):
        if notebook.number == number and not notebook.is_note:
            heading, fold, *_ = notebook.cell("summary").source.split("\n\n")
            assert heading.startswith("## ") and fold.startswith("<details class"), notebook
            assert "diagram-claim" not in notebook.cells_by_id, "it stands outside the fold"


def test_old_python_is_refused_in_one_line():
    code = "import sys; sys.version_info = (3, 9, 18); import course.lab"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode
    assert result.stderr.startswith("The course needs Python 3.11 or newer")
    assert result.stderr.count("\n") == 1, result.stderr


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "there is no such file"),
        ("torch>=2.13.0\n", "has no line `torch==2.13.0`"),
        ("torch==\n", "has no line `torch==2.13.0`"),
    ],
)
def test_a_line_that_is_missing_is_said_in_one_line(content, problem, tmp_path, monkeypatch):
    """Also while modules are imported, before a command runs."""
    monkeypatch.setattr("course.ROOT", tmp_path)
    if content:
        (tmp_path / "requirements.txt").write_text(content)
    with pytest.raises(SystemExit, match=f"^requirements.txt: {problem}; write it, or get it"):
        require_line("requirements.txt", "torch==", "2.13.0")


def test_grade_says_in_one_line_that_nothing_is_installed():
    command = [sys.executable, "-S", "-m", "course.grade", "week-1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode and result.stderr.startswith("nbformat is not installed for "), result
    assert result.stderr.count("\n") == 1, result.stderr


def test_a_reader_needs_python_alone():
    """`-S` hides what is installed: nothing is, when a reader or a teacher begins."""
    command = [sys.executable, "-S", "-c", "import course.lab, course.install, course.handout"]
    assert not subprocess.run(command, cwd=ROOT).returncode


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyTorch comes without CUDA")
@pytest.mark.parametrize(("is_reached", "installer"), [(True, "uv"), (False, "pip")])
def test_pip_installs_where_uv_finds_no_pytorch_without_cuda(
    is_reached, installer, monkeypatch, capsys
):
    commands = []

    def run(command, **options):
        commands.append((command, options["env"]))
        has_failed = "--dry-run" in command and not is_reached
        stdout, stderr = "https://mirror\n", "error: failed\n  cause: no such host\n"
        return subprocess.CompletedProcess(command, int(has_failed), stdout, stderr)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
    install.main(["-r", "requirements.txt"])
    command, environment = commands[-1]
    assert command[1:3] == ["-m", installer] and command[-2:] == ["-r", "requirements.txt"]
    assert ("--torch-backend=cpu" in command) == is_reached
    assert environment["UV_DEFAULT_INDEX"] == "https://mirror"
    out = capsys.readouterr().out
    assert out.count("\n") == out.count("(cause: no such host)") == (not is_reached)


@pytest.mark.parametrize(
    ("is_reached", "message"),
    [
        (True, "not everything was installed; mend what is said above, and run this again"),
        (False, "not everything was installed: no package index can be reached; see to the net"),
    ],
)
def test_an_installation_without_a_network_is_told_apart(is_reached, message, monkeypatch):
    def run(command, **_):
        return subprocess.CompletedProcess(command, int("index" not in command or not is_reached))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "platform", "darwin")  # where pip alone installs
    with pytest.raises(CourseError, match=f"^{message}"):
        install.main(["-r", "requirements.txt"])


def test_readme_sample_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)[1]
    assert sample.strip().splitlines()[-1].startswith("assert ")
    exec(compile(sample, "README.md", "exec"), {})
