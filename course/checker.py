"""Judge a reader's answers; this source is stamped into every notebook, in its language.

A learner who unfolds the cell reads `cell_source("en")`, so it is written for a learner. The cases
of an exercise define one function, `judge_look_up`, which raises `Refused` with the reason if an
answer is wrong. The stub ends in `check(look_up=look_up)`, which calls it and prints a verdict.
"""

import ast
import inspect
import json
import linecache
import re
import traceback
from collections.abc import Iterator, ValuesView
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from functools import cache
from inspect import signature, unwrap
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import torch
from torch.autograd import forward_ad
from torch.utils._python_dispatch import TorchDispatchMode

WORDS = {
    "en": {
        "title": "The checker: run this cell once",
        "most": "numbers of a tensor that a verdict shows",
        "not yet": "not yet: replace the ...",
        "right": "✔ correct",
        "wrong": "✘ not quite: {}",
        "no judge": "no verdict: run the folded cell above, it judges `{}`",
        "no name": "no verdict: end the cell as it did, with check(name=name)",
        "stopped": "no verdict: `{}` was stopped before it returned",
        "not judged": "it cannot be compared: {}: {}",
        "case": 'in the case "{}": {}',
        "nothing": "it returns None; is a return missing?",
        "function": "a function is wanted, not {}",
        "one result": "it returns one result, of the type {}, not {}",
        "results": "it returns {} results, not {}",
        "order": "the results are right, and in the wrong order",
        "result": "result {} of {}: {}",
        "one number": "one number is wanted, not {}",
        "type": "the type is {}, not {}",
        "no numbers": "numbers are wanted, not {}",
        "whole": "whole numbers are wanted, not {}",
        "truth": "True or False is wanted, not {}",
        "rows": "its parts are not of one length",
        "shape": "the shape is {}, not {}",
        "value": "yours is {}, wanted is {}",
        "values": "yours =\n{}\nwanted =\n{}",
        "first": "first difference at {}: yours is {}, wanted is {}",
        "size": "{} has the shape {}",
        "changed": "it changes {}, which is not its own",
        "autograd": "it lets autograd work out a gradient; do that yourself",
        "raises": "it raises {}: {}",
        "line": "line {}, `{}`, raises {}: {}",
    },
    "zh": {
        "title": "判题程序：先运行一次这个单元格",
        "most": "张量里的数超过这么多，就不显示",
        "not yet": "尚未作答：请替换 ...",
        "right": "✔ 正确",
        "wrong": "✘ 还不对：{}",
        "no judge": "还不能判题：请先运行上面折起来的单元格，`{}` 由它来判",
        "no name": "还不能判题：单元格最后一行请保持原样，check(名字=名字)",
        "stopped": "没有判题：`{}` 还没有返回结果就被中断了",
        "not judged": "无法比较：{}：{}",
        "case": "用例“{}”：{}",
        "nothing": "返回的是 None；是不是漏写了 return？",
        "function": "这里要一个函数，而不是 {}",
        "one result": "只返回了一个结果，类型为 {}；应返回 {} 个",
        "results": "返回了 {} 个结果，应为 {} 个",
        "order": "结果都对，只是顺序不对",
        "result": "第 {} 个结果（共 {} 个）：{}",
        "one number": "只要一个数，而不是 {}",
        "type": "类型是 {}，应为 {}",
        "no numbers": "要的是数，而不是 {}",
        "whole": "要的是整数，而不是 {}",
        "truth": "要的是 True 或 False，而不是 {}",
        "rows": "各部分长短不一",
        "shape": "形状是 {}，应为 {}",
        "value": "你的结果是 {}，应为 {}",
        "values": "你的结果 =\n{}\n应为 =\n{}",
        "first": "第一处不同在 {}：你的结果是 {}，应为 {}",
        "size": "{} 的形状是 {}",
        "changed": "函数改动了传入的 {}，请先复制一份再改",
        "autograd": "梯度是用自动求导算出来的；请自己推导",
        "raises": "报错 {}：{}",
        "line": "第 {} 行 `{}` 报错 {}：{}",
    },
}
messages = WORDS["en"]
MAX_SHOWN = 60  # numbers of a tensor that a verdict shows


class Refused(Exception):
    """Raised with the reason why an answer is wrong."""


