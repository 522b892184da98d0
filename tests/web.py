"""The web edition as `make site` leaves it in site/, read in headless Chromium.

All links are followed and all pictures counted; the theme, the style and the scripts do the same on
each page of a kind, so one page of each is read in the browser. Only `make site` collects this;
screenshots go to tests/screenshots, which git ignores.
"""

import base64
import gzip
import io
import re
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from chromium import CHROMIUM, FLAGS, NEEDS_CHROMIUM, SCREENSHOTS
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from course import ROOT
from course.addresses import published_repository, replace_repository, stored_repository, website
from course.notebook import all_notebooks, chapters, english_notebooks, plots, printed_text
from course.site.__main__ import SITE

pytestmark = NEEDS_CHROMIUM
# The notebooks by the names of their pages, and the English chapters by their topics.
FOLDER = ROOT / "notebooks"
PAGES = {
    notebook.path.relative_to(FOLDER).with_suffix("").as_posix(): notebook
    for notebook in all_notebooks()
}
TOPICS = {chapter.topic: chapter for chapter in chapters(english_notebooks())}
LOOKUP, MIXING, COST, BAGS = (TOPICS[topic] for topic in ("lookup", "mixing", "cost", "bags"))
LOOKUP_PAGE, MIXING_PAGE, BAGS_PAGE = (chapter.path.stem for chapter in (LOOKUP, MIXING, BAGS))
# A page of each kind, its width in pixels, by day or by night.
KINDS = [
    ("index", 1300, "dark"),
    ("zh/index", 390, "light"),
    (LOOKUP_PAGE, 390, "dark"),
    (MIXING_PAGE, 1300, "light"),
    (f"zh/{BAGS_PAGE}", 1300, "dark"),
    ("search", 390, "light"),
    ("teaching", 390, "dark"),
    ("zh/teaching", 1300, "light"),
    ("zh/glossary", 390, "light"),
]
# The words on a page around its text: of the theme, titles of buttons, labels.
WORDS_OF_THEME = """[...document.querySelectorAll("body *")]
  .filter(e => !e.closest("article > section, .origin, code, kbd, script, .pagefind-ui__results"))
  .flatMap(e => [e.title, e.ariaLabel, e.placeholder,
                 ...[...e.childNodes].map(n => n.nodeType === Node.TEXT_NODE && n.data)])
  .map(text => (text || "").trim())"""
PROPER_NAMES = {"Colab", ".ipynb", "English"}
TITLES = ".pagefind-ui__result-inner > .pagefind-ui__result-title"
# How far the page jumps as it loads, as browsers measure it; 0.1 is called good.
LAYOUT_SHIFTS = """window.layoutShift = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => layoutShift += entry.value))
  .observe({type: "layout-shift", buffered: true})"""
# Of the thousands of coloured words of code, leave one of each colour for axe-core to read.
THIN_OUT_COLORS = """const read = new Set();
for (const word of document.querySelectorAll("pre span:not(:has(*))")) {
  const color = word.className + word.closest("[class^=cell_]")?.className;
  if (read.has(color)) word.replaceWith(word.textContent);
  else if (word.checkVisibility()) read.add(color);
}"""
CODE_BLOCK, SPAN = re.compile("<pre>.*?</pre>", re.DOTALL), re.compile("</?span[^>]*>")
RED = (229, 0, 0)  # in the table of colours
REPLIES_TO_WORDS = [
    ("redish", "“reddish”"),
    ("bleu", "“blue”"),
    ("vrey red", "“very”"),
    ("darkred", "“dark red”"),
    ("skyblue", "“sky blue”"),
    ("not red", "“not”: in none|“not”不在任何"),
    ("qwerty 123", "“qwerty”, “123”: in none|“qwerty”“123”不在任何"),
    ("acid qwerty", "fewer than three|不到三次"),
    ("canvas", "begins on the canvas|从画布开始"),
    ("grayish blue", "learned from|训练时读过"),
    ("红色", "English|英文"),
]


class SiteHandler(SimpleHTTPRequestHandler):
    """The files of site/, which the browser keeps from one page to the next."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=SITE)

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *arguments):
        """Be silent: the console of the page has the error."""


@pytest.fixture(scope="module")
def host():
    """The address at which site/ is served."""
    assert (SITE / "index.html").exists(), "no site/; run `make site`"
    with ThreadingHTTPServer(("127.0.0.1", 0), SiteHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tab(browser, host):
    """The tab of a worker: one for each test would take three times as long."""
    options = {"permissions": ["clipboard-read", "clipboard-write"], "has_touch": True}
    tab = browser.new_context(base_url=host, **options).new_page()
    tab.add_init_script(LAYOUT_SHIFTS)
    return tab


@pytest.fixture
def page(tab, host):
    """The tab, empty, 1300 pixels wide, by day, and in page.requests what it has asked for.

    At the end it fails if its console has an error, or if it asked another host.
    """
    tab.set_viewport_size({"width": 1300, "height": 900})
    tab.emulate_media(media="null", color_scheme="null")
    tab.requests, errors = [], []
    listeners = {
        "request": lambda request: tab.requests.append(request.url),
        "console": lambda m: m.type == "error" and errors.append(f"{m.text} {m.location}"),
        "pageerror": lambda error: errors.append(str(error)),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    yield tab
    tab.evaluate("localStorage.clear(), sessionStorage.clear()")
    tab.goto("about:blank")
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    known = (host, "data:", "blob:", "file:", "about:")
    errors += [f"asks {url}" for url in tab.requests if not url.startswith(known)]
    assert not errors, "\n".join(errors)


def open_until_quiet(page, address):
    """Open a page, and wait until it is loaded and asks for nothing more: either may come first."""
    page.goto(address)
    page.wait_for_load_state("networkidle")


@cache
def compressed_size(file):
    """Return the number of a file's bytes as a server sends it."""
    return len(gzip.compress(file.read_bytes()))


def weigh(page):
    """Return how many bytes a page has asked for, compressed."""
    paths = [urlsplit(url).path for url in page.requests if url.startswith("http")]
    return sum(compressed_size(SITE / unquote(path).lstrip("/")) for path in paths)


@cache
def parse(file):
    """Return a page without the spans that colour its code: four tags of five, and no test asks."""
    text = CODE_BLOCK.sub(lambda block: SPAN.sub("", block[0]), file.read_text(encoding="utf-8"))
    return BeautifulSoup(text, "html.parser")


@pytest.fixture(scope="module")
def documents():
    """The pages of site/ but the one for a wrong address, parsed, by their files."""
    files = set(SITE.resolve().rglob("*.html")) - {SITE.resolve() / "404.html"}
    return {file: parse(file) for file in sorted(files)}


