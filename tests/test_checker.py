"""What the checker of the exercises says to answers of every kind; it never raises."""

import numpy as np
import pytest
import torch

from course import checker
from course.checker import by_cases, cell_source, check

WEIGHT = torch.arange(6.0).view(3, 2)


def twice(weight):
    return 2 * weight


def changes(weight):
    weight += weight
    return weight


def verdict(function, capsys, reference=twice, argument=WEIGHT):
    """What the checker says to a function that is to be like a reference."""
    checker.exercises[function.__name__] = by_cases(reference, {"a case": [argument]})
    check(function)
    return capsys.readouterr().out


# An answer, and the reference that it is held against.
RIGHT = {
    "float64": (lambda w: (2 * w).double(), twice),
    "half": (lambda w: (2 * w).half(), twice),
    "a list": (lambda w: (2 * w).tolist(), twice),
    "a list of tensors": (lambda w: list(2 * w), twice),
    "NumPy": (lambda w: (2 * w).numpy(), twice),
    "whole numbers": (lambda w: (2 * w).long(), twice),
    "a gradient": (lambda w: (2 * w).requires_grad_(), twice),
    "NumPy's 3": (lambda w: np.int64(3), lambda w: 3),
    "a tensor of 3": (lambda w: torch.tensor(3), lambda w: 3),
    "3.0": (lambda w: 3.0, lambda w: 3),
    "1 for True": (lambda w: 1, lambda w: True),
    "NumPy's True": (lambda w: np.bool_(True), lambda w: True),
    "None": (lambda w: None, lambda w: None),
    "words": (lambda w: ["the", "cat"], lambda w: ["the", "cat"]),
    "nan": (lambda w: w / 0 * 0, lambda w: w * torch.nan),
    "no IDs, of a float type": (lambda w: torch.tensor([]), lambda w: torch.empty(0).long()),
}
WRONG = {
    "it returns nothing; is there a return?": (lambda w: None, twice),
    "the shape is (6,), not (3, 2)": (lambda w: 2 * w.flatten(), twice),
    "yours =\nno\nwanted =\n": (lambda w: "no", twice),
    "yours =\ntensor([[nan, nan]": (lambda w: w * torch.nan, twice),
    "yours =\ntensor([[ 1.,  3.]": (lambda w: 2 * w + 1, twice),
    "yours =\ntensor([[ 0.0000,  2.0200]": (lambda w: 2.02 * w, twice),
    "yours =\n3.9\nwanted =\n3": (lambda w: 3.9, lambda w: 3),
    "yours =\n['cat', 'the']": (lambda w: ["cat", "the"], lambda w: ["the", "cat"]),
    "yours =\n['the' 'cat']": (lambda w: np.array(["the", "cat"]), lambda w: ["the", "cat"]),
    "these are not whole numbers": (lambda w: w.sum(1), lambda w: w.sum(1).long()),
    "it changes weight, which": (changes, twice),
}


@pytest.mark.parametrize(("answer", "reference"), RIGHT.values(), ids=RIGHT)
def test_right(answer, reference, capsys):
    assert verdict(answer, capsys, reference) == "correct\n"


@pytest.mark.parametrize(("said", "answer", "reference"), [(k, *v) for k, v in WRONG.items()])
def test_wrong(said, answer, reference, capsys):
    assert verdict(answer, capsys, reference).startswith(f"not quite: a case: {said}")


def test_names_the_arguments_of_the_case(capsys):
    assert "\nweight =\ntensor([[0., 1.]" in verdict(lambda w: None, capsys)


def test_not_yet(capsys):
    assert verdict(lambda w: ..., capsys) == "not yet: replace the ...\n"
    checker.exercises["ids"] = lambda ids: ids[0]
    for ids in (..., [...]):  # the judge finds the second one
        check(ids=ids)
        assert capsys.readouterr().out == "not yet: replace the ...\n"


def test_an_exception_is_shown_with_the_line(capsys):
    def raises(weight):
        return weight[7]

    for function in (raises, torch.no_grad()(raises)):
        assert "`return weight[7]`, raises IndexError: " in verdict(function, capsys)
    assert "raises TypeError: " in verdict(lambda: 1, capsys)


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
