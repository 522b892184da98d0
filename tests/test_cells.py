"""Each chapter's cells run once as plain Python: plots, diagrams, numbers, exercises."""

import pytest

from course import live
from course.notebook import english, place


@pytest.mark.parametrize("path", english(), ids=place)
def test_cells(path):
    if found := list(live.problems(path)):
        pytest.fail("\n".join(found), pytrace=False)