class Unanswered(Exception):
    """Raised if an answer still holds the `...` of its stub."""


def random_sizes(count, generator):
    """Return `count` different sizes, at most seven, each from 2 to 8."""
    return (2 + torch.randperm(7, generator=generator))[:count].tolist()


def random_table(rows, columns, generator):
    """Return random rows of three lengths; the last is parallel to the first."""
    scales = torch.tensor([2.0, 20, 0.2])[torch.arange(rows) % 3]
    table = scales[:, None] * (torch.rand(rows, columns, generator=generator) - 0.5)
    return torch.cat([table[:-1], 3 * table[:1]]) if rows > 1 else table


def is_unanswered(value):
    """Return whether a value is `...`, or holds it."""
    parts = value.values() if isinstance(value, dict) else value
    nested = isinstance(value, (dict, list, tuple))
    return value is ... or (nested and any(map(is_unanswered, parts)))


def snapshot(value):
    """Return a snapshot of a value, to see whether an answer changes it."""
    if torch.is_tensor(value):
        bits = bytes(value.detach().flatten().view(torch.uint8).tolist())
        kind = value.dtype, value.shape, value.stride(), value.requires_grad
        return kind, value.grad is None, bits
    if isinstance(value, torch.nn.Module):
        return snapshot(value.state_dict(keep_vars=True))
    if isinstance(value, dict):
        return {name: snapshot(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [snapshot(part) for part in value]
    return value if isinstance(value, (str, int, float)) else None


# The names with an underscore are private to torch: each week they are tried in other versions.
class ByHand(TorchDispatchMode):
    """Refuse operations that are recorded for a gradient, or work one out."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        is_recorded = torch.is_grad_enabled() or forward_ad._current_level >= 0
        if is_recorded or "backward" in str(operation):
            raise Refused(messages["autograd"])
        return operation(*args, **(kwargs or {}))


@contextmanager
def no_autograd():
    """Refuse an answer that lets PyTorch differentiate, forwards or backwards."""

    def refuse(*_, **__):
        raise Refused(messages["autograd"])

    engine = SimpleNamespace(run_backward=refuse)
    backwards = patch.object(torch.autograd.Variable, "_execution_engine", engine)
    forwards = patch.object(forward_ad, "make_dual", refuse)
    with torch.no_grad(), ByHand(), backwards, forwards:
        yield


def call(function, arguments, autograd=True):
    """Call an answer with copies of the arguments; refuse errors and changes."""
    if not callable(function):
        raise Refused(messages["function"].format(type(function).__name__))
    given = deepcopy(arguments)
    try:
        with nullcontext() if autograd else no_autograd():
            result = as_lists(function(*given.values()))
    except (Refused, Unanswered):
        raise
    except (Exception, SystemExit) as error:
        raise Refused(describe_error(error, function)) from error
    if is_unanswered(result):
        raise Unanswered
    for name in arguments:
        if snapshot(given[name]) != snapshot(arguments[name]):
            raise Refused(messages["changed"].format(name))
    return result


def describe_error(error, function):
    """Return an error in words, with the line of the answer that raised it."""
    code = getattr(unwrap(function), "__code__", None)
    if code is None:
        return messages["raises"].format(type(error).__name__, error)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == code.co_filename]
    number = lines[-1] if lines else code.co_firstlineno
    line = linecache.getline(code.co_filename, number).strip()
    return messages["line"].format(number, line, type(error).__name__, error)


def as_lists(value):
    """Return lists in place of iterators, such as a map, or of a dict's values."""
    value = list(value) if isinstance(value, (Iterator, ValuesView)) else value
    nested = type(value) in (list, tuple)
    return type(value)(as_lists(part) for part in value) if nested else value


def as_tensor(value):
    """Return numbers of any kind as a dense tensor: a list, NumPy, a sparse tensor."""
    if isinstance(value, (tuple, list)) and len(value):
        return torch.stack([as_tensor(part) for part in value])
    value = float(value) if isinstance(value, (Fraction, Decimal)) else value
    tensor = torch.as_tensor(value).detach().cpu().to_dense()
    is_unsigned = tensor.dtype in (torch.uint16, torch.uint32, torch.uint64)
    return tensor.long() if is_unsigned else tensor  # which torch cannot compare


def to_lists(value):
    """Return lists in place of tuples, tensors and NumPy arrays."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (tuple, list)):
        return [to_lists(part) for part in value]
    return value


def require_type(value, wanted):
    """Refuse a value of another type, and a missing return."""
    if value is None:
        raise Refused(messages["nothing"])
    if not isinstance(value, wanted):
        raise Refused(messages["type"].format(type(value).__name__, wanted.__name__))


def unpack(results, count):
    """Return so many results as a list; refuse another number of them."""
    if results is None:
        raise Refused(messages["nothing"])
    if not isinstance(results, (tuple, list)):
        raise Refused(messages["one result"].format(type(results).__name__, count))
    if len(results) != count:
        raise Refused(messages["results"].format(len(results), count))
    return list(results)


def compare(yours, wanted, same_dtype=False):
    """Refuse a result that is not the wanted one; a wanted tuple means several."""
    if yours is None and wanted is not None:
        raise Refused(messages["nothing"])
    if isinstance(wanted, tuple):
        compare_results(unpack(yours, len(wanted)), wanted, same_dtype)
    elif isinstance(wanted, list) and any(isinstance(part, float) for part in wanted):
        compare_numbers(yours, torch.tensor(wanted), same_dtype)
    elif isinstance(wanted, (bool, int, float, torch.Tensor)):
        compare_numbers(yours, wanted, same_dtype)
    elif to_lists(yours) != to_lists(wanted):
        raise Refused(messages["value"].format(repr(yours), repr(wanted)))


def compare_results(yours, wanted, same_dtype):
    """Refuse several results if one is wrong, and say which."""
    reasons = [refusal_reason(*pair, same_dtype) for pair in zip(yours, wanted)]
    swapped = [refusal_reason(*pair, same_dtype) for pair in zip(yours[::-1], wanted)]
    if any(reasons) and not any(swapped):
        raise Refused(messages["order"])
    for number, reason in enumerate(reasons, 1):
        if reason:
            raise Refused(messages["result"].format(number, len(wanted), reason))


def refusal_reason(yours, wanted, same_dtype):
    """Return why a result is refused, or None."""
    try:
        compare(yours, wanted, same_dtype)
    except Refused as reason:
        return reason


def compare_numbers(yours, wanted, same_dtype):
    """Refuse numbers of another kind, shape or value; a list is as good as a tensor."""
    target = torch.as_tensor(wanted).detach()
    result = numbers_in(yours, wanted, target)
    if isinstance(wanted, bool) and result.dim():
        raise Refused(messages["truth"].format(brief(yours)))
    if result.shape != target.shape and not target.dim():
        raise Refused(messages["one number"].format(brief(yours)))
    if result.shape != target.shape:
        shapes = tuple(result.shape), tuple(target.shape)
        raise Refused(messages["shape"].format(*shapes))
    wants_integers = torch.is_tensor(wanted) and not target.is_floating_point()
    wants_mask = wants_integers and target.dtype == torch.bool
    has_fractions = result.is_floating_point() and result.numel() > 0
    has_wrong_kind = wants_integers and has_fractions
    if has_wrong_kind and not wants_mask and isinstance(yours, (float, list)):
        raise Refused(messages["whole"].format(result.flatten()[0].item()))
    has_wrong_kind |= wants_mask and result.dtype != torch.bool
    is_wrong = result.is_complex() or has_wrong_kind
    if is_wrong or (same_dtype and result.dtype != target.dtype):
        dtypes = [str(part.dtype).removeprefix("torch.") for part in (result, target)]
        raise Refused(messages["type"].format(*dtypes))
    places = find_differences(result, target)
    if len(places):
        raise Refused(describe_difference(result, target, places[0].tolist()))


def numbers_in(yours, wanted, target):
    """Return the numbers of an answer as a tensor; refuse what holds none."""
    try:
        result = as_tensor(yours)
    except (TypeError, ValueError, RuntimeError, IndexError):
        raise Refused(why_no_numbers(yours, wanted, target)) from None
    # several results of another shape are no tensor that was cut into rows
    if isinstance(yours, tuple) and result.shape != target.shape:
        types = type(yours).__name__, type(wanted).__name__
        raise Refused(messages["type"].format(*types))
    return result


def why_no_numbers(yours, wanted, target):
    """Return the reason why an answer is no tensor."""
    if torch.is_tensor(yours):  # a sparse one, smaller than its places say
        return messages["shape"].format(tuple(yours.shape), tuple(target.shape))
    if isinstance(wanted, bool):
        return messages["truth"].format(brief(yours))
    if isinstance(yours, (tuple, list)):
        for part in leaves(yours):
            is_number = isinstance(part, (int, float, complex))
            if not is_number and not hasattr(part, "shape"):
                return messages["no numbers"].format(brief(part))
    if isinstance(yours, list):
        return messages["rows"]
    return messages["type"].format(type(yours).__name__, type(wanted).__name__)


def leaves(value):
    """Return what lists and tuples hold, at any depth."""
    nested = isinstance(value, (tuple, list))
    return [leaf for part in value for leaf in leaves(part)] if nested else [value]


def brief(value):
    """Return a value in words, or its type if they would be many."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN and "\n" not in text else type(value).__name__


def find_differences(result, target):
    """Return the places where numbers differ, floats by more than rounding."""
    may_be_rounded = target.is_floating_point() and target.numel() > 0
    if result.is_floating_point() or may_be_rounded:  # 70,000 in float16 is infinity
        result, target = result.double(), target.double()
    same = (result == target) | (result.isnan() & target.isnan())
    if may_be_rounded:
        size = target.nan_to_num(posinf=0, neginf=0).abs()
        tolerance = 1e-5 * size.amax(-1, keepdim=True) + 1e-6 * size.max()
        same |= (result - target).abs() <= tolerance
    return (~same).nonzero()


def shorten(pair):
    """Return two numbers with the digits that tell them apart, and at least five."""
    for digits in range(5, 18):  # the last digits of a float differ between processors
        form = f".{digits}g"  # adding 0.0 makes 0 of −0
        texts = [f"{n + 0.0:{form}}" if isinstance(n, float) else str(n) for n in pair]
        if texts[0] != texts[1]:
            break
    return texts


def describe_difference(result, target, place):
    """Return in words how two tensors differ, and where they do so first."""
    pair = shorten([tensor[tuple(place)].item() for tensor in (result, target)])
    if not place:
        return messages["value"].format(*pair)
    first = messages["first"].format(place, *pair)
    if result.numel() > MAX_SHOWN or str(result) == str(target):
        return first
    return messages["values"].format(result, target) + "\n" + first


def describe_arguments(arguments):
    """Return the lines that show a case: short values on one line, then the tensors."""
    short, lines = [], []
    for name, value in arguments.items():
        if torch.is_tensor(value) and value.numel() > MAX_SHOWN:
            short.append(messages["size"].format(name, tuple(value.shape)))
        elif torch.is_tensor(value) and value.dim():
            lines.append(f"{name} =\n{value}")
        elif isinstance(value, (str, int, float, tuple, list, torch.Tensor)):
            text = repr(value)
            rest = " …" if len(text) > 9 * MAX_SHOWN else ""
            short.append(f"{name} = {text[: 9 * MAX_SHOWN]}{rest}")
    return [", ".join(short), *lines] if short else lines


@contextmanager
def in_case(case, arguments):
    """Add the case and its arguments to what is refused inside."""
    try:
        yield
    except Refused as reason:
        lines = [messages["case"].format(case, reason), *describe_arguments(arguments)]
        raise Refused("\n".join(lines)) from None


def judge_by_cases(answer, reference, cases, same_dtype=False, autograd=True):
    """Refuse a function that gives another result than the reference in some case."""
    names = list(signature(reference).parameters)
    for case, values in cases.items():
        arguments = dict(zip(names, values))
        with in_case(case, arguments):
            result = call(answer, arguments, autograd)
            compare(result, reference(*deepcopy(values)), same_dtype)


def check(*_, **answers):
    """Print a verdict on an answer, by the name that the exercise has for it."""
    if len(answers) != 1:
        return print(messages["no name"])
    [(name, answer)] = answers.items()
    judge = globals().get(f"judge_{name}")
    try:
        if is_unanswered(answer):
            raise Unanswered
        if judge is None:
            return print(messages["no judge"].format(name))
        with torch.random.fork_rng(devices=[]):
            judge(answer)
        print(messages["right"])
    except Unanswered:
        print(messages["not yet"])
    except Refused as reason:
        print(messages["wrong"].format(reason))
    except KeyboardInterrupt:
        print(messages["stopped"].format(name))
    except (Exception, SystemExit) as error:
        reason = messages["not judged"].format(type(error).__name__, error)
        print(messages["wrong"].format(reason))


# What is stamped, and what each part says of itself in Chinese.
CHINESE_DOCSTRINGS = {
    Refused: "答案错在哪里。",
    Unanswered: "题目里的 `...` 还没有换掉。",
    random_sizes: "随机返回若干个互不相同的大小，都在 2 到 8 之间。",
    random_table: "返回随机的表，各行长短不一，最后一行与第一行平行。",
    is_unanswered: "返回一个值是不是 `...`，或者里面有没有它。",
    snapshot: "返回参数的状态；谁也没改动它，状态就不变。",
    ByHand: "不许执行为求导而记录的运算，也不许执行求梯度的运算。",
    no_autograd: "不许用自动求导，正向、反向都不许。",
    call: "用参数的副本调用答案；报错或改动参数，都算不对。",
    describe_error: "说明报了什么错，出在答案的哪一行。",
    as_lists: "把迭代器 (map、生成器等) 和字典的 values() 换成列表。",
    as_tensor: "把列表、NumPy 数组、稀疏张量里的数变成稠密张量。",
    to_lists: "把元组、张量和 NumPy 数组换成列表。",
    require_type: "类型不同，或者没有返回值，就算不对。",
    unpack: "以列表返回若干个结果；个数不对，就算不对。",
    compare: "结果不合要求就算不对；参考答案是元组，就有几个结果。",
    compare_results: "几个结果里有一个不对，就算不对，并指出是哪一个。",
    refusal_reason: "返回结果错在哪里；没错则为 None。",
    compare_numbers: "类型、形状或数值不同，就算不对；列表与张量一样看待。",
    numbers_in: "以张量返回答案里的数；里面没有数，就算不对。",
    why_no_numbers: "说明答案为什么不是张量。",
    leaves: "返回列表和元组里的内容，不管有几层。",
    brief: "以文字返回一个值；太长就只说类型。",
    find_differences: "返回数值不同的位置；浮点数之差须大于舍入误差。",
    shorten: "返回两个数：位数以能看出不同为准，至少五位。",
    describe_difference: "说明两个张量有何不同，第一处在哪里。",
    describe_arguments: "列出一个用例：短的值写在一行，然后是张量。",
    in_case: "在错误原因里写上是哪个用例，参数是什么。",
    judge_by_cases: "函数在某个用例里的结果与参考答案不同，就算不对。",
    check: "按题目里的名字评判答案，并打印结果。",
}
COMMENT = re.compile(r"^ +# .*\n|  # .*", re.MULTILINE)  # English, so not stamped in Chinese


def quoted(text):
    """Return a text as Python's formatters quote it."""
    return repr(text) if '"' in text else json.dumps(text, ensure_ascii=False)


def imports_for(source):
    """Return those lines of this file's imports that some code needs."""
    used_names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    head = Path(__file__).read_text(encoding="utf-8").partition("\n\nWORDS = ")[0]
    lines = head.partition('"""\n\n')[2].splitlines()

    def is_needed(line):
        return not line or used_names.intersection(line.partition("import ")[2].split(", "))

    return "\n".join(filter(is_needed, lines))


@cache
def cell_source(language):
    """Return the source of the cell that defines all this, in a language ("en" or "zh")."""
    words = dict(WORDS[language])
    title, most = words.pop("title"), words.pop("most")
    parts = []
    for part, chinese in CHINESE_DOCSTRINGS.items():
        source = inspect.getsource(part).strip()
        if language == "zh":
            source = COMMENT.sub("", source.replace(inspect.getdoc(part), chinese))
        parts.append(source)
    functions = "\n\n\n".join(parts)
    head = [
        f"# @title {title}",
        imports_for(functions),
        "",
        "messages = {",
        *(f"    {quoted(name)}: {quoted(text)}," for name, text in words.items()),
        "}",
        f"MAX_SHOWN = {MAX_SHOWN}  # {most}",
    ]
    return "\n".join(head) + f"\n\n\n{functions}"
