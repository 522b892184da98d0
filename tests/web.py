"""The web edition as `make site` leaves it in site/, read in headless Chromium.

Every page is opened once, and all links are followed. What a page says around its text, what
axe-core finds and how it prints are the theme's doing, the same on each page of a kind, so those
are asked of one page of each kind. Only `make site` collects this; screenshots go to
tests/screenshots, which git ignores.
"""

import functools
import http.server
import re
import threading
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from chromium import CHROMIUM, FLAGS, NEEDED, SCREENSHOTS
from playwright.sync_api import expect, sync_playwright

from course.notebook import (
    chinese,
    code_cells,
    english,
    place,
    plots,
    read,
    repository,
    title,
    twin,
    website,
)
from course.site.__main__ import SITE

pytestmark = NEEDED
CHAPTERS = {p.stem: p for p in english()} | {f"zh/{p.stem}": p for p in chinese()}
PAGES = [*CHAPTERS, "index", "zh/index", "search", "zh/search"]
# Pages of each kind: their widths in pixels, by day or by night.
KINDS = [
    ("index", 1300, "dark"),
    ("zh/index", 390, "light"),
    ("01_lookup", 390, "dark"),
    ("05_gradients", 1300, "light"),
    ("zh/07_bags", 1300, "dark"),
    ("search", 390, "light"),
]
# What stands on a page around its text: words of the theme, titles of buttons, labels.
SAID = """() => {
  const around = document.body.cloneNode(true);
  const text = "article, code, kbd, noscript, script, [href^='#'], #search-results ul";
  for (const part of around.querySelectorAll(text)) part.remove();
  const all = [...around.querySelectorAll("*")];
  const own = all.flatMap(e => [...e.childNodes]).filter(n => n.nodeType === Node.TEXT_NODE);
  const labels = ["title", "aria-label", "placeholder"];
  return [...own.map(n => n.data), ...all.flatMap(e => labels.map(l => e.getAttribute(l) ?? ""))]
    .map(text => text.trim());
}"""
NAMES = {"Colab", ".ipynb", "English"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serve files, say nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    assert (SITE / "index.html").exists(), "no site/; run `make site`"
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, server):
    """A page whose console has no error and which asks no other host, as is seen at the end."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page, wrong = context.new_page(), []
    page.on("console", lambda m: m.type == "error" and wrong.append(f"{m.text} {m.location}"))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("response", lambda r: r.status >= 400 and wrong.append(f"{r.status} {r.url}"))

    def local(route):
        if route.request.url.startswith((server, "data:", "blob:")):
            return route.continue_()
        wrong.append(f"asks {route.request.url}")
        return route.abort()

    page.route("**", local)
    yield page
    context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", PAGES)
def test_page(name, page, server):
    """Pictures are there, and nothing is wider than a desk's window or a phone's."""
    page.goto(f"{server}{name}.html", wait_until="load")
    pictures = page.locator("article img").evaluate_all(
        "images => images.map(i => [i.naturalWidth && i.clientWidth, i.alt])"
    )
    assert all(width for width, _ in pictures), f"{name}: a picture is not there"
    if name in CHAPTERS:
        cells = read(CHAPTERS[name]).cells
        diagrams = sum("diagram" in cell.metadata for cell in cells)
        shown = sum(len(plots(cell)) for cell in cells if cell.cell_type == "code")
        assert len(pictures) == diagrams + shown, f"{name}: not all of its pictures"
        assert sum(bool(alt) for _, alt in pictures) >= diagrams, f"{name}: no alt text"
    for width in (1300, 390):
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{name} is {wide} pixels wider than a window of {width}"


@pytest.mark.parametrize(("name", "width", "scheme"), KINDS)
def test_kind_of_page(name, width, scheme, page, server):
    """axe-core finds nothing; on paper there is no sidebar and no dark page."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{server}{name}.html", wait_until="load")
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"web-{name.replace('/', '-')}-{width}.png")
    found = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]}).response
    said = [f"{v['id']}: {node['html'][:200]}" for v in found["violations"] for node in v["nodes"]]
    assert not said, f"{name}:\n" + "\n".join(said[:20])
    page.emulate_media(media="print")
    assert not page.locator(".bd-sidebar-primary").is_visible(), f"{name}: prints its sidebar"
    # Chromium tells the page of the new medium a moment later.
    paper = expect(page.locator("body"), f"{name} prints on a dark page")
    paper.to_have_css("background-color", "rgb(255, 255, 255)")


