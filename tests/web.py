"""The web edition as `make site` leaves it in site/, read in headless Chromium.

All links are followed and all pictures asked for; what the theme, the style and the scripts do is
the same on each page of a kind, so it is looked at on one page of each. Only `make site` collects
this; screenshots go to tests/screenshots, which git ignores.
"""

import base64
import gzip
import io
import re
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from chromium import CHROMIUM, FLAGS, NEEDED, SCREENSHOTS
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from course import ROOT
from course import notebook as nb
from course.addresses import published_repository, renamed, stored_repository, website
from course.site.__main__ import SITE

pytestmark = NEEDED
# The notebooks by the names of their pages, the English chapters by their topics.
PAGES = {p.relative_to(ROOT / "notebooks").with_suffix("").as_posix(): p for p in nb.notebooks()}
TOPICS = {nb.topic(path): path for path in nb.english() if not nb.is_note(path)}
LOOKUP, ONE_HOT, MIXING, COST, BAGS = (
    TOPICS[name] for name in ("lookup", "one_hot", "mixing", "cost", "bags")
)
# A page of each kind, its width in pixels, by day or by night.
KINDS = [
    ("index", 1300, "dark"),
    ("zh/index", 390, "light"),
    (ONE_HOT.stem, 390, "dark"),
    (MIXING.stem, 1300, "light"),
    (f"zh/{BAGS.stem}", 1300, "dark"),
    ("search", 390, "light"),
    ("teaching", 390, "dark"),
]
# What stands on a page around its text: words of the theme, titles of buttons, labels.
AROUND = """[...document.querySelectorAll("body *")]
  .filter(e => !e.closest("article > section, .origin, code, kbd, script, #search-results ul"))
  .flatMap(e => [e.title, e.ariaLabel, e.placeholder,
                 ...[...e.childNodes].map(n => n.nodeType === Node.TEXT_NODE && n.data)])
  .map(text => (text || "").trim())"""
NAMES = {"Colab", ".ipynb", "English"}
HOST = "https://course.test/"  # nobody's
RED = (229, 0, 0)  # in the table of colours


@pytest.fixture(scope="module")
def browser():
    assert (SITE / "index.html").exists(), "no site/; run `make site`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, request):
    """A page that is given the files of site/, and in page.weight how many bytes, compressed.

    Its console has no error, and it asks no other host, as is seen at the end.
    """
    options = {"permissions": ["clipboard-read", "clipboard-write"], "has_touch": True}
    options |= {"viewport": {"width": 1300, "height": 900}, "base_url": HOST}
    context = browser.new_context(java_script_enabled=getattr(request, "param", True), **options)
    page, wrong = context.new_page(), []
    page.weight = 0
    page.on("console", lambda m: m.type == "error" and wrong.append(f"{m.text} {m.location}"))
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def serve(route):
        file = SITE / unquote(urlsplit(route.request.url).path).lstrip("/")
        if route.request.url.startswith(("data:", "blob:")):
            route.continue_()
        elif route.request.url.startswith(HOST) and file.is_file():
            page.weight += len(gzip.compress(file.read_bytes()))
            route.fulfill(path=file)
        else:
            wrong.append(f"asks {route.request.url}")
            route.abort()

    page.route("**", serve)
    yield page
    context.close()
    assert not wrong, "\n".join(wrong)


