"""The checker of the exercises: this one source is stamped into each notebook, in its language.

A learner who unfolds it reads `cell_source("en")`, so it is written for a learner. A cell of cases
says what an exercise is judged by: `exercises["look_up"] = by_cases(reference, cases)` for a
function, where `cases` has arguments by the name of the case; or a function of what is asked for,
which returns what is wrong with it, or nothing, or `...` if it is not answered yet.
"""

import copy
import inspect
import json
import linecache
import traceback

import torch

WORDS = {
    "en": {
        "title": "The checker: run this cell once",
        "exercises": "by the name of what you write: what is wrong with it, if anything",
        "not yet": "not yet: replace the ...",
        "wrong": "not quite: {}",
        "right": "correct",
        "case": "{}: {}",
        "nothing": "it returns nothing; is there a return?",
        "shape": "the shape is {}, not {}",
        "whole": "these are not whole numbers",
        "other": "yours =\n{}\nwanted =\n{}",
        "changed": "it changes {}, which is not its own",
        "raises": "line {}, `{}`, raises {}: {}",
        "unknown": "run the folded cells above; they judge an answer by its name, not {}",
    },
    "zh": {
        "title": "检查程序：先运行一次这个单元格",
        "exercises": "按你所写的名字：它错在哪里（没错则为空）",
        "not yet": "尚未作答：请替换 ...",
        "wrong": "不对：{}",
        "right": "正确",
        "case": "{}：{}",
        "nothing": "函数没有返回值；写 return 了吗？",
        "shape": "形状是 {}，应为 {}",
        "whole": "结果不是整数",
        "other": "你的结果 =\n{}\n应为 =\n{}",
        "changed": "你的函数改动了传入的 {}，请先复制一份再改",
        "raises": "第 {} 行 `{}` 报错 {}：{}",
        "unknown": "还不能评判 {}：请先运行上面折起来的单元格，也不要改动题目里的名字",
    },
}
# What the functions below say of themselves, in the other language.
DOCSTRINGS = {
    "zh": {
        "difference": "结果错在哪里；没错则为空。",
        "judged": "函数对一组参数给出的结果错在哪里。",
        "by_cases": "按参考答案评判函数，指出第一个没有通过的例子。",
        "check": "按名字评判函数或答案，并打印结果。",
    }
}
say = WORDS["en"]
exercises = {}


def difference(yours, target):
    """What is wrong with a result; nothing if it is the target."""
    if yours is None and target is not None:
        return say["nothing"]
    other = say["other"].format(yours, target)
    try:
        if isinstance(target, (str, list)) and all(isinstance(t, str) for t in target):
            return "" if yours == target else other
        if torch.is_tensor(target) and isinstance(yours, list) and len(yours):
            yours = torch.stack([torch.as_tensor(row) for row in yours])
        if isinstance(target, (bool, int, float, torch.Tensor)):
            one, two = torch.as_tensor(yours), torch.as_tensor(target)
            if one.shape != two.shape:
                return say["shape"].format(tuple(one.shape), tuple(two.shape))
            if torch.is_tensor(target) and not two.is_floating_point():
                if one.is_floating_point() and one.numel():
                    return say["whole"]
            yours, target = one.to(two.dtype) if two.is_floating_point() else one, two
        torch.testing.assert_close(yours, target, check_dtype=False, equal_nan=True)
    except Exception:
        return other
    return ""


def judged(function, reference, arguments):
    """What is wrong with what a function makes of some arguments."""
    mine, given = copy.deepcopy(arguments), copy.deepcopy(arguments)
    try:
        yours = function(*given)
    except Exception as error:
        own_code = inspect.unwrap(function).__code__
        calls = traceback.extract_tb(error.__traceback__)
        own = [call.lineno for call in calls if call.filename == own_code.co_filename]
        at = own[-1] if own else own_code.co_firstlineno
        line = linecache.getline(own_code.co_filename, at).strip()
        return say["raises"].format(at, line, type(error).__name__, error)
    if yours is ...:
        return ...
    if found := difference(yours, reference(*mine)):
        return found
    names = inspect.signature(reference).parameters
    changed = [n for n, a, b in zip(names, given, arguments) if difference(a, b)]
    return say["changed"].format(changed[0]) if changed else ""


def by_cases(reference, cases):
    """A judge of functions, by a reference: it names the first case that fails."""

    def judge(function):
        names = inspect.signature(reference).parameters
        for case, arguments in cases.items():
            found = judged(function, reference, arguments)
            if found is ...:
                return ...
            if found:
                given = [f"{n} =\n{a}" for n, a in zip(names, arguments)]
                return "\n".join([say["case"].format(case, found), *given])
        return ""

    return judge


def check(*functions, **values):
    """Print a verdict on a function, or on values, by their names."""
    answers = [*functions, *values.values()]
    try:
        names = [function.__name__ for function in functions] + list(values)
        if names[0] not in exercises:
            found = say["unknown"].format(names[0])
        elif any(answer is ... for answer in answers):
            found = ...
        else:
            found = exercises[names[0]](*answers)
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    if found is ...:
        print(say["not yet"])
    else:
        print(say["wrong"].format(found) if found else say["right"])


def cell_source(language):
    """The source of the cell that defines all this, in a language ("en" or "zh")."""
    own = dict(WORDS[language])
    title, judged_by = own.pop("title"), own.pop("exercises")
    imports = [f"import {name}" for name in ("copy", "inspect", "linecache", "traceback")]
    lines = [f"# @title {title}", *imports, "", "import torch", "", "say = {"]
    quoted = [[json.dumps(text, ensure_ascii=False) for text in pair] for pair in own.items()]
    lines += [f"    {name}: {text}," for name, text in quoted]
    lines += ["}", f"exercises = {{}}  # {judged_by}"]
    parts = ["\n".join(lines)]
    for part in (difference, judged, by_cases, check):
        said = DOCSTRINGS.get(language, {}).get(part.__name__, part.__doc__)
        parts.append(inspect.getsource(part).strip().replace(part.__doc__, said))
    return "\n\n\n".join(parts)
