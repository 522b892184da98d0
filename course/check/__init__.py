"""What is required of the course: CONTRIBUTING.md says which module looks at what.

Its RULES are functions that yield a line for each thing wrong: the file, the cell, what to do.
nbval compares what a kernel prints with what is stored; here is what it cannot see.
"""

from collections.abc import Iterator

Problems = Iterator[str]