def test_files():
    """Links lead to a place; a page says whose it is and what to share; the lost find back."""
    address = website(published_repository())
    pages = {}
    for file in SITE.rglob("*.html"):
        pages[file.resolve()] = BeautifulSoup(file.read_bytes(), "html.parser")
    lost = pages.pop((SITE / "404.html").resolve()).select("a, link, script, img")
    assert [link.get("href") for link in lost] == [address, f"{address}zh/"]
    places = {file: {tag["id"] for tag in page.select("[id]")} for file, page in pages.items()}
    for here, page in pages.items():
        name = here.relative_to(SITE)
        origin = page.select_one(".origin").text
        assert "MIT" in origin and "Raschka" in origin, f"{name} has no licence or origin"
        titles = re.split(" [-—] ", page.title.text.strip())
        assert len(titles) == len(set(titles)), f"{name} is called {titles}"
        shared = {tag["property"]: tag["content"] for tag in page.select("meta[property]")}
        still = None
        if shared:
            assert shared["og:description"][-1] in ".?。？", f"{name} breaks off"
            still = SITE / shared["og:image"].removeprefix(address)
            assert still.suffix == ".png" and still.is_file(), f"{name} shows {still}"
        for link in page.select("a[href]"):
            target, mark = map(unquote, urldefrag(link["href"]))
            if target.startswith(address):
                target = f"{SITE}/{target.removeprefix(address) or 'index.html'}"
            if urlsplit(target).scheme:
                continue
            file = (here.parent / target).resolve() if target else here
            said = f"{name}: {link['href']}"
            assert file.is_relative_to(SITE) and file.is_file(), f"{said} leads nowhere"
            assert not mark or mark in places.get(file, [mark]), f"{said}: no such place"
        for picture in page.select("article img"):
            alt, target = picture["alt"], unquote(picture["src"])
            assert (here.parent / target).is_file(), f"{name}: there is no {target}"
            if picture.parent.get("class") == ["chapter"]:
                continue  # its title stands beside it
            assert len(alt) > 5 and "_images" not in alt, f"{name}: a picture says {alt!r}"
        if path := PAGES.get(name.with_suffix("").as_posix()):
            cells = nb.read(path).cells
            diagrams = sum("diagram" in cell.metadata for cell in cells)
            shown = sum(len(nb.plots(cell)) for cell in nb.code_cells(nb.read(path)))
            assert len(page.select("article img")) == diagrams + shown, f"{name}: not all pictures"
            assert bool(diagrams) == (still.stem == here.stem), f"{name} shows {still}"
            colab, own, twin = (link["href"] for link in page.select(".course-links a"))
            assert colab.endswith(f"/blob/main/{nb.name_of(path)}")
            text, own = (file.read_text(encoding="utf-8") for file in (path, here.parent / own))
            text = renamed(text, stored_repository(), published_repository())
            assert text == own, f"{name}: the download is not the notebook"
            other = nb.twin(path).relative_to(ROOT / "notebooks").with_suffix(".html")
            assert (here.parent / twin).resolve() == SITE / other, f"{name} leads to {twin}"
    for name in PAGES:
        sitemap = (SITE / ("zh" if name.startswith("zh/") else "") / "sitemap.xml").read_text()
        assert f"/{name}.html</loc>" in sitemap, f"the sitemap lacks {name}"
    unused = [file.name for file in SITE.rglob("*") if file.suffix in (".map", ".woff2")]
    assert not unused, f"no page needs {unused}"


