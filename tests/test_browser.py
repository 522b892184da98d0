"""Tests of the chapters in JupyterLab, as `make lab` opens it, in headless Chromium.

Three chapters are enough, because JupyterLab shows all pictures, headings and links by the same
code; course/check and nbval test their content without a browser. Screenshots are written to
tests/screenshots, which git ignores.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress

import pytest
from chromium import CHROMIUM, FLAGS, NEEDS_CHROMIUM, SCREENSHOTS
from playwright.sync_api import expect, sync_playwright

from course import ROOT, lab
from course.handout import write_handout
from course.notebook import (
    chapters,
    chinese_notebooks,
    english_notebooks,
    is_folded,
    plots,
    solution_code,
)

if sys.platform == "win32":
    pytest.skip("Windows has no process groups", allow_module_level=True)
pytestmark = NEEDS_CHROMIUM
TIMEOUT_SECONDS = 120  # so that a slow machine passes
FRONT_NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
PICTURES = ".jp-RenderedImage img, .jp-RenderedMarkdown img"
ENGLISH, CHINESE = chapters(english_notebooks()), chapters(chinese_notebooks())
TESTED_CHAPTERS = [CHINESE[0], ENGLISH[-1], ENGLISH[0]]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a fresh clone of the course, in which there are no reader's copies in my/."""
    root = tmp_path_factory.mktemp("clone").resolve()
    ls_files = [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(ls_files, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *arguments], cwd=root, check=True)
    return root


def is_served(address):
    """Return whether a server listens; JupyterLab prints its address before it does."""
    try:
        with urllib.request.urlopen(address):
            return True
    except urllib.error.URLError:
        return False


@contextmanager
def run_lab(arguments, folder, home):
    """Run JupyterLab in a folder, as a Python module and with an empty home; yield its address."""
    changes = {"HOME": home, "BROWSER": "true", "JUPYTERLAB_SETTINGS_DIR": home / "settings"}
    changes["JUPYTERLAB_WORKSPACES_DIR"] = home / "workspaces"
    environment = os.environ | {name: str(value) for name, value in changes.items()}
    log, command = home / "log", [sys.executable, "-m", *arguments]
    with log.open("w") as file:
        options = {"cwd": folder, "env": environment, "stdout": file, "stderr": file}
        process = subprocess.Popen(command, **options, start_new_session=True)
    try:
        for _ in range(10 * TIMEOUT_SECONDS):
            address = re.search(r"http://127\.0\.0\.1:\S+\?token=\w+", log.read_text())
            if address and is_served(address[0]):
                break
            assert process.poll() is None, f"JupyterLab ended: {log.read_text()}"
            time.sleep(0.1)
        assert address, f"JupyterLab does not start: {log.read_text()}"
        yield address[0]
    finally:
        # The server does not stop at a signal that reaches it while it starts a kernel.
        for _ in range(TIMEOUT_SECONDS // 10):
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
                break
        else:
            pytest.fail(f"JupyterLab does not stop: {log.read_text()}")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return the home of a reader who has never run JupyterLab."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def server(clone, home):
    """Run JupyterLab as a reader has it; yield its address."""
    with run_lab(["course.lab"], clone, home) as address:
        yield address


@pytest.fixture(scope="module")
def page(server):
    """Return a page of Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(1000 * TIMEOUT_SECONDS)
        yield page
        browser.close()


def copied_cells(chapter):
    """Return the cells of a reader's copy."""
    notebook = json.loads(chapter.text)
    lab.hide_answers(notebook, chapter.edition)
    return notebook["cells"]


def chapter_address(server, chapter):
    """Return the address of a reader's copy, in a workspace without tabs of another test."""
    workspace, token = re.sub(r"\W", "-", str(chapter)), server.partition("?")[2]
    return f"{server.partition('/lab')[0]}/lab/workspaces/{workspace}/tree/my/{chapter}?{token}"


def open_chapter(page, server, chapter):
    """Open a chapter, unless it is in front, and wait until it and its pictures are shown."""
    if page.locator(FRONT_NOTEBOOK).locator("h1", has_text=chapter.title).count():
        return
    page.goto(chapter_address(server, chapter))
    page.locator(FRONT_NOTEBOOK).locator("h1", has_text=chapter.title).wait_for()
    cells = page.locator(FRONT_NOTEBOOK).locator(".jp-Cell")
    cells.nth(len(copied_cells(chapter)) - 1).locator("a").first.wait_for(state="attached")
    page.wait_for_function(
        """([front, pictures]) => [...document.querySelector(front).querySelectorAll(pictures)]
            .every(image => image.complete)""",
        arg=[FRONT_NOTEBOOK, PICTURES],
    )


def test_end_shows_the_last_cell(page, server):
    open_chapter(page, server, ENGLISH[0])
    last = page.locator(FRONT_NOTEBOOK).locator(".jp-Cell").last
    expect(last).not_to_be_in_viewport()
    page.locator(FRONT_NOTEBOOK).locator("h1").click()
    page.keyboard.press("End")
    expect(last).to_be_in_viewport(ratio=1)


def test_the_terminal_shows_the_address_and_how_to_stop(page, server, home):
    open_chapter(page, server, ENGLISH[0])
    log = (home / "log").read_text(encoding="utf-8")
    assert "Control-C" in log.splitlines()[1]
    assert "[I " not in log, "JupyterLab says what it does"


@pytest.mark.parametrize("chapter", TESTED_CHAPTERS, ids=str)
def test_chapter_is_shown(chapter, page, server):
    """Pictures are shown, a solution and folded code open, and there are no changes or news."""
    SCREENSHOTS.mkdir(exist_ok=True)
    open_chapter(page, server, chapter)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]:visible").wait_for()
    assert not page.locator(".jp-mod-dirty").count(), "a fresh copy opens as changed"
    assert not page.locator(".Toastify__toast").count(), "JupyterLab asks about news"
    page.screenshot(path=SCREENSHOTS / f"{chapter.path.parent.name}-{chapter.path.stem}.png")
    notebook = page.locator(FRONT_NOTEBOOK)
    ids_with_outputs = {cell["id"] for cell in copied_cells(chapter) if cell.get("outputs")}
    cells_with_outputs = [cell for cell in chapter.code_cells if cell.id in ids_with_outputs]
    assert notebook.locator(".jp-CodeCell .jp-OutputArea-child").count() == sum(
        len(cell.outputs) for cell in cells_with_outputs
    ), "an output answers a question before it is guessed"
    widths = notebook.locator(PICTURES).evaluate_all("images => images.map(i => i.naturalWidth)")
    count = len(chapter.diagrams) + sum(len(plots(cell)) for cell in cells_with_outputs)
    assert len(widths) == count and all(widths), f"{len(widths)} of {count} pictures, {widths}"
    details = notebook.locator("details", has=page.locator("pre")).first
    details.locator("pre").first.wait_for(state="hidden")
    details.locator("summary").click()
    details.locator("pre").first.wait_for(state="visible")
    folded_count = sum(map(is_folded, chapter.cells))
    folds = notebook.locator(".jp-CodeCell .jp-InputPlaceholder")
    assert folds.count() == folded_count, "not all code is folded that should be"
    folds.first.click()
    folds.nth(folded_count - 1).wait_for(state="detached")


