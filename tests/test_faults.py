"""What `make mutate` cannot show: each fault is seen by the rule made for it, in words that help.

FAULTS has a row per fault: the rule, what is done to a chapter, and what the message must say:
which cell, what is wrong, what to do. Numbers, outputs, code, pictures, links and structure are
changed at random by `make mutate`; here is what nobody does at random.

The chapters are those of a miniature course, tests/fixture/ (course/fixture.py brings it up to
date), so that an error in a chapter of the course gives no failure here.
"""

import base64
import io
import re
import shutil
import subprocess
import sys

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from PIL import Image

from course import ROOT, CourseError, editions, live, repository, rules, stamp, waiting
from course.fixture import FIXTURE
from course.notebook import comparable, english, find, notebooks, pictures, read, text, twin
from course.pictures import frames

FIRST, SECOND = "notebooks/01_rows.ipynb", "notebooks/02_clock.ipynb"
CHINESE = "notebooks/zh/01_rows.ipynb"
TORCH = str(repository.pinned(FIXTURE, "requirements.txt")["torch"].specifier)[2:]


def at(notebook, name):
    """The cell with this id."""
    return find(notebook, name, FIXTURE / FIRST)


def source(name, old, new):
    """A fault: another source for a cell."""

    def plant(notebook):
        assert old in at(notebook, name).source
        at(notebook, name).source = at(notebook, name).source.replace(old, new, 1)

    return plant


def stored(name, old, new):
    """A fault: another stored text for a cell."""

    def plant(notebook):
        output = at(notebook, name).outputs[0]
        where, key = (output, "text") if "text" in output else (output["data"], "text/plain")
        assert old in where[key]
        where[key] = where[key].replace(old, new, 1)

    return plant


def add(cell, place=5):
    """A fault: one cell more."""
    cell.id = "planted"
    return lambda notebook: notebook.cells.insert(place, cell)


def markdown(prose, **more):
    """A fault: one Markdown cell more."""
    return add(new_markdown_cell(prose, **more))


def drop(name):
    """A fault: one cell less."""
    return lambda notebook: notebook.cells.remove(at(notebook, name))


def with_metadata(name, **metadata):
    """A fault: metadata on a cell."""
    return lambda notebook: at(notebook, name).metadata.update(metadata)


def output(cell, kind, **content):
    """A fault: one output more."""
    return lambda notebook: at(notebook, cell).outputs.append(new_output(kind, **content))


def unrun(name):
    """A fault: a cell as it is before it runs."""
    return lambda notebook: at(notebook, name).update(execution_count=None, outputs=[])


def all_code(notebook):
    """A fault: no code."""
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code"]


def green_square(notebook):
    """A fault: a small green square in the stored plot."""
    picture = pictures(at(notebook, "plot"))[0]["data"]
    image = Image.open(io.BytesIO(base64.b64decode(picture["image/png"]))).convert("RGB")
    image.paste("green", (20, 20, 32, 32))
    data = io.BytesIO()
    image.save(data, "PNG")
    picture["image/png"] = base64.b64encode(data.getvalue()).decode()


def another_title(notebook):
    """A fault: a title of the plot with one other letter, which changes few pixels."""
    source("plot", "first", "fir5t")(notebook)


