"""Ask for every address that the course links to. Needs the network; not part of the tests.

python tools/links.py       a line for each address that does not answer, exit status 1
"""

import json
import re
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(r"\]\((https://[^)\s]+)\)")


def addresses() -> dict[str, str]:
    """Every address, and one file that links to it. No package beside Python is needed."""
    found = {}
    for path in [*ROOT.glob("*.md"), *ROOT.glob("notebooks/**/*.ipynb")]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
        found |= dict.fromkeys(ADDRESS.findall(text), path.relative_to(ROOT).as_posix())
    return found


def main() -> int:
    """Report what does not answer within 30 seconds."""
    broken = 0
    for address, file in sorted(addresses().items()):
        request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0"})
        try:
            urllib.request.urlopen(request, timeout=30).close()
        except OSError as error:
            broken += 1
            print(f"{file}: {address}: {error}; correct the link")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
