"""Build the web edition into site/: English at the top, Chinese in site/zh/.

    python -m course.site

Sphinx wants each language in a folder of its own, so its notebooks, front page and pictures are
laid side by side in a temporary one. What is changed for the web, conf.py changes as it reads.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from course import ROOT, CourseError, command, handout
from course.addresses import published_repository, renamed, stored_repository, website
from course.notebook import chinese, edition, english

SITE = ROOT / "site"
# What the theme brings and no page loads: 15 MB.
UNUSED = ("*.map", "fontawesome.js", "fa-*.woff2", "*webpack-macros.html")


def lay_out(chapters: list[Path], folder: Path) -> None:
    """Copy a language's front page, page for teachers, notebooks, and the pictures."""
    source, language = chapters[0].parent, edition(chapters[0]).language
    shutil.copytree(ROOT / "images", folder / "images")
    shutil.copy(Path(__file__).with_name(f"index.{language}.md"), folder / "index.md")
    files = {ROOT / ("TEACHING.zh.md" if language == "zh" else "TEACHING.md"): "teaching.md"}
    files |= {notebook: notebook.relative_to(source) for notebook in chapters}
    (folder / "notes").mkdir()
    for file, name in files.items():
        # Where GitHub builds it, its links are those of the copy that is built.
        text = file.read_text(encoding="utf-8")
        text = renamed(text, stored_repository(), published_repository())
        (folder / name).write_text(text, encoding="utf-8")


def main(_: list[str]) -> None:
    """Build both languages side by side, and put them into site/ only if both succeed."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".site-") as name:
        folder, builds = Path(name), []
        for language, chapters in (("en", english()), ("zh", chinese())):
            lay_out(chapters, folder / language)
            options = ["--quiet", "--fail-on-warning", "--tag", language]
            options += ["--conf-dir", str(Path(__file__).parent)]
            options += ["--doctree-dir", str(folder / f"{language}-doctrees")]
            paths = [str(folder / language), str(folder / f"{language}-site" / language)]
            sphinx = [sys.executable, "-m", "sphinx", *options, *paths]
            builds.append(subprocess.Popen(sphinx, cwd=ROOT))  # where it finds `course`
        failed = [build for build in builds if build.wait()]
        if failed:
            raise CourseError("the site was not built; Sphinx says above what is wrong")
        (folder / "zh-site/zh").rename(folder / "en-site/en/zh")
        handout.fill(folder / "handout")
        shutil.make_archive(folder / "en-site/en/handout", "zip", folder, "handout")
        shutil.rmtree(SITE, ignore_errors=True)
        (folder / "en-site/en").rename(SITE)
    # GitHub Pages serves it at any depth, so its links are whole addresses.
    lost = Path(__file__).with_name("404.html").read_text(encoding="utf-8")
    lost = lost.replace("WEBSITE", website(published_repository()))
    (SITE / "404.html").write_text(lost, encoding="utf-8")
    for pattern in UNUSED:
        for file in SITE.rglob(pattern):
            file.unlink()
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(f"wrote site/: {len(list(SITE.rglob('*.html')))} pages, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    command(main)
