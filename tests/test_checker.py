"""What the checker of the exercises says to answers of every kind; it never raises."""

import builtins
import copy
import sys
from fractions import Fraction

import numpy as np
import pytest
import torch
from nbformat.v4 import new_code_cell

from course import checker
from course.check.names import global_names, symbol_tables
from course.checker import Refused, call, cell_source, check, compare, judge_by_cases

WEIGHT = torch.arange(6.0).view(3, 2)
TENTHS = WEIGHT + 0.1  # not exact in bfloat16


def twice(weight):
    return 2 * weight


def parts(weight):
    return 2 * weight, weight[:, 0] > 1


def transposes(weight):
    made = 2 * weight
    weight.t_()
    return made


def adds_in_place(weight):
    weight += weight
    return weight


def asks_for_gradients(weight):
    return 2 * weight.requires_grad_().detach()


@pytest.fixture
def verdict(capsys, monkeypatch):
    """What the checker says to an answer that is to be like a reference."""

    def give(answer, reference=twice, argument=WEIGHT, **options):
        def judge(answer):
            judge_by_cases(answer, reference, {"a case": [argument]}, **options)

        monkeypatch.setattr(checker, "judge_answer", judge, raising=False)
        check(answer=answer)
        return capsys.readouterr().out

    return give


# An answer, and the reference that it is held against.
RIGHT = {
    "a list of floats, rounded": (lambda w: [0.1 + 0.2], lambda w: [0.3]),
    "float64": (lambda w: (2 * w).double(), twice),
    "half, exact": (lambda w: (2 * w).half(), twice),
    "a list": (lambda w: (2 * w).tolist(), twice),
    "a tuple of lists": (lambda w: tuple((2 * w).tolist()), twice),
    "a list of tensors": (lambda w: list(2 * w), twice),
    "NumPy": (lambda w: (2 * w).numpy(), twice),
    "sparse": (lambda w: (2 * w).to_sparse(), twice),
    "whole numbers": (lambda w: (2 * w).long(), twice),
    "a gradient": (lambda w: (2 * w).requires_grad_(), twice),
    "rounded elsewhere": (lambda w: (w / 3 * 7).double(), lambda w: w * 7 / 3),
    "NumPy's 3": (lambda w: np.int64(3), lambda w: 3),
    "a tensor of 3": (lambda w: torch.tensor(3), lambda w: 3),
    "uint8": (lambda w: torch.tensor([3], dtype=torch.uint8), lambda w: torch.tensor([3])),
    "3.0": (lambda w: 3.0, lambda w: 3),
    "1 for True": (lambda w: 1, lambda w: True),
    "NumPy's True": (lambda w: np.bool_(True), lambda w: True),
    "None": (lambda w: None, lambda w: None),
    "words": (lambda w: ["the", "cat"], lambda w: ["the", "cat"]),
    "words in a tuple": (lambda w: ("the", "cat"), lambda w: ["the", "cat"]),
    "words in NumPy": (lambda w: np.array(["the", "cat"]), lambda w: ["the", "cat"]),
    "nan": (lambda w: w / 0 * 0, lambda w: w * torch.nan),
    "infinity": (lambda w: -(w + 1) / 0, lambda w: torch.full((3, 2), -torch.inf)),
    "NumPy's uint16": (lambda w: np.array([3], np.uint16), lambda w: torch.tensor([3])),
    "uint32": (lambda w: torch.tensor([3], dtype=torch.uint32), lambda w: torch.tensor([3])),
    "a fraction": (lambda w: Fraction(1, 4), lambda w: 0.25),
    "the values of a dict": (lambda w: {"a": 1, "b": 2}.values(), lambda w: torch.tensor([1, 2])),
    "a map": (lambda w: map(int, "12"), lambda w: torch.tensor([1, 2])),
    "a generator of generators": (lambda w: ((2 * x for x in row) for row in w), twice),
    "no IDs, of a float type": (lambda w: torch.tensor([]), lambda w: torch.empty(0).long()),
    "two results": (parts, parts),
    "two equal results": (lambda w: (1, 1), lambda w: (1, 1)),
    "a list of two results": (lambda w: [(2 * w).tolist(), [False, True, True]], parts),
}
SECOND_RESULT = "result 2 of 2: "
WRONG = {
    "yours is 1152921504606846977, wanted is 1152921504606846976": (
        lambda w: 2**60 + 1,
        lambda w: 2**60,
    ),
    "yours is 0.33333, wanted is 0.5\n": (lambda w: 1 / 3, lambda w: torch.tensor(0.5)),
    "one number is wanted, not [3]\n": (lambda w: [3], lambda w: torch.tensor(3)),
    "first difference at [0]: yours is 1.10002": (
        lambda w: [1.10002],
        lambda w: torch.tensor([1.1]),
    ),
    "line ": (lambda w: sys.exit(), twice),
    "it returns None; is a return missing?\nweight =\ntensor([[0., 1.]": (lambda w: None, twice),
    "the shape is (6,), not (3, 2)": (lambda w: 2 * w.flatten(), twice),
    "the type is str, not Tensor": (lambda w: "no", twice),
    "the type is tuple, not Tensor": (lambda w: (2 * w, 2 * w), twice),
    "the type is complex64, not float32": (lambda w: 2 * w + 5j, twice),
    "the type is float32, not int64": (lambda w: w.sum(1), lambda w: w.sum(1).long()),
    "whole numbers are wanted, not 2.0": (lambda w: 2.0, lambda w: torch.tensor(2)),
    "whole numbers are wanted, not 1.0": (lambda w: [1.0, 2.0], lambda w: torch.tensor([1, 2])),
    "numbers are wanted, not 'cat'": (lambda w: [1, "cat"], lambda w: torch.tensor([1, 2])),
    "numbers are wanted, not None": (lambda w: [[None]], twice),
    "its parts are not of one length": (lambda w: [[1, 2], [3]], twice),
    "True or False is wanted, not [True, True]": (lambda w: [True, True], lambda w: True),
    "True or False is wanted, not [False]": (lambda w: (i > 1 for i in [0]), lambda w: True),
    "True or False is wanted, not 'yes'": (lambda w: "yes", lambda w: True),
    "True or False is wanted, not tensor([True])": (lambda w: w[0, :1] == 0, lambda w: True),
    "the shape is (1, 1), not (3, 2)": (
        lambda w: torch.sparse_coo_tensor([[1], [0]], [1.0], (1, 1), check_invariants=False),
        twice,
    ),
    "yours is 1, wanted is 0\n": (lambda w: 1.0, lambda w: -0.0),
    "line 1": (lambda w: (1 / 0 for i in w), twice),
    "yours =\ntensor([[nan, nan]": (lambda w: w * torch.nan, twice),
    "yours =\ntensor([[ 1.,  3.]": (lambda w: 2 * w + 1, twice),
    "yours =\ntensor([[0., 2.],\n        [4., 6.],\n        [8., inf]])\nwanted": (
        lambda w: (2 * w).index_put((torch.tensor(2), torch.tensor(1)), torch.tensor(torch.inf)),
        twice,
    ),
    "yours is 3.9, wanted is 3": (lambda w: 3.9, lambda w: 3),
    "yours is 0.3001, wanted is 0.3": (lambda w: 0.3001, lambda w: 0.3),
    "yours is ['cat', 'the'], wanted is ['the'": (lambda w: ["cat", "the"], lambda w: ["the"]),
    "it changes weight, which": (adds_in_place, twice),
    "it changes weight, which is": (transposes, twice),
    "it changes weight, which is not its own": (asks_for_gradients, twice),
    "it returns one result, of the type Tensor, not 2": (lambda w: 2 * w, parts),
    "it returns 3 results, not 2": (lambda w: (*parts(w), 0), parts),
    "the results are right, and in the wrong order": (lambda w: parts(w)[::-1], parts),
    "result 1 of 2: yours is 2, wanted is 1": (lambda w: (2, 3), lambda w: (1, 2)),
    f"{SECOND_RESULT}it returns None": (lambda w: (2 * w, None), parts),
    f"{SECOND_RESULT}the type is float32, not bool": (
        lambda w: (2 * w, parts(w)[1].float()),
        parts,
    ),
    f"{SECOND_RESULT}the type is int64, not bool": (lambda w: (2 * w, [0, 1, 1]), parts),
}