def test_links_lead_to_a_place(documents):
    address = website(published_repository())
    ids = {file: {tag["id"] for tag in page.select("[id]")} for file, page in documents.items()}
    for file, document in documents.items():
        for link in document.select("a[href]"):
            target, fragment = map(unquote, urldefrag(link["href"]))
            if target.startswith(address):
                target = f"{SITE}/{target.removeprefix(address) or 'index.html'}"
            if urlsplit(target).scheme:
                continue
            target_file = (file.parent / target).resolve() if target else file
            link_of_page = f"{file.relative_to(SITE)}: {link['href']}"
            is_inside = target_file.is_relative_to(SITE) and target_file.is_file()
            assert is_inside, f"{link_of_page} leads nowhere"
            known_ids = ids.get(target_file, {fragment})
            assert not fragment or fragment in known_ids, f"{link_of_page}: no such place"
    front = documents[SITE.resolve() / "zh/index.html"]
    assert front.select("article a[href='glossary.html']"), "nothing leads to the glossary"


def test_a_wrong_address_leads_back():
    address = website(published_repository())
    not_found = BeautifulSoup((SITE / "404.html").read_bytes(), "html.parser")
    links = [link.get("href") for link in not_found.select("a, link, script, img")]
    assert links == [address, f"{address}zh/"]


def test_every_page_names_its_origin_and_shares_a_card(documents):
    for file, document in documents.items():
        name = file.relative_to(SITE)
        origin = document.select_one(".origin").text
        assert "MIT" in origin and "Raschka" in origin, f"{name} has no licence or origin"
        card = {tag["property"]: tag["content"] for tag in document.select("meta[property]")}
        if card:
            assert card["og:description"][-1] in ".?。？", f"{name} breaks off"
            picture = SITE / card["og:image"].removeprefix(website(published_repository()))
            assert picture.suffix == ".png" and picture.is_file(), f"{name} shows {picture}"


@pytest.mark.parametrize(("name", "notebook"), PAGES.items(), ids=PAGES)
def test_page_of_notebook(name, notebook, documents):
    """A page has all pictures, each with its words, and leads to Colab, a download, its twin."""
    file = SITE.resolve() / f"{name}.html"
    document = documents[file]
    pictures = document.select("article img")
    wanted = len(notebook.diagrams) + sum(len(plots(cell)) for cell in notebook.code_cells)
    assert len(pictures) == wanted, "not all pictures"
    for picture in pictures:
        assert (file.parent / unquote(picture["src"])).is_file(), f"no {picture['src']}"
        assert len(picture["alt"]) > 5 and "_images" not in picture["alt"], picture["alt"]
    colab, download, twin = (link["href"] for link in document.select(".course-links a"))
    assert colab.endswith(f"/blob/main/{notebook}")
    stored = notebook.path.read_text(encoding="utf-8")
    stored = replace_repository(stored, stored_repository(), published_repository())
    assert (file.parent / download).read_text(encoding="utf-8") == stored
    twin_name = notebook.twin.path.relative_to(FOLDER).with_suffix(".html")
    assert (file.parent / twin).resolve() == SITE.resolve() / twin_name
    sitemap = (SITE / ("zh" if notebook.is_chinese else "") / "sitemap.xml").read_text()
    assert f"/{name}.html</loc>" in sitemap


@pytest.mark.parametrize(("name", "width", "scheme"), KINDS)
def test_kind_of_page(name, width, scheme, page):
    """A page is light, passes axe-core, prints on white, and fits a window and a phone."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    open_until_quiet(page, f"{name}.html")
    weight = weigh(page)
    assert weight < 600_000, f"{name} weighs {weight} bytes, compressed"
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"web-{name.replace('/', '-')}-{width}.png")
    page.evaluate(THIN_OUT_COLORS)
    axe = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]}).response
    violations = [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in axe["violations"]
        for node in violation["nodes"]
    ]
    assert not violations, "\n".join(violations[:20])
    page.emulate_media(media="print")
    # Chromium tells the page of the new medium a moment later.
    white = expect(page.locator("body"), f"{name} prints on a dark page")
    white.to_have_css("background-color", "rgb(255, 255, 255)")
    for title in page.locator("#jb-print-docs-body h1").all():
        expect(title).to_have_css("text-align", "left")
        text = page.locator("article p:visible").first
        assert title.bounding_box()["x"] == text.bounding_box()["x"], "the title stands out"
    page.set_viewport_size({"width": 794, "height": 1123})
    article = page.locator(".bd-content").bounding_box()
    assert article["x"] == 794 - article["x"] - article["width"], "a margin is wider than the other"
    expect(page.locator(".exhibit button:visible, .start:visible")).to_have_count(0)
    page.emulate_media(media="screen")
    for width in (1300, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        excess = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert excess <= 0, f"{name} is {excess} pixels wider than a window of {width}"


@pytest.mark.parametrize("name", ["index", LOOKUP_PAGE])
def test_a_finger_has_44_pixels(name, page):
    """On a phone, what is pressed is as high as a finger."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{name}.html")
    assert page.evaluate("matchMedia('(pointer: coarse)').matches")
    pressed = ".bd-header-article button, .start a, .exhibit button, article summary"
    heights = page.locator(pressed).evaluate_all("all => all.map(e => e.offsetHeight)")
    assert min(height for height in heights if height) >= 44


