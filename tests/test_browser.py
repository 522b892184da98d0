"""The course in the real reader: JupyterLab, served as `make lab` serves it, in headless Chromium.

What a failing chapter looks like goes to tests/screenshots, which git ignores.
"""

import base64
import io
import json
import re
import sys
import time

import pytest
from chromium import NEEDED, SCREENSHOTS
from nbformat.v4 import new_notebook
from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

from course import ROOT
from course.lab import CHROMIUM, FLAGS, jupyterlab
from course.notebook import (
    chinese,
    code_cells,
    comparable,
    english,
    headings,
    markdown_cells,
    place,
    printed,
    read,
    text,
)
from course.pictures import PLAYS, frames
from course.stamp import title

pytestmark = NEEDED
# Nothing is saved, all cells are in the page at once, and no question about news is in the way.
SETTINGS = {
    "docmanager-extension/plugin": {"autosave": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
PATIENCE = 120_000  # milliseconds; a slow machine is not an error


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of JupyterLab, started as by `make lab`, with settings and a home of its own."""
    home = tmp_path_factory.mktemp("home")
    for name, settings in SETTINGS.items():
        path = home / f"settings/@jupyterlab/{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings))
    with jupyterlab(home, JUPYTERLAB_SETTINGS_DIR=str(home / "settings")) as found:
        assert "?token=" in found, "JupyterLab runs without its token"
        yield found


@pytest.fixture(scope="module")
def page(server):
    """A page of Chromium, and in page.errors what its console complains of."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(PATIENCE)
        page.errors = []
        page.on("console", lambda m: m.type == "error" and page.errors.append(complaint(m)))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        yield page
        browser.close()


def address(server, path, workspace):
    """Where a file opens in a workspace of its own, so that no tabs of another test come back."""
    token = server.partition("?")[2]
    return f"{server.partition('/lab')[0]}/lab/workspaces/{workspace}/tree/{path}?{token}"


def complaint(message):
    """What the console says, and of which address, without the parts that change."""
    return re.sub(r"\?.*", "", f"{message.text} {message.location.get('url', '')}")


def shown(page):
    """The notebook in the tab that is in front."""
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")


def check_chapter(page, path):
    """Require that the notebook in front is this one, whole: title, headings, pictures."""
    stored = read(path)
    where = f"{place(path)} in JupyterLab"
    notebook = shown(page)
    notebook.locator("h1", has_text=title(path)).wait_for()
    last = notebook.locator(".jp-Cell").nth(len(stored.cells) - 1)
    last.locator("a").first.wait_for(state="attached")
    images = ".jp-RenderedImage img, .jp-RenderedMarkdown img"
    wanted = sum("diagram" in cell.metadata for cell in stored.cells)
    wanted += sum(cell.source.count("plt.show()") for cell in code_cells(stored))
    page.wait_for_function(
        """([selector, wanted]) => {
            const front = '.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook';
            const images = [...document.querySelector(front).querySelectorAll(selector)];
            return images.length == wanted && images.every(i => i.complete);
        }""",
        arg=[images, wanted],
    )
    pictures = notebook.locator(images).evaluate_all(
        """images => images.map(i => [
            i.naturalWidth, i.alt, i.closest('.jp-RenderedMarkdown') != null])"""
    )
    for width, alt, is_diagram in pictures:
        assert width > 0, f"{where}: a picture does not load: {alt}"
        assert alt or not is_diagram, f"{where}: a diagram has no alt text"
    contents = page.locator(".jp-TableOfContents-tree:visible .jp-tocItem-content")
    contents.filter(has_text=title(path)).first.wait_for()
    listed = "\n".join(contents.all_inner_texts())
    for cell in markdown_cells(stored):
        for _, heading in headings(cell):
            plain = heading.replace("`", "")
            assert plain in listed, f"{where}: the contents panel lacks {plain}"


def follow(page, text, path):
    """Click a link of the navigation and wait for the notebook that it must open."""
    shown(page).locator(".jp-Cell").nth(1).get_by_role("link", name=text).first.click()
    shown(page).locator("h1", has_text=title(path)).wait_for()


@pytest.fixture(scope="module")
def usual(server, page):
    """What the console complains of with a blank notebook."""
    SCREENSHOTS.mkdir(exist_ok=True)
    (SCREENSHOTS / "blank.ipynb").write_text(text(new_notebook()))
    page.goto(address(server, "tests/screenshots/blank.ipynb", "blank"))
    shown(page).wait_for()
    page.wait_for_timeout(1000)
    return set(page.errors)


def walk(page, start, chapters, usual):
    """Open the first chapter, follow the links from each to the next, and check every one."""
    page.errors.clear()
    page.goto(start)
    shown(page).locator("h1").first.wait_for()
    page.locator('.lm-TabBar-tab[data-id="table-of-contents"]').click()
    for before, path in zip([None, *chapters], chapters, strict=False):
        try:
            if before:
                follow(page, f"{title(path)} →", path)
            check_chapter(page, path)
        except Exception:
            page.screenshot(path=SCREENSHOTS / f"{path.parent.name}-{path.stem}.png")
            raise
    unusual = [error for error in page.errors if error not in usual]
    assert not unusual, f"the console of JupyterLab says {unusual}"


def test_english_course_in_jupyterlab(server, page, usual):
    walk(page, server, english(), usual)
    for path in english()[-2::-1]:
        follow(page, f"← {title(path)}", path)
    follow(page, "中文", chinese()[0])


def test_chinese_course_in_jupyterlab(server, page, usual):
    # In a workspace of its own: each tab that is open makes JupyterLab slower.
    walk(page, address(server, place(chinese()[0]), "chinese"), chinese(), usual)


def difference(one, two):
    """By how many levels two screenshots differ, at most."""
    shots = [Image.open(io.BytesIO(data)).convert("RGB") for data in (one, two)]
    return max(high for _, high in ImageChops.difference(*shots).getextrema())


@pytest.fixture(scope="module")
def moving(server, page):
    """A moving diagram in a page of its own, in which it plays while others run, and since when."""
    own = page.context.browser.new_page(viewport=page.viewport_size)
    own.set_default_timeout(PATIENCE)
    own.goto(address(server, "notebooks/02_one_hot.ipynb", "moving"))
    cells = [cell.id for cell in read(ROOT / "notebooks/02_one_hot.ipynb").cells]
    cell = shown(own).locator(".jp-Cell").nth(cells.index("diagram-claim"))
    picture = cell.locator(".jp-RenderedMarkdown img")
    picture.scroll_into_view_if_needed()  # it plays from when it is first seen
    return picture, time.monotonic()


def test_moving_diagram_moves(moving):
    picture, _ = moving
    first = picture.screenshot()
    picture.page.wait_for_timeout(1300)
    assert difference(first, picture.screenshot()), "the diagram does not move"


@pytest.fixture(scope="module")
def first(server, page):
    """The page with chapter 1 in front, for three tests: loading JupyterLab takes longest."""
    page.goto(address(server, "notebooks/01_lookup.ipynb", "first"))
    return page


def test_solution_opens(first):
    details = shown(first).locator("details", has=first.locator("pre")).first
    details.locator("pre").wait_for(state="hidden")
    details.locator("summary").click()
    details.locator("pre").wait_for(state="visible")


@pytest.mark.parametrize("path", english()[:2], ids=lambda path: path.name)
def test_run_all_gives_the_stored_outputs(path, first):
    notebook = shown(first)
    if path != english()[0]:
        follow(first, f"{title(path)} →", path)
    cells = code_cells(read(path))
    for item in ("Edit", "Clear Outputs of All Cells", "Run", "Run All Cells"):
        first.get_by_role("menuitem", name=item, exact=True).click()
    first.wait_for_function(
        """([count]) => {
            const front = '.jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell';
            const cells = [...document.querySelectorAll(front)];
            return cells.at(-1).querySelector('.jp-InputPrompt').textContent.includes(`[${count}]`);
        }""",
        arg=[len(cells)],
    )
    for cell, shown_cell in zip(cells, notebook.locator(".jp-CodeCell").all(), strict=True):
        texts = shown_cell.locator(".jp-RenderedText pre").all_text_contents()
        kept = comparable(printed(cell)).splitlines()
        seen = comparable("\n".join(text.rstrip("\n") for text in texts)).splitlines()
        assert seen == kept, f"{place(path, cell)}: JupyterLab shows {seen}, stored is {kept}"


def test_moving_diagram_rests(moving):
    picture, start = moving
    moments = frames((ROOT / "images/claim.webp").read_bytes())
    times = [milliseconds for _, milliseconds in moments]
    picture.page.wait_for_timeout(max(0, PLAYS * sum(times) - 1000 * (time.monotonic() - start)))
    rest = picture.screenshot()
    picture.page.wait_for_timeout(max(times) + 200)  # so long no frame stands
    assert not difference(rest, picture.screenshot()), f"it still moves after {PLAYS} plays"
    still = io.BytesIO()
    moments[-1][0].save(still, "PNG")
    source = f"data:image/png;base64,{base64.b64encode(still.getvalue()).decode()}"
    picture.evaluate("(image, source) => { image.src = source; return image.decode() }", source)
    assert difference(rest, picture.screenshot()) <= 8, "it does not rest on its last frame"


if sys.platform == "win32":
    pytest.skip("make and process groups are not there", allow_module_level=True)
