"""Look for misspelt words in the English prose: the notebooks' Markdown, without base64, and *.md.

python tools/spell.py       exit status 1 and a line `file/cell.md:line: wrong ==> right` each
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from course import ROOT, read

# Words that are right here: names in code and a file name.
KNOWN = "nd,te,hel"


def main() -> int:
    """Write the prose to a temporary folder, a file per cell, and run codespell there."""
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            place = Path(folder, path.stem)
            place.mkdir()
            for cell in read(path).cells:
                prose = cell.source.partition("](data:")[0]
                (place / f"{cell.id}.md").write_text(prose, encoding="utf-8")
        for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
            Path(folder, path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        command = [sys.executable, "-m", "codespell_lib", "--ignore-words-list", KNOWN, "."]
        return subprocess.run(command, cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(main())
