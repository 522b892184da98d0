"""Numbers in the prose: equal in both languages, and the long ones printed, in code or computed.

A value is a Decimal, so that 12,345 is 12345 and 0.10 is 0.1; or a name that ends in a number, such
as float32. A language is "en" or "zh". Zero is not counted, and neither are the words one, first and
once (一, 第一), which seldom count anything: changed to another number, they are one too many of it.
"""

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"\]\([^)\n]*\)")
# A minus sign stands before its number, and after no letter, digit or bracket: not in GPT-2.
NUMBER = re.compile(
    r"(?P<name>[A-Za-z_]+\d\w*)|(?P<figures>(?:(?<![A-Za-z\d)\]`])[-−])?\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]*)"
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# What is promised or pointed at, and no cell can compute: the minutes, and the numbers of chapters.
OUTSIDE = re.compile(
    r"^# \d+|\*\*Minutes\*\* \d+|\d+ minutes|\d+ 分钟|chapters? \d+(?:(?:,| and| to) \d+)*|第 \d+ 章",
    re.MULTILINE | re.IGNORECASE,
)

UNITS = "two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
ENGLISH = {word: n for n, word in enumerate(UNITS + TEENS, 2)}
ENGLISH |= {word: n for n, word in enumerate(ORDINALS, 2)}
ENGLISH |= {"both": 2, "twice": 2, "half": 2, "halve": 2, "quarter": 4, "sixteenth": 16}
ENGLISH |= {word: 10 * n for n, word in enumerate(TENS, 2)}
ENGLISH |= {f"{a}-{b}": 10 * m + n for m, a in enumerate(TENS, 2) for n, b in enumerate(["one", *UNITS], 1)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
DIGITS = dict(zip("一二两双半三四五六七八九", [1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9], strict=True))
NEAR = 4  # cells; of the whole notebook, every seventh number plus one would be found somewhere
PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}

# Chinese for "they" as much as for "the two": these count as a two where English has one more.
THEY = re.compile(r"两[者边]|[这那]两")
# Words made with a number that are none.
IDIOMS = {
    "en": re.compile(r"\bseconds\b|\bper second\b", re.IGNORECASE),
    "zh": re.compile(r"四舍五入|[二十]进制|十分(?!之)|[几数]十|两两|多半|成千上万|千百万"),
}
WORDS = {
    "en": re.compile(
        rf"\b({'|'.join(sorted(ENGLISH, key=len, reverse=True))}|an?|one|\d[\d,]*(?:\.\d+)?)s?"
        rf"(?:[ -]({'|'.join(SCALES)}))?\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(\d[\d,]*(?:\.\d+)?) ?([万亿])|([一二两双半三四五六七八九十][一二两双半三四五六七八九十百千万亿]*)"),
}


def prose(cell: Any) -> str:
    """What a reader reads in a Markdown cell: alt and link texts and code in a line, no block of code.

    Pictures and addresses, which stand between the brackets after `]`, are left out.
    """
    return TARGET.sub("]", FENCE.sub("", cell.source))


def english(word: re.Match) -> str:
    """An English number word, or figures and a scale such as million, in figures."""
    number, scale = word[1].lower(), (word[2] or "").lower()
    if number in ENGLISH:
        value = Decimal(ENGLISH[number])
    elif scale:
        value = Decimal(number.replace(",", "") if number[0].isdigit() else 1)
    else:
        return word[0]
    return f"{value * SCALES.get(scale, 1):f}"


def chinese(word: re.Match) -> str:
    """A Chinese number word, or figures and 万 or 亿, in figures; 一 alone stays as it is."""
    if word[1]:
        return f"{Decimal(word[1].replace(',', '')) * PLACES[word[2]]:f}"
    total = section = digit = 0
    for letter in word[3]:
        place = PLACES.get(letter, 0)
        if not place:
            digit = DIGITS[letter]
        elif place <= 1000:
            section, digit = section + (digit or 1) * place, 0
        else:
            total, section, digit = total + (section + digit) * place, 0, 0
    total += section + digit
    return word[0] if total == 1 else str(total)


def values(text: str) -> Counter:
    """The numbers written in figures, each value with its count. Zeros are not counted."""
    found: Counter = Counter()
    for number in NUMBER.finditer(text):
        if number["name"]:
            found[number["name"]] += 1
            continue
        value = Decimal(number["figures"].replace(",", "").replace("−", "-"))
        if number["power"]:
            value **= int(number["power"].translate(RAISED))
        found[value] += value != 0
    return +found


def numbers(text: str, language: str) -> Counter:
    """The numbers of a text, in figures and in words, each value with its count."""
    text = IDIOMS[language].sub(" ", text)
    if language == "zh":
        return values(WORDS["zh"].sub(chinese, THEY.sub(" ", text)))
    return values(WORDS["en"].sub(english, text))


def disagreement(english_text: str, chinese_text: str) -> list[str]:
    """A line for each number that stands more often in one of the two texts than in the other."""
    ours, theirs = numbers(english_text, "en"), numbers(chinese_text, "zh")
    missing = ours[Decimal(2)] - theirs[Decimal(2)]
    theirs[Decimal(2)] += max(0, min(missing, len(THEY.findall(chinese_text))))
    return [
        f"{value} stands {ours[value]} times in English and {theirs[value]} times in Chinese"
        for value in sorted(ours | theirs, key=str)
        if ours[value] != theirs[value]
    ]


def near(cells: list, place: int) -> list:
    """The cells that ground the cell at this index: itself, and NEAR before and after it."""
    return cells[max(0, place - NEAR) : place + NEAR + 1]


def without_comments(source: str) -> str:
    """Some Python without its comments, which nobody runs, and with 50_257 written 50257."""
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
    found = numbers(OUTSIDE.sub(" ", text), language)
    return [
        value
        for value in sorted(found.keys() - grounds, key=str)
        if isinstance(value, str) or len(value.as_tuple().digits) > 1 or abs(value) < 1
    ]


def evaluated(expressions: dict[str, str], found: Counter, namespace: dict) -> list[str]:
    """A line for each declared number that its expression does not give, or the text does not have.

    A key is a number in figures, or a name, and its value a Python expression, which may name what
    is in the namespace. A number with n decimals is compared with the value rounded to n. `found`
    is what `numbers` found in the text. A bare number needs its source, as a comment: "754  # IEEE".
    """
    problems = []
    for key, expression in expressions.items():
        if list(values(key) & found) != list(values(key)):
            problems.append(f"{key} is declared and does not stand in the text; remove it")
        try:
            value = eval(expression, dict(namespace))
            if not isinstance(value, str):
                value = f"{value:,.{len(key.partition('.')[2])}f}"
        except Exception as error:
            problems.append(f"{key}: {expression} raises {type(error).__name__}; correct it")
            continue
        if values(str(value)) != values(key):
            problems.append(f"{key}: {expression} gives {value}; correct one of the two")
        if "#" not in expression and re.fullmatch(r"[\d_.]+", expression):
            problems.append(f"{key}: a number alone proves nothing; compute it, or name its source")
    return problems