FAULTS = [
    (
        rules.counts,
        FIRST,
        unrun("batch"),
        "cell batch: count is None, not 4; run `make record NB=",
    ),
    (rules.counts, FIRST, all_code, "no code cell"),
    (rules.nothing_ignored, FIRST, with_metadata("table", tags=["nbval-skip"]), "table: tag nbval"),
    (rules.nothing_ignored, FIRST, source("table", "t", "# NBVAL_SKIP\nt"), "table: an NBVAL_ com"),
    (rules.plain_python, FIRST, source("batch", "b", "%pip list\nb"), "batch: .*not plain Python"),
    (rules.clean_outputs, FIRST, output("batch", "stream", name="stderr", text="!"), "on stderr"),
    (
        rules.clean_outputs,
        FIRST,
        output("batch", "error", ename="ValueError", evalue="", traceback=[]),
        "batch: stored ValueError; catch it",
    ),
    (
        rules.clean_outputs,
        FIRST,
        output("batch", "display_data", data={"text/html": "<b>3</b>"}),
        "batch: output of the kind .*html.*; print text",
    ),
    (rules.ids, FIRST, lambda n: at(n, "batch").update(id="4F-90"), "4F-90: .*use a name like"),
    (
        rules.ids,
        FIRST,
        lambda n: at(n, "diagram-one-row").update(id="picture"),
        "picture: its id is diagram-one-row; run `make update NB=",
    ),
    (
        rules.metadata,
        FIRST,
        lambda n: n.metadata.update(authors=["A"]),
        "added .*authors.*make update",
    ),
    (rules.metadata, FIRST, with_metadata("batch", path="/home/a"), "batch: metadata .*path"),
    (
        rules.metadata,
        FIRST,
        markdown("A table.", attachments={"t.png": {"image/png": ""}}),
        "planted: an attachment, which Colab does not show; delete it",
    ),
    (rules.seeds, FIRST, source("table", "seed(123", "seed(124"), "table: seed 124; use 123"),
    (rules.heading_levels, FIRST, source("errors-text", "##", "####"), "errors-text: .* skips a l"),
    (rules.heading_levels, FIRST, source("errors-text", "##", "#"), "errors-text: .*the one H1"),
    (rules.anatomy, FIRST, drop("title"), "begins with"),
    (rules.anatomy, FIRST, drop("nav-bottom"), "ends with"),
    (rules.anatomy, FIRST, drop("summary"), "needs the cells"),
    (
        rules.anatomy,
        FIRST,
        source("summary", "## ", ""),
        "summary: begins with the heading `## In",
    ),
    (rules.anatomy, FIRST, source("title", "- **You need**", "You need"), "title: three lines"),
    (
        rules.short,
        FIRST,
        lambda n: [add(new_markdown_cell("Words."))(n) for _ in range(30)],
        "cells of prose and code; 29 are the limit",
    ),
    (rules.short, FIRST, source("batch", "b", "1\n" * 12 + "b"), "batch: 14 lines; split it, 12"),
    (
        rules.short,
        FIRST,
        add(new_code_cell("1\n" * 13, id="script")),
        "planted: 13 lines; split it, 12 are the limit",
    ),
    (
        rules.imports,
        FIRST,
        source("batch", "b", "import pandas\nb"),
        "batch: imports pandas; use",
    ),
    (rules.imports, FIRST, source("batch", "b", "import urllib.request\nb"), "batch: .*no network"),
    (
        rules.no_result_in_code,
        FIRST,
        source("table", "table =", 'print("tensor([[ 0.3374, …")\ntable ='),
        "table: the code holds a result, 0.3374",
    ),
    (rules.reads_no_file, FIRST, source("batch", "b", 'open("a")\nb'), "batch: uses open; a note"),
    (
        rules.version_once,
        FIRST,
        stored("version", "PyTorch version: ", "torch "),
        "0 times; pr",
    ),
    (
        rules.version_once,
        FIRST,
        stored("version", TORCH, "2.0.0"),
        f"version: stored .*2.0.0.*{TORCH}",
    ),
    (
        rules.stamps,
        FIRST,
        source("nav-top", "02_clock.ipynb", "03_clock.ipynb"),
        "nav-top: not what the stamp tool writes; run `make update NB=",
    ),
    (
        rules.images,
        FIRST,
        lambda n: at(n, "diagram-one-row").update(source="![A table.](data:image/png;base64,AA)"),
        "diagram-one-row: the alt text is no sentence; say what",
    ),
    (rules.images, FIRST, markdown("![A table.](https://example.org/t.png)"), "planted: an image"),
    *(
        (rules.images, FIRST, markdown(f'<{tag} src="https://a.example"></{tag}>'), f"<{tag}>, wh")
        for tag in ("video", "iframe", "audio")
    ),
    (
        rules.in_chinese,
        CHINESE,
        lambda n: at(n, "batch-text").update(source="The same ID gives the same row."),
        "batch-text: in English: The same ID .*; say it in Chinese",
    ),
    *(
        (rules.in_chinese, CHINESE, markdown(prose), f"planted: .*; {remedy}")
        for prose, remedy in {
            "表里有二行。": "write 两 before",
            "一行,五个数。": "write full-width punctuation",
            '表里有"行"。': "write full-width punctuation",
            "词元(token 的复数)。": "brackets around Chinese are full-width",
            "表有4 行。": "put a space between",
            "表有 4 行(row)。": "put a space between",
            "查`weight` 。": "put a space between",
            "一行， 五个数。": "take out the space",
            "一 行。": "take out the space",
            "词元 (token)（见下文）。": "two brackets in a row",
            "一行...": "write ……",
            "表有 1024 行。": "write a comma",
            "这是 *表* 的行。": "write bold",
        }.items()
    ),
    (
        rules.in_chinese,
        CHINESE,
        source("table", "# 行", "# 行,列"),
        "table: .*; write full-width punctuation",
    ),
    (
        rules.in_chinese,
        CHINESE,
        source("try-1-check", "了行", "了 行"),
        "try-1-check: .*; take out",
    ),
    (
        rules.in_chinese,
        CHINESE,
        source("try-2-solution", "# 末尾", "# 末尾,表"),
        "try-2-solution: .*; write full",
    ),
    (rules.in_chinese, CHINESE, source("try", "半角", ""), "try: say 代码里要用英文（半角）标点"),
    (rules.plots, FIRST, unrun("plot"), "plot: 0 stored plots, not 1; run `make record NB="),
    (rules.plots, FIRST, with_metadata("plot", slow=True), "plot: a slow plot is compared with no"),
    (
        rules.timings,
        SECOND,
        source("sweep", "17", "18"),
        "plot: the plot is not from this code;",
    ),
    (rules.links, FIRST, markdown("[a](11_more.ipynb)"), "planted: 11_more.ipynb does not exist"),
    (rules.chapters, FIRST, markdown("See chapters 1 and 99."), "planted: there is no chapter 99"),
    (rules.chapters, FIRST, markdown("See chapter 2."), "planted: chapter 2 is no link; write it"),
    (
        rules.chapters,
        FIRST,
        source("link-text", "[chapter 2", "[chapter 1"),
        "link-text: chapter 1 is not 02_clock.ipynb; correct one",
    ),
    (
        rules.chapters,
        FIRST,
        source("link-text", '"sum"', '"fish"'),
        "does not say 'fish'; use",
    ),
    (rules.language, FIRST, markdown("Obviously."), "planted: the word 'Obviously'; leave it out"),
    (rules.exercises, FIRST, drop("try-1-solution"), "no cell try-1-solution; an exercise has"),
    (rules.exercises, FIRST, source("try-1-stub", "...", "0"), "try-1-stub: the stub has no `..."),
    (rules.exercises, FIRST, with_metadata("try-1-check", wrong={}), "try-1-check: list three"),
    (
        rules.exercises,
        FIRST,
        source("try-1-solution", "```python", "```"),
        "try-1-solution: not <details>",
    ),
    (
        rules.exercises,
        FIRST,
        lambda n: [drop(f"try-2{part}")(n) for part in ("", "-stub", "-check")],
        "1 exercises; a chapter has",
    ),
    (
        rules.reference,
        FIRST,
        stored("table", "0.1115", "0.1116"),
        "cell table: prints not the tens",
    ),
    (
        rules.founded,
        SECOND,
        source("sweep-text", "131,072", "131,073"),
        "sweep-text: .* 131073; print it",
    ),
    (rules.private, FIRST, markdown("/home/person/course"), "planted: /home/person… looks priva"),
    (
        rules.private,
        FIRST,
        source("batch", "b", 'api_key = "0123456789abcdef"\nb'),
        "batch: api_key = .*… looks private; take it out",
    ),
]


