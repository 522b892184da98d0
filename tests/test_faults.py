"""What `make mutate` cannot show: each fault is seen by the rule made for it, in words that help.

FAULTS has a row per fault: the rule, what is done to a chapter, and what the message must say:
which cell, what is wrong, what to do. Numbers, outputs, code, pictures, links and structure are
changed at random by `make mutate`; here is what nobody does at random.
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

from course import ROOT, CourseError, editions, live, repository, rules
from course.mutate import COPIED
from course.notebook import code_cells, comparable, find, pictures, read, text
from course.pictures import frames
from course.stamp import main as stamp

FIRST, COST = "notebooks/01_lookup.ipynb", "notebooks/04_cost.ipynb"
CHINESE = "notebooks/zh/01_lookup.ipynb"


def at(notebook, name):
    """The cell with this id."""
    return find(notebook, name, ROOT / FIRST)


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
    """A fault: a title of the plot with one letter more, which changes few pixels."""
    source("plot", '"embedding(my_ids)"', '"embedding(my_idz)"')(notebook)


FAULTS = [
    (
        rules.counts,
        FIRST,
        unrun("batch"),
        "cell batch: count is None, not 8; run `make record NB=",
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
        lambda n: at(n, "diagram-lookup-1").update(id="picture"),
        "picture: its id is diagram-lookup-1; run `make update NB=",
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
        "planted: an attachment, which Colab does not show; draw",
    ),
    (rules.seeds, FIRST, source("table", "seed(123", "seed(124"), "table: seed 124; use 123"),
    (rules.heading_levels, FIRST, source("errors-text", "##", "####"), "errors-text: .* skips a l"),
    (rules.heading_levels, FIRST, source("errors-text", "##", "#"), "errors-text: .*the one H1"),
    (rules.anatomy, FIRST, drop("title"), "begins with"),
    (rules.anatomy, FIRST, drop("nav-bottom"), "ends with"),
    (rules.anatomy, FIRST, drop("summary"), "needs the cells"),
    (rules.anatomy, FIRST, source("summary", "## ", ""), "cell summary: begins with a heading"),
    (rules.anatomy, FIRST, source("title", "- **You need**", "You need"), "title: three lines"),
    (
        rules.short,
        FIRST,
        lambda n: [add(new_markdown_cell("Words."))(n) for _ in range(9)],
        "cells of prose and code; cut it",
    ),
    (rules.short, FIRST, source("batch", "b", "1\n" * 12 + "b"), "batch: 14 lines; split it, 12"),
    (
        rules.short,
        FIRST,
        add(new_code_cell("1\n" * 13, id="script")),
        "planted: 13 lines; split it, 12 are the limit",
    ),
    (rules.imports, FIRST, source("ids", "i", "import pandas\ni"), "ids: imports pandas; use std"),
    (rules.imports, FIRST, source("ids", "i", "import urllib.request\ni"), "ids: .*no network"),
    (
        rules.no_result_in_code,
        FIRST,
        source("table", "embedding.weight", 'print("tensor([[ 0.3374, …")'),
        "table: the code holds a result, 0.3374",
    ),
    (rules.reads_no_file, FIRST, source("batch", "b", 'open("a")\nb'), "batch: uses open; a note"),
    (rules.version_once, FIRST, stored("gaps", "PyTorch version: ", "torch "), "0 times; print it"),
    (
        rules.version_once,
        FIRST,
        stored("gaps", "2.13.0", "2.12.0"),
        "gaps: stored .*2.12.0.*2.13.0",
    ),
    (
        rules.stamps,
        FIRST,
        source("nav-top", "02_one_hot.ipynb", "04_cost.ipynb"),
        "nav-top: not what the stamp tool writes; run `make update NB=",
    ),
    (
        rules.images,
        FIRST,
        lambda n: at(n, "diagram-lookup-1").update(source="![A table.](data:image/png;base64,AA)"),
        "diagram-lookup-1: the alt text is no sentence; say what",
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
        source("table", "# 列", "# 列,五"),
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
        source("try-3-solution", "# (V, D)", "# (V, D),表"),
        "try-3-solution: .*; write full",
    ),
    (rules.in_chinese, CHINESE, source("try", "半角", ""), "try: say 代码里要用英文（半角）标点"),
    (rules.plots, FIRST, unrun("plot"), "plot: 0 stored plots, not 1; run `make record NB="),
    (rules.plots, FIRST, with_metadata("plot", slow=True), "plot: a slow plot is compared with no"),
    (rules.timings, COST, source("sweep", "18", "19"), "plot: the plot is not from this code; run"),
    (rules.links, FIRST, markdown("[a](11_more.ipynb)"), "planted: 11_more.ipynb does not exist"),
    (rules.chapters, FIRST, markdown("See chapters 1 and 99."), "planted: there is no chapter 99"),
    (rules.chapters, FIRST, markdown("See chapter 2."), "planted: chapter 2 is no link; write it"),
    (
        rules.chapters,
        FIRST,
        source("layer-text", "[chapter 5", "[chapter 6"),
        "layer-text: chapter 6",
    ),
    (
        rules.chapters,
        FIRST,
        source("layer-text", '"gradient"', '"fish"'),
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
        lambda n: [drop(f"try-{k}{p}")(n) for k in (2, 3) for p in ("", "-stub", "-check")],
        "1 exercises; a chapter has",
    ),
    (
        rules.reference,
        FIRST,
        stored("table", "0.3374", "0.3375"),
        "cell table: prints not the tens",
    ),
    (
        rules.founded,
        COST,
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


@pytest.mark.parametrize(
    ("rule", "chapter", "plant", "message"),
    FAULTS,
    ids=[f"{i}-{fault[0].__name__}" for i, fault in enumerate(FAULTS)],
)
def test_rule_sees(rule, chapter, plant, message):
    notebook = read(ROOT / chapter)
    assert not list(rule(ROOT / chapter, notebook)), "it complains of the chapter as it stands"
    plant(notebook)
    found = list(rule(ROOT / chapter, notebook))
    assert any(line.startswith(chapter) and re.search(message, line) for line in found), found


@pytest.fixture
def copy(tmp_path):
    """A copy of the course."""
    for part in COPIED:
        make = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        make(ROOT / part, tmp_path / part)
    return tmp_path


def plant_in(path, *plants):
    """Plant faults in a file."""
    notebook = read(path)
    for plant in plants:
        plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")


def test_one_run_sees(copy):
    """Faults that only running shows, planted together: each is named, and nothing else."""
    path, twin = copy / FIRST, copy / CHINESE
    both = [
        green_square,
        stored("look-up-two", "0.6957", "0.6958"),
        source("try-3-check", "str(yours.tolist()) != str(target.tolist())", "yours.ndim != 1"),
        source("try-2-check", "not yet: ", "ready: "),
        source("try-1-solution", "(3, 1, 2), 3)", "(3, 1, 2), 2)"),
        with_metadata("diagram-lookup-1", numbers={"5": "D - 1"}),
    ]
    plant_in(path, *both)
    plant_in(twin, green_square, with_metadata("diagram-lookup-1", numbers={"5": "D - 1"}))
    found = list(live.problems(path))
    for message in (
        r"cell look-up-two: stored is .*0.6958.*`make record NB=notebooks/01_lookup.ipynb`",
        r"cell plot: the stored plot is not drawn by this code; run `make record NB=.* look at it",
        r"cell diagram-lookup-1: 5: `D - 1` gives 4; correct one of the two",
        r"cell try-3-check: to .* it says 'correct', and should say 'not quite: '",
        r"cell try-2-check: to .* it says 'ready: .*', and should say 'not yet: '",
        r"cell try-1-check: to 'ids = .* 2\)' it says .*, and should say 'correct'",
    ):
        assert any(re.search(message, line) for line in found), (message, found)
    named = {re.search(r"cell ([\w-]+)", line)[1] for line in found}
    assert len(named) == 6, found


@pytest.mark.parametrize("plant", [another_title, source("plot", "#0072b2", "#0072d2")])
def test_another_plot(plant, copy):
    plant_in(copy / FIRST, plant)
    assert any("cell plot: the stored plot" in line for line in live.problems(copy / FIRST))


def test_figures_follow_the_notebook(copy):
    """Another seed in both editions changes the diagrams, whatever is recorded."""
    plant_in(copy / FIRST, source("table", "seed(123", "seed(122"))
    found = list(live.problems(copy / FIRST))
    message = (
        "cell diagram-lookup-1: images/lookup-1.png is not what these variables draw; run `make"
    )
    assert any(message in line for line in found), found


# What one language has and the other has not, and what the message says.
EDITION_FAULTS = [
    (source("batch", "[1, 0, 2]", "[1, 0, 3]"), "cell batch.*code differs: .*3.*make the same cha"),
    (stored("table", "0.3374", "0.3375"), "cell table.*outputs differ; run `make record NB="),
    (drop("batch"), "the Chinese edition lacks cell batch, after cell batch-text; add it"),
    (add(new_code_cell("1 + 1")), "the English edition lacks cell planted"),
    (source("try-3-solution", ".all(-1)", ".any(-1)"), "cell try-3-solution.*solutions differ"),
    (with_metadata("try-1-check", wrong={"ids = 1": ""}), "cell try-1-check.*metadata differs"),
    (source("errors", '"refused:"', '"拒绝："'), "cell errors.*code differs: .*拒绝"),
    (source("batch-text", "(2, 3)", "(2, 4)"), "cell batch-text.*: 4 stands 0 times in English an"),
    (source("errors-text", "## ", "### "), "cell errors-text.*headings of the levels"),
]


@pytest.mark.parametrize(("plant", "message"), EDITION_FAULTS)
def test_fault_in_one_language(plant, message, tmp_path):
    path = tmp_path / CHINESE
    path.parent.mkdir(parents=True)
    notebook = read(ROOT / CHINESE)
    plant(notebook)
    path.write_text(text(notebook), encoding="utf-8")
    found = list(editions.problems(ROOT / FIRST, path))
    assert any(re.search(f"^{CHINESE}.*{message}", line) for line in found), found


def replace(root, name, old, new):
    """Other words in a file."""
    content = (root / name).read_text(encoding="utf-8")
    assert old in content
    (root / name).write_text(content.replace(old, new, 1), encoding="utf-8")


def require(found, messages):
    """Require a line for each message, and no line without one."""
    for message in messages:
        assert any(re.search(message, line) for line in found), (message, found)
    assert len(found) == len(messages), found


def test_the_course_as_a_whole(copy):
    assert not list(rules.course(copy))
    (copy / "notebooks/Untitled.ipynb").write_text("{}")
    assert not list(rules.chapters(copy / FIRST, read(copy / FIRST)))  # which reads all names
    shutil.copy(copy / FIRST, copy / "tests/11_more.ipynb")
    shutil.copy(copy / "images/tied.png", copy / "images/another.png")
    (copy / "images/transpose.png").unlink()
    noise = Image.effect_noise((1600, 300), 50).convert("RGB")
    noise.save(copy / "images/tied.png")
    first, *rest = [picture for picture, _ in frames((copy / "images/claim.gif").read_bytes())]
    first.save(copy / "images/claim.gif", save_all=True, append_images=rest, duration=400, loop=0)
    notebook = read(copy / COST)
    alt = re.compile(r"!\[(.*?)\]")
    same = alt.match(at(read(copy / FIRST), "diagram-lookup-1").source)[1]
    cell = at(notebook, "diagram-sixty-products")
    cell.source = alt.sub(f"![{same}]", cell.source, count=1)
    (copy / COST).write_text(text(notebook), encoding="utf-8")
    messages = [
        "^notebooks/Untitled.ipynb: no chapter; call it notebooks/NN_topic.ipynb, or delete it",
        "^tests/11_more.ipynb: no chapter; call it",
        "cell diagram-sixty-products: the same alt text as .* diagram-lookup-1; tell them apart",
        "^images/another.png: no notebook shows it; use it or delete it",
        "^images/transpose is missing; run `make images`",
        "^images/tied.png is no opaque palette picture; run `make images`",
        "^images/tied.png has no white background; use fewer colours in the figure",
        "^images/tied.png is 1600 pixels wide, not about 1,400",
        "^images/tied.png is larger than 60,000 bytes; draw less",
        "^images/claim.gif does not come to rest after 2 plays; run `make images`",
        "^images/claim.gif plays for .* seconds; 5 are the limit",
    ]
    require(list(rules.course(copy)), messages)


def test_what_surrounds_the_notebooks(copy):
    assert not [line for rule in repository.RULES for line in rule(copy)]
    replace(copy, "README.md", "PyTorch 2.13.0", "PyTorch 2.13.1")
    replace(copy, "README.md", "make lab", "make jupyter")
    replace(copy, "README.md", "](LICENSE)", "](LICENCE)")
    replace(copy, "README.md", "OWNER/", "ME/")
    replace(copy, "README.md", "OWNER.github", "ME.github")
    replace(copy, "README.zh.md", "4 行", "5 行")
    replace(copy, "README.zh.md", "NB=notebooks/zh/01_lookup", "NB=notebooks/zh/01_look")
    replace(copy, "README.zh.md", "零。\n", "零.\n")
    replace(copy, "constraints.txt", "numpy==2", "numpy==1")
    messages = [
        r"README.md: names PyTorch \['2.13.1'\] first, and 2.13.0 is pinned; correct it",
        "README.md: 2.13.0 is named here or in SEEN, course/versions.py, but not in both",
        "README.md: 2.13.1 is named here or in SEEN",
        "README.md: the Makefile has no jupyter; correct the command",
        "README.md: LICENCE does not exist; correct the link",
        "README.md: ME/embedding-vs-linear, not OWNER/embedding-vs-linear; run `make stamp`",
        "README.md: https://ME.github.io/.*, not https://OWNER.github.io/.*; run `make stamp`",
        "README.zh.md: notebooks/zh/01_look.ipynb does not exist; correct NB=…",
        "README.zh.md, # .*: the code is not that of README.md; make it equal",
        "README.zh.md, # .*: .*; write full-width punctuation beside Chinese",
        "README.zh.md, # .*: 4 stands",
        "README.zh.md, # .*: 5 stands",
        "numpy .* is installed, and the pin is numpy==1",
    ]
    found = [line for rule in repository.RULES for line in rule(copy)]
    for message in messages:
        assert any(re.search(message, line) for line in found), (message, found)


@pytest.mark.parametrize("pin", ["torch", "torch>=2.13.0", "torch==2.13.*", "torch==2.13.0+cpu"])
def test_loosened_pin(pin, copy):
    replace(copy, "requirements.txt", "torch==2.13.0", pin)
    message = "requirements.txt: torch.* is not pinned; write == and one version, without"
    assert any(re.search(message, line) for line in repository.pins(copy))


def test_equal_ids(tmp_path):
    path = tmp_path / FIRST
    path.parent.mkdir()
    path.write_text((ROOT / FIRST).read_text().replace('"id": "batch"', '"id": "indexing"'))
    with pytest.raises(CourseError, match=r"01_lookup.ipynb: .*'indexing'.*rename"):
        read(path)


def test_stamp_changes_nothing_on_an_error(copy):
    (copy / "images/lookup-1.png").unlink()
    before = {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}
    with pytest.raises(CourseError, match="no image lookup-1; run `make update NB="):
        stamp(["me/mine"], copy)
    assert before == {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}


def test_new_cells_get_names(copy):
    for name in (FIRST, CHINESE):
        plant_in(copy / name, lambda n: n.cells.insert(5, new_markdown_cell("好。", id="0a1b2c3d")))
    stamp([], copy)
    for name in (FIRST, CHINESE):
        assert read(copy / name).cells[5].id == f"after-{read(copy / name).cells[4].id}"


@pytest.mark.parametrize("build", ["2.13.0+cu130", "2.15.0"])
def test_no_comparison_depends_on_the_build(build, monkeypatch):
    """Whatever torch calls itself, the run, the editions and the stored output agree."""
    import torch

    monkeypatch.setattr(torch, "__version__", build)
    assert not list(live.problems(ROOT / "notebooks/11_tying.ipynb"))
    cell = at(read(ROOT / FIRST), "gaps")
    other = cell.outputs[0].text.replace("2.13.0", build)
    assert comparable(other) == comparable(cell.outputs[0].text)
    assert "+" not in cell.outputs[0].text, "record stores the version without the tag of a build"


# What nbval sees in a kernel: planted together, each must be named, and nothing else.
KERNEL_FAULTS = {
    "look-up-two": stored("look-up-two", "0.6957", "0.6958"),  # a digit
    "look-up-all": stored("look-up-all", "-0.2010", " 0.2010"),  # a sign
    "batch": lambda notebook: at(notebook, "batch").outputs.clear(),  # an output deleted
    "errors": source("errors", "([4], ", "([5], "),  # a stale output
    "negative": source("negative", "weight", "weigth"),  # an error
}


def test_faults_that_nbval_sees(copy):
    plant_in(copy / FIRST, *KERNEL_FAULTS.values())
    command = [sys.executable, "-m", "pytest", "-n0", "-q", FIRST]
    result = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300)
    names = [cell.id for cell in code_cells(read(copy / FIRST))]
    failed = re.findall(r"^FAILED .*01_lookup.ipynb::Cell (\d+)", result.stdout, re.MULTILINE)
    assert {names[int(number)] for number in failed} == set(KERNEL_FAULTS), result.stdout


def test_a_change_in_english_alone_waits(copy, monkeypatch):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]
    for words in (["init", "-q"], ["add", "notebooks"], ["commit", "-qm", "as it was"]):
        subprocess.run([*git, *words], cwd=copy, check=True)
    plant_in(
        copy / FIRST,
        source("batch-text", "Models are", "A model is"),
        source("batch", "2]", "3]"),
    )
    subprocess.run([sys.executable, "-m", "course.waiting"], cwd=copy, check=True)
    found = "\n".join(editions.problems(copy / FIRST, copy / CHINESE))
    assert found.count("waits for a translation; translate it and delete the mark") == 2, found
    monkeypatch.setenv("WAITING", "1")
    assert not list(editions.problems(copy / FIRST, copy / CHINESE))