@pytest.mark.parametrize("folder", ["", "zh/"])
@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_a_list_closes_once_its_link_is_pressed(side, folder, page):
    """On a phone, the part or the page that it leads to is seen, not covered."""
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{folder}{LOOKUP_PAGE}.html")
    page.locator(f".{side}-toggle").tap()
    drawer = page.locator(f"#pst-{side}-sidebar-modal")
    drawer.locator("nav a[href^='#']").last.tap()  # on the left, this page's own
    expect(drawer).to_be_hidden()
    heading = page.locator("article h1" if side == "primary" else ":target > h2")
    expect(heading).to_be_in_viewport()


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_title_breaks_between_words(width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{LOOKUP_PAGE}.html")
    word = page.locator("article h1 span", has_text="look-up")
    assert word.evaluate("e => e.getClientRects().length") == 1


@pytest.mark.parametrize("width", [700, 768])
def test_a_picture_stands_beside_its_text(width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("index.html")
    card = page.locator(".chapter").first
    picture, text = card.locator("img").bounding_box(), card.locator("p").first.bounding_box()
    assert picture["x"] + picture["width"] <= text["x"]


@pytest.mark.parametrize("name", ["zh/index", f"zh/{LOOKUP_PAGE}", "zh/search"])
def test_chinese_around_the_text(name, page):
    """The theme's words on a Chinese page, for a screen reader too, are Chinese."""
    page.goto(f"{name}.html" + "?q=嵌入" * (name == "zh/search"))
    if name == "zh/search":
        page.locator(".pagefind-ui__result-link").first.wait_for()
    words = page.evaluate(WORDS_OF_THEME)
    foreign = {text for text in words if re.fullmatch(r"(?=.*[A-Za-z]{3})[ -~]*", text)}
    assert foreign <= PROPER_NAMES, f"{name}: {foreign - PROPER_NAMES} are not Chinese"


@pytest.mark.parametrize("name", ["primary-toggle", "theme-switch-button"])
def test_a_tooltip_is_chinese(name, page):
    open_until_quiet(page, f"zh/{LOOKUP_PAGE}.html")
    page.locator(f".{name}:visible").hover()
    expect(page.locator(".tooltip")).to_have_text(re.compile("^[\u4e00-\u9fff]+$"))


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("weight tying", "tying"),
        ("embedding", "lookup"),
        ("what is an embedding", "lookup"),
        ("gradient", "gradients"),
        ("padding", "bags"),
        ("padding", "lookup"),
        ("mean pooling", "bags"),
        ("softmax", "training"),
        ("one-hot", "one_hot"),
        ("positional encoding", "positions"),
        ("index out of range in self", "lookup"),
        ("学习率", "training"),
        ("过拟合", "training"),
        ("批次", "lookup"),
        ("词元", "lookup"),
        ("填充", "lookup"),
        ("类比", "words"),
        ("嵌入层和线性层的区别", "one_hot"),
        ("词向量", "words"),
        ("嵌入表", "lookup"),
        ("嵌入层", "lookup"),
        ("线性层", "one_hot"),
        ("优化器", "optimizers"),
        ("位置编码", "positions"),
        ("独热向量", "one_hot"),
        ("掩码", "limits"),
        ("张量并行", "sharding"),
        ("权重共享", "tying"),
        ("one hot encoding memory", "cost"),
        ("is the embedding layer trainable", "lookup"),
        ("freeze part of the rows", "optimizers"),
        ("one-hot 太慢", "cost"),
        ("one-hot 编码占内存", "cost"),
        ("冻结部分行", "optimizers"),
        ("embedding 是什么", "lookup"),
        ("embedding 层", "lookup"),
        ("嵌入曾", "lookup"),
    ],
)
def test_search(words, topic, page):
    """What people type finds its chapter among the first hits, and there the parts with it."""
    is_english = words.isascii()
    chapter = TOPICS[topic] if is_english else TOPICS[topic].twin
    page.goto(f"{'' if is_english else 'zh/'}search.html?q={words}")
    hits = page.locator(".pagefind-ui__result")
    hits.first.wait_for()
    expect(page.locator(".pagefind-ui__loading")).to_have_count(0)
    first_titles = [hit.inner_text().partition("\n")[0] for hit in hits.all()[:3]]
    assert chapter.title in first_titles, first_titles
    hit = hits.filter(has_text=chapter.title).first
    expect(hit.locator("mark").first).to_be_visible()
    part = hit.locator(".pagefind-ui__result-nested a").first
    expect(part).to_have_attribute("href", re.compile(f"{chapter.path.stem}.html#.+-heading$"))
    search_words = chapter.cell("title").metadata.search_words[chapter.edition.language]
    excerpt = hit.locator(".pagefind-ui__result-excerpt").first
    expect(excerpt).not_to_contain_text(search_words[:20])


@pytest.mark.parametrize(
    ("words", "topic"),
    [("embedding", "lookup"), ("embedding layer", "lookup"), ("weight_decay", "optimizers")],
)
def test_search_for_english_words_on_chinese_pages(words, topic, page):
    page.goto(f"zh/search.html?q={words}")
    first = page.locator(".pagefind-ui__result").first
    expect(first).to_contain_text(TOPICS[topic].twin.title)


@pytest.mark.parametrize(
    ("words", "page_name"),
    [
        ("how big should my embedding dimension be", "notes/06_width"),
        ("gradient accumulation duplicate indices", "05_gradients"),
        ("F.one_hot must be int64", "notes/10_number_types"),
        ("can I use a float as an index", "notes/10_number_types"),
        ("nn.Embedding vs nn.Linear", "02_one_hot"),
        ("为什么 loss 不下降", "zh/06_training"),
        ("softmax 采样", "zh/06_training"),
    ],
)
def test_a_question_finds_pages_with_some_of_its_words(words, page_name, page):
    folder = "zh/" if page_name.startswith("zh/") else ""
    page.goto(f"{folder}search.html?q={words}")
    hits = page.locator(".pagefind-ui__result")
    hits.nth(2).locator("a").first.wait_for()
    addresses = [hit.locator("a").first.get_attribute("href") for hit in hits.all()[:3]]
    assert any(f"/{page_name}.html" in address for address in addresses), addresses


@pytest.mark.parametrize(
    ("words", "page_name"),
    [
        ("预训练词向量", "zh/notes/02_swapping"),
        ("多义词", "zh/07_words"),
        ("损失不下降", "zh/06_training"),
        ("参数量", "zh/15_memory"),
        ("怎么安装", "zh/index"),
        ("术语", "zh/glossary"),
        ("install", "index"),
        ("matmul", "02_one_hot"),
        ("huggingface", "notes/13_new_token"),
        ("glove", "07_words"),
        ("how big should embedding dimension be", "notes/06_width"),
        ("IndexError: index out of range in self", "01_lookup"),
        ("rotary", "notes/11_context"),
        ("sinusoidal", "11_positions"),
        ("scatter-add", "zh/05_gradients"),
        ("嵌入层 和 线性层", "zh/02_one_hot"),
        ("ｏｎｅ－ｈｏｔ", "02_one_hot"),
        ("ｐａｄｄｉｎｇ", "zh/notes/01_gaps"),
        ("预训练", "zh/notes/02_swapping"),
        ("罕见词", "zh/notes/09_rare_words"),
        ("weight sharing", "12_tying"),
        ("shared weights", "12_tying"),
        ("weight sharing", "zh/12_tying"),
        ("collisions", "15_memory"),
        ("hash collision", "15_memory"),
        ("哈希碰撞", "zh/notes/08_unseen"),
        ("skip-gram", "07_words"),
        ("skip-gram", "zh/07_words"),
        ("下标越界", "zh/01_lookup"),
        ("how do I add a new token", "notes/13_new_token"),
        ("添加一个新词元", "zh/notes/13_new_token"),
        ("frozen", "09_optimizers"),
        ("冻结", "zh/09_optimizers"),
        ("momentum", "09_optimizers"),
        ("动量", "zh/09_optimizers"),
        ("gradient of zero", "09_optimizers"),
        ("梯度为零", "zh/09_optimizers"),
    ],
)
def test_the_first_hit(words, page_name, page):
    """It holds the words in its title, or is named by them in its search words."""
    page.goto(f"{'zh/' if page_name.startswith('zh/') else ''}search.html?q={words}")
    first = page.locator(".pagefind-ui__result a").first
    address = f"/{page_name}.html".replace("index.html", "$")
    expect(first).to_have_attribute("href", re.compile(address))
    expect(page.locator("#told")).to_have_text("")


