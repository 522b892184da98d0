"""The words in which the editions differ; those of the checker are in course/checker.py."""

from typing import NamedTuple


class Edition(NamedTuple):
    """What is said in one language."""

    language: str
    readme: str
    contents: str
    colab_label: str
    other_label: str
    notes_label: str  # the notes of a chapter
    columns: str
    total: str
    origin: str  # of a notebook, at its end; the public repository is put in
    headings: dict[str, str]  # by the cell that begins with it
    instructions: str  # under the heading of the exercises
    answers: str  # after them, where there are any
    guess: str  # over what is behind a click, under a question


EDITIONS = {
    "en": Edition(
        language="en",
        readme="README.md",
        contents="Contents",
        colab_label="Open in Colab",
        other_label="中文",
        notes_label="Beside the story:",
        columns="| chapter | minutes |",
        total="all chapters, exercises and notes apart",
        origin="From [An embedding layer is a linear layer that skips the zeros]"
        "(https://github.com/{0}), under the MIT license. [Where it comes from]"
        "(https://github.com/{0}#where-it-comes-from).",
        headings={
            "summary": "In one sentence",
            "recall": "Without scrolling up",
            "try": "Try it",
            "practice": "What people do",
        },
        instructions=(
            "First run all cells once, the folded ones too. Then replace a `...`, press "
            "Shift-Enter, and read the verdict."
        ),
        answers=" The folded cells judge you, and there are answers in them: open them afterwards.",
        guess="Guess first, then look",
    ),
    "zh": Edition(
        language="zh",
        readme="README.zh.md",
        contents="目录",
        colab_label="在 Colab 中打开",
        other_label="English",
        notes_label="正文之外：",
        columns="| 章 | 分钟 |",
        total="各章合计，不含练习和短文",
        origin="出自课程[《嵌入层就是跳过零的线性层》](https://github.com/{0})，"
        "采用 MIT 许可证；数据出处见[“来源”](https://github.com/{0}/blob/main/README.zh.md#来源)。",
        headings={
            "summary": "一句话小结",
            "recall": "不往回翻，答得出来吗",
            "try": "试一试",
            "practice": "实践中怎么做",
        },
        instructions=(
            "先把所有单元格运行一遍，折起来的也要运行。然后把 `...` 换成你的答案，按 Shift-Enter，"
            "就能看到评判。代码里要用英文（半角）标点；要是报错 `SyntaxError: invalid character`，"
            "多半是混进了中文（全角）标点。"
        ),
        answers="评判的依据在折起来的单元格里，里面有答案，做完再打开。",
        guess="先猜，再看",
    ),
}