def test_the_miniature_is_right():
    """If this fails, so may the others here; they are worth a look when it passes."""
    found = list(rules.course(FIXTURE))
    for path in notebooks(FIXTURE):
        found += [line for rule in rules.RULES for line in rule(path, read(path))]
    for path in english(FIXTURE):
        found += [*live.problems(path), *editions.problems(path, twin(path))]
    if found:
        remedy = "run `make fixture`; if that is not enough, edit its notebooks in JupyterLab"
        pytest.fail("\n".join([f"tests/fixture is not right; {remedy}:", *found]), pytrace=False)


@pytest.mark.parametrize(
    ("rule", "chapter", "plant", "message"),
    FAULTS,
    ids=[f"{i}-{fault[0].__name__}" for i, fault in enumerate(FAULTS)],
)
def test_rule_sees(rule, chapter, plant, message):
    notebook = read(FIXTURE / chapter)
    before = list(rule(FIXTURE / chapter, notebook))
    plant(notebook)
    found = [line for line in rule(FIXTURE / chapter, notebook) if line not in before]
    assert any(line.startswith(chapter) and re.search(message, line) for line in found), found


@pytest.fixture
def copy(tmp_path):
    """A copy of the miniature course."""
    return shutil.copytree(FIXTURE, tmp_path / "course")