@pytest.mark.parametrize("name", ["zh/index", "zh/01_lookup", "zh/search"])
def test_chinese_around_the_text(name, page, server):
    """What the theme says on a Chinese page, in words and to a screen reader, is Chinese."""
    page.goto(f"{server}{name}.html" + "?q=嵌入" * (name == "zh/search"))
    if name == "zh/search":
        page.locator("#search-results li a").first.wait_for()
    said = page.evaluate(SAID)
    foreign = [text for text in said if re.fullmatch(r"(?=.*[A-Za-z]{3})[ -~]*", text)]
    assert set(foreign) <= NAMES, f"{name}: {foreign} are not Chinese"


def test_links():
    """Every link inside of the site leads to a page, and to a place on it."""
    pages = {}
    for file in SITE.rglob("*.html"):
        pages[file.resolve()] = BeautifulSoup(file.read_bytes(), "html.parser")
    places = {file: {tag["id"] for tag in page.select("[id]")} for file, page in pages.items()}
    for here, page in pages.items():
        for link in page.select("a[href]"):
            target, mark = map(unquote, urldefrag(link["href"]))
            if urlsplit(target).scheme:
                continue
            file = (here.parent / target).resolve() if target else here
            said = f"{here.relative_to(SITE)}: {link['href']}"
            assert file.is_relative_to(SITE) and file.is_file(), f"{said} leads nowhere"
            assert not mark or mark in places.get(file, [mark]), f"{said}: no such place"


@pytest.mark.parametrize("name", ["02_one_hot", "zh/02_one_hot"])
def test_head(name, page, server):
    """A chapter says what it is to who links to it, gives its notebook, leads to its twin."""
    page.goto(f"{server}{name}.html")
    path = CHAPTERS[name]
    assert page.title().startswith(title(path)), f"{name}: its title is {page.title()}"
    assert "documentation" not in page.title().lower()

    def content(selector):
        return page.locator(selector).first.get_attribute("content") or ""

    assert len(content("meta[name=description]")) > 20, f"{name}: no description"
    assert content("meta[property='og:title']") == title(path)
    picture = content("meta[property='og:image']").removeprefix(website(repository()))
    assert picture == f"{name.removesuffix(path.stem)}_images/{path.stem}.png"
    assert (SITE / picture).is_file(), f"{name}: no picture for links to it"
    links = page.locator(".course-links a")
    colab, download, other = (links.nth(i).get_attribute("href") for i in range(3))
    assert colab.endswith(f"/blob/main/{place(path)}")
    stored = page.request.get(urljoin(page.url, download)).body()
    assert stored == path.read_bytes(), f"{name}: the download is not the stored notebook"
    goal = urljoin(page.url, other)
    links.nth(2).click()
    page.wait_for_url(goal)
    assert page.locator("h1").first.inner_text().startswith(title(twin(path)))


def test_sitemap():
    """The sitemaps name every chapter of their language."""
    for folder in ("", "zh/"):
        text = (SITE / folder / "sitemap.xml").read_text()
        for name in CHAPTERS:
            if name.startswith("zh/") == (folder == "zh/"):
                assert f"/{name}.html</loc>" in text, f"{folder}sitemap.xml lacks {name}"


@pytest.mark.parametrize(
    ("words", "folder", "chapter"),
    [("scatter-add", "", "05_gradients"), ("嵌入", "zh/", "zh/01_lookup")],
)
def test_search(words, folder, chapter, page, server):
    page.goto(f"{server}{folder}search.html?q={words}")
    page.locator("#search-results li a").first.wait_for()
    hits = page.locator("#search-results li").all_inner_texts()
    assert any(title(CHAPTERS[chapter]) in hit for hit in hits), f"{words} is found in {hits}"


@pytest.mark.parametrize("name", ["01_lookup", "zh/01_lookup"])
def test_solution_and_copy(name, page, server):
    """A solution and folded code open; a button copies a cell's code and none of its output."""
    page.goto(f"{server}{name}.html")
    details = page.locator("details:not(.hide)", has=page.locator("pre")).first
    details.locator("pre").first.wait_for(state="hidden")
    details.locator("summary").click()
    details.locator("pre").first.wait_for(state="visible")
    folded = page.locator("details.hide").first
    folded.locator("pre").first.wait_for(state="hidden")
    folded.locator("summary").click()
    folded.locator("pre").first.wait_for(state="visible")
    first = page.locator("div.cell_input").first
    first.hover()
    first.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == code_cells(read(CHAPTERS[name]))[0].source.strip()
    assert not page.locator("div.cell_output button.copybtn").count(), "outputs have buttons too"