@pytest.mark.parametrize(
    ("words", "mended_words", "page_name"),
    [
        ("graident", "gradient", "05_gradients"),
        ("dimention", "dimension", "notes/06_width"),
        ("weigth tying", "weight tying", "12_tying"),
        ("lerning rate", "learning rate", "06_training"),
        ("scater add", "scatter add", "05_gradients"),
        ("mean poling", "mean pooling", "08_bags"),
        ("embbeding layer", "embedding layer", "01_lookup"),
        ("graident accumulation", "gradient accumulation", "notes/05_low_precision"),
        ("embbeding 层", "嵌入层", "zh/01_lookup"),
    ],
)
def test_a_slip_is_mended(words, mended_words, page_name, page):
    """The word is mended where it stands among others, and the page says so."""
    page.goto(f"{'zh/' if page_name.startswith('zh/') else ''}search.html?q={words}")
    first = page.locator(".pagefind-ui__result a").first
    expect(first).to_have_attribute("href", re.compile(f"/{page_name}.html"))
    expect(page.locator("#told")).to_contain_text(f"“{mended_words}”")


def test_an_excerpt_prefers_sentences(page):
    """A part is shown by its text rather than by its code; what stands in code alone is found."""
    page.goto("search.html?q=padding")
    hit = page.locator(".pagefind-ui__result", has=page.locator('a[href*="01_gaps.html"]'))
    excerpt = hit.locator(".pagefind-ui__result-nested .pagefind-ui__result-excerpt").first
    expect(excerpt).to_contain_text("padding")
    expect(excerpt).not_to_contain_text("print(")
    page.goto("search.html?q=manual_seed")
    expect(page.locator(".pagefind-ui__result mark", has_text="manual_seed").first).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_hits_fit_a_phone(width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("search.html?q=weight tying")
    page.locator(".pagefind-ui__result").nth(4).locator("mark").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_who_comes_back_to_a_search_finds_its_results(page):
    page.goto("search.html")
    page.locator("#search input").fill("padding_idx")
    page.locator(".pagefind-ui__result a").first.click()
    page.wait_for_url("**/*.html*")
    page.go_back()
    expect(page.locator("#search input")).to_have_value("padding_idx")
    expect(page.locator(".pagefind-ui__result").first).to_be_visible()


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_an_empty_field_has_no_message(folder, page):
    page.goto(f"{folder}search.html?q=asdfghjkl")
    told = page.locator("#told")
    expect(told).to_be_visible()
    page.locator("#search input").fill("")
    expect(told).to_be_hidden()
    page.locator("#search input").fill("asdfghjkl")
    expect(told).to_be_visible()
    page.locator(".pagefind-ui__search-clear").click()
    expect(told).to_be_hidden()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("torch.compile", "No page has all of these"),
        ("mixture of experts", "No page has all of these"),
        ("weigth decay", "No page has “weigth”; these are results for “weight decay”."),
        ("negative sampling", "No page has these two words side by side"),
        ("zh/负采样", "没有一页包含全部这些词"),
    ],
)
def test_that_no_page_has_all_words_is_told(words, message, page):
    folder, _, words = words.rpartition("/")
    page.goto(f"{folder}/search.html?q={words}")
    page.locator(".pagefind-ui__result").first.wait_for()
    told = page.locator("#told")
    expect(told).to_have_text(re.compile(f"^{message}"))
    box = page.locator("#search input").bounding_box()
    hit = page.locator(".pagefind-ui__result").first.bounding_box()
    line = told.bounding_box()
    assert box["y"] + box["height"] <= line["y"], "it covers the field"
    assert line["y"] + line["height"] <= hit["y"], "it covers a hit"


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("kubernetes", True),
        ("dropout", True),
        ("t-SNE", True),
        ("embeding", False),
        ("category", False),
        ("vocabs", False),
        ("how do I freeze a row", False),
    ],
)
def test_a_word_that_no_page_has_is_told(words, is_told, page):
    """Pagefind then brings pages with the same first letter."""
    page.goto(f"search.html?q={words}")
    hits = page.locator(".pagefind-ui__result")
    if is_told:
        expect(page.locator("#told")).to_have_text(re.compile("^No page has that"))
        expect(hits).to_have_count(0)
    else:
        expect(hits.first).to_be_visible()
        expect(page.locator("#told")).to_be_hidden()


@pytest.mark.parametrize("words", ["乱七八糟", "哈哈哈", "天气预报", "qwerty"])
def test_nonsense_finds_nothing_in_chinese(words, page):
    """Pagefind then brings pages that have some of the characters."""
    page.goto(f"zh/search.html?q={words}")
    expect(page.locator("#told")).to_have_text("没有找到。换一个词，或者只输入开头。")
    expect(page.locator(".pagefind-ui__result")).to_have_count(0)


def test_a_term_of_the_glossary_is_one_word(page):
    """Pagefind cuts many of them, some into single characters, as it does nonsense."""
    rows = parse(SITE.resolve() / "zh/glossary.html").select("tbody tr")
    terms = {re.split("[（、]", row.td.text)[0] for row in rows}
    page.goto("zh/search.html")
    page.evaluate("import('../pagefind/any/pagefind.js').then(p => (window.p = p).options({}))")
    search = """term => p.search(term).then(({results}) => Promise.all(results.map(result =>
      result.data().then(({meta, content}) => [meta.title, meta.words, content].join()))))"""
    for term in sorted(terms):
        pages = [text.replace("\u200b", "") for text in page.evaluate(search, term)]
        assert pages, f"{term}: no page"
        if re.fullmatch("[\u4e00-\u9fff]+", term):
            assert all(term in text for text in pages), f"{term}: a page has only its parts"
    assert len(terms) > 50


@pytest.mark.parametrize(
    ("folder", "words", "message"),
    [
        ("", "梯度", "No page has that. Search the Chinese edition for “梯度”"),
        ("", "词向量", "No page has that. Search the Chinese edition for “词向量”"),
        ("zh/", "walkthrough", "没有找到。在英文版里搜索“walkthrough”"),
    ],
)
def test_words_of_the_other_language_lead_there(folder, words, message, page):
    page.goto(f"{folder}search.html?q={words}")
    told = page.locator("#told")
    expect(told).to_have_text(message)
    told.get_by_role("link").click()
    page.wait_for_url(f"**{'zh' * (not folder)}/search.html?q=*")
    expect(page.locator("#search input")).to_have_value(words)
    expect(page.locator(".pagefind-ui__result").first).to_be_visible()