def plant_in(path, *plants):
    """Plant faults in a file."""
    notebook = read(path)
    for plant in plants:
        plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")


def require(found, messages):
    """Require a line for each message, and no line without one."""
    for message in messages:
        assert any(re.search(message, line) for line in found), (message, found)
    assert len(found) == len(messages), found


def test_one_run_sees(copy):
    """Faults that only running shows, planted together: each is named, and nothing else."""
    both = [green_square, with_metadata("diagram-three-rows", numbers={"3": "len(table) - 1"})]
    plant_in(
        copy / FIRST,
        *both,
        stored("one", "0.3696", "0.3697"),
        source("try-1-check", "not yet: ", "ready: "),
        source("try-2-check", "not torch.equal(yours, table[2])", "yours.ndim != 1"),
        source("try-1-solution", "[2, 0]", "[2, 1]"),
    )
    plant_in(copy / CHINESE, *both)
    messages = [
        rf"cell one: stored is .*0.3697.*`make record NB={FIRST}`",
        r"cell plot: the stored plot is not drawn by this code; run `make record NB=.* look at it",
        *[r"cell diagram-three-rows: 3: `len\(table\) - 1` gives 2; correct one of the two"] * 2,
        r"cell try-1-check: to .* it says 'ready: .*', and should say 'not yet: '",
        r"cell try-1-check: to 'ids = \[2, 1\]' it says .*, and should say 'correct'",
        *[r"cell try-2-check: to .* it says 'correct', and should say 'not quite: '"] * 2,
    ]
    require(list(live.problems(copy / FIRST)), messages)


@pytest.mark.parametrize("plant", [another_title, source("plot", "#0072b2", "#0072d2")])
def test_another_plot(plant, copy):
    plant_in(copy / FIRST, plant)
    assert any("cell plot: the stored plot" in line for line in live.problems(copy / FIRST))


def test_figures_follow_the_notebook(copy):
    """Another seed in both editions changes the diagrams, whatever is recorded."""
    plant_in(copy / FIRST, source("table", "seed(123", "seed(122"))
    found = list(live.problems(copy / FIRST))
    message = "cell diagram-one-row: images/one-row.webp is not what these variables draw; run `make"
    assert any(message in line for line in found), found


# What one language has and the other has not, and what the message says.
EDITION_FAULTS = [
    (source("batch", "[1, 0]", "[2, 0]"), "cell batch.*code differs: .*2.*make the same cha"),
    (stored("table", "0.1115", "0.1116"), "cell table.*outputs differ; run `make record NB="),
    (
        drop("batch"),
        r"the Chinese edition lacks cell batch \('.+'\), after cell batch-text; add it",
    ),
    (add(new_code_cell("1 + 1")), "the English edition lacks cell planted"),
    (source("try-2-solution", "rows[-1]", "rows[-2]"), "cell try-2-solution.*solutions differ"),
    (with_metadata("try-1-check", wrong={"ids = 1": ""}), "cell try-1-check.*metadata differs"),
    (source("errors", '"refused:"', '"拒绝："'), "cell errors.*code differs: .*拒绝"),
    (
        source("batch-text", "(2, 2)", "(2, 4)"),
        r"cell batch-text.*: 4 \(four, .*四\) stands 0 times in English an",
    ),
    (source("errors-text", "## ", "### "), "cell errors-text.*headings of the levels"),
    (
        source("batch-text", "(2, 2)", "(2, 2) [网站](https://a.example)"),
        "cell batch-text.*links to no other site, Chinese to https://a.example; make",
    ),
]


