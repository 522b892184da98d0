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

# What no cell can compute: the minutes promised, the chapter's number, and chapters referred to.
OUTSIDE = re.compile(
    r"^# \d+|\d+ minutes|\d+ 分钟"
    r"|chapters? \d+(?:(?:,| and| to) \d+)*|第 \d+ 章",
    re.MULTILINE | re.IGNORECASE,
)
NUMBER = re.compile(
    r"""(?P<name> [A-Za-z_]+\d\w* )
    | (?P<figures> (?: (?<![A-Za-z\d)\]`]) [-−] )?  # a minus, not the hyphen in GPT-2
                   \d+ (?:,\d{3})* (?:\.\d+)? )
      (?P<power> [⁰¹²³⁴⁵⁶⁷⁸⁹]* )""",
    re.VERBOSE,
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
    r"`[^`\n]*`"
    rf"|\b(?P<number>{'|'.join(sorted(ENGLISH, reverse=True))}|an?|one|\d[\d,]*(?:\.\d+)?)s?"
    rf"(?:[ -](?P<scale>{'|'.join(SCALES)}))?\b",
    re.IGNORECASE,
)
NUMERAL = "".join(DIGITS) + "十"
CHINESE_WORD = re.compile(
    rf"(?P<figures>\d[\d,]*(?:\.\d+)?) ?(?P<scale>[万亿])|[{NUMERAL}][{NUMERAL}百千万亿]*"
)


def from_english(word: re.Match) -> str:
    """An English number word in figures, with a scale such as million; all else as it is."""
    number, scale = (word["number"] or "").lower(), (word["scale"] or "").lower()
    if number in ENGLISH:
        value = Decimal(ENGLISH[number])
    elif not scale:
        return word[0]
    elif number[0].isdigit():
        value = Decimal(number.replace(",", ""))
    else:  # a million
        value = Decimal(1)
    return f"{value * SCALES.get(scale, 1):f}"


def from_chinese(word: re.Match) -> str:
    """A Chinese number word, or figures with 万 or 亿, in figures; 一 alone as it is."""
    if word["figures"]:
        return f"{Decimal(word['figures'].replace(',', '')) * PLACES[word['scale']]:f}"
    total = section = digit = 0  # 十二万三千 is a section of 12, times 万, and one of 3000
    for letter in word[0]:
        place = PLACES.get(letter)
        if place is None:
            digit = DIGITS[letter]
        elif place <= 1000:
            section += (digit or 1) * place
            digit = 0
        else:
            total += (section + digit) * place
            section = digit = 0
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


def without_comments(source: str) -> str:
    """Some Python without its comments, which nobody runs, and with 50_257 written 50257."""
    lines = source.splitlines()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
    except (SyntaxError, tokenize.TokenError):
        pass  # no Python: another rule reports it
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


def differs(key: str, expression: str, value: object) -> str:
    """What is wrong if a value, or the exception instead of it, is not the number that a key says.

    A number with n decimals is compared with the value rounded to n.
    """
    if isinstance(value, Exception):
        return f"`{expression}` raises {value!r}; correct it"
    if not isinstance(value, str):
        value = f"{value:.{len(key.partition('.')[2])}f}"
    return "" if values(value) == values(key) else f"`{expression}` gives {value}; correct one"


def hollow(key: str, citation: str) -> str:
    """What is wrong if a citation names no source, or is a sum that does not give the number."""
    try:
        tree = ast.parse(citation, mode="eval")
    except SyntaxError:
        return ""  # words
    if any(isinstance(node, ast.Name) for node in ast.walk(tree)):
        return ""  # a word
    if isinstance(tree.body, ast.Constant):
        return "a bare number is no source; say where it is from"
    try:
        return differs(key, citation, eval(citation, {}))
    except Exception as error:
        return differs(key, citation, error)


def disproved(key: str, expression: str, value: object) -> str:
    """What is wrong if a number is not what an expression computes, whose value is given.

    The number is in figures, or a name that ends in one.
    """
    if nameless(expression):
        return f"`{expression}` holds no name of the notebook; compute it from one, or cite it"
    return differs(key, expression, value)