@pytest.mark.parametrize(
    "spellings",
    [
        ("colour", "color"),
        ("grey", "gray"),
        ("color names", "colour names"),
        ("優化器", "优化器"),
        ("詞向量", "词向量"),
        ("嵌入層", "嵌入层"),
    ],
)
def test_both_spellings_find_the_same_pages(spellings, page):
    found = []
    for words in spellings:
        page.goto(f"{'' if words.isascii() else 'zh/'}search.html?q={words}")
        count = page.locator(".pagefind-ui__message")
        expect(count).to_have_text(re.compile(r"^(找到 )?\d+ "))
        expect(page.locator(".pagefind-ui__loading")).to_have_count(0)
        expect(page.locator("#told")).to_be_hidden()
        found.append(
            (re.search(r"\d+", count.inner_text())[0], page.locator(TITLES).all_inner_texts())
        )
    assert found[0] == found[1] and int(found[0][0]) > 5, found


@pytest.mark.parametrize("words", ["one hot encoding memory", "mean pooling", "冻结部分行"])
def test_the_page_for_teachers_comes_last(words, page):
    page.goto(f"{'' if words.isascii() else 'zh/'}search.html?q={words}")
    hits = page.locator(".pagefind-ui__result")
    hits.nth(2).locator("a").first.wait_for()
    addresses = [hit.locator("a").first.get_attribute("href") for hit in hits.all()[:3]]
    assert not any("teaching" in address for address in addresses), addresses


@pytest.mark.parametrize(
    ("name", "command"), [("index", "make lab"), ("zh/index", "make lab IN=zh")]
)
def test_the_front_page_says_how_to_run_the_course(name, command, documents):
    document = documents[SITE.resolve() / f"{name}.html"]
    [heading] = document.select("article h2:-soup-contains('own computer', '自己的电脑')")
    anchor = heading.parent["id"]
    assert len(document.select(f"article a[href='#{anchor}']:not(.headerlink)")) == 2
    assert heading.parent.pre.text.splitlines()[-1] == command


def test_no_page_says_how_to_run_a_cell(documents):
    """Nothing runs there; the exercises lead to Colab."""
    for file, document in documents.items():
        for text in document.select("article :is(p, li)"):
            assert "Shift-Enter" not in text.text, (file, text.text)


def test_parts_stand_in_both_languages(documents):
    """The levels of the headings, by which one language leads to the other."""
    levels = {
        file.relative_to(SITE.resolve()).as_posix(): [
            span.find_next_sibling().name for span in page.select("[id^=part-]")
        ]
        for file, page in documents.items()
    }
    for name in levels:
        if not name.startswith(("zh/", "pagefind/")):
            assert levels[name] == levels[f"zh/{name}"], name


def test_a_fold_is_called_what_stands_on_it(documents):
    for file, document in documents.items():
        for summary in document.select("article summary"):
            assert summary.text.strip() and not summary.has_attr("aria-label"), (file, summary)


def test_one_fold_covers_an_answer(documents):
    """And what is printed above an answer is folded, too, under the same words."""
    count = 0
    for file, document in documents.items():
        for answer in document.select("details.answer"):
            count += 1
            after = answer.find_next_sibling()
            assert not (after and after.name == "details" and "answer" in after["class"]), file
            above = answer.find_previous_sibling()
            if above.select(".cell_output"):
                fold = above.select_one(".below-input")
                assert fold, f"{file}: an answer stands open above its fold"
                labels = {text.strip() for text in fold.summary.stripped_strings}
                assert labels == set(answer.summary.stripped_strings), (file, labels)
    assert count > 20


@pytest.mark.parametrize(
    ("topic", "heading"),
    [
        ("lookup", "D is appended to the shape of the IDs"),
        ("positions", "Two look-ups and a sum are one nn.Linear"),
        ("sharding", "The table is cut; its gradient is not"),
    ],
)
def test_no_heading_beside_a_question_answers_it(topic, heading, documents):
    """Neither on the page nor in its list of parts; in the notebook it does."""
    assert heading in TOPICS[topic].path.read_text(encoding="utf-8").replace("`", "")
    document = documents[SITE.resolve() / f"{TOPICS[topic].path.stem}.html"]
    assert all(heading not in tag.text for tag in document.select("h2, nav a"))


def test_an_answer_opens_with_its_output(page):
    page.goto(f"{TOPICS['one_hot'].path.stem}.html")
    output = page.locator(".cell:has(+ .answer) .below-input")
    label_places = set()
    for is_open in (True, False):
        output.locator("summary").click()
        expect(page.locator(".answer")).to_have_js_property("open", is_open)
        label_places.add(output.locator("summary > p:visible").bounding_box()["x"])
    assert len(label_places) == 1, "what is pressed moves"


# Whether an element that has the focus, or the one in it, shows it.
SHOWS_FOCUS = """[document.activeElement, document.activeElement.firstElementChild].some(e => {
  const style = e && getComputedStyle(e);
  return style && (style.outlineStyle !== "none" || style.boxShadow !== "none");
})"""


