"""What the checker of the exercises says to answers of every kind; it never raises."""

import numpy as np
import pytest
import torch

from course import checker
from course.checker import by_cases, cell_source, check

WEIGHT = torch.arange(6.0).view(3, 2)


def doubled(weight):
    return 2 * weight


def missing(weight):
    2 * weight  # noqa: B018


def unanswered(weight):
    return ...


def raises(weight):
    return weight[7]


def changes(weight):
    weight += weight
    return weight


def verdict(function, capsys, reference=doubled, argument=WEIGHT):
    """What the checker says to a function that is to be like a reference."""
    checker.exercises[function.__name__] = by_cases(reference, {"a case": [argument]})
    check(function)
    return capsys.readouterr().out


RIGHT = {
    "float64": lambda w: (2 * w).double(),
    "half": lambda w: (2 * w).half(),
    "a list": lambda w: (2 * w).tolist(),
    "a list of tensors": lambda w: list(2 * w),
    "NumPy": lambda w: (2 * w).numpy(),
    "whole numbers": lambda w: (2 * w).long(),
    "a gradient": lambda w: (2 * w).requires_grad_(),
}
WRONG = {
    "it returns nothing; is there a return?": lambda w: None,
    "the shape is (6,), not (3, 2)": lambda w: 2 * w.flatten(),
    "yours =\nno\nwanted =\n": lambda w: "no",
    "yours =\ntensor([[nan, nan]": lambda w: w * torch.nan,
    "yours =\ntensor([[ 1.,  3.]": lambda w: 2 * w + 1,
    "yours =\ntensor([[ 0.0000,  2.0200]": lambda w: 2.02 * w,
}


@pytest.mark.parametrize("answer", RIGHT.values(), ids=RIGHT)
def test_right(answer, capsys):
    assert verdict(answer, capsys) == "correct\n"


@pytest.mark.parametrize(("said", "answer"), WRONG.items())
def test_wrong(said, answer, capsys):
    assert verdict(answer, capsys).startswith(f"not quite: a case: {said}")


def test_names_the_case_and_its_arguments(capsys):
    assert verdict(missing, capsys).startswith("not quite: a case: it returns nothing")
    assert "\nweight =\ntensor([[0., 1.]" in verdict(missing, capsys)


def test_not_yet(capsys):
    assert verdict(unanswered, capsys) == "not yet: replace the ...\n"
    checker.exercises["ids"] = lambda ids: ids[0]
    for ids in (..., [...]):  # the judge finds the second one
        check(ids=ids)
        assert capsys.readouterr().out == "not yet: replace the ...\n"


def test_an_exception_is_shown_with_the_line(capsys):
    assert "`return weight[7]`, raises IndexError: " in verdict(raises, capsys)


def test_another_number_of_arguments(capsys):
    assert "raises TypeError: " in verdict(lambda: 1, capsys)


def test_a_changed_argument(capsys):
    assert verdict(changes, capsys).startswith("not quite: a case: it changes weight, which")


@pytest.mark.parametrize("answer", [3, np.int64(3), torch.tensor(3), 3.0])
def test_numbers(answer, capsys):
    assert verdict(lambda w: answer, capsys, reference=lambda w: 3) == "correct\n"


def test_a_fraction_is_no_whole_number(capsys):
    assert verdict(lambda w: 3.9, capsys, reference=lambda w: 3).startswith("not quite: a case")


@pytest.mark.parametrize("answer", [True, 1, np.bool_(True), torch.tensor(True)])
def test_booleans(answer, capsys):
    assert verdict(lambda w: answer, capsys, reference=lambda w: True) == "correct\n"


def test_words(capsys):
    words = ["the", "cat"]
    assert verdict(lambda w: list(w), capsys, lambda w: w, words) == "correct\n"
    assert verdict(lambda w: w[::-1], capsys, lambda w: w, words).startswith("not quite: a case")


def test_ids_are_whole(capsys):
    found = verdict(lambda w: w.sum(1), capsys, reference=lambda w: w.sum(1).long())
    assert found.startswith("not quite: a case: these are not whole numbers")


def test_no_ids_are_whole(capsys):
    """torch.tensor([]) is of a float type."""
    none = torch.empty(0, dtype=torch.long)
    assert verdict(lambda w: torch.tensor([]), capsys, reference=lambda w: none) == "correct\n"


def test_nan_where_it_is_wanted(capsys):
    assert verdict(lambda w: w / 0 * 0, capsys, reference=lambda w: w * torch.nan) == "correct\n"


def test_an_unknown_name_and_an_odd_answer_do_not_raise(capsys):
    check(ghost=3)
    assert capsys.readouterr().out.startswith("not quite: run the folded cells above; ")
    check(3)
    assert capsys.readouterr().out.startswith("not quite: ")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_stamped_cell_runs_alone(language, capsys):
    cell = {}
    exec(cell_source(language), cell)
    cell["exercises"]["ids"] = None
    cell["check"](ids=...)
    assert capsys.readouterr().out == checker.WORDS[language]["not yet"] + "\n"
    assert max(map(len, cell_source(language).splitlines())) <= 88