@pytest.mark.parametrize(("answer", "reference"), RIGHT.values(), ids=RIGHT)
def test_right(answer, reference, verdict):
    assert verdict(answer, reference) == "✔ correct\n"


@pytest.mark.parametrize(("reason", "answer", "reference"), [(k, *v) for k, v in WRONG.items()])
def test_wrong(reason, answer, reference, verdict):
    assert verdict(answer, reference).startswith(f'✘ not quite: in the case "a case": {reason}')


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
def test_lost_digits_are_seen(dtype, scale):
    """In one result as in several, whatever the size of the numbers."""
    table = TENTHS * scale
    lost = TENTHS.to(dtype).float() * scale
    for yours, wanted in ((lost, table), ((lost, 1), (table, 1))):
        with pytest.raises(Refused, match=r"first difference at \[0, 0\]: yours is"):
            compare(yours, wanted)


def test_a_type_counts_where_it_is_asked_for(verdict):
    doubled = verdict(lambda w: (2 * w).double(), same_dtype=True)
    assert ": the type is float64, not float32\n" in doubled


def test_a_type_is_required():
    checker.require_type(torch.nn.Linear(1, 1), torch.nn.Linear)
    for value, reason in ((None, "it returns None"), (3, "the type is int, not Linear")):
        with pytest.raises(Refused, match=reason):
            checker.require_type(value, torch.nn.Linear)


