"""Numbers in the prose: equal in both languages; the long ones printed, computed or cited.

A value is a Decimal, so that 12,345 is 12345 and 0.10 is 0.1; or a name that ends in a number, such
as float32. A language is "en" or "zh". The words one, once and first (一, 第一) seldom count
anything and are not counted. Changed to another number, they are one too many of that.
"""

import ast
import builtins
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from nbformat import NotebookNode

NEAR = 4  # cells; in the whole notebook, every seventh number plus one would be found somewhere
# What no cell can compute: the minutes promised, the chapter's number, and chapters referred to.
OUTSIDE = re.compile(
    r"^# \d+|\d+ minutes|\d+ 分钟"
    r"|chapters? \d+(?:(?:,| and| to) \d+)*|第 \d+ 章",
    re.MULTILINE | re.IGNORECASE,
)
# A minus sign stands before its number, and after no letter, digit or bracket: not in GPT-2.
NUMBER = re.compile(
    r"(?P<name>[A-Za-z_]+\d\w*)|(?P<figures>(?:(?<![A-Za-z\d)\]`])[-−])?\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]*)"
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
CARDINALS = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen""".split()
ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ENGLISH = {"zero": 0, "quarter": 4, "sixteenth": 16}
ENGLISH |= dict.fromkeys("second twice both half halve".split(), 2)
ENGLISH |= {word: value for value, word in enumerate(CARDINALS, 2)}
ENGLISH |= {word: value for value, word in enumerate(ORDINALS, 3)}
ENGLISH |= {word: 10 * value for value, word in enumerate(TENS, 2)}
ENGLISH |= {f"{ten}-{one}": ENGLISH[ten] + ENGLISH[one] for ten in TENS for one in CARDINALS[:8]}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
DIGITS = dict(zip("零一二两双半三四五六七八九", (0, 1, 2, 2, 2, 2, *range(3, 10)), strict=True))
PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
# "they" as much as "the two": each of these is a two only if English has one more.
THEY = re.compile(r"两[者边]|[这那]两")
# Words made with a number that are none.
IDIOMS = re.compile(
    r"\bseconds\b|\bper second\b"
    r"|四舍五入|[二十]进制|十分(?!之)|[几数]十|两两|多半|半角|成千上万|千百万",
    re.IGNORECASE,
)
ENGLISH_WORD = re.compile(  # a name in code, such as `half`, counts nothing
    r"`[^`\n]*`|"
    rf"\b({'|'.join(sorted(ENGLISH, reverse=True))}|an?|one|\d[\d,]*(?:\.\d+)?)s?"
    rf"(?:[ -]({'|'.join(SCALES)}))?\b",
    re.IGNORECASE,
)
NUMERAL = "".join(DIGITS) + "十"
CHINESE_WORD = re.compile(rf"(\d[\d,]*(?:\.\d+)?) ?([万亿])|([{NUMERAL}][{NUMERAL}百千万亿]*)")


def from_english(word: re.Match) -> str:
    """An English number word in figures, with a scale such as million; all else as it is."""
    if not word[1]:
        return word[0]
    number, scale = word[1].lower(), (word[2] or "").lower()
    if number not in ENGLISH and not scale:
        return word[0]
    value = ENGLISH.get(number, number.replace(",", "") if number[0].isdigit() else 1)
    return f"{Decimal(value) * SCALES.get(scale, 1):f}"


def from_chinese(word: re.Match) -> str:
    """A Chinese number word, or figures with 万 or 亿, in figures; 一 alone as it is."""
    if word[1]:
        return f"{Decimal(word[1].replace(',', '')) * PLACES[word[2]]:f}"
    total = section = digit = 0
    for letter in word[3]:
        power = PLACES.get(letter, 0)
        if not power:
            digit = DIGITS[letter]
        elif power <= 1000:
            section, digit = section + (digit or 1) * power, 0
        else:
            total, section, digit = total + (section + digit) * power, 0, 0
    total += section + digit
    return word[0] if total == 1 else str(total)


def values(text: str) -> Counter:
    """The numbers written in figures, and the names that end in one, each with its count."""
    found: Counter = Counter()
    for number in NUMBER.finditer(text):
        value = number["name"]
        if not value:
            value = Decimal(number["figures"].replace(",", "").replace("−", "-"))
            value **= int(number["power"].translate(RAISED) or 1)
        found[value] += 1
    return found


def counted(text: str, language: str) -> Counter:
    """The numbers of a text, in figures and in words, each value with its count."""
    text = IDIOMS.sub(" ", text)
    if language == "en":
        return values(ENGLISH_WORD.sub(from_english, text))
    return values(CHINESE_WORD.sub(from_chinese, THEY.sub(" ", text)))


def disagreement(english_text: str, chinese_text: str) -> list[str]:
    """A line for each number that stands more often in one of the two texts than in the other."""
    ours, theirs = counted(english_text, "en"), counted(chinese_text, "zh")
    two = Decimal(2)
    theirs[two] += max(0, min(ours[two] - theirs[two], len(THEY.findall(chinese_text))))

    def words(value: Decimal) -> str:
        found = [word for table in (ENGLISH, DIGITS) for word in table if table[word] == value]
        return f"{value} ({', '.join(found)})" if found else f"{value}"

    return [
        f"{words(value)} stands {ours[value]} times in English and {theirs[value]} times in Chinese"
        for value in sorted(ours | theirs, key=str)
        if ours[value] != theirs[value]
    ]


def near(cells: list[NotebookNode], index: int) -> list[NotebookNode]:
    """The cells that ground the cell at this index: NEAR before it, itself, and NEAR after it."""
    return cells[max(0, index - NEAR) : index + NEAR + 1]


def without_comments(source: str) -> str:
    """Some Python without its comments, which nobody runs, and with 50_257 written 50257.

    Raises SyntaxError or tokenize.TokenError if it is not Python.
    """
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return re.sub(r"(?<=\d)_(?=\d)", "", "\n".join(lines))


def grounded(sources: Iterable[str], outputs: Iterable[str]) -> set:
    """The values that stand in some Python, outside of its comments, or in what cells printed."""
    return set(values("\n".join([*map(without_comments, sources), *outputs])))


def unfounded(text: str, language: str, grounds: set) -> list:
    """The numbers of two or more digits, and the names, that are not among the grounds."""
    found = counted(OUTSIDE.sub(" ", text), language).keys() - grounds
    return [value for value in sorted(found, key=str) if len(re.sub(r"\D", "", str(value))) > 1]


def nameless(expression: str) -> bool:
    """Whether an expression holds no name of the notebook: then it proves nothing."""
    names = [node for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)]
    own = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return {name.id for name in names} <= own | set(dir(builtins))


def hollow(key: str, citation: str) -> list[str]:
    """A line if a citation names no source, or is a sum of cited numbers that does not give it."""
    try:
        tree = ast.parse(citation, mode="eval")
    except SyntaxError:
        return []  # words
    if any(isinstance(node, ast.Name) for node in ast.walk(tree)):
        return []  # a word
    try:
        value = eval(citation, {})
    except Exception as error:
        return [f"{key}: `{citation}` raises {error!r}; correct it"]
    if re.fullmatch(r"[\d_.]+", citation):
        return [f"{key}: a bare number is no source; say where it is from"]
    if values(f"{value:.{len(key.partition('.')[2])}f}") != values(key):
        return [f"{key}: `{citation}` gives {value}; correct one of the two"]
    return []


def disproved(declared: dict[str, str], values_of: dict[str, object]) -> list[str]:
    """A line for each computed number that its expression does not give.

    A key is a number in figures, or a name; its value is a Python expression, and `values_of` has
    what that gave, or the exception. A number with n decimals is compared with the value rounded
    to n.
    """
    problems = []
    for key, expression in declared.items():
        if nameless(expression):
            why = "holds no name of the notebook; compute it from one, or cite a source"
            problems.append(f"{key}: `{expression}` {why}")
        value = values_of[expression]
        if isinstance(value, Exception):
            problems.append(f"{key}: `{expression}` raises {value!r}; correct it")
            continue
        if not isinstance(value, str):
            value = f"{value:.{len(key.partition('.')[2])}f}"
        if values(value) != values(key):
            problems.append(f"{key}: `{expression}` gives {value}; correct one of the two")
    return problems