@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("name", ["index", f"zh/{LOOKUP_PAGE}"])
def test_what_has_the_focus_shows_it(name, width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{name}.html")
    for _ in range(50):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.outerHTML")
        assert page.evaluate(SHOWS_FOCUS), focused


@pytest.mark.parametrize("fragment", ["", "#try-it"])
def test_the_other_language_opens_at_the_same_part(fragment, page):
    open_until_quiet(page, f"{LOOKUP_PAGE}.html{fragment}")
    part = fragment or "#one-id-in-one-row-out"
    page.evaluate(f"document.querySelector('{part}').scrollIntoView({{behavior: 'instant'}})")
    index = "of => [...document.querySelectorAll('article h2')].findIndex(h => h.matches(of))"
    number = page.evaluate(index, f"{part} > h2")
    page.get_by_role("link", name="中文", exact=True).dispatch_event("click")
    page.wait_for_url("**/zh/**")
    expect(page.locator(":target + h2")).to_be_in_viewport()
    assert page.evaluate(index, ":target + h2") == number > 0


def test_the_search_box_shows_the_first_letter(page):
    page.goto(f"{LOOKUP_PAGE}.html")
    page.keyboard.press("Control+k")
    icon = page.locator("dialog .bd-search i, dialog .bd-search svg").first.bounding_box()
    box = page.locator("dialog .bd-search input")
    padding = box.evaluate("input => parseFloat(getComputedStyle(input).paddingLeft)")
    assert box.bounding_box()["x"] + padding > icon["x"] + icon["width"]


@pytest.mark.parametrize(
    ("name", "words", "page_name", "message"),
    [
        (
            "index",
            "graident",
            "05_gradients",
            "No page has “graident”; these are results for “gradient”.",
        ),
        ("index", "embeding", "01_lookup", ""),
        ("zh/notes/01_gaps", "梯度", "zh/05_gradients", ""),
        (
            "zh/index",
            "embeding",
            "zh/01_lookup",
            "没有一页用到“embeding”；下面是“嵌入”的结果。",
        ),
    ],
)
def test_the_search_box_shows_results_as_one_types(name, words, page_name, message, page):
    """Its index is loaded once it is opened; Tab reaches the hits, and Enter all of them."""
    page.set_viewport_size({"width": 390, "height": 900})
    open_until_quiet(page, f"{name}.html")
    page.requests.clear()
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    box = page.get_by_role("dialog")
    first = box.locator("li a").first
    expect(first).to_have_attribute("href", re.compile(f"^/{page_name}.html"))
    expect(first.locator("mark").first).to_be_visible()
    expect(box.get_by_role("status")).to_have_text(message)
    assert min(box.locator("li a").evaluate_all("all => all.map(e => e.offsetHeight)")) >= 44
    assert weigh(page) < 300_000, f"{weigh(page)} bytes, compressed"
    violations = Axe().run(page, "dialog", {"preload": False}).response["violations"]
    assert not violations, violations
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{page_name}.html*")
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    expect(box.locator("li a").last).to_have_text(re.compile(r"^(All|全部) \d+"))
    page.keyboard.press("Enter")
    hit = page.locator(".pagefind-ui__result a").first
    expect(hit).to_have_attribute("href", f"/{page_name}.html")


@pytest.mark.parametrize(
    ("words", "hit"),
    [
        ("weight tying", "12_tying.html#.+-heading"),
        ("sinusoidal", "11_positions.html"),
        ("learning rate", "06_training.html#two-numbers-.+-heading"),
        ("index out of range in self", "01_lookup.html#three-inputs-.+-heading"),
        ("IndexError: index out of range in self", "01_lookup.html#three-inputs-.+-heading"),
        ("学习率", "zh/06_training.html#id4-heading"),
    ],
)
def test_the_search_box_leads_to_a_part(words, hit, page):
    """What stands on a page side by side is found there, not its pieces above.

    What only a page's search words have leads to its top, under its first sentence.
    """
    page.goto("12_tying.html" if words.isascii() else "zh/12_tying.html")
    page.keyboard.press("Control+k")
    page.keyboard.insert_text(words)
    first = page.get_by_role("dialog").locator("li a").first
    expect(first).to_have_attribute("href", re.compile(f"^/{hit}$"))
    expect(first.locator("span")).not_to_be_empty()
    first.click()
    heading = ":target" if "#" in hit else "h1"
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(f"article {heading}")).to_be_in_viewport()