@pytest.mark.parametrize(("plant", "message"), EDITION_FAULTS)
def test_fault_in_one_language(plant, message, copy):
    plant_in(copy / CHINESE, plant)
    found = list(editions.problems(copy / FIRST, copy / CHINESE))
    assert any(re.search(f"^{CHINESE}.*{message}", line) for line in found), found


def test_the_course_as_a_whole(copy):
    (copy / "notebooks/Untitled.ipynb").write_text("{}")
    assert not list(rules.chapters(copy / FIRST, read(copy / FIRST)))  # which reads all names
    shutil.copy(copy / FIRST, copy / "tests/11_more.ipynb")
    shutil.copy(copy / "images/one-row.webp", copy / "images/another.webp")
    (copy / "images/three-rows.webp").unlink()
    Image.new("RGB", (1600, 300), "ivory").save(copy / "images/one-row.webp")
    clock = copy / "images/a-clock.webp"
    first, *rest = [picture for picture, _ in frames(clock.read_bytes())]
    first.save(clock, save_all=True, append_images=rest, duration=2000, loop=0)
    alt = re.compile(r"!\[(.*?)\]")
    same = alt.match(at(read(copy / FIRST), "diagram-one-row").source)[0]
    plant_in(
        copy / SECOND,
        lambda n: at(n, "diagram-a-clock").update(
            source=alt.sub(same, at(n, "diagram-a-clock").source, count=1)
        ),
    )
    messages = [
        "^notebooks/Untitled.ipynb: no chapter; call it notebooks/NN_topic.ipynb, or delete it",
        "^tests/11_more.ipynb: no chapter; call it",
        "cell diagram-a-clock: the same alt text as .* diagram-one-row; tell them apart",
        "^images/another.webp: no notebook shows it; use it or delete it",
        "^images/three-rows is missing; run `make images`",
        "^images/one-row.webp has no white background; begin with `canvas`",
        "^images/one-row.webp is 1600 pixels wide, not about 1,400",
        "^images/a-clock.webp does not come to rest after 2 plays; run `make images`",
        "^images/a-clock.webp plays for .* seconds; 5 are the limit",
    ]
    require(list(rules.course(copy)), messages)


# What is put before the two READMEs, as a part of its own.
PLANTED = {
    "README.md": """# Planted

PyTorch 9.9.9, 7642 rows, `make jupyter`, [a licence](LICENCE).
https://github.com/ME/miniature, https://ME.github.io/miniature/

```
make lab
```

## As it was

""",
    "README.zh.md": """# 种下的

PyTorch 9.9.9，7,643 行.

```
make lab NB=notebooks/zh/01_row.ipynb
```

## 原来的

""",
    "notebooks/zh/glossary.md": "| 幽灵 | ghost | [1](01_rows.ipynb) |\n",
}


def test_what_surrounds_the_notebooks(copy, monkeypatch):
    monkeypatch.setattr(repository, "SEEN", "8.8.8")
    shutil.copy(ROOT / "Makefile", copy)
    for name, words in PLANTED.items():
        content = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(words + content, encoding="utf-8")
    messages = [
        rf"README.md: names PyTorch \['9.9.9'\] first, and {TORCH} is pinned; correct it",
        "README.md: 8.8.8 is named here or in SEEN, course/versions.py, but not in both",
        "README.md: 9.9.9 is named here or in SEEN",
        "README.md: the Makefile has no jupyter; correct the command",
        "README.md: LICENCE does not exist; correct the link",
        "README.md: ME/miniature, not someone/miniature; run `make stamp`",
        "README.md: https://ME.github.io/.*, not https://someone.github.io/.*; run `make stamp`",
        "README.zh.md: names PyTorch",
        "README.zh.md: 8.8.8 is named here",
        "README.zh.md: 9.9.9 is named here",
        "README.zh.md: notebooks/zh/01_row.ipynb does not exist; correct NB=…",
        "README.zh.md, # .*: the code is not that of README.md; make it equal",
        "README.zh.md, # .*: .*; write full-width punctuation beside Chinese",
        "README.zh.md, # .*: 7642 stands",
        "README.zh.md, # .*: 7643 stands",
        "^notebooks/zh/01_rows.ipynb does not say 幽灵; correct notebooks/zh/glossary.md",
    ]
    rules_without_pins = [rule for rule in repository.RULES if rule is not repository.pins]
    require([line for rule in rules_without_pins for line in rule(copy)], messages)


