"""Numbers in the prose: equal in both languages; long and negative ones have a source.

A value is a Decimal, so that 12,345 is 12345 and 0.10 is 0.1; or a name that ends in a number, such
as float32. A language is "en" or "zh". The words one and first (一, 第一) are not counted: they
seldom count anything. A wrong one still shows: the other language has a number too many.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from cn2an import cn2an
from nbformat import NotebookNode
from text_to_num import alpha2digit

from course.check import CellProblems, rule
from course.notebook import (
    MAX_CELLS_TO_SOURCE,
    NAVIGATION,
    Notebook,
    printed_text,
    prose,
    solution_code,
)
from course.run import evaluate_number

Value = Decimal | str
TWO = Decimal(2)
CHAPTER_REFERENCE = re.compile(
    r"[Cc]hapters? \d+(?:(?:, and|,| and| to) \d+)*|第 ?\d+(?:、\d+)* ?章"
)
# Chapter numbers need no source, nor do the minutes under the title.
NEEDS_NO_SOURCE = re.compile(rf"^# \d+|{CHAPTER_REFERENCE.pattern}", re.MULTILINE)
MINUTES = re.compile(r"\d+ (?:minutes|分钟)")
NUMBER = re.compile(
    r"""(?P<name> (?<![A-Za-z_]) [A-Za-z_]+ \d\w* )  # the look-behind keeps this linear
    | (?P<figures> (?: (?<![A-Za-z\d)\]`]) [-−]  # a minus, not the hyphen in GPT-2
                     | (?<=`) - (?=\d+`) )?  # nor that after a name in code, but `-1` is one
                   \d+ (?:,\d{3})* (?:\.\d+)? )
      (?P<power> [⁰¹²³⁴⁵⁶⁷⁸⁹]* )""",
    re.VERBOSE,
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# English words for a number that text_to_num does not read, or should not.
NUMERAL_OF_WORD = {"zero": "0", "dozen": "12", "quarter": "4", "one": "", "first": ""}
NUMERAL_OF_WORD |= dict.fromkeys("second twice both half halve halved".split(), "2")
ENGLISH_NUMBER_WORD = re.compile(rf"(?<!ty-)\b({'|'.join(NUMERAL_OF_WORD)})s?\b", re.IGNORECASE)
CODE_IN_LINE = re.compile(r"(`[^`\n]*`)")  # a name in code, such as `half`, counts nothing
# "3 thousand", after it was read as "3 1000".
SCALED_NUMBER = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?) (100|1(?:000)+)\b")
CHINESE_NUMBER = re.compile(
    r"(?P<two>一?[两双半])(?![百千万亿])|\d+(?:,\d{3})*(?:\.\d+)? ?[万亿]"
    r"|[零一二两三四五六七八九十百千][零一二两三四五六七八九十百千万亿]*"
)
# "They" or "the two": it is counted as a two only if English has one more.
PRONOUN_TWO = re.compile(r"两[者边]|[这那]两")
# Words that contain a number and mean none.
PHRASES_WITHOUT_NUMBER = re.compile(
    r"\bseconds\b|\bper second\b|\b(?:hundred|thousand|million)s\b"
    r"|半径|双精度|三角形?|四舍五入|[二十]进制|十分(?!之)|[几数][十百千万]|百分之几|百分点|两两|多半|半角|上千|千篇一律|成千上万|千百万",
    re.IGNORECASE,
)


def numbers_in(text: str, language: str) -> Counter[Value]:
    """Count the numbers of a text, in figures and in words, by value."""
    text = PHRASES_WITHOUT_NUMBER.sub(" ", text)
    if language == "zh":
        return count_numerals(
            CHINESE_NUMBER.sub(chinese_word_to_numerals, PRONOUN_TWO.sub(" ", text))
        )
    parts = CODE_IN_LINE.split(text)
    return count_numerals(
        "".join(p if CODE_IN_LINE.match(p) else english_words_to_numerals(p) for p in parts)
    )


def count_numerals(text: str) -> Counter[Value]:
    """Count the numbers written in figures, and the names that end in one, by value."""
    values: Counter[Value] = Counter()
    for match in NUMBER.finditer(text):
        if match["name"]:
            values[match["name"]] += 1
        else:
            base = Decimal(match["figures"].replace(",", "").replace("−", "-"))
            values[base ** int(match["power"].translate(SUPERSCRIPTS) or 1)] += 1
    return values


def english_words_to_numerals(text: str) -> str:
    """Write the number words of some English in figures."""
    text = ENGLISH_NUMBER_WORD.sub(lambda word: NUMERAL_OF_WORD[word[1].lower()], text)
    text = alpha2digit(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text), "en", 0)
    return SCALED_NUMBER.sub(lambda n: f"{Decimal(n[1].replace(',', '')) * int(n[2]):f}", text)


def chinese_word_to_numerals(word: re.Match[str]) -> str:
    """Write a Chinese number word, or figures with 万 or 亿, in figures; leave it if it is none."""
    complete_word = re.sub("^(?=[百千])", "一", re.sub("[ ,]", "", word[0]))
    if complete_word == "一":
        return word[0]
    try:
        return f" {2 if word['two'] else cn2an(complete_word, 'smart')} "
    except ValueError:
        return word[0]


