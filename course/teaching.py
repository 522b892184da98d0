"""What TEACHING.md says of each chapter, read off the promises under the chapters' titles."""

import re
from pathlib import Path
from typing import NamedTuple

from course.notebook import english, find, is_note, place, read, root_of, title

PROMISE = re.compile(r"^- (\*\*[^*]+\*\*.+)", re.MULTILINE)
CHAPTERS = re.compile(r"[Cc]hapters? (\d+(?:(?:, and|,| and| to) \d+)*)")
TRAINING = re.compile(r"gradient|train|optimizer|softmax|loss|attention", re.IGNORECASE)


class Place(NamedTuple):
    """What a chapter needs, and what that needs in turn; how hard it is, from 1 to 3."""

    needs: set[int]
    before: set[int]
    level: int


def promises(path: Path) -> list[str]:
    """The lines under a title: what a reader takes away, what he needs, how long it takes."""
    source = find(read(path), "title", path).source
    return PROMISE.findall(re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", source))  # links lead elsewhere


def places(root: Path) -> dict[int, Place]:
    """Where each chapter stands, by its number.

    It needs the chapters that the first sentence of its English "You need" names. It is as hard as
    those are; but of level 2 at least for who knows how a model is trained, and of level 3 if it
    asks for that and builds on a chapter of level 2.
    """
    found: dict[int, Place] = {}
    for path in english(root):
        if is_note(path):
            continue
        wanted, needs = promises(path)[1], set()
        for words in CHAPTERS.findall(wanted.split(". ")[0]):
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            needs |= set(range(numbers[0], numbers[-1] + 1) if " to " in words else numbers)
        needs &= found.keys()
        before = needs.union(*(found[number].before for number in needs))
        levels, asks = [1, *(found[number].level for number in needs)], TRAINING.search(wanted)
        level = min(3, max(levels) + 1) if asks else max(levels)
        found[int(path.name[:2])] = Place(needs, before, level)
    return found


def tree(paths: list[Path]) -> str:
    """Which chapter needs which: each grows from the last one that it needs.

    If it needs one that does not lie on its way from the root, a plus sign says so.
    """
    spots = places(root_of(paths[0]))
    names = {int(path.name[:2]): title(path) for path in paths if not is_note(path)}
    depth = {number: (len(spot.before), number) for number, spot in spots.items()}
    parents = {number: max(spots[number].needs, key=depth.get, default=0) for number in spots}

    def lines(parent: int, left: str) -> list[str]:
        children, found = [number for number in names if parents[number] == parent], []
        for child in children:
            last = child == children[-1]
            branch, below = ("", "") if not parent else ("└─ ", "   ") if last else ("├─ ", "│  ")
            way = {parent} | spots[parent].before if parent else set()
            more = "".join(f" + {number}" for number in sorted(spots[child].needs - way))
            found += [left + branch + names[child] + more, *lines(child, left + below)]
        return found

    return "\n".join(["```", *lines(0, ""), "```", ""])


def goals(paths: list[Path]) -> str:
    """For each chapter: how hard it is, its minutes, its promises, and a line for each note."""
    found, spots = [], places(root_of(paths[0]))
    for path in paths:
        link = f"[{title(path)}]({place(path)})"
        if is_note(path):
            found[-1] += f"- ↳ {link}\n"
            continue
        level, (gain, wanted, time) = spots[int(path.name[:2])].level, promises(path)
        marks = "●" * level + "○" * (3 - level) + f" {re.search(r'[0-9]+', time)[0]}′"
        found.append(f"**{link}** {marks}\n\n- {gain}\n- {wanted}\n")
    return "\n".join(found)
