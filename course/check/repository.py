"""Rules on the files around the notebooks: pages, links, pictures, versions."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

from course import OLDEST_PYTHON, PINNED_TORCH, CourseError, addresses, read_toml
from course.check import Problems, rule
from course.check.links import dead_links, lower_case_text
from course.check.numbers import CODE_IN_LINE, unequal_numbers
from course.check.typography import autocorrect_problems, raw_asterisks, untranslated_lines
from course.diagrams import decode_frames
from course.differences import describe_line_difference
from course.exhibits import DATA_FOLDER, EXHIBITS
from course.languages import EDITIONS
from course.notebook import (
    CODE_BLOCK,
    LINK_TARGET,
    Notebook,
    all_notebooks,
    chapters,
    diagram_path,
    english_notebooks,
    printed_text,
    without_picture,
)
from course.tables import DERIVED_PART, build_pages

PLACEHOLDER_OWNER = "OWNER"
COLAB_REPOSITORY = re.compile(r"colab\.research\.google\.com/github/([\w-]+)/([\w.-]*\w)")
GITHUB_REPOSITORY = re.compile(r"(?:github\.com/([\w-]+)|//([\w-]+)\.github\.io)/([\w.-]*\w)")
# As the web's front page has it, before the repository's address is put in.
GITHUB_LINK = re.compile(r"\]\(GITHUB(/blob/main/)?([^)]*)\)")
VERSION_NUMBER = re.compile(r"\b\d+\.\d+\.\d+\b")
WEEKLY_TORCH = re.compile(r"\btorch==([\d.]+)")
PINNED_PACKAGE = re.compile(r"^([\w-]+)==", re.MULTILINE)
PYTHON_OR_NEWER = re.compile(r"Python (\d+\.\d+) (?:or newer|或更新)")
EXERCISE_LINE = re.compile(r"^(\d+)\. (.+)", re.MULTILINE)  # of a chapter, in TEACHING
LAST_CHAPTER_OF_TERM = 12  # of the twelve weeks in TEACHING; later ones are left out
TERM_EXERCISE_COUNT = re.compile(r"(\d+)(?= exercises| 道)|divide [^.]+ by (\d+)|除以 (\d+)")
TABLE_PLACE = re.compile(r"(?<=`)(?:course|tests)/[^`]*(?=`.*\|$)", re.MULTILINE)
GLOSSARY_ROW = re.compile(r"\| (.+) \| .+ \| \[\d+\]\((.+)\) \|")
MAX_SECONDS = 5  # that a moving picture plays


def texts_of(root: Path, *patterns: str) -> dict[str, str]:
    """Return the texts of the files that match some patterns, by their names from the root."""
    paths = [path for pattern in patterns for path in sorted(root.glob(pattern))]
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def markdown_pages(root: Path) -> dict[str, str]:
    """Return the texts of the Markdown pages of the top folder, by name."""
    return texts_of(root, "*.md")


def page_text(root: Path, name: str) -> str:
    """Return the text of a page, or another file. Raises CourseError if it is missing."""
    if not (root / name).exists():
        raise CourseError(f"{name}: there is no such file; get it back from git")
    return (root / name).read_text(encoding="utf-8")


@rule
def notebook_files_are_numbered(root: Path) -> Problems:
    """Every notebook has a name like 05_gradients.ipynb: others are neither run nor checked."""
    notebook_paths = {notebook.path for notebook in all_notebooks(root)}
    for path in sorted((root / "notebooks").rglob("[!.]*.ipynb")):
        if path.resolve() not in notebook_paths and ".ipynb_checkpoints" not in path.parts:
            remedy = "name it like 05_gradients.ipynb, in notebooks/ or notes/, or delete it"
            yield f"{path.relative_to(root)}: is not numbered; {remedy}"


@rule
def each_notebook_has_a_title_of_its_own(root: Path) -> Problems:
    """No two notebooks of a language share a title: one is a copy, and not yet rewritten."""
    notebook_by_title: dict[str, Notebook] = {}
    for notebook in all_notebooks(root):
        title = notebook.title.partition(" · ")[2] or notebook.title  # without a chapter's number
        namesake = notebook_by_title.setdefault(title, notebook)
        if namesake is not notebook:
            yield f"{notebook}: has one title with {namesake}; write another for the copy"


@rule
def tables_of_chapters_are_up_to_date(root: Path) -> Problems:
    """READMEs and TEACHINGs say of the chapters what the notebooks give."""
    remedy = f"{english_notebooks(root)[0].update_advice}, or with any other notebook"
    for path, data in build_pages(root).items():
        stored = path.read_text(encoding="utf-8")
        if difference := describe_line_difference(stored, data.decode()):
            yield f"{path.name}, {difference}; {remedy}"


@rule
def teaching_lists_exercises(root: Path) -> Problems:
    """The list in TEACHING says what each exercise of a chapter asks."""
    for edition in EDITIONS.values():
        lists = dict(EXERCISE_LINE.findall(page_text(root, edition.teaching)))
        for chapter in chapters(english_notebooks(root)):
            tasks = re.findall("[^;；]+", lists.get(str(chapter.number), ""))
            exercise_count = len(list(chapter.exercises()))
            if len(tasks) != exercise_count:
                place = f"{edition.teaching}, the list of exercises, {chapter.number}"
                counts = f"tasks: {len(tasks)}, exercises: {exercise_count}"
                yield f"{place}: {counts}; say what each exercise asks, with `;` between"


@rule
def teaching_counts_the_exercises_of_the_term(root: Path) -> Problems:
    """TEACHING states how many exercises the chapters of the term have."""
    exercise_count = sum(
        len(list(chapter.exercises()))
        for chapter in chapters(english_notebooks(root))
        if chapter.number <= LAST_CHAPTER_OF_TERM
    )
    for edition in EDITIONS.values():
        matches = TERM_EXERCISE_COUNT.findall(page_text(root, edition.teaching))
        stated_counts = sorted({"".join(groups) for groups in matches})
        if stated_counts != [str(exercise_count)]:
            states = f"states {stated_counts} as the number of exercises in the term"
            chapter_range = f"chapters 1 to {LAST_CHAPTER_OF_TERM} have {exercise_count}"
            yield f"{edition.teaching}: {states}, and {chapter_range}; correct it"


@rule
def page_links_lead_somewhere(root: Path) -> Problems:
    """Every relative link of a page leads to a file or a heading; its tables are derived."""
    for name, text in markdown_pages(root).items():
        page = DERIVED_PART.sub("", text)
        yield from (f"{name}: {sentence}" for sentence in dead_links(page, root / name, root))


@rule
def links_to_github_lead_somewhere(root: Path) -> Problems:
    """The files and headings to which a notebook's end and the web's front page link are there."""
    texts = texts_of(root, "course/site/index.*.md")
    for language, edition in EDITIONS.items():
        origin = edition.origin_template.replace("https://github.com/{0}", "GITHUB")
        texts[f"course/languages.py, {language}"] = origin
    for place, text in texts.items():
        for folder, target in GITHUB_LINK.findall(text):
            link = f"[a]({target if folder else f'README.md{target}'})"
            sentences = dead_links(link, root / "README.md", root)
            yield from (f"{place}: {sentence}" for sentence in sentences)


@rule
def bold_of_pages_is_shown_as_bold(root: Path) -> Problems:
    """No page shows the asterisks that were to make a text bold."""
    for name, text in markdown_pages(root).items():
        yield from (f"{name}: {problem}" for problem in raw_asterisks(text))


@rule
def places_in_tables_exist(root: Path) -> Problems:
    """Each path that a table of a page names is there, such as `course/site/` or `course/*.py`."""
    for name, text in markdown_pages(root).items():
        for place in TABLE_PLACE.findall(text):
            if not any(root.glob(place)):
                yield f"{name}: {place} does not exist; correct its name"


@rule
def commands_of_pages_exist(root: Path) -> Problems:
    """Each make target and module of the course that a page or CI runs is there."""
    targets = set(re.findall(r"^(\w+):", page_text(root, "Makefile"), re.MULTILINE))
    modules = {path.stem for path in root.glob("course/*.py")}
    modules |= {path.parent.name for path in root.glob("course/*/__main__.py")}
    code_by_name = {
        name: "\n".join([*CODE_BLOCK.findall(text), *CODE_IN_LINE.findall(text)])
        for name, text in texts_of(root, "*.md", ".github/*.md").items()
    }
    code_by_name |= texts_of(root, ".github/workflows/*.yml", ".ci/run")
    for name, code in code_by_name.items():
        for target in sorted(set(re.findall(r"\bmake ([a-z]+)", code)) - targets):
            yield f"{name}: `make {target}` does not exist; `make help` lists the commands"
        for module in sorted(set(re.findall(r"-m course\.(\w+)", code)) - modules):
            yield f"{name}: there is no module course.{module}; correct its name"


@rule
def readmes_name_the_oldest_python(root: Path) -> Problems:
    """Each README says from which Python on the course runs."""
    oldest = ".".join(map(str, OLDEST_PYTHON))
    for edition in EDITIONS.values():
        versions = set(PYTHON_OR_NEWER.findall(page_text(root, edition.readme)))
        if versions != {oldest}:
            problem = f"names {sorted(versions)} as the oldest Python, and it is {oldest}"
            yield f"{edition.readme}: {problem}; correct it"


@rule
def links_name_one_repository(root: Path) -> Problems:
    """All links to the public repository name the one in pyproject.toml.

    A link means it if it opens Colab, or has its name, or the owner who stands for none yet.
    """
    public_name = addresses.stored_repository(root)
    texts = markdown_pages(root)
    for notebook in all_notebooks(root):
        texts |= {notebook.place_of(cell): without_picture(cell) for cell in notebook.cells}
    for place, text in texts.items():
        linked_names = set(COLAB_REPOSITORY.findall(text))
        for repository_owner, website_owner, name in GITHUB_REPOSITORY.findall(text):
            owner = repository_owner or website_owner
            if owner == PLACEHOLDER_OWNER or name == public_name.split("/")[1]:
                linked_names.add((owner, name))
        for repository in sorted({"/".join(names) for names in linked_names} - {public_name}):
            remedy = "correct it, or move the course: CONTRIBUTING.md, another repository"
            yield f"{place}: {repository}, and the repository is {public_name}; {remedy}"


@rule
def readmes_name_the_pinned_pytorch(root: Path) -> Problems:
    """The READMEs name the pinned PyTorch before any other version."""
    for edition in EDITIONS.values():
        first_version = VERSION_NUMBER.search(page_text(root, edition.readme))
        if not first_version or first_version[0] != PINNED_TORCH:
            problem = f"does not name PyTorch {PINNED_TORCH}, the pinned one, before any other"
            yield f"{edition.readme}: {problem}; write it there first"


@rule
def readmes_name_the_pytorch_of_the_weekly_run(root: Path) -> Problems:
    """Each README names the versions of PyTorch with which the notebooks are run every week."""
    weekly_workflow = page_text(root, ".github/workflows/weekly.yml")
    for edition in EDITIONS.values():
        named_versions = VERSION_NUMBER.findall(page_text(root, edition.readme))
        for version in sorted({*WEEKLY_TORCH.findall(weekly_workflow)}.difference(named_versions)):
            problem = f"does not name PyTorch {version}, which .github/workflows/weekly.yml runs"
            yield f"{edition.readme}: {problem}; make them agree"


@rule
def libraries_of_field_notes_are_pinned(root: Path) -> Problems:
    """What a field note imports is pinned, and the weekly run of other versions leaves it out."""
    pinned_packages = set(PINNED_PACKAGE.findall(page_text(root, "tests/requirements.txt")))
    weekly_workflow = page_text(root, ".github/workflows/weekly.yml")
    for note in english_notebooks(root):
        for library in sorted(set(note.libraries) - pinned_packages):
            yield f"{note}: imports {library}; pin it in tests/requirements.txt"
        if note.libraries and f"--ignore {note}" not in weekly_workflow:
            remedy = f"write `--ignore {note}` into .github/workflows/weekly.yml, versions"
            yield f"{note}: needs more than PyTorch and Matplotlib; {remedy}"


@rule
def chinese_pages_match_english_ones(root: Path) -> Problems:
    """A page has the same parts, code, and numbers in Chinese, and there it is Chinese."""
    pages = markdown_pages(root)
    for chinese_name in [name for name in pages if name.endswith(".zh.md")]:
        english_name = chinese_name.replace(".zh", "")
        if english_name not in pages:
            yield f"{chinese_name}: there is no {english_name}; add it, or delete this one"
            continue
        # What is derived from the notebooks holds titles, which are compared there.
        english, chinese = (
            re.split(r"\n(?=## )", DERIVED_PART.sub("", pages[name]))
            for name in (english_name, chinese_name)
        )
        if len(english) != len(chinese):
            counts = f"has {len(chinese)} parts `## …`, and {english_name} {len(english)}"
            yield f"{chinese_name}: {counts}; make them equal"
        for english_part, chinese_part in zip(english, chinese, strict=False):
            place = f"{chinese_name}, {chinese_part.splitlines()[0]}"
            for sentence in unequal_parts(english_part, chinese_part, english_name):
                yield f"{place}: {sentence}"


def unequal_parts(english: str, chinese: str, english_name: str) -> Problems:
    """Yield a sentence for each difference between a part of a page and its Chinese twin."""
    if code_of(english) != code_of(chinese).replace(" IN=zh", ""):
        yield f"what stands between ``` is not that of {english_name}; make it equal"
    english, chinese = (LINK_TARGET.sub("]", CODE_BLOCK.sub("", t)) for t in (english, chinese))
    for sentence in unequal_numbers(english, chinese):
        yield f"{sentence}; make them agree"
    yield from autocorrect_problems(chinese)
    yield from untranslated_lines(chinese)


def code_of(markdown: str) -> str:
    """Return the blocks of code in some Markdown, without comments."""
    return re.sub(r" *#.*", "", "".join(CODE_BLOCK.findall(markdown)))


@rule
def glossary_terms_are_used(root: Path) -> Problems:
    """Each term of the Chinese glossary, without its brackets, stands in the chapter it names."""
    name = "notebooks/zh/glossary.md"
    glossary = page_text(root, name)
    yield from (f"{name}: {line}" for line in sorted(set(dead_links(glossary, root / name, root))))
    for row in glossary.partition("|---|---|---|\n")[2].splitlines():
        match = GLOSSARY_ROW.fullmatch(row)
        if not match:
            yield f"{name}: `{row}`; write it like `| 行 | row | [1](01_lookup.ipynb) |`"
            continue
        chapter = Notebook(root / "notebooks/zh" / match[2])
        for term in re.sub(r"（.+）", "", match[1]).split("、"):
            if chapter.exists and term.lower() not in lower_case_text(chapter):
                yield f"{name}: {chapter} does not say {term}; correct one"


@rule
def reference_tensors_are_kept(root: Path) -> Problems:
    """The published tensors stand where they belong, character for character."""
    for tensor in read_toml("tests/reference.toml", root).get("tensor", []):
        if not {"chapter", "cell", "text"} <= tensor.keys():
            yield "tests/reference.toml: a tensor lacks chapter, cell or text; undo the change"
            continue
        notebook = Notebook(root / f"notebooks/{tensor['chapter']}.ipynb")
        cell = notebook.cells_by_id.get(tensor["cell"]) if notebook.exists else None
        place, published = f"{notebook}, cell {tensor['cell']}", tensor["text"].strip("\n")
        if cell is None:
            yield f"{place}: is gone, and tests/reference.toml has it; undo the change"
        elif difference := describe_line_difference(printed_text(cell), published, "published"):
            yield f"{place}, {difference}; undo the change"


@rule
def figures_are_drawn(root: Path) -> Problems:
    """Each function of a module of figures is a diagram of its notebook, or called in there."""
    names_by_topic: dict[str, set[str]] = defaultdict(set)
    for notebook in english_notebooks(root):
        names_by_topic[notebook.topic] |= {name.replace("-", "_") for name in notebook.diagrams}
    for path in sorted(root.glob("course/figures/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        called_names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            if function not in called_names | names_by_topic[path.stem]:
                name = function.replace("_", "-")
                problem = f"no cell's `diagram` is {name}; use it, or delete the function"
                yield f"{path.relative_to(root).as_posix()}: {problem}"


@rule
def exhibits_have_their_cells(root: Path) -> Problems:
    """Each exhibit of the web edition stands after a cell, and a function gives its numbers."""
    for topic, cell_id in EXHIBITS:
        notebooks = [notebook for notebook in english_notebooks(root) if notebook.topic == topic]
        if not any(cell_id in notebook.cells_by_id for notebook in notebooks):
            name = notebooks[0].path.stem if notebooks else topic
            yield f"course/exhibits.py: no cell {cell_id} in {name}; correct its name there"
    names = {function.__name__ for function in EXHIBITS.values()}
    for path in sorted((root / DATA_FOLDER).glob("[!.]*")):
        if path.suffix != ".json" or path.stem not in names:
            place = path.relative_to(root).as_posix()
            yield f"{place}: no exhibit of course/exhibits.py writes it; delete it"


@rule
def pictures_are_shown_once(root: Path) -> Problems:
    """Each picture is shown, once, and a moving one plays for a few seconds."""
    uses = Counter(name for notebook in english_notebooks(root) for name in notebook.diagrams)
    for path in sorted((root / "images").glob("[!.]*")):
        if path != diagram_path(root, path.stem) or not uses[path.stem]:
            remedy = "use it, or delete it and the function that draws it, if there is one"
            yield f"images/{path.name}: no notebook shows it; {remedy}"
            continue
        if uses[path.stem] > 1:
            yield f"images/{path.name}: two diagrams of this name; rename one and its function"
        seconds = sum(time for _, time in decode_frames(path.read_bytes())) / 1000
        if seconds > MAX_SECONDS:
            limit = f"{MAX_SECONDS} are the limit; draw fewer frames, or shorter ones"
            yield f"images/{path.name}: plays for {seconds} seconds, {limit}"