def unequal_numbers(
    english_text: str, chinese_text: str, equal_phrases: dict[str, str] | None = None
) -> list[str]:
    """Return a line for each number that is more frequent in one of two texts than in the other.

    `equal_phrases` has English phrases and their Chinese ones, in which no number is counted.
    """
    for english_phrase, chinese_phrase in (equal_phrases or {}).items():
        english_text = english_text.replace(english_phrase, " ")
        chinese_text = chinese_text.replace(chinese_phrase, " ")
    english, chinese = numbers_in(english_text, "en"), numbers_in(chinese_text, "zh")
    missing_twos = english[TWO] - chinese[TWO]
    if missing_twos > 0:
        chinese[TWO] += min(missing_twos, len(PRONOUN_TWO.findall(chinese_text)))
    return [
        f"count of {value_text(value)}, in figures or words: English has {english[value]}, "
        f"Chinese {chinese[value]}"
        for value in sorted(english | chinese, key=str)
        if english[value] != chinese[value]
    ]


def value_text(value: Value) -> str:
    """Return a value as a text has it: a number of thousands with commas."""
    return f"{value:,}" if isinstance(value, Decimal) else value


def values_in_cells(sources: Iterable[str], outputs: Iterable[str]) -> set[Value]:
    """Return the values in the code of some Python, and in what cells printed."""
    return set(count_numerals("\n".join([*map(code_alone, sources), *outputs])))


@cache
def code_alone(source: str) -> str:
    """Return some Python without comments and strings; 50_257 becomes 50257."""
    try:
        return ast.unparse(StringsEmptied().visit(ast.parse(source)))
    except SyntaxError:
        return source  # the run reports it


class StringsEmptied(ast.NodeTransformer):
    """Empties each string of some Python."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Return the constant, empty if it is a string."""
        return ast.Constant("") if isinstance(node.value, str) else node


def numbers_without_source(text: str, language: str, sources: set[Value]) -> list[Decimal]:
    """Return the numbers in a text, negative or of two or more digits, that have no source."""
    values = numbers_in(NEEDS_NO_SOURCE.sub(" ", text), language).keys() - sources
    numbers = sorted(value for value in values if isinstance(value, Decimal))
    return [number for number in numbers if number < 0 or len(re.sub(r"\D", "", str(number))) > 1]


def citation_problem(number: str, citation: str) -> str:
    """Say what is wrong if a citation names no source, or is a sum with another result."""
    has_call = re.search(r"\w\(", citation)
    if re.search("[A-Za-z]{2}", citation) and not has_call:
        is_source = re.search(r"\w\W+\w", citation)
        return "" if is_source else "one word is no source; say where it is from"
    if re.fullmatch(r"[\d.,_ ]*", citation):
        return "a bare number is no source; say where it is from"
    return value_problem(number, citation, evaluate_number(citation, {}))


def computation_problem(number: str, expression: str, value: float | Exception) -> str:
    """Say what is wrong if an expression, which gave a value, does not give a number's figures."""
    if not isinstance(value, Exception) and not uses_notebook_names(expression):
        return f"`{expression}` holds no name of the notebook; compute it from one, or cite it"
    return value_problem(number, expression, value)


def uses_notebook_names(expression: str) -> bool:
    """Return whether an expression holds a name of the notebook; else it proves nothing."""
    nodes = ast.walk(ast.parse(expression.strip()))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    assigned_names = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return bool({name.id for name in names} - assigned_names - set(dir(builtins)))


def value_problem(number: str, expression: str, value: float | Exception) -> str:
    """Say what is wrong if a value, rounded to the decimals of a number, is another number."""
    if isinstance(value, Exception):
        return f"`{expression}` raises {value!r}; correct it"
    rounded = f"{value:.{len(number.partition('.')[2])}f}"
    is_same = count_numerals(rounded) == count_numerals(number)
    return "" if is_same else f"`{expression}` gives {rounded}; correct one"


@rule
def declared_numbers_are_used(notebook: Notebook) -> CellProblems:
    """A number that is declared, computed or cited, stands in the text."""
    for cell in notebook.markdown_cells:
        numbers_in_text = numbers_in(prose(cell), notebook.edition.language)
        for number in declared_numbers(cell):
            values = count_numerals(number)
            if not values or values - numbers_in_text:
                remedy = "remove it, or correct the text"
                yield cell, f"{number} is declared and not in the text; {remedy}"


@rule
def citations_name_a_source(notebook: Notebook) -> CellProblems:
    """A cited number has a source, or is a sum that gives it."""
    for cell in notebook.markdown_cells:
        for number, citation in cell.metadata.get("citations", {}).items():
            if problem := citation_problem(number, citation):
                yield cell, f"{number}: {problem}"


@rule
def long_numbers_have_a_source(notebook: Notebook) -> CellProblems:
    """Every long or negative number of the prose has a source.

    It is printed or written in code nearby, or declared as computed or cited.
    """
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown" or cell.id in NAVIGATION:
            continue
        nearby_cells = notebook.cells_near(index)
        code_cells = [near_cell for near_cell in nearby_cells if near_cell.cell_type == "code"]
        code = [*(code_cell.source for code_cell in code_cells), solution_code(cell)]
        outputs = [*map(printed_text, code_cells), *declared_numbers(cell)]
        sources = values_in_cells(code, outputs)
        language = notebook.edition.language
        text = MINUTES.sub(" ", prose(cell)) if cell.id == "title" else prose(cell)
        for value in numbers_without_source(text, language, sources):
            number = value_text(value)
            problem = f"no cell within {MAX_CELLS_TO_SOURCE} of it prints {number}"
            declaration = f'"computed": {{"{number}": "expression"}}'
            place = "the cell's metadata, in both languages"
            yield cell, f"{problem}; print it, correct it, or declare it in {place}: {declaration}"


def declared_numbers(cell: NotebookNode) -> list[str]:
    """Return the numbers that a cell's metadata declares as computed or cited."""
    return [*cell.metadata.get("computed", {}), *cell.metadata.get("citations", {})]