def test_shift_enter_gives_the_verdict(page, server, clone):
    """After Run All Cells, Shift-Enter in a stub runs the checker on the answer.

    Saving writes the reader's copy, which git ignores.
    """
    chapter = ENGLISH[0]
    open_chapter(page, server, chapter)
    for item in ("Edit", "Clear Outputs of All Cells", "Run", "Run All Cells"):
        page.get_by_role("menuitem", name=item, exact=True).click()
    prompts = page.locator(FRONT_NOTEBOOK).locator(".jp-CodeCell .jp-InputPrompt")
    prompts.filter(has_text=f"[{len(chapter.code_cells)}]").wait_for()
    exercise = next(chapter.exercises())
    ids = [cell["id"] for cell in copied_cells(chapter)]
    stub = page.locator(FRONT_NOTEBOOK).locator(".jp-Cell").nth(ids.index(exercise.stub.id))
    answer = solution_code(exercise.solution)
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(f"{answer}  # of mine\n\ncheck(ids=ids)")
    page.keyboard.press("Shift+Enter")
    stub.locator(".jp-RenderedText pre", has_text="correct").wait_for()
    page.keyboard.press("Control+S")
    for _ in range(10 * TIMEOUT_SECONDS):
        if "  # of mine" in (clone / "my" / str(chapter)).read_text(encoding="utf-8"):
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("nothing was saved in my/")
    status = subprocess.run([*GIT, "status", "--porcelain"], cwd=clone, capture_output=True)
    assert not status.stdout, f"git sees {status.stdout.decode()}"


def test_links_lead_to_the_other_chapters(page, server):
    first, second, *_ = ENGLISH
    open_chapter(page, server, first)
    links = [
        (f"{second.title} →", second),
        (f"← {first.title}", first),
        ("中文", CHINESE[0]),
    ]
    for link, chapter in links:
        page.locator(FRONT_NOTEBOOK).get_by_role("link", name=link).first.click()
        page.locator(FRONT_NOTEBOOK).locator("h1", has_text=chapter.title).wait_for()
    page.locator(FRONT_NOTEBOOK).get_by_role("link", name="目录").first.click()
    contents = page.locator(".jp-MarkdownViewer:visible")
    contents.get_by_role("link", name=CHINESE[1].title).click()
    page.locator(FRONT_NOTEBOOK).locator("h1", has_text=CHINESE[1].title).wait_for()
    assert page.url.partition("?")[0].endswith(f"/my/{CHINESE[1]}"), "not a copy"


def test_handout_serves_all_of_its_folder(tmp_path):
    """The command in its README starts JupyterLab so that links to other folders lead somewhere."""
    folder, home = tmp_path / "handout", tmp_path / "home"
    home.mkdir()
    write_handout(folder)
    readme = (folder / "README.zh.md").read_text(encoding="utf-8")
    arguments = re.search(r"jupyter lab (.+)", readme)[1].split()
    assert (folder / arguments[-1]).exists()
    with run_lab(["jupyterlab", "--allow-root", *arguments], folder, home) as address:
        server, _, token = address.partition("/lab?")
        url = f"{server}/api/contents/{ENGLISH[0]}?content=0&{token}"
        with urllib.request.urlopen(url) as response:  # raises where JupyterLab has no such file
            assert json.load(response)["type"] == "notebook"