def test_a_case_is_shown_on_few_lines(verdict):
    def sums(n, v, w, long):
        return n + v

    wrong = checker.describe_arguments({"n": 3, "v": 2, "w": WEIGHT[:1], "long": torch.ones(9, 9)})
    assert wrong == ["n = 3, v = 2, long has the shape (9, 9)", "w =\ntensor([[0., 1.]])"]
    [many] = checker.describe_arguments({"words": ["cat"] * 700})
    assert many.startswith("words = ['cat', ") and many.endswith(" …") and len(many) < 600
    assert "first difference at [0, 0]" in (long := verdict(twice, copy.copy, torch.ones(9, 9)))
    assert long.count("\n") == 2


def test_not_yet(capsys, verdict):
    not_yet = "not yet: replace the ...\n"
    for answer in (..., lambda w: ..., lambda w: (w, ...), lambda w: {"a": [...]}):
        assert verdict(answer) == not_yet
    for answer in ([1, ...], {"a": ...}):
        check(ids=answer)
        assert capsys.readouterr().out == not_yet


def test_an_exception_is_shown_with_the_line(verdict):
    def raises(weight):
        return weight[7]

    for function in (raises, torch.no_grad()(raises)):
        assert "`return weight[7]`, raises IndexError: " in verdict(function)
    assert "raises TypeError: " in verdict(lambda: 1)
    assert ": it raises TypeError: " in verdict(torch.mm)
    assert 'in the case "a case": a function is wanted, not int\n' in verdict(3)


def by_backward(weight):
    weight = weight.clone().requires_grad_()
    (weight * weight).sum().backward()
    return weight.grad


GRADIENTS = {
    "backward": by_backward,
    "no gradient asked for": lambda w: (w * w).sum().backward(),
    "grad": lambda w: torch.autograd.grad((w.requires_grad_() ** 2).sum(), w)[0],
    "func.grad": torch.func.grad(lambda w: (w * w).sum()),
    "jacobian": lambda w: torch.autograd.functional.jacobian(lambda x: (x * x).sum(), w),
    "jacrev": torch.func.jacrev(lambda w: (w * w).sum()),
    "jacfwd": torch.func.jacfwd(lambda w: (w * w).sum()),
    "switched on": torch.enable_grad()(by_backward),
}


@pytest.mark.parametrize("answer", GRADIENTS.values(), ids=GRADIENTS)
def test_autograd_is_refused_where_it_is_forbidden(answer, verdict):
    refused = '✘ not quite: in the case "a case": it lets autograd work out a gradient'
    assert verdict(answer, autograd=False).startswith(refused)
    assert verdict(twice, autograd=False) == verdict(by_backward) == "✔ correct\n"


