"""How Chinese is set here, by AutoCorrect; and whether it is Chinese at all."""

import re
from collections.abc import Iterator

import autocorrect_py

from course.notebook import CODE_BLOCK

# This rule would put a space between Chinese and a link.
autocorrect_py.load_config('{"rules": {"space-bracket": 0}}')  # type: ignore[attr-defined]
CODE_OR_FORMULA = re.compile(r"`[^`]*`|\$+[^$]*\$+")


def autocorrect_problems(text: str, language: str = "md") -> Iterator[str]:
    """Yield a sentence for each line that AutoCorrect would set otherwise.

    That is full-width punctuation beside Chinese, and a space between Chinese and Latin. The text
    is Markdown ("md") or Python ("py").
    """
    for line in autocorrect_py.lint_for(text, language).lines:
        yield f"{line.old.strip()}; write {line.new.strip()}"


def untranslated_lines(markdown: str) -> Iterator[str]:
    """Yield a sentence for each line of some Markdown that has words and no Chinese."""
    for line in CODE_OR_FORMULA.sub("", CODE_BLOCK.sub("", markdown)).splitlines():
        if len(re.findall(r"[A-Za-z]{2,}", line)) >= 3 and not re.search(r"[\u3400-\u9fff]", line):
            yield f"in English: {line[:40]}…; say it in Chinese"
