"""How Chinese is set here, by AutoCorrect; and whether it is Chinese at all."""

import re
from collections.abc import Iterator

import autocorrect_py

from course.notebook import FENCE

# That one would put a space between Chinese and a link.
autocorrect_py.load_config('{"rules": {"space-bracket": 0}}')


def unusual(text: str, language: str = "md") -> Iterator[str]:
    """A line for each line of Markdown, or of Python ("py"), that AutoCorrect would set otherwise.

    That is full-width punctuation beside Chinese, and a space between Chinese and Latin.
    """
    for found in autocorrect_py.lint_for(text, language).lines:
        yield f"{found.old.strip()}; write {found.new.strip()}"


def in_english(markdown: str) -> Iterator[str]:
    """A line for each line of some Markdown that has words and no Chinese."""
    for line in re.sub(r"`[^`]*`|\$+[^$]*\$+", "", FENCE.sub("", markdown)).splitlines():
        if len(re.findall(r"[A-Za-z]{2,}", line)) >= 3 and not re.search(r"[\u3400-\u9fff]", line):
            yield f"in English: {line[:40]}…; say it in Chinese"