CHANGES = {
    "t_": torch.Tensor.t_,
    "zero_": torch.Tensor.zero_,
    "resize_": lambda t: t.resize_(1, 2),
    "set_": lambda t: t.set_(torch.ones(2, 2)),
    "requires_grad_": torch.Tensor.requires_grad_,
    "a gradient": lambda t: setattr(t, "grad", torch.ones(2, 3)),
    "neg_": torch.Tensor.neg_,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_an_argument_is_seen(change):
    table = torch.tensor([[1.0, 2, 3], [4, 5, torch.nan]])
    for arguments in ({"table": table}, {"table": [{"params": [table]}]}):
        with pytest.raises(Refused, match="it changes table, which is not its own"):
            call(lambda t: change(t if torch.is_tensor(t) else t[0]["params"][0]), arguments)
        assert table.shape == (2, 3) and table[0, 0] == 1, "the case itself is changed"


def test_a_symmetric_table_that_is_transposed_is_changed():
    with pytest.raises(Refused, match="it changes table"):
        call(torch.Tensor.t_, {"table": torch.eye(2)})


def test_what_is_shown_is_the_case(verdict):
    """Not what a reference made of it, nor what autograd notes of an answer."""
    wrong = verdict(
        lambda w: 3 * w.requires_grad_(False) + torch.ones(2, requires_grad=True), adds_in_place
    )
    assert "weight =\ntensor([[0., 1.],\n" in wrong and "grad" not in wrong


def test_a_changed_model_is_seen_and_an_iterator_may_be_used_up():
    with pytest.raises(Refused, match="it changes model"):
        call(lambda model: model.weight.data.zero_(), {"model": torch.nn.Linear(2, 1)})
    assert call(next, {"rows": iter([1, 2])}) == 1


def test_without_a_judge_there_is_no_verdict(capsys):
    check(ghost=3)
    assert capsys.readouterr().out.startswith("no verdict: run the folded cell above")
    for end_without_name in (check, lambda: check(3)):
        end_without_name()
        assert capsys.readouterr().out.startswith("no verdict: end the cell as it did")


def test_an_answer_that_is_stopped_is_named_in_one_line(verdict):
    """Interrupt Kernel ends a loop that never ends."""

    def interrupt(weight):
        raise KeyboardInterrupt

    assert verdict(interrupt) == "no verdict: `answer` was stopped before it returned\n"


def test_what_cannot_be_judged_is_told(capsys, monkeypatch):
    monkeypatch.setattr(checker, "judge_ids", lambda ids: ids[0], raising=False)
    check(ids=3)
    not_quite = "✘ not quite: it cannot be compared: TypeError: 'int' object is not subscriptable\n"
    assert capsys.readouterr().out == not_quite


def test_the_page_goes_on_with_its_random_numbers(monkeypatch):
    monkeypatch.setattr(checker, "judge_ids", lambda ids: torch.randn(3), raising=False)
    before = torch.get_rng_state()
    check(ids=3)
    assert torch.equal(torch.get_rng_state(), before)


def test_cases_are_unkind():
    generator = torch.Generator().manual_seed(123)
    for _ in range(20):
        rows, columns, count = checker.random_sizes(3, generator)
        assert len({rows, columns, count}) == 3 and rows > 1
        table = checker.random_table(rows, columns, generator)
        assert table.shape == (rows, columns) and torch.equal(table[-1], 3 * table[0])
        assert (table != table.bfloat16()).any() and (table != table.round()).all()
    assert checker.random_table(1, 2, generator).shape == (1, 2)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_stamped_cell_runs_alone(language, capsys):
    cell = {}
    exec(cell_source(language), cell)
    cell["check"](ids=...)
    assert capsys.readouterr().out == checker.WORDS[language]["not yet"] + "\n"
    assert max(map(len, cell_source(language).splitlines())) <= 88
    names = global_names(symbol_tables(new_code_cell(cell_source(language))))
    assert names <= {*cell, *dir(builtins)}, "an import is missing, or a function"


def test_the_languages_say_the_same_things():
    english, chinese = checker.WORDS["en"], checker.WORDS["zh"]
    assert {name: text.count("{}") for name, text in english.items()} == {
        name: text.count("{}") for name, text in chinese.items()
    }
