"""What is required of the course, a room for each kind of thing that is looked at.

    structure    a notebook as it is stored
    executed     what a chapter's run gives
    editions     the Chinese edition beside the English one
    numbers      the numbers of the prose, typography: how Chinese is written
    repository   READMEs, links, pictures, versions: what surrounds the notebooks

A room's RULES are functions that yield a line for each thing wrong: the file, the cell, what to do.
nbval compares what a kernel prints with what is stored; here is what it cannot see.
"""

from collections.abc import Iterator

Problems = Iterator[str]
