"""The cells at the top and the bottom of a notebook that lead to the others."""

import os
from pathlib import Path

from course.addresses import colab, stored_repository
from course.notebook import Notebook, chapters, notebooks_in


def navigation(notebook: Notebook) -> str:
    """Return the links of a notebook, as Markdown: contents, neighbours, Colab, its twin.

    The neighbour of a note is its chapter.
    """
    root, edition = notebook.root, notebook.edition
    links = [f"[{edition.contents_label}]({relative_link(root / edition.readme, notebook)})"]
    before, after = neighbours(notebook)
    links += [f"[← {chapter.title}]({relative_link(chapter.path, notebook)})" for chapter in before]
    links += [f"[{chapter.title} →]({relative_link(chapter.path, notebook)})" for chapter in after]
    links.append(f"[{edition.colab_label}]({colab(notebook, stored_repository(root))})")
    links.append(f"[{edition.other_language_label}]({relative_link(notebook.twin.path, notebook)})")
    return " | ".join(links)


def neighbours(notebook: Notebook) -> tuple[list[Notebook], list[Notebook]]:
    """Return the chapter before, or the chapter of a note, and the chapter after, if any."""
    if notebook.is_note:
        return notebook.chapters_with_same_number[:1], []
    in_order = chapters(notebooks_in(notebook.path.parent))
    position = in_order.index(notebook)
    return in_order[:position][-1:], in_order[position + 1 :][:1]


def notes_line(notebook: Notebook) -> str:
    """Return the line that leads from a chapter's end to its notes; nothing if it has none."""
    links = [f"[{note.title}]({relative_link(note.path, notebook)})" for note in notebook.notes]
    return f"{notebook.edition.notes_label} {' · '.join(links)}\n\n" if links else ""


def origin_line(notebook: Notebook) -> str:
    """Return the last line of a notebook, which may be read alone: its origin and license."""
    return "\n\n" + notebook.edition.origin_template.format(stored_repository(notebook.root))


def relative_link(target: Path, notebook: Notebook) -> str:
    """Return the target of a link that leads from a notebook to a file."""
    return Path(os.path.relpath(target, notebook.path.parent)).as_posix()
