"""Numbers in the prose: equal in both languages; the long ones printed, computed or cited.

A value is a Decimal, so that 12,345 is 12345 and 0.10 is 0.1; or a name that ends in a number, such
as float32. A language is "en" or "zh". The words one and first (一, 第一) seldom count
anything and are not counted. Changed to another number, they are one too many of that.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from cn2an import cn2an
from text_to_num import alpha2digit

from course.run import compute

# Chapters referred to; and all that no cell can compute: a chapter's own number, its minutes, too.
REFERENCE = re.compile(r"[Cc]hapters? \d+(?:(?:, and|,| and| to) \d+)*|第 ?\d+(?:、\d+)* ?章")
OUTSIDE = re.compile(rf"^# \d+|\d+ minutes|\d+ 分钟|{REFERENCE.pattern}", re.MULTILINE)
NUMBER = re.compile(
    r"""(?P<name> [A-Za-z_]+\d\w* )
    | (?P<figures> (?: (?<![A-Za-z\d)\]`]) [-−] )?  # a minus, not the hyphen in GPT-2
                   \d+ (?:,\d{3})* (?:\.\d+)? )
      (?P<power> [⁰¹²³⁴⁵⁶⁷⁸⁹]* )""",
    re.VERBOSE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# Words for a number that text_to_num does not read, or should not.
SPOKEN = {"zero": "0", "quarter": "4", "one": "", "first": ""}
SPOKEN |= dict.fromkeys("second twice both half halve halved".split(), "2")
SPOKEN_WORD = re.compile(rf"(?<!ty-)\b({'|'.join(SPOKEN)})s?\b", re.IGNORECASE)
CODE = re.compile(r"(`[^`\n]*`)")  # a name in code, such as `half`, counts nothing
# 3 thousand, once that is read as 3 1000.
SCALED = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?) (100|1(?:000)+)\b")
CHINESE_WORD = re.compile(
    r"(?P<two>一?[两双半])(?![百千万亿])|\d+(?:,\d{3})*(?:\.\d+)? ?[万亿]"
    r"|[零一二两三四五六七八九十百千][零一二两三四五六七八九十百千万亿]*"
)
# "they" as much as "the two": each of these is a two only if English has one more.
THEY = re.compile(r"两[者边]|[这那]两")
# Words made with a number that are none.
IDIOMS = re.compile(
    r"\bseconds\b|\bper second\b|\b(?:hundred|thousand|million)s\b"
    r"|四舍五入|[二十]进制|十分(?!之)|[几数][十百千万]|百分之几|两两|多半|半角|上千|千篇一律|成千上万|千百万",
    re.IGNORECASE,
)


def from_english(text: str) -> str:
    """Some English with its number words in figures."""
    text = SPOKEN_WORD.sub(lambda word: SPOKEN[word[1].lower()], text)
    text = alpha2digit(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text), "en", 0)
    return SCALED.sub(lambda n: f"{Decimal(n[1].replace(',', '')) * int(n[2]):f}", text)


def from_chinese(word: re.Match) -> str:
    """A Chinese number word, or figures with 万 or 亿, in figures; as it is if it is none."""
    spoken = re.sub("^(?=[百千])", "一", re.sub("[ ,]", "", word[0]))
    try:
        return word[0] if spoken == "一" else f" {2 if word['two'] else cn2an(spoken, 'smart')} "
    except ValueError:
        return word[0]


def figures_in(text: str) -> Counter:
    """The numbers written in figures, and the names that end in one, each with its count."""
    found: Counter = Counter()
    for number in NUMBER.finditer(text):
        value = number["name"]
        if not value:
            value = Decimal(number["figures"].replace(",", "").replace("−", "-"))
            value **= int(number["power"].translate(RAISED) or 1)
        found[value] += 1
    return found


def numbers_in(text: str, language: str) -> Counter:
    """The numbers of a text, in figures and in words, each value with its count."""
    text = IDIOMS.sub(" ", text)
    if language == "en":
        parts = CODE.split(text)
        return figures_in("".join(p if CODE.match(p) else from_english(p) for p in parts))
    return figures_in(CHINESE_WORD.sub(from_chinese, THEY.sub(" ", text)))


def unequal_numbers(english_text: str, chinese_text: str) -> list[str]:
    """A line for each number that stands more often in one of the two texts than in the other."""
    ours, theirs = numbers_in(english_text, "en"), numbers_in(chinese_text, "zh")
    two = Decimal(2)
    theirs[two] += max(0, min(ours[two] - theirs[two], len(THEY.findall(chinese_text))))
    return [
        f"{value}, in figures or words, stands {ours[value]} times in English and "
        f"{theirs[value]} times in Chinese"
        for value in sorted(ours | theirs, key=str)
        if ours[value] != theirs[value]
    ]


@cache
def without_comments(source: str) -> str:
    """Some Python without its comments, which nobody runs, and with 50_257 written 50257."""
    try:
        return ast.unparse(ast.parse(source))
    except SyntaxError:
        return source  # the run reports it


def grounds_in(sources: Iterable[str], outputs: Iterable[str]) -> set:
    """The values that stand in some Python, outside of its comments, or in what cells printed."""
    return set(figures_in("\n".join([*map(without_comments, sources), *outputs])))


def unfounded(text: str, language: str, grounds: set) -> list:
    """The numbers of two or more digits that are not among the grounds."""
    found = numbers_in(OUTSIDE.sub(" ", text), language).keys() - grounds
    numbers = sorted(value for value in found if isinstance(value, Decimal))
    return [value for value in numbers if len(re.sub(r"\D", "", str(value))) > 1]


def nameless(expression: str) -> bool:
    """Whether an expression holds no name of the notebook: then it proves nothing."""
    names = [node for node in ast.walk(ast.parse(expression.strip())) if isinstance(node, ast.Name)]
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return {name.id for name in names} <= own | set(dir(builtins))


def wrong_value(key: str, expression: str, value: object) -> str:
    """What is wrong if a value, or the exception instead of it, is not the number that a key says.

    A number with n decimals is compared with the value rounded to n.
    """
    if isinstance(value, Exception):
        return f"`{expression}` raises {value!r}; correct it"
    rounded = f"{value:.{len(key.partition('.')[2])}f}"
    same = figures_in(rounded) == figures_in(key)
    return "" if same else f"`{expression}` gives {rounded}; correct one"


def wrong_citation(key: str, citation: str) -> str:
    """What is wrong if a citation names no source, or is a sum that does not give the number."""
    is_call = re.search(r"\w\(", str(citation))
    if re.search("[A-Za-z]{2}", str(citation)) and not is_call:
        return ""  # words
    if re.fullmatch(r"[\d.,_ ]*", str(citation)):
        return "a bare number is no source; say where it is from"
    return wrong_value(key, citation, compute(citation, {}))


def wrong_computation(key: str, expression: str, value: object) -> str:
    """What is wrong if a number in figures is not what an expression computes to, its value."""
    if not isinstance(value, Exception) and nameless(expression):
        return f"`{expression}` holds no name of the notebook; compute it from one, or cite it"
    return wrong_value(key, expression, value)
