"""Build the web edition into site/: English at the top, Chinese in site/zh/.

    python -m course.site     (it takes no arguments)

Sphinx wants each language in a folder of its own, so its notebooks, front page and pictures are
laid side by side in a temporary one. conf.py adapts each page when Sphinx reads it.
"""

import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from course import ROOT, CourseError, handout, run_main
from course.addresses import published_repository, replace_repository, stored_repository, website
from course.notebook import Notebook, chinese_notebooks, english_notebooks

SITE = ROOT / "site"
# The search finds chapters, notes, the front page, that for teachers and the Chinese glossary,
# without their folded code and labels.
SEARCHED = "**/{[0-9]*,teaching,glossary,index}.html"
NOT_SEARCHED = "details.above-input, summary, .headerlink, .exhibit, .cards"
# Words of Pagefind's between zero-width spaces; it cuts a longer one here, and there not.
CHINESE_WORD = re.compile("(?<![\u4e00-\u9fff])[\u4e00-\u9fff]{2,3}(?![\u4e00-\u9fff])")
ZERO_WIDTH_SPACE = "\u200b"
CHINESE_LETTERS = [chr(number) for number in range(0x4E00, 0xA000)]
LATIN_WORD = re.compile("[a-z][a-z0-9._-]+[a-z0-9]")
# As conf.py writes them into a page, unseen.
SEARCH_WORDS = re.compile('<p hidden [^>]*data-pagefind-meta="words">(.*?)</p>')
# Files of the theme and of Pagefind that no page needs: 15 MB.
UNUSED_FILES = ("*.map", "fontawesome.js", "fa-*.woff2", "*webpack-macros.html", "*-component-ui.*")
# A browser that shows a page before style.css has come would load the theme's icons by these.
ICON_FONT = re.compile(r"@font-face\{[^}]*fontawesome/[^}]*\}")


def lay_out(notebooks: list[Notebook], folder: Path) -> None:
    """Copy a language's front page, page for teachers, glossary, notebooks, and the pictures."""
    edition, source = notebooks[0].edition, notebooks[0].path.parent
    shutil.copytree(ROOT / "images", folder / "images")
    shutil.copy(Path(__file__).with_name(f"index.{edition.language}.md"), folder / "index.md")
    names = {ROOT / edition.teaching: Path("teaching.md")}
    files = [notebook.path for notebook in notebooks] + list(source.glob("glossary.md"))
    names |= {file: file.relative_to(source) for file in files}
    (folder / "notes").mkdir()
    for file, name in names.items():
        # Where GitHub builds it, its links are those of the copy that is built.
        text = file.read_text(encoding="utf-8")
        text = replace_repository(text, stored_repository(), published_repository())
        (folder / name).write_text(text, encoding="utf-8")


