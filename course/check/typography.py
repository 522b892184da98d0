"""How Chinese is written here: what is wrong in a text, whatever it says.

The habits are those of most Chinese technical publishers: full-width punctuation beside Chinese, a
space between Chinese and Latin letters or digits, bold instead of italics.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from course.notebook import FENCE

CHINESE, MARK = r"[\u3400-\u9fff]", "[，。；：！？、（）“”]"
CJK = re.compile(CHINESE)
# Two things are 两, the second is 第二; 二 alone stands in few words.
LONE_TWO = re.compile(r"(?<![第十百千万之为零〇一])二(?![维次进者元分十百千万叉阶级]).?")
ITALIC = re.compile(rf"(?<![*\w])\*(?![*\s])[^*\n]*{CHINESE}[^*\n]*(?<![*\s])\*(?!\*)")
# What a text must not hold, and what to do about it.
HABITS = {
    rf"{CHINESE}[,;:!?.'\"]|[,;:!?'\"]{CHINESE}": "write full-width punctuation beside Chinese",
    rf"\([^()\n]*{CHINESE}[^()\n]*\)": "brackets around Chinese are full-width",
    rf"{CHINESE}[A-Za-z0-9`−(]|[A-Za-z0-9`%)]{CHINESE}": "put a space between Chinese and Latin",
    rf"{MARK} +\S|\S +{MARK}|{CHINESE} +{CHINESE}": "take out the space",
    r"[)）] ?[（(]": "two brackets in a row; join them",
    r"\.\.\.": "write ……",
    r"(?<![\d.,#/])(?<![A-Za-z] )\d{4,}(?!\d* 年|[\d.])": "write a comma between the thousands",
}


def plain(markdown: str) -> str:
    """Markdown without fences, pictures, targets of links, tags; code as `x`; bold is not marked.

    What bold opens, and what stands in a table, begins a line of its own.
    """
    text = FENCE.sub("", markdown)
    text = re.sub(r"\]\([^)]*\)", "", text).replace("![", "").replace("[", "")
    text = re.sub(r"</?\w[^>]*>|<!--.*?-->", "\n", text)
    text = re.sub(r"\$[^$\n]+\$|`[^`\n]+`", "`x`", text)
    text = re.sub(r"^((?:[-*] +)?\*\*[^*\n]+\*\*) ", r"\1\n", text, flags=re.MULTILINE)
    return re.sub(r" *\| *", "\n", text).replace("**", "")


def faults(text: str) -> Iterator[str]:
    """A line for each place in a plain text that is not written as Chinese is."""
    for pattern, remedy in HABITS.items():
        for found in re.finditer(pattern, text):
            around = text[max(0, found.start() - 6) : found.end() + 6].replace("\n", " ")
            yield f"{around.strip()}; {remedy}"


def words(code: str) -> Iterator[str]:
    """The comments of some Python, and its strings that hold Chinese, values in them as x."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")
    nodes = list(ast.walk(ast.parse(code)))
    formatted = [node.values for node in nodes if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for values in formatted for part in values}
    for values in formatted:
        yield "".join(v.value if isinstance(v, ast.Constant) else "x" for v in values)
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in inside:
            yield str(node.value)


def in_english(markdown: str) -> Iterator[str]:
    """A line for each line of some Markdown that has words and no Chinese."""
    for line in re.sub(r"`[^`]*`|\$+[^$]*\$+", "", FENCE.sub("", markdown)).splitlines():
        if len(re.findall(r"[A-Za-z]{2,}", line)) >= 3 and not CJK.search(line):
            yield f"in English: {line[:40]}…; say it in Chinese"


def in_markdown(markdown: str) -> Iterator[str]:
    """A line for each habit that some Markdown does not keep."""
    text = plain(markdown)
    yield from faults(text)
    for found in ITALIC.finditer(markdown):
        yield f"{found[0]}; write bold, Chinese has no italics"
    for found in LONE_TWO.finditer(text):
        around = text[max(0, found.start() - 4) : found.end() + 2].replace("\n", " ")
        yield f"{around.strip()}; write 两 before what is counted, 第二, or 2"


def in_code(code: str) -> Iterator[str]:
    """A line for each habit that the comments and strings of some Python do not keep."""
    try:
        texts = list(words(code))
    except (SyntaxError, tokenize.TokenError):
        return  # the run reports it
    for text in texts:
        if CJK.search(text):
            yield from faults(re.sub(r"`[^`\n]+`|\.\.\.", "`x`", text))
