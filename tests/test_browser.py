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
from course import notebook as nb

if sys.platform == "win32":
    pytest.skip("process groups are not there", allow_module_level=True)
pytestmark = NEEDED
SETTINGS = {"notebook-extension/tracker": {"windowingMode": "none"}}  # all cells are in the page
PATIENCE = 120  # seconds; a slow machine is not an error
FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
PICTURES = ".jp-RenderedImage img, .jp-RenderedMarkdown img"
# Chapters, not notes.
ENGLISH, CHINESE = (
    [p for p in paths if not nb.is_note(p)] for paths in (nb.english(), nb.chinese())
)
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


def address(server, file):
    """Where a reader's copy opens, in a workspace of its own, without tabs of another test."""
    workspace, token = re.sub(r"\W", "-", file), server.partition("?")[2]
    return f"{server.partition('/lab')[0]}/lab/workspaces/{workspace}/tree/my/{file}?{token}"


def open_chapter(page, server, path):
    """Open a chapter, unless it is in front, and wait for it and its pictures."""
    if page.locator(FRONT).locator("h1", has_text=nb.title(path)).count():
        return
    page.goto(address(server, nb.name_of(path)))
    page.locator(FRONT).locator("h1", has_text=nb.title(path)).wait_for()
    cells = page.locator(FRONT).locator(".jp-Cell")
    cells.nth(len(nb.read(path).cells) - 1).locator("a").first.wait_for(state="attached")
    page.wait_for_function(
        """([front, pictures]) => [...document.querySelector(front).querySelectorAll(pictures)]
            .every(image => image.complete)""",
        arg=[FRONT, PICTURES],
    )


@pytest.mark.parametrize("path", OPENED, ids=nb.name_of)
def test_chapter(path, page, server):
    """All is there, a solution opens, no news are offered, and nothing asks to be saved."""
    SCREENSHOTS.mkdir(exist_ok=True)
    open_chapter(page, server, path)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]:visible").wait_for()
    assert not page.locator(".jp-mod-dirty").count(), "a fresh copy opens as changed"
    assert not page.locator(".Toastify__toast").count(), "JupyterLab asks about news"
    page.screenshot(path=SCREENSHOTS / f"{path.parent.name}-{path.stem}.png")
    notebook, stored = page.locator(FRONT), nb.read(path)
    shown = notebook.locator(PICTURES).evaluate_all("images => images.map(i => i.naturalWidth)")
    wanted = sum("diagram" in cell.metadata for cell in stored.cells)
    wanted += sum(len(nb.plots(cell)) for cell in nb.code_cells(stored))
    assert len(shown) == wanted and all(shown), f"{len(shown)} of {wanted} pictures, {shown}"
    details = notebook.locator("details", has=page.locator("pre")).first
    details.locator("pre").first.wait_for(state="hidden")
    details.locator("summary").click()
    details.locator("pre").first.wait_for(state="visible")
    hidden = sum(map(nb.is_folded, stored.cells))
    folds = notebook.locator(".jp-CodeCell .jp-Placeholder")
    assert folds.count() == hidden, "not all code is folded that should be"
    folds.first.click()
    folds.nth(hidden - 1).wait_for(state="detached")


def test_one_key_gives_the_verdict(page, server, clone):
    """After all cells have run, Shift-Enter in a stub judges what was written there.

    What is then saved is saved in the reader's copy, and git has nothing to say.
    """
    path = ENGLISH[0]
    open_chapter(page, server, path)
    for item in ("Edit", "Clear Outputs of All Cells", "Run", "Run All Cells"):
        page.get_by_role("menuitem", name=item, exact=True).click()
    cells = nb.read(path).cells
    prompts = page.locator(FRONT).locator(".jp-CodeCell .jp-InputPrompt")
    prompts.filter(has_text=f"[{len(nb.code_cells(nb.read(path)))}]").wait_for()
    names = [cell.id for cell in cells]
    stub = page.locator(FRONT).locator(".jp-Cell").nth(names.index("try-1-stub"))
    answer = nb.solution(cells[names.index("try-1-solution")])
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(f"{answer}  # of mine\n\ncheck(ids=ids)")
    page.keyboard.press("Shift+Enter")
    stub.locator(".jp-RenderedText pre", has_text="correct").wait_for()
    page.keyboard.press("Control+S")
    for _ in range(10 * PATIENCE):
        if "  # of mine" in (clone / "my" / nb.name_of(path)).read_text(encoding="utf-8"):
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
        (f"{nb.title(second)} →", second),
        (f"← {nb.title(first)}", first),
        ("中文", CHINESE[0]),
    ]
    for link, path in links:
        page.locator(FRONT).get_by_role("link", name=link).first.click()
        page.locator(FRONT).locator("h1", has_text=nb.title(path)).wait_for()
    page.locator(FRONT).get_by_role("link", name="目录").first.click()
    contents = page.locator(".jp-MarkdownViewer:visible")
    contents.get_by_role("link", name=nb.title(CHINESE[1])).click()
    page.locator(FRONT).locator("h1", has_text=nb.title(CHINESE[1])).wait_for()
    assert page.url.partition("?")[0].endswith(f"/my/{nb.name_of(CHINESE[1])}"), "not a copy"
