"""The ids of an exercise's cells: `try-1`, `try-1-cases`, `try-1-stub` and `try-1-solution`.

Only Python's own library can be imported here: the copies of readers are made with it.
"""

import re
from collections.abc import Iterable

EXERCISE_PARTS = ("cases", "stub", "solution")  # the cells after a prompt
EXERCISE_ID = re.compile(rf"try-(\d+)(?:-({'|'.join(EXERCISE_PARTS)}))?")


def exercise_ids(number: int | str) -> list[str]:
    """Return the ids of the four cells of an exercise, by its number."""
    prompt_id = f"try-{number}"
    return [prompt_id, *(f"{prompt_id}-{part}" for part in EXERCISE_PARTS)]


def part_of_exercise(cell_id: str) -> str:
    """Return what a cell is in an exercise: prompt, cases, stub or solution; else nothing."""
    match = EXERCISE_ID.fullmatch(cell_id)
    return (match[2] or "prompt") if match else ""


def exercise_numbers(cell_ids: Iterable[str]) -> list[int]:
    """Return the numbers of the exercises, complete or not, whose prompts are among some cells."""
    matches = map(EXERCISE_ID.fullmatch, cell_ids)
    return [int(match[1]) for match in matches if match and not match[2]]