def index_words(site: Path) -> None:
    """Let Pagefind make the search's index of both languages, in pagefind/.

    Pagefind cuts Chinese into words where browsers do not: its words go into words-zh.js, by which
    search.js cuts what is asked, beside the glossary's terms. It cuts a page's text, and not the
    search words beside it. So these are first indexed as a page of their own, and cut in their
    pages before the second time: under another name, of less weight, as a part is seldom what its
    whole is about.
    """
    texts = [page.read_text(encoding="utf-8") for page in site.glob("zh/**/*.html")]
    search_words = [words for text in texts for words in SEARCH_WORDS.findall(text)]
    words_page = site / "zh/0.html"
    text = f'<html lang="zh"><article>{", ".join(search_words)}</article></html>'
    words_page.write_text(text, encoding="utf-8")
    run_pagefind(site)
    words = set()
    for indexed_page in indexed_pages(site, "zh").values():
        words |= set(CHINESE_WORD.findall(indexed_page["content"]))
    words -= {word for word in words if word[:2] in words - {word}}  # Pagefind finds their parts
    words_page.unlink()
    shutil.rmtree(site / "pagefind")
    word = re.compile("|".join([*sorted(words, key=len, reverse=True), "[\u4e00-\u9fff]"]))
    for page in site.glob("zh/**/*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(SEARCH_WORDS.sub(partial(add_parts, word), text), encoding="utf-8")
    run_pagefind(site)
    write_words(site, "en", [], {})
    write_words(site, "zh", sorted(words), glossary_terms(site))
    (site / "pagefind/any").mkdir()
    shutil.copy(Path(__file__).with_name("search.js"), site / "pagefind/any/pagefind.js")


def indexed_pages(site: Path, language: str) -> dict[str, dict[str, Any]]:
    """Return what Pagefind has read of each page of a language, by its id in the results."""
    pages = {}
    for file in (site / "pagefind/fragment").glob(f"{language}*"):
        _, brace, text = gzip.decompress(file.read_bytes()).decode().partition("{")
        pages[file.stem] = json.loads(brace + text)
    return pages


def glossary_terms(site: Path) -> dict[str, list[str]]:
    """Return the words into which Pagefind cuts a Chinese term, for each that a page uses."""
    glossary = (ROOT / "notebooks/zh/glossary.md").read_text(encoding="utf-8")
    pages = indexed_pages(site, "zh").values()
    text = "\n".join(page["content"] for page in pages if "glossary" not in page["url"])
    parts = {}
    for names in re.findall(r"^\|([^|]+)", glossary, re.MULTILINE):
        for term in re.findall("[\u4e00-\u9fff]{2,}", names):
            cuts = Counter(re.findall(f"{ZERO_WIDTH_SPACE}*".join(term), text))
            for cut, _ in cuts.most_common(1):
                parts[term] = cut.split(ZERO_WIDTH_SPACE)
    return {term: words for term, words in parts.items() if len(words) > 1}


def write_words(
    site: Path, language: str, chinese_words: list[str], terms: dict[str, list[str]]
) -> None:
    """Write words-*.js: the words of all pages, frequent ones first, and what else search.js reads.

    That is the terms, each page's names, and traditional letters.
    """
    counts: Counter[str] = Counter()
    names = {}
    letters: set[str] = set()
    for page_id, page in indexed_pages(site, language).items():
        title, search_words = page["meta"]["title"], page["meta"].get("words", "")
        text = f"{page['content']} {title} {search_words}"
        for word in LATIN_WORD.findall(text.lower()):
            counts.update({re.sub(r"\W", "", word), *re.split(r"[\W_]+", word)})
        letters.update(text)
        is_chapter_or_note = bool(re.search(r"\d\d_", page["url"]))
        names[page_id] = [title if is_chapter_or_note else "", *search_words.split(", ")]
    words = [word for word, _ in counts.most_common() if len(word) > 2]
    script = f"const WORDS = new Set({json.dumps(chinese_words + words, ensure_ascii=False)});\n"
    script += f"const TERMS = new Map({json.dumps(list(terms.items()), ensure_ascii=False)});\n"
    script += f"const NAMES = {json.dumps(names, ensure_ascii=False)};\n"
    script += f"const SIMPLIFIED = {json.dumps(simplify(letters), ensure_ascii=False)};\n"
    (site / f"pagefind/words-{language}.js").write_text(script, encoding="utf-8")


def simplify(letters: set[str]) -> dict[str, str]:
    """Return the traditional letters of which the simplified one is among some, and these."""
    from opencc import OpenCC  # which only `make site` installs

    simplified = OpenCC("t2s").convert("\n".join(CHINESE_LETTERS)).split("\n")
    pairs = zip(CHINESE_LETTERS, simplified, strict=True)
    return {old: new for old, new in pairs if new in letters and old not in letters}


def add_parts(word: re.Pattern[str], match: re.Match[str]) -> str:
    """Return a page's search words, and their Chinese cut as search.js cuts it."""
    parts = word.sub(r" \g<0> ", match[0])
    return match[0] + parts.replace('="words"', '="parts"')


def run_pagefind(site: Path) -> None:
    """Make the index of the pages that are searched. Raises CourseError if that fails."""
    command = [
        sys.executable,
        "-m",
        "pagefind",
        "--silent",
        "--site",
        str(site),
        "--glob",
        SEARCHED,
    ]
    command += ["--root-selector", "article", "--exclude-selectors", NOT_SEARCHED]
    if subprocess.run(command).returncode:
        raise CourseError("the search's index was not made; Pagefind says above what is wrong")


def remove_unused_files(site: Path) -> None:
    """Remove what no page needs, and the rules of style sheets that name the icons' fonts."""
    for file in [file for pattern in UNUSED_FILES for file in site.rglob(pattern)]:
        file.unlink()
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if ICON_FONT.search(text):
            sheet.write_text(ICON_FONT.sub("", text), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Build both languages side by side, and put them into site/ only if both succeed."""
    if arguments:
        raise CourseError(f"{arguments[0]}: this command takes no arguments; run it without")
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".site-") as name:
        folder, builds = Path(name), []
        for language, notebooks in (("en", english_notebooks()), ("zh", chinese_notebooks())):
            lay_out(notebooks, folder / language)
            options = ["--quiet", "--fail-on-warning", "--tag", language]
            options += ["--conf-dir", str(Path(__file__).parent)]
            options += ["--doctree-dir", str(folder / f"{language}-doctrees")]
            paths = [str(folder / language), str(folder / f"{language}-site" / language)]
            sphinx = [sys.executable, "-m", "sphinx", *options, *paths]
            builds.append(subprocess.Popen(sphinx, cwd=ROOT))  # where it finds `course`
        failed_builds = [build for build in builds if build.wait()]
        if failed_builds:
            raise CourseError("the site was not built; Sphinx says above what is wrong")
        (folder / "zh-site/zh").rename(folder / "en-site/en/zh")
        site = (folder / "en-site/en").rename(folder / "embedding-vs-linear")
        remove_unused_files(site)
        handout.write_handout(folder / "handout")
        # Pagefind comes after the copy to read offline: from a disk, browsers do not let it search.
        for name in ("handout", site.name):
            shutil.make_archive(str(folder / name), "zip", folder, name)
        index_words(site)
        (folder / "handout.zip").rename(site / "handout.zip")
        (folder / f"{site.name}.zip").rename(site / "offline.zip")
        shutil.rmtree(SITE, ignore_errors=True)
        site.rename(SITE)
    # GitHub Pages serves it at any depth, so its links are whole addresses.
    not_found = Path(__file__).with_name("404.html").read_text(encoding="utf-8")
    not_found = not_found.replace("WEBSITE", website(published_repository()))
    (SITE / "404.html").write_text(not_found, encoding="utf-8")
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(f"wrote site/: {len(list(SITE.rglob('*.html')))} pages, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    run_main(main)