@pytest.mark.parametrize("pin", ["torch", "torch>=2.13.0", "torch==2.13.*", "torch==2.13.0+cpu"])
def test_loosened_pin(pin, copy):
    (copy / "requirements.txt").write_text(f"{pin}\n")
    message = "requirements.txt: torch.* is not pinned; write == and one version, without"
    require(list(repository.pins(copy)), [message])


def test_another_version_than_the_pinned_one(copy):
    for name in repository.PINS:
        (copy / name).write_text("")
    (copy / "requirements.txt").write_text("packaging==1\n")
    require(list(repository.pins(copy)), ["packaging .* is installed, and the pin is packaging==1"])


def test_equal_ids(copy):
    content = (copy / FIRST).read_text(encoding="utf-8")
    (copy / FIRST).write_text(content.replace('"id": "batch"', '"id": "order"'), encoding="utf-8")
    with pytest.raises(CourseError, match="01_rows.ipynb: cells 11 and 15 have the id order; ren"):
        read(copy / FIRST)


def test_stamp_changes_nothing_on_an_error(copy):
    (copy / "images/one-row.webp").unlink()
    before = {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}
    with pytest.raises(
        CourseError, match="no image one-row; write its figure and run `make update NB="
    ):
        stamp.main(["me/mine"], copy)
    assert before == {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}


def test_new_cells_get_names(copy):
    for name in (FIRST, CHINESE):
        plant_in(copy / name, lambda n: n.cells.insert(5, new_markdown_cell("好。", id="0a1b2c3d")))
    stamp.main([], copy)
    for name in (FIRST, CHINESE):
        assert read(copy / name).cells[5].id == f"after-{read(copy / name).cells[4].id}"


@pytest.mark.parametrize("build", [f"{TORCH}+cu130", "9.9.9"])
def test_no_comparison_depends_on_the_build(build, monkeypatch):
    """Whatever torch calls itself, the run, the editions and the stored output agree."""
    import torch

    monkeypatch.setattr(torch, "__version__", build)
    found = [line for line in live.problems(FIXTURE / FIRST) if "cell version" in line]
    assert not found
    cell = at(read(FIXTURE / FIRST), "version")
    other = cell.outputs[0].text.replace(TORCH, build)
    assert comparable(other) == comparable(cell.outputs[0].text)
    assert "+" not in cell.outputs[0].text, "record stores the version without the tag of a build"


# What nbval sees in a kernel: planted together, each must be named, and nothing else.
KERNEL_FAULTS = {
    "one": stored("one", "0.3696", "0.3697"),  # a digit
    "batch": lambda notebook: at(notebook, "batch").outputs.clear(),  # an output deleted
    "errors": source("errors", "(4, ", "(5, "),  # a stale output
    "order": stored("order", "-1.1969", " 1.1969"),  # a sign
    "last": source("last", "table", "tabel"),  # an error
}


def test_faults_that_nbval_sees(copy):
    plant_in(copy / FIRST, *KERNEL_FAULTS.values())
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "conftest"]
    command += ["-n0", "-q", str(copy / FIRST)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    said = re.findall(rf"^{FIRST}, cell ([\w-]+): (.*)", result.stdout, re.MULTILINE)
    differ = f"Cell outputs differ; if the new ones are right, `make record NB={FIRST}`"
    wanted = dict.fromkeys(KERNEL_FAULTS, differ)
    wanted["last"] = "Cell execution caused an exception; correct the code"
    assert said == list(wanted.items()), result.stdout


def test_a_change_in_english_alone_waits(copy, monkeypatch):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    for words in (["init", "-q"], ["add", "notebooks"], ["commit", "-qm", "as it was"]):
        subprocess.run([*git, *words], cwd=copy, check=True)
    plant_in(
        copy / FIRST,
        source("batch-text", "Batches have", "A batch has"),
        source("batch", "[1, 0]", "[2, 0]"),
    )
    waiting.main([], copy)
    found = "\n".join(editions.problems(copy / FIRST, copy / CHINESE))
    assert found.count("waits for a translation; translate it and delete the mark") == 2, found
    monkeypatch.setenv("WAITING", "1")
    assert "cell batch" not in "\n".join(editions.problems(copy / FIRST, copy / CHINESE))
