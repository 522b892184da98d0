"""Which numbers are read in a sentence, and which citations are hollow."""

from collections import Counter
from decimal import Decimal

import pytest
import torch

from course.check.numbers import (
    citation_problem,
    computation_problem,
    numbers_in,
    unequal_numbers,
    values_in_cells,
)
from course.run import evaluate_number

TEXTS_WITH_NUMERALS = [
    ("en", "12,345 rows of 0.10", ["12345", "0.1"]),
    ("en", "forty-two, twice, a third of a million", ["42", "2", "3", "1000000"]),
    ("en", "two hundred, 3 thousand, a dozen", ["200", "3000", "12"]),
    ("en", "10⁶ and −7, GPT-2", ["1000000", "-7", "2"]),
    ("zh", "填 `-1`，`x`-2", ["-1", "2"]),
    ("en", "one zero, two-hot, a hundredth; at first, in seconds", ["0", "2", "100"]),
    ("en", "`half` of float32", ["float32"]),
    ("zh", "三十二行，1.5 万个，两者", ["32", "15000"]),
    ("zh", "十五句、一百二十、三亿", ["15", "120", "300000000"]),
    (
        "zh",
        "一行一行地，第一，两百，百分之二，折半；几十，百分点、半径、双精度、三角形",
        ["200", "100", "2", "2"],
    ),
]


@pytest.mark.parametrize(("language", "text", "numerals"), TEXTS_WITH_NUMERALS)
def test_numbers_in(language, text, numerals):
    values = [numeral if numeral == "float32" else Decimal(numeral) for numeral in numerals]
    assert numbers_in(text, language) == Counter(values)


def test_no_comment_and_no_string_is_a_source():
    code = 'x = 50_257  # 768\nprint(f"{x:.15f} of 300")'
    assert values_in_cells([code], ["12"]) == {Decimal(50257), Decimal(12)}


def test_a_word_as_long_as_a_file_is_read():
    assert not numbers_in("A" * 500_000, "en")


def test_unequal_numbers():
    assert not unequal_numbers("both rows, 7 of them", "两行都在，共 7 个")
    assert not unequal_numbers("the two hold both rows", "两者各占两行")
    assert unequal_numbers("takes a second", "要一秒")
    assert not unequal_numbers("takes a second", "要一秒", {"takes a second": "要一秒"})
    assert unequal_numbers("2 take a second", "两个要一秒", {"a second": "两个"})
    assert len(unequal_numbers("both rows, 7 of them", "两行都在，共 8 个")) == 2


@pytest.mark.parametrize(
    ("number", "citation"),
    [
        ("768", "768"),
        ("768", "256 * 4"),
        ("768", "256 *"),
        ("768", "(1024).bitlength()"),
        ("0.34", "1 / 3"),
    ],
)
def test_hollow_citation(number, citation):
    assert citation_problem(number, citation)


@pytest.mark.parametrize("citation", ["the width of the smallest GPT-2", "256 * 3"])
def test_citation(citation):
    assert not citation_problem("768", citation)


def test_an_expression_that_is_no_python():
    problem = computation_problem("3", "1 +", evaluate_number("1 +", {}))
    assert problem.startswith("`1 +` raises SyntaxError")


def test_a_number_may_be_part_of_a_gradient():
    """PyTorch would warn, and here a warning is an error."""
    weight = torch.ones(2, requires_grad=True)
    assert evaluate_number("weight.sum()", {"weight": weight}) == 2
