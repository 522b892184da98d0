"""The course in the real reader: JupyterLab, as `make lab` opens it, in headless Chromium.

The first and the last English chapter are opened, and the first in Chinese. JupyterLab shows all
pictures, headings and links by the same code; that they are whole, move, and print what is stored,
is seen without a browser (course/check, nbval).

What a failing chapter looks like goes to tests/screenshots, which git ignores.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from chromium import CHROMIUM, FLAGS, NEEDED, SCREENSHOTS
from playwright.sync_api import sync_playwright

from course import ROOT
from course.notebook import (
    chapters,
    chinese_notebooks,
    english_notebooks,
    is_folded,
    plots,
    solution_code,
)

if sys.platform == "win32":
    pytest.skip("process groups are not there", allow_module_level=True)
pytestmark = NEEDED
SETTINGS = {"notebook-extension/tracker": {"windowingMode": "none"}}  # all cells are in the page
PATIENCE = 120  # seconds; a slow machine is not an error
FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
PICTURES = ".jp-RenderedImage img, .jp-RenderedMarkdown img"
ENGLISH, CHINESE = chapters(english_notebooks()), chapters(chinese_notebooks())
OPENED = [CHINESE[0], ENGLISH[-1], ENGLISH[0]]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The course as somebody has just cloned it, so that no reader's copies are opened."""
    root = tmp_path_factory.mktemp("clone").resolve()
    listed = [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=root, check=True)
    return root


@pytest.fixture(scope="module")
def server(clone, tmp_path_factory):
    """The address of JupyterLab, with settings and a home of its own."""
    home = tmp_path_factory.mktemp("home")
    for name, settings in SETTINGS.items():
        path = home / f"settings/@jupyterlab/{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings))
    own = {"HOME": home, "BROWSER": "true", "JUPYTERLAB_SETTINGS_DIR": home / "settings"}
    own["JUPYTERLAB_WORKSPACES_DIR"] = home / "workspaces"
    environment = os.environ | {name: str(value) for name, value in own.items()}
    log, command = home / "log", [sys.executable, "-m", "course.lab"]
    with log.open("w") as file:
        run = {"cwd": clone, "env": environment, "stdout": file, "stderr": file}
        process = subprocess.Popen(command, **run, start_new_session=True)
    try:
        for _ in range(10 * PATIENCE):
            if found := re.search(r"http://127\.0\.0\.1:\S+\?token=\w+", log.read_text()):
                break
            assert process.poll() is None, f"JupyterLab ended: {log.read_text()}"
            time.sleep(0.1)
        assert found, f"JupyterLab does not start: {log.read_text()}"
        yield found[0]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def page(server):
    """A page of Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(1000 * PATIENCE)
        yield page
        browser.close()


def address(server, chapter):
    """Return where a reader's copy opens, in a workspace without tabs of another test."""
    workspace, token = re.sub(r"\W", "-", str(chapter)), server.partition("?")[2]
    return f"{server.partition('/lab')[0]}/lab/workspaces/{workspace}/tree/my/{chapter}?{token}"


def open_chapter(page, server, chapter):
    """Open a chapter, unless it is in front, and wait for it and its pictures."""
    if page.locator(FRONT).locator("h1", has_text=chapter.title).count():
        return
    page.goto(address(server, chapter))
    page.locator(FRONT).locator("h1", has_text=chapter.title).wait_for()
    cells = page.locator(FRONT).locator(".jp-Cell")
    cells.nth(len(chapter.cells) - 1).locator("a").first.wait_for(state="attached")
    page.wait_for_function(
        """([front, pictures]) => [...document.querySelector(front).querySelectorAll(pictures)]
            .every(image => image.complete)""",
        arg=[FRONT, PICTURES],
    )


@pytest.mark.parametrize("chapter", OPENED, ids=str)
def test_chapter(chapter, page, server):
    """All is there, a solution opens, no news are offered, and nothing asks to be saved."""
    SCREENSHOTS.mkdir(exist_ok=True)
    open_chapter(page, server, chapter)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]:visible").wait_for()
    assert not page.locator(".jp-mod-dirty").count(), "a fresh copy opens as changed"
    assert not page.locator(".Toastify__toast").count(), "JupyterLab asks about news"
    page.screenshot(path=SCREENSHOTS / f"{chapter.path.parent.name}-{chapter.path.stem}.png")
    notebook = page.locator(FRONT)
    shown = notebook.locator(PICTURES).evaluate_all("images => images.map(i => i.naturalWidth)")
    wanted = len(chapter.diagrams) + sum(len(plots(cell)) for cell in chapter.code_cells)
    assert len(shown) == wanted and all(shown), f"{len(shown)} of {wanted} pictures, {shown}"
    details = notebook.locator("details", has=page.locator("pre")).first
    details.locator("pre").first.wait_for(state="hidden")
    details.locator("summary").click()
    details.locator("pre").first.wait_for(state="visible")
    hidden = sum(map(is_folded, chapter.cells))
    folds = notebook.locator(".jp-CodeCell .jp-Placeholder")
    assert folds.count() == hidden, "not all code is folded that should be"
    folds.first.click()
    folds.nth(hidden - 1).wait_for(state="detached")


def test_one_key_gives_the_verdict(page, server, clone):
    """After all cells have run, Shift-Enter in a stub judges what was written there.

    What is then saved is saved in the reader's copy, and git has nothing to say.
    """
    chapter = ENGLISH[0]
    open_chapter(page, server, chapter)
    for item in ("Edit", "Clear Outputs of All Cells", "Run", "Run All Cells"):
        page.get_by_role("menuitem", name=item, exact=True).click()
    prompts = page.locator(FRONT).locator(".jp-CodeCell .jp-InputPrompt")
    prompts.filter(has_text=f"[{len(chapter.code_cells)}]").wait_for()
    exercise = next(chapter.exercises())
    stub = page.locator(FRONT).locator(".jp-Cell").nth(chapter.cells.index(exercise.stub))
    answer = solution_code(exercise.solution)
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(f"{answer}  # of mine\n\ncheck(ids=ids)")
    page.keyboard.press("Shift+Enter")
    stub.locator(".jp-RenderedText pre", has_text="correct").wait_for()
    page.keyboard.press("Control+S")
    for _ in range(10 * PATIENCE):
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
        page.locator(FRONT).get_by_role("link", name=link).first.click()
        page.locator(FRONT).locator("h1", has_text=chapter.title).wait_for()
    page.locator(FRONT).get_by_role("link", name="目录").first.click()
    contents = page.locator(".jp-MarkdownViewer:visible")
    contents.get_by_role("link", name=CHINESE[1].title).click()
    page.locator(FRONT).locator("h1", has_text=CHINESE[1].title).wait_for()
    assert page.url.partition("?")[0].endswith(f"/my/{CHINESE[1]}"), "not a copy"