@pytest.mark.parametrize(("name", "width", "scheme"), KINDS)
def test_kind_of_page(name, width, scheme, page):
    """A page is light, fits any window, passes axe-core, and prints on white."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{name}.html", wait_until="networkidle")
    assert page.weight < 600_000, f"{name} weighs {page.weight} bytes, compressed"
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"web-{name.replace('/', '-')}-{width}.png")
    found = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]}).response
    said = [f"{v['id']}: {node['html'][:200]}" for v in found["violations"] for node in v["nodes"]]
    assert not said, f"{name}:\n" + "\n".join(said[:20])
    page.emulate_media(media="print")
    assert page.locator(".bd-sidebar-primary:visible").count() == 0, f"{name} prints its sidebar"
    # Chromium tells the page of the new medium a moment later.
    paper = expect(page.locator("body"), f"{name} prints on a dark page")
    paper.to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(media="screen")
    for width in (1300, 390):
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{name} is {wide} pixels wider than a window of {width}"
        table = "t => t.scrollWidth - t.parentElement.clientWidth"
        wide = page.locator("table.table").evaluate_all(f"all => Math.max(0, ...all.map({table}))")
        assert wide == 0, f"{name}: a table is {wide} pixels too wide for {width}"


@pytest.mark.parametrize("name", ["zh/index", f"zh/{LOOKUP.stem}", "zh/search"])
def test_chinese_around_the_text(name, page):
    """What the theme says on a Chinese page, in words and to a screen reader, is Chinese."""
    page.goto(f"{name}.html" + "?q=嵌入" * (name == "zh/search"))
    if name == "zh/search":
        page.locator("#search-results li a").first.wait_for()
    said = page.evaluate(AROUND)
    foreign = [text for text in said if re.fullmatch(r"(?=.*[A-Za-z]{3})[ -~]*", text)]
    assert set(foreign) <= NAMES, f"{name}: {foreign} are not Chinese"


@pytest.mark.parametrize(
    ("words", "folder", "chapter", "sentence"),
    [
        ("scatter-add", "", "05_gradients", "This is a scatter-add: a look-up that writes."),
        ("嵌入", "zh/", "zh/01_lookup", "给嵌入层 (embedding layer) 一个词元 (token) 的 ID"),
    ],
)
def test_search(words, folder, chapter, sentence, page):
    """A hit shows the sentence around it; a note, the number of its chapter."""
    page.goto(f"{folder}search.html?q={words}")
    hits = page.locator("#search-results li")
    expect(hits.filter(has_text=nb.title(PAGES[chapter])).first).to_contain_text(sentence)
    expect(hits.filter(has_text=re.compile(r"^↳ \d+ · ")).first).to_be_visible()


@pytest.mark.parametrize("name", [LOOKUP.stem, f"zh/{LOOKUP.stem}"])
def test_code(name, page):
    """Code fits its column; what is folded opens, guesses too; a button copies code alone."""
    page.goto(f"{name}.html")
    first = page.locator("div.cell_input").first
    first.hover()
    first.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == nb.code_cells(nb.read(PAGES[name]))[0].source.strip()
    assert not page.locator("div.cell_output button.copybtn").count(), "outputs have buttons too"
    there = page.locator("article a[href*=colab]", has_text="Colab")
    expect(there, "nothing says where the exercises run").to_have_count(1)
    block = page.locator("div.cell_input pre").first
    block.evaluate("block => block.textContent = 'x'.repeat(88)")
    wide = block.evaluate("block => block.scrollWidth - block.clientWidth")
    assert wide <= 0, f"a line of 88 characters is {wide} pixels wider than its column"
    page.set_viewport_size({"width": 390, "height": 900})
    goes_on = expect(block, "nothing shows that a line goes on")
    goes_on.to_have_css("background-attachment", re.compile("^local, scroll"))
    answer = page.locator("details.answer p").first
    expect(answer, "what a question's code prints is folded, and the text says it").to_be_hidden()
    solution = page.locator("details:not(.hide, .answer)", has=page.locator("pre")).first
    after = solution.locator("xpath=following::p[1]").bounding_box()["y"]
    box = solution.bounding_box()
    assert after - box["y"] - box["height"] > 30, "a solution sticks to the next exercise"
    for folded in (solution, *map(page.locator, ("details.above-input", "details.below-input"))):
        folded = folded.first
        expect(folded.locator("pre").first).to_be_hidden()
        folded.locator("summary").click()
        expect(folded.locator("pre").first).to_be_visible()
    expect(answer).to_be_visible()


def pixels(picture, color):
    """How many pixels of a PNG have a colour, to one level of each channel."""
    with Image.open(io.BytesIO(picture)) as image:
        counted = image.convert("RGB").getcolors(image.width * image.height)
    near = [n for n, own in counted if all(abs(a - b) < 2 for a, b in zip(own, color, strict=True))]
    return sum(near)


def test_picture(page):
    """By night a picture keeps its colours; on a phone it is as wide, opened as long as that."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{MIXING.stem}.html")
    plot = page.locator("div.cell_output img").first
    assert plot.bounding_box()["width"] > 389
    assert pixels(plot.screenshot(), RED) > 1000, "by night a picture is darker"
    hints = "all => all.map(b => getComputedStyle(b, '::after').content)"
    hints = page.locator(".opens").evaluate_all(hints)
    assert [hint for hint in hints if "Tap to enlarge" in hint] == hints[:1], hints
    frame = "i => ['border', 'padding', 'background'].map(k => getComputedStyle(i)[k])"
    frames = page.locator("article img").evaluate_all(f"all => all.map({frame})")
    assert frames.count(frames[0]) == len(frames) > 2, f"by night pictures are framed as {frames}"
    full = page.locator("dialog.full-size")
    for opens, closes in (
        (plot.tap, full.locator("img").tap),
        (lambda: page.keyboard.press("Enter"), lambda: page.keyboard.press("Escape")),
    ):
        opens()
        expect(full).to_be_visible()  # before, its empty picture is complete, too
        expect(full.locator("img")).to_have_js_property("complete", True)
        box = full.locator("img").bounding_box()
        assert min(box["x"], box["y"]) >= 0 and box["x"] + box["width"] <= 390, f"off-screen: {box}"
        assert 800 < box["y"] + box["height"] < 850, f"not as long as the window: {box}"
        assert pixels(full.screenshot(), RED) > 1000, "by night the opened picture is darker"
        closes()
        expect(full).to_be_hidden()


def stored(path, cell):
    """The numbers that a cell has printed, with their decimals."""
    return re.findall(r"-?\d+\.\d+", nb.printed(nb.by_id(nb.read(path))[cell]))


