"""How Chinese is set here, by AutoCorrect; and whether it is Chinese at all."""

import ast
import re
from collections.abc import Iterator
from io import StringIO
from tokenize import COMMENT, generate_tokens

import autocorrect_py
from markdown_it import MarkdownIt
from markdown_it.token import Token

from course.notebook import CODE_BLOCK

# This rule would put a space between Chinese and a link.
autocorrect_py.load_config('{"rules": {"space-bracket": 0}}')  # type: ignore[attr-defined]
CODE_OR_FORMULA = re.compile(r"`[^`]*`|\$+[^$]*\$+")
CHINESE_LETTER = re.compile(r"[\u3400-\u9fff]")
# Words of an English sentence; a comment may be code, or words of the data: `# sat, down`.
ENGLISH_PARTICLE = re.compile(r"\b(?:are|at|by|each|has|how|its|of|that|those|which|without)\b")


def autocorrect_problems(text: str, language: str = "md") -> Iterator[str]:
    """Yield a sentence for each line that AutoCorrect would set otherwise.

    That is full-width punctuation beside Chinese, and a space between Chinese and Latin. The text
    is Markdown ("md") or Python ("py").
    """
    for line in autocorrect_py.lint_for(text, language).lines:
        yield f"{line.old.strip()}; write {line.new.strip()}"


def inline_tokens(markdown: str) -> Iterator[Token]:
    """Yield the tokens of the lines of some Markdown: texts, code, links; no block of code."""
    for block in MarkdownIt("commonmark").enable("table").parse(markdown):
        yield from block.children or []


def raw_asterisks(markdown: str) -> Iterator[str]:
    """Yield a sentence for each text of some Markdown that shows `**` where bold was meant.

    No bold begins between a Chinese letter and `[`: the link is put around it, [**词**](…).
    """
    for token in inline_tokens(markdown):
        if token.type == "text" and "**" in token.content:
            excerpt = token.content[-30:] if token.content.endswith("**") else token.content[:30]
            yield f"shows `{excerpt}`; put the `**` where bold begins and ends, inside of a link"


def untranslated_lines(markdown: str) -> Iterator[str]:
    """Yield a sentence for each line of some Markdown that has words and no Chinese."""
    for line in CODE_OR_FORMULA.sub("", CODE_BLOCK.sub("", markdown)).splitlines():
        if len(re.findall(r"[A-Za-z]{2,}", line)) >= 3 and not CHINESE_LETTER.search(line):
            yield f"in English: {line[:40]}…; say it in Chinese"


def untranslated_remarks(code: str) -> Iterator[str]:
    """Yield a sentence for each comment and docstring of some Python that is in English."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return  # the run reports it
    for token in generate_tokens(StringIO(code).readline):
        comment = token.string if token.type == COMMENT else ""
        if ENGLISH_PARTICLE.search(comment) and not CHINESE_LETTER.search(comment):
            yield f"in English: {comment}; say it in Chinese"
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from untranslated_lines(ast.get_docstring(node) or "")