def test_keys_move_through_the_search_box(page):
    page.goto(f"{LOOKUP_PAGE}.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("gradient")
    box = page.get_by_role("dialog")
    hits = box.locator("li a")
    hits.nth(1).wait_for()
    stops = (hits.nth(0), hits.nth(1), hits.nth(0), box.locator("input"))
    for key, stop in zip(("Down", "Down", "Up", "Up"), stops, strict=True):
        page.keyboard.press(f"Arrow{key}")
        expect(stop).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/05_gradients.html*")


@pytest.mark.parametrize("name", [LOOKUP_PAGE, "search"])
def test_offline_the_search_says_so(name, page):
    page.goto((SITE / f"{name}.html").as_uri())
    page.keyboard.press("Control+k")
    sentence = page.get_by_text("The search works on the website, not in the copy to read offline.")
    expect(sentence).to_be_visible()
    if name != "search":  # it lies over the page
        expect(sentence).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_the_search_page_has_one_field(page):
    page.goto("search.html?q=padding")
    field = page.locator("#search input")
    page.get_by_role("button", name="Search").first.click()
    expect(field).to_be_focused()
    page.keyboard.type("tying")
    expect(page.locator(".pagefind-ui__result").first).to_contain_text("12 ·")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("chapter", [LOOKUP, LOOKUP.twin], ids=str)
def test_code(chapter, page):
    """A button copies code alone; folded code, guesses and solutions open."""
    page.goto(f"{'zh/' * chapter.is_chinese}{LOOKUP_PAGE}.html")
    first = page.locator("div.cell_input").first
    first.hover()
    first.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == chapter.code_cells[0].source.strip()
    assert not page.locator("div.cell_output button.copybtn").count(), "outputs have buttons too"
    colab = page.locator("article a[href*=colab]", has_text="Colab")
    expect(colab, "nothing says where the exercises run").to_have_count(1)
    block = page.locator("div.cell_input pre").first
    block.evaluate("block => block.textContent = 'x'.repeat(88)")
    excess = block.evaluate("block => block.scrollWidth - block.clientWidth")
    assert excess <= 0, f"a line of 88 characters is {excess} pixels wider than its column"
    expect(page.locator(".opens:not([data-hint$=' ⤢'])")).to_have_count(0)
    answer = page.locator("details.answer p").first
    expect(answer, "the output is folded, and the text says it").to_be_hidden()
    solution = page.locator("details:not(.hide, .answer)", has=page.locator("pre"))
    for folded in (solution, *map(page.locator, ("details.above-input", "details.below-input"))):
        expect(folded.first.locator("pre").first).to_be_hidden()
        folded.first.locator("summary").click()
        expect(folded.first.locator("pre").first).to_be_visible()
    expect(answer).to_be_visible()


# Of each line of code that is wrapped: its indent, and where its parts begin, in letters.
WRAPPED_LINES = """[...document.querySelectorAll("div.cell_input .line")].map(line => {
  const range = document.createRange();
  range.selectNodeContents(line);
  const parts = [...range.getClientRects()].filter(box => box.width);
  const below = parts.find(box => box.top > parts[0].bottom - 2);
  const indent = +line.style.getPropertyValue("--indent");
  const letter = parseFloat(getComputedStyle(line).paddingLeft) / (2 + indent);
  const left = line.getBoundingClientRect().left;
  return below && [indent, (parts[0].left - left) / letter, (below.left - left) / letter];
}).filter(Boolean)"""


def test_a_long_line_of_code_goes_on_under_its_start(page):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{COST.path.stem}.html")
    wrapped = page.evaluate(WRAPPED_LINES)
    assert len(wrapped) > 5 and max(indent for indent, _, _ in wrapped) >= 4
    for indent, start, second_start in wrapped:
        assert (round(start), round(second_start)) == (0, indent + 2)


# The lines of code that go on, below, within a word.
TORN_LINES = r"""[...document.querySelectorAll("div.cell_input .line")].filter(line => {
  const letters = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let above;
  for (let node = letters.nextNode(); node; node = letters.nextNode())
    for (let i = 0; i < node.data.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const [box] = range.getClientRects();
      const here = box?.width && {letter: node.data[i], bottom: box.bottom};
      if (here && above && box.top > above.bottom - 3 && /^\w\w$/.test(above.letter + here.letter))
        return true;
      above = here;
    }
}).map(line => line.textContent)"""


@pytest.mark.parametrize("topic", ["one_hot", "bags", "memory"])
def test_a_line_of_code_breaks_between_words(topic, page):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{TOPICS[topic].path.stem}.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert page.evaluate(TORN_LINES) == []


# Where the first row of five numbers in each output ends in the window, and its letters' size.
ENDS_OF_ROWS = r"""[...document.querySelectorAll(".cell_output pre")].flatMap(output => {
  const row = /\[( *-?\d\.\d{4},?){5}\]/.exec(output.textContent);
  if (!row) return [];
  const range = document.createRange();
  range.setStart(output.lastChild, row.index);
  range.setEnd(output.lastChild, row.index + row[0].length);
  return [[range.getBoundingClientRect().right, parseFloat(getComputedStyle(output).fontSize)]];
})"""


@pytest.mark.parametrize("topic", ["lookup", "one_hot"])
@pytest.mark.parametrize("width", [360, 375, 390])
def test_a_phone_shows_a_whole_row_of_the_table(width, topic, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{TOPICS[topic].path.stem}.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    rows = page.evaluate(ENDS_OF_ROWS)
    assert len(rows) >= 3
    for end, pixels in rows:
        assert end <= width and pixels >= 10.5
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 1280])
def test_the_edge_of_a_wide_output_is_shaded(width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{TOPICS['words'].path.stem}.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    wide = "all => all.map(e => e.scrollWidth > e.clientWidth)"
    outputs = page.locator(".cell_output pre")
    are_wide = outputs.evaluate_all(wide)
    assert any(are_wide) and not all(are_wide)
    for is_wide in (True, False):
        box = outputs.nth(are_wide.index(is_wide))
        box.scroll_into_view_if_needed()
        with Image.open(io.BytesIO(box.screenshot())) as image:
            inside, edge = (image.convert("L").getpixel((image.width - n, 2)) for n in (40, 4))
        assert (edge < inside - 20) == is_wide


def count_pixels(png, color):
    """Return how many pixels of a PNG have a colour, to one level of each channel."""
    with Image.open(io.BytesIO(png)) as image:
        counts = image.convert("RGB").getcolors(image.width * image.height)
    return sum(
        count
        for count, pixel in counts
        if all(abs(a - b) < 2 for a, b in zip(pixel, color, strict=True))
    )


def test_picture(page):
    """By night a picture is dimmed, no more; on a phone a tap or a key opens and closes it."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{MIXING_PAGE}.html")
    plot = page.locator("div.cell_output img").first
    assert plot.bounding_box()["width"] > 389
    dimmed = tuple(round(0.85 * channel) for channel in RED)
    assert count_pixels(plot.screenshot(), dimmed) > 1000, "its red is not the dimmed one"
    opened = page.locator("dialog.full-size")
    for open_picture, close_picture in (
        (plot.tap, opened.locator("img").tap),
        (lambda: page.keyboard.press("Enter"), lambda: page.keyboard.press("Escape")),
    ):
        open_picture()
        expect(opened).to_be_visible()  # before, its empty picture is complete, too
        expect(opened.locator("img")).to_have_js_property("complete", True)
        box = opened.locator("img").bounding_box()
        assert min(box["x"], box["y"]) >= 0 and box["x"] + box["width"] <= 390, f"off-screen: {box}"
        assert 800 < box["y"] + box["height"] < 850, f"not as long as the window: {box}"
        edge = page.screenshot(clip={"x": 0, "y": 880, "width": 390, "height": 20})
        assert not count_pixels(edge, (255, 255, 255)), "a white edge by night"
        close_picture()
        expect(opened).to_be_hidden()


def decimals_in(text):
    """Return the numbers with decimals in a text, as PyTorch prints them."""
    return re.findall(r"-?\d+\.\d+", text.replace("−", "-"))


@pytest.mark.parametrize("name", ["index", "zh/index", f"zh/{BAGS_PAGE}"])
@pytest.mark.parametrize("width", [390, 768, 1300])
def test_nothing_jumps_as_an_exhibit_comes(name, width, page):
    page.set_viewport_size({"width": width, "height": 1000})
    open_until_quiet(page, f"{name}.html")
    assert page.evaluate("layoutShift") < 0.02


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_look_up(folder, page):
    """IDs fetch the rows that the notebook printed, and so does the product, zeros counted."""
    page.goto(f"{folder}index.html")
    exhibit = page.locator("[data-exhibit=look_up]")
    printed_rows = decimals_in(printed_text(LOOKUP.cell("look-up-all")))
    for result in (exhibit.locator(".matrix").nth(1), exhibit.locator(".matrix").last):
        assert decimals_in(result.inner_text()) == printed_rows
    counts = exhibit.locator(".count b")
    expect(counts.last, "the proof is under the fold").to_be_in_viewport()
    printed_counts = re.findall(r"\d+", printed_text(COST.cell("products")))
    assert counts.all_inner_texts() == ["0", *printed_counts] == ["0", "60", "45"]
    exhibit.locator("input").fill("1")
    printed_row = decimals_in(printed_text(LOOKUP.cell("look-up-one")))
    assert decimals_in(exhibit.locator(".matrix").last.inner_text()) == printed_row
    below = exhibit.locator(".stage")
    top, height = below.bounding_box()["y"], exhibit.bounding_box()["height"]
    replies = [
        ("４；-1", "4(, |、)−1"),
        ("1.0", "1.0.* whole numbers, 0 to 3|1.0.* 0 到 3 的整数"),
        ("+1", "no row \\+1: .* whole|\\+1.*整数"),
        ("torch tensor", "no rows “torch”|“torch”"),
        ("cat owl", "“owl”"),
        ("cats", "“cats”: the words are the, cat, sat, down|“cats”.* the、cat、sat、down"),
        ("猫", "“猫”"),
        ("2-3", "2-3"),
        ("cat! Cat? cat！ cat？", "^$"),
        ("01", "^$"),
    ]
    for ids, reply in [*replies, ("", "Choose|选")]:
        exhibit.locator("input").fill(ids)
        expect(exhibit.locator("[role=status]")).to_have_text(re.compile(reply))
        assert below.bounding_box()["y"] == top, "the message moves what is below it"
        assert exhibit.bounding_box()["height"] == height, "what is below the exhibit moves"
    assert decimals_in(exhibit.locator(".matrix").last.inner_text()) == printed_row
    exhibit.locator("input").fill("0 1 2 3 " * 3 + "0")
    assert counts.all_inner_texts() == ["0", f"{13 * 20}", f"{13 * 15}"], "not of all IDs"
    expect(exhibit.locator("[role=status]")).to_have_text(re.compile("all 13 are|全部 13 个"))
    exhibit.locator("input").fill("[2, 3, 1].")
    assert decimals_in(exhibit.locator(".matrix").last.inner_text()) == printed_rows


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_a_sign_stands_before_its_matrix(folder, page):
    page.goto(f"{folder}index.html")
    for width in (320, 360, 390, 430):
        page.set_viewport_size({"width": width, "height": 900})
        for sign in page.locator("[data-exhibit=look_up] .sign").all():
            sign_box = sign.bounding_box()
            matrix_box = sign.locator("xpath=following-sibling::*[1]").bounding_box()
            bottom = matrix_box["y"] + matrix_box["height"]
            assert matrix_box["y"] < sign_box["y"] < bottom, f"on another line at {width} px"


@pytest.mark.parametrize("name", ["index", "zh/index", MIXING_PAGE])
def test_mix(name, page):
    """0.6 and 0.4 make the notebook's orange; a key moves a slider, and nothing else."""
    page.goto(f"{name}.html")
    exhibit = page.locator("[data-exhibit=mix]")
    mixture, color = exhibit.locator(".total .vector"), exhibit.locator("figcaption strong")
    printed = printed_text(MIXING.cell("mix"))
    assert decimals_in(mixture.inner_text()) == decimals_in(printed)
    assert color.inner_text() == "orange" and "orange" in printed.splitlines()
    exhibit.get_by_label("yellow").focus()
    page.keyboard.press("Home")
    exhibit.get_by_label("red").focus()
    height = exhibit.bounding_box()["height"]
    page.keyboard.press("End")
    assert color.inner_text() == "red"
    assert exhibit.bounding_box()["height"] == height, "the exhibit jumps under the slider"


@pytest.mark.parametrize("name", ["index", "zh/index", MIXING_PAGE])
def test_the_mixture_stays_in_its_card(name, page):
    page.goto(f"{name}.html")
    for width in (320, 360, 390, 430, 768):
        page.set_viewport_size({"width": width, "height": 900})
        card = page.locator("[data-exhibit=mix]").bounding_box()
        vector = page.locator("[data-exhibit=mix] .total .vector").bounding_box()
        assert vector["x"] + vector["width"] <= card["x"] + card["width"] - 8, f"at {width} px"


@pytest.mark.parametrize("name", ["index", f"zh/{BAGS_PAGE}"])
def test_paint(name, page):
    """A name has the colour of the notebook's plot, to a level of 255, and its rows add up."""
    page.goto(f"{name}.html")
    exhibit = page.locator("[data-exhibit=paint]")
    [plot] = plots(BAGS.cell("wishes"))
    exhibit.locator("#exhibit-name").fill("very " * 6 + "green")
    expect(exhibit.locator("figcaption strong")).to_have_text("very × 6 green")
    for words, reply in REPLIES_TO_WORDS:
        exhibit.locator("#exhibit-name").fill(words)
        expect(exhibit.locator("[role=status]")).to_have_text(re.compile(reply))
    exhibit.locator("#exhibit-name").fill("constructor")  # of every object in JavaScript
    expect(exhibit.locator("figcaption strong")).to_have_text("constructor")
    for color_name in ("very dark green", "very pale blue purple"):
        exhibit.locator("#exhibit-name").fill(color_name)
        painted = exhibit.locator(".square").evaluate("e => getComputedStyle(e).backgroundColor")
        color = [int(level) for level in re.findall(r"\d+", painted)]
        png = base64.b64decode(plot.data["image/png"])
        assert count_pixels(png, color) > 5000, f"{color_name} is {color}, not as plotted"
        numbers = [float(text) for text in decimals_in(exhibit.locator(".steps").inner_text())]
        assert numbers.pop(3) == 1.5, "the strength of very"
        *rows, total = (numbers[i : i + 3] for i in range(0, len(numbers), 3))
        sums = [round(sum(column), 3) for column in zip(*rows, strict=True)]
        assert sums == total, f"{color_name}: to the eye, {sums}"


# Of each bar its number, its length, and the room it has.
WIDTHS_OF_BARS = """all => all.map(bar => [
  bar.textContent, parseFloat(getComputedStyle(bar, "::before").width), bar.clientWidth])"""


@pytest.mark.parametrize("words", ["pale rose", "very very very very light blue", "red yellow"])
def test_a_bar_is_as_long_as_its_number_says(words, page):
    page.goto("index.html")
    page.locator("#exhibit-name").fill(words)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        bars = page.locator("[data-exhibit=paint] .bar").evaluate_all(WIDTHS_OF_BARS)
        lengths = {float(text.replace("−", "-")): length for text, length, _ in bars}
        unit = max(lengths.values()) / max(map(abs, lengths))
        for number, length in lengths.items():
            assert abs(length - unit * abs(number)) < 1, f"{number} at {width} px"
        assert all(length < room / 2 for _, length, room in bars), f"cut off at {width} px"


@pytest.mark.parametrize("width", [390, 1300])
def test_paint_is_seen_while_words_are_picked(width, page):
    """Far down in the list of words, the square stands in the window, and a word can go back."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("index.html")
    exhibit = page.locator("[data-exhibit=paint]")
    exhibit.locator("summary").click()
    exhibit.get_by_role("button", name="pink", exact=True).click()
    assert exhibit.locator(".square").bounding_box()["y"] > 0, "the square is out of the window"
    expect(exhibit.locator("figcaption strong")).to_have_text("pale rose pink")
    exhibit.get_by_role("button", name="last word").click()
    expect(exhibit.locator("figcaption strong")).to_have_text("pale rose")
    for _ in range(20):
        exhibit.get_by_role("button", name="pink", exact=True).click()
    assert exhibit.locator("li").count() == 7, "not the last six and their sum"
    expect(exhibit.locator("[role=status]")).to_have_text(re.compile("^No room for another word"))
    shown_lines = "1" if width == 390 else "2"
    name = exhibit.locator("figcaption strong")
    expect(name).to_have_css("-webkit-line-clamp", shown_lines)


def test_style_sheets_name_files_that_are_there():
    """Whether a browser asks for a font depends on which style sheet comes first."""
    for sheet in SITE.rglob("*.css"):
        for address in re.findall(r"url\([\"']?([^)\"']+)", sheet.read_text(encoding="utf-8")):
            file = sheet.parent / unquote(urlsplit(address).path)
            assert address.startswith(("data:", "#")) or file.is_file(), f"{sheet}: {address}"


def test_without_script(browser, host):
    """Without JavaScript each exhibit is its picture, and each chapter has a card."""
    page = browser.new_page(base_url=host, java_script_enabled=False)
    page.goto("index.html")
    for exhibit in page.locator(".exhibit").all():
        expect(exhibit.locator("img")).to_be_visible()
    assert page.locator(".exhibit").count() == 3
    assert page.locator(".chapter").count() == len(TOPICS)
    notes = [notebook for notebook in english_notebooks() if notebook.is_note]
    assert page.locator(".chapter a", has_text="↳").count() == len(notes)
    assert page.locator("a.right-next").get_attribute("href") == f"{LOOKUP_PAGE}.html"
