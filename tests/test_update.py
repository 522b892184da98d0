"""One command brings a chapter that changed up to date, or says why not and touches nothing."""

import errno
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from nbformat import v4

from course import ROOT, CourseError, command, draw, editions, live, repository, rules, update
from course.notebook import METADATA, read, text, write
from course.update import files, main

ENGLISH, CHINESE = "notebooks/01_dice.ipynb", "notebooks/zh/01_dice.ipynb"
OPENING = "# 1 · {}\n\n{}\n\n- **Time** about 0 minutes"
# Without torch a kernel starts in a second.
CODE = "import random\n\nrandom.seed(123)\nthrow = random.randrange(1000)\nprint(throw)"
DERIVED = [rules.counts, rules.clean_outputs, rules.ids, rules.metadata, rules.stamps]


def thrown(throw):
    """A figure: one number."""
    ax = draw.canvas(1400, 100)
    draw.label(ax, 20, 50, str(throw))
    return ax.figure


def chapter(title, words):
    """A chapter in one language, before anything is derived."""
    cells = [
        v4.new_markdown_cell(OPENING.format(title, words), id="title"),
        v4.new_markdown_cell(id="nav-top"),
        v4.new_code_cell(CODE, id="dice"),
        v4.new_markdown_cell(f"![{words}]()", id="diagram-thrown", metadata={"diagram": "thrown"}),
        v4.new_markdown_cell(id="summary"),
        v4.new_markdown_cell(id="nav-bottom"),
    ]
    return text(v4.new_notebook(cells=cells, metadata=METADATA))


def commit(root):
    """Commit all that is there."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "as it is"]):
        subprocess.run([*git, *words], cwd=root, check=True)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A course of one chapter, which is new: not in git, and nothing of it is derived."""
    monkeypatch.setitem(sys.modules, "course.figures.dice", ModuleType("dice"))
    sys.modules["course.figures.dice"].thrown = thrown
    for name in ("README.md", "README.zh.md", "CITATION.cff", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for folder in ("images", "notebooks/zh"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "images/tied.webp", tmp_path / "images/thrown.webp")
    commit(tmp_path)
    (tmp_path / ENGLISH).write_text(chapter("Dice", "A number."), encoding="utf-8")
    (tmp_path / CHINESE).write_text(chapter("骰子", "一个数。"), encoding="utf-8")
    return tmp_path


def edit(root, name, old, new):
    """Other words in a file."""
    content = (root / name).read_text(encoding="utf-8")
    assert old in content
    (root / name).write_text(content.replace(old, new), encoding="utf-8")


def wrong(root):
    """What the checks of all that is derived say."""
    found = [*repository.stamped(root), *live.problems(root / ENGLISH)]
    found += editions.problems(root / ENGLISH, root / CHINESE)
    for path in (root / ENGLISH, root / CHINESE):
        found += [line for rule in DERIVED for line in rule(path, read(path))]
    return found


def test_update(root, capsys, monkeypatch):
    edit(root, ENGLISH, "1 · Dice", "1 · A die")
    edit(root, ENGLISH, '"dice"', '"0a1b2c3e"')  # cut and pasted; it gets its twin's name
    for name in (ENGLISH, CHINESE):
        edit(root, name, "seed(123)", "seed(124)")
        notebook = read(root / name)
        notebook.metadata = METADATA | {"language_info": {"name": "python", "version": "3.11"}}
        for i in (4, 5, 6):
            notebook.cells.insert(i, v4.new_code_cell(f"throw + {i}", id=f"{i}a1b2c3d"))
        (root / name).write_text(text(notebook), encoding="utf-8")
    main([], root)
    assert not wrong(root)
    names = [cell.id.removeprefix("after-diagram-thrown") for cell in read(root / CHINESE).cells]
    assert names[4:7] == ["", "-2", "-3"]
    said = capsys.readouterr().out.replace(f"{root}/", "").splitlines()
    derived = ["README.md", "README.zh.md", "images/thrown.webp", ENGLISH, CHINESE]
    assert sorted(said[2:]) == sorted(f"wrote {name}" for name in derived), said

    commit(root)
    monkeypatch.setattr(update, "recorded", None)  # for words alone, no kernel runs
    main([], root)
    main([str(root / CHINESE)], root)
    assert capsys.readouterr().out == "nothing to do\n" * 2
    edit(root, ENGLISH, "A die", "One die")
    main([], root)
    assert not wrong(root)
    assert capsys.readouterr().out == f"wrote {root}/README.md\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("![A number.]", "![]", "cell diagram-thrown: no alt text; say what"),
        ('"thrown"', '"fallen"', "cell diagram-thrown: .*dice.py has no function fallen"),
        ("print(throw)", "print(thrwo)", "cell dice: line 5 raises NameError: name 'thrwo'"),
        ("print(throw)", "print(throw", "cell dice: line 5 is not Python .*; correct it"),
    ],
)
def test_an_error_writes_nothing(old, new, message, root):
    edit(root, ENGLISH, old, new)
    before = files(root)
    with pytest.raises(CourseError, match=f"^{ENGLISH}, {message}"):
        main([], root)
    assert files(root) == before


def test_what_is_saved_meanwhile_is_kept(root, monkeypatch):
    def recorded(path):
        (root / ENGLISH).write_text("meanwhile")
        return text(read(path))

    monkeypatch.setattr(update, "recorded", recorded)
    with pytest.raises(CourseError, match=f"^{ENGLISH}: saved while this ran, and kept; run"):
        main([], root)
    assert (root / ENGLISH).read_text() == "meanwhile"


def test_code_in_one_language(root, capsys, monkeypatch):
    monkeypatch.setattr(update, "recorded", lambda path: text(read(path)))
    edit(root, ENGLISH, "1000", "100")
    main([], root)
    assert f"{CHINESE}: dice not as in English; make the same" in capsys.readouterr().out


def test_a_new_output_is_shown(root, capsys, monkeypatch):
    commit(root)

    def recorded(path):
        notebook = read(path)
        plot = v4.new_output("display_data", {"image/png": "iVBORw0KGgo="})
        notebook.cells[2].outputs = [v4.new_output("stream", text="here\n"), plot]
        return text(notebook)

    monkeypatch.setattr(update, "recorded", recorded)
    edit(root, ENGLISH, "1000", "100")
    main([], root)
    said = capsys.readouterr().out.splitlines()[-3:]
    assert said[0] == f"{ENGLISH}, cell dice: prints 'here', which no cell did before; is it meant?"
    assert said[1] == f"{ENGLISH}, cell dice: another plot; look at it"


def test_a_full_disk_is_one_line_and_leaves_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"

    def full(part, _):
        raise OSError(errno.ENOSPC, "No space left on device", str(part))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SystemExit, match="a.txt.part: No space left on device; nothing is half-"):
        command(lambda _: write(path, "content"))
    assert not list(tmp_path.iterdir())
