"""The words in which the editions differ; those of the checker are in course/checker.py."""

import re
from typing import NamedTuple

from course import OLDEST_PYTHON


class Edition(NamedTuple):
    """The words of one language, and the names of its pages."""

    language: str
    readme: str
    teaching: str
    contents_label: str
    colab_label: str
    other_language_label: str
    search_label: str
    notes_label: str  # before a chapter's notes
    minutes_template: str  # above the README's list of chapters; their sum is put in
    origin_template: str  # at the end of a notebook; the public repository is put in
    fixed_headings: dict[str, str]  # by the id of the cell that begins with it
    instructions: str  # under the heading of the exercises
    web_instructions: str  # in their place on the web
    answers_warning: str  # after the instructions, where there are answers
    show_answer_label: str  # on the button that shows an answer
    handout_start: str  # in the handout's README
    tested_with_template: str  # after it; the version of PyTorch is put in
    made_from_template: str  # after that and under titles, where git knows the commit
    encoding_comment: str  # in a cell of the handout that is encoded
    min_alt_letters: int  # of the sentence that describes a picture
    minutes_pattern: re.Pattern[str]  # the minutes under the title, as the second group
    exercise_minutes_pattern: re.Pattern[str]  # after them, as the first group


# PyTorch comes without CUDA, which is gigabytes on Linux. JupyterLab would serve the notebook's own
# folder, and links to other folders would lead nowhere.
HANDOUT_COMMANDS = """```
python3 -m venv .venv
.venv/bin/pip install torch --index-url https://download.pytorch.org/whl/cpu
.venv/bin/pip install jupyterlab matplotlib
.venv/bin/jupyter lab --notebook-dir=. notebooks/{}01_lookup.ipynb
```"""
OLDEST_PYTHON_NAME = ".".join(map(str, OLDEST_PYTHON))

EDITIONS = {
    "en": Edition(
        language="en",
        readme="README.md",
        teaching="TEACHING.md",
        contents_label="Contents",
        colab_label="Open in Colab",
        other_language_label="中文",
        search_label="Search",
        notes_label="Beside the story:",
        minutes_template="Minutes are for reading + for the exercises: {} for all chapters, "
        "without their notes (↳).",
        origin_template="From [An embedding layer is a linear layer that skips the zeros]"
        "(https://github.com/{0}), under the MIT license. [Where it comes from]"
        "(https://github.com/{0}#where-it-comes-from).",
        fixed_headings={
            "summary": "In one sentence",
            "recall": "Without scrolling up",
            "try": "Try it",
            "practice": "What people do",
        },
        instructions=(
            "Each time you open this, run all cells, the folded ones too: Run, Run All Cells in "
            "JupyterLab; Runtime, Run all in Colab. Then replace a `...`, press Shift-Enter, and "
            "read the verdict."
        ),
        web_instructions="Nothing runs on this page. In Colab, your answers are judged.",
        answers_warning=" The folded cells judge you, and there are answers in them: "
        "open them afterwards.",
        show_answer_label="Guess first, then look",
        handout_start="A course in notebooks. Guess what a cell will print, run it, and then open "
        "the text below; the exercises judge your answer. ●○○ asks for some Python, the shape of a "
        "tensor and a matrix product, ●●○ for a training loop that you have seen, ●●● for more "
        "time than it says. A note (↳) answers a question from practice."
        f"\n\nYou need Python {OLDEST_PYTHON_NAME} or newer. In this folder:\n\n"
        + HANDOUT_COMMANDS.format("")
        + "\n\nOn Windows, write `py` for `python3`, and `.venv\\Scripts\\` for `.venv/bin/`."
        "\n\nOr upload the notebook to Colab, where all of it is installed. "
        "To hand a chapter in: run all cells, save, and keep the chapter's name in that of the "
        "file, as in `anna-05_gradients.ipynb`.",
        tested_with_template="The course is tested with PyTorch {}.",
        made_from_template=" This handout was made from commit `{}` of the course.",
        encoding_comment="Encoded so that nobody reads an answer by accident. It is no secret.",
        min_alt_letters=30,
        minutes_pattern=re.compile(r"^(- \*\*[^*]+\*\* (?:about )?)(\d+)(?!.*^- )", re.M | re.S),
        exercise_minutes_pattern=re.compile(r"the exercises (\d+)"),
    ),
    "zh": Edition(
        language="zh",
        readme="README.zh.md",
        teaching="TEACHING.zh.md",
        contents_label="目录",
        colab_label="在 Colab 中打开",
        other_language_label="English",
        search_label="搜索",
        notes_label="相关短文：",
        minutes_template="分钟数是“阅读 + 练习”，各章合计 {}，不含短文（↳）。",
        origin_template="出自课程[《嵌入层：不做乘零运算的线性层》](https://github.com/{0})，"
        "采用 MIT 许可证；数据出处见[“来源”](https://github.com/{0}/blob/main/README.zh.md#来源)。",
        fixed_headings={
            "summary": "一句话小结",
            "recall": "不往回翻，答得出来吗",
            "try": "试一试",
            "practice": "实践中怎么做",
        },
        instructions=(
            "每次打开，先把所有单元格运行一遍，折起来的也要：JupyterLab 里选 Run → Run All Cells，"
            "Colab 里选“代码执行程序”→“全部运行”。然后把 `...` 换成你的答案，按 Shift-Enter，"
            "即可判题。代码里要用英文（半角）标点；要是报错 `SyntaxError: invalid character`，"
            "多半是混进了中文（全角）标点。"
        ),
        web_instructions="网页上不能运行代码；在 Colab 里打开这一章，才能判题。",
        answers_warning="判题用的代码折起来了，里面有答案，做完再打开。",
        show_answer_label="先猜，再看",
        handout_start="这是一门用 notebook 写成的课：运行每个单元格之前，先猜结果，运行以后再展开"
        "下面的文字；练习会自动判题。●○○ 只要会一点 Python、懂张量的形状和矩阵乘法；●●○ 还要见过"
        "训练循环；●●● 花的时间会比标出的多。标 ↳ 的短文，回答实践中的问题。"
        f"\n\n需要 Python {OLDEST_PYTHON_NAME} 或更新的版本。在这个文件夹里运行：\n\n"
        + HANDOUT_COMMANDS.format("zh/")
        + "\n\n在 Windows 上，`python3` 换成 `py`，`.venv/bin/` 换成 `.venv\\Scripts\\`。"
        "\n\n也可以把 notebook 上传到 Colab，那里什么都已装好。"
        "交作业：运行全部单元格，保存，文件名里保留章节的名字，例如 `anna-05_gradients.ipynb`。",
        tested_with_template="课程用 PyTorch {} 测试过。",
        made_from_template="这份讲义由提交（commit）`{}` 生成。",
        encoding_comment="编码只是为了避免无意中看到答案，并没有加密。",
        min_alt_letters=15,
        minutes_pattern=re.compile(r"^(- \*\*[^*]+\*\* (?:约 ?)?)(\d+)(?!.*^- )", re.M | re.S),
        exercise_minutes_pattern=re.compile(r"练习 (\d+)"),
    ),
}


def edition_of_page(file_name: str) -> Edition:
    """Return the edition of a page of the top folder: `README.zh.md` is Chinese."""
    return EDITIONS["zh" if file_name.endswith(".zh.md") else "en"]