def shown(locator):
    """The numbers in a part of a page as PyTorch prints them."""
    return re.findall(r"-?\d+\.\d+", locator.inner_text().replace("−", "-"))


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_look_up(folder, page):
    """IDs fetch the rows that the notebook printed, and so does the product, zeros counted."""
    page.goto(f"{folder}index.html")
    exhibit = page.locator("[data-exhibit=look_up]")
    for result in (exhibit.locator(".matrix").nth(1), exhibit.locator(".matrix").last):
        assert shown(result) == stored(LOOKUP, "look-up-all")
    counts = exhibit.locator(".count b")
    expect(counts.last, "the proof is under the fold").to_be_in_viewport()
    said = re.findall(r"\d+", nb.printed(nb.by_id(nb.read(COST))["products"]))
    assert counts.all_inner_texts() == ["0", *said] == ["0", "60", "45"]
    exhibit.locator("input").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("1")
    assert shown(exhibit.locator(".matrix").last) == stored(LOOKUP, "look-up-one")
    assert counts.all_inner_texts() == ["0", "20", "15"]
    expect(exhibit.locator(".sum")).to_contain_text(re.compile(r"\+ 1 × (row 1|第 1 行) \+"))
    six = "0 1 2 3 0 1 2"
    for ids, said in (("4", "0 to 3|0 到 3"), ("1.0", "1.0"), (six, "six|六"), ("cat owl", "owl")):
        exhibit.locator("input").fill(ids)
        expect(exhibit.locator("[role=status]")).to_have_text(re.compile(said))
    assert shown(exhibit.locator(".matrix").last) == stored(LOOKUP, "look-up-one")
    page.set_viewport_size({"width": 390, "height": 900})
    expect(exhibit.locator(".loops path")).to_have_count(1)
    expect(exhibit.locator(".loops svg")).to_be_visible()


@pytest.mark.parametrize("name", ["index", "zh/index", MIXING.stem])
def test_mix(name, page):
    """0.6 and 0.4 make the notebook's orange; a key moves a slider, and nothing else."""
    page.goto(f"{name}.html")
    exhibit = page.locator("[data-exhibit=mix]")
    vector, color = exhibit.locator(".total .vector"), exhibit.locator("figcaption strong")
    assert shown(vector) == stored(MIXING, "mix") == ["0.9388", "0.4000", "0.0314"]
    name = nb.printed(nb.by_id(nb.read(MIXING))["mix"]).splitlines()[1]
    assert color.inner_text() == name == "orange"
    exhibit.get_by_label("yellow").focus()
    page.keyboard.press("Home")
    exhibit.get_by_label("red").focus()
    height = exhibit.bounding_box()["height"]
    page.keyboard.press("End")
    assert color.inner_text() == "red"
    assert exhibit.bounding_box()["height"] == height, "the exhibit jumps under the slider"


@pytest.mark.parametrize("name", ["index", f"zh/{BAGS.stem}"])
def test_paint(name, page):
    """A name has the colour of the notebook's plot, to a level of 255, and its rows add up."""
    page.goto(f"{name}.html")
    exhibit = page.locator("[data-exhibit=paint]")
    plot = nb.plots(nb.by_id(nb.read(BAGS))["wishes"])[0].data["image/png"]
    for wish in ("very dark green", "red yellow", "very pale blue purple"):
        exhibit.locator("#exhibit-name").fill(wish)
        painted = exhibit.locator(".square").evaluate("e => getComputedStyle(e).backgroundColor")
        color = [int(level) for level in re.findall(r"\d+", painted)]
        assert pixels(base64.b64decode(plot), color) > 5000, f"{wish} is {color}, not as plotted"
        numbers = [float(text) for text in shown(exhibit.locator(".steps"))]
        if "very" in wish:
            assert numbers.pop(3) == 1.5 and "(×1.5)" in exhibit.inner_text()
        beyond = min(numbers[-3:]) < 0 or max(numbers[-3:]) > 1
        assert bool(re.search("cut off|截到", exhibit.inner_text())) == beyond, wish
        rows = [numbers[i : i + 3] for i in range(0, len(numbers), 3)]
        sums = [round(sum(column), 3) for column in zip(*rows[:-1], strict=True)]
        assert sums == rows[-1], f"{wish}: to the eye, {sums}"
    for wish, said in (("", "Type a colour|输入一种颜色"), ("red very", "Very what|very 什么")):
        exhibit.locator("#exhibit-name").fill(wish)
        expect(exhibit.locator("[role=status]")).to_have_text(re.compile(said))


@pytest.mark.parametrize("page", [False], indirect=True, ids=["no script"])
def test_without_script(page):
    """Without JavaScript each exhibit is its picture; chapters have cards, which leave no hole."""
    page.goto("index.html")
    for exhibit in page.locator(".exhibit").all():
        expect(exhibit.locator("img")).to_be_visible()
    assert page.locator(".exhibit").count() == 3
    cards = page.locator(".chapter", has=page.locator("img[loading=lazy]")).all()
    assert len(cards) == len(TOPICS)
    minutes = [re.search(r"●[●○]{2} · (\d+)\s\+\s(\d+)′", card.inner_text()) for card in cards]
    assert round(sum(int(n) for said in minutes for n in said.groups()) / 60) == 10
    expect(page.locator("article")).to_contain_text("ten hours in all")
    notes = sum(map(nb.is_note, PAGES.values())) // 2
    assert page.locator(".chapter a", has_text="↳").count() == notes
    assert page.locator("a.right-next").get_attribute("href") == f"{LOOKUP.stem}.html"
    assert cards[0].bounding_box()["x"] < cards[-1].bounding_box()["x"] > 600
