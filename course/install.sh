# Make .venv, or bring it up to date, and leave a stamp file in it. Called by the Makefile:
#     sh course/install.sh PYTHON STAMP PIP-ARGUMENTS
# Nothing is deleted but what this script made and did not finish. A .venv from elsewhere (an
# editor, uv, the README's plain commands) is used if it fits, and otherwise left as it is.
set -u
python=$1 stamp=$2
shift 2

fail() {
    echo "$1" >&2
    exit 1
}

# Usage: recent PYTHON: whether that runs and is recent enough; says on stdout what is wrong.
recent() {
    "$1" -c '' 2>/dev/null || { echo "$1 does not run"; return 1; }
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' && return
    echo "$1 is Python $("$1" -c 'import platform; print(platform.python_version())'), and 3.11 or newer is needed"
    return 1
}

log=$(mktemp) || fail "no temporary file can be made: is the disk full?"
mine=no
# Whatever goes wrong below, including Ctrl-C: what this run made and did not finish goes again.
clean() {
    [ "$mine" = no ] || rm -rf .venv
    rm -f "$log"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# The mark of a .venv that was being made here when the power went, say. `activate` is the last
# file that Python's venv writes: with it, someone has finished the work since.
mark=.venv/unfinished-by-make
[ -e "$mark" ] && [ ! -e .venv/bin/activate ] && rm -rf .venv
rm -f "$mark"

# Goes only if it is empty.
rmdir .venv 2>/dev/null
if [ ! -e .venv ] && [ ! -L .venv ]; then
    wrong=$(recent "$python") || fail "$wrong: install a newer Python, or name one: make lab PYTHON=python3.13"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || fail "$python has no venv module: install it (on Debian and Ubuntu: apt install python3-venv)"
    echo "Making .venv with $("$python" --version) …"
    mkdir .venv 2>"$log" && mine=yes && touch "$mark" && "$python" -m venv .venv 2>"$log" ||
        fail "The virtual environment could not be made: $(tail -n 1 "$log")"
    rm "$mark"
else
    away="move .venv away (mv .venv old.venv) and try again, to have a new one made"
    wrong=$(recent .venv/bin/python) || fail "$wrong: $away"
    # uv makes a .venv without pip.
    .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null 2>&1 ||
        fail ".venv has no pip, and Python's ensurepip cannot install it: $away"
fi
echo "Installing into .venv: $* …"
if ! .venv/bin/python -m pip install --disable-pip-version-check --retries 2 "$@" 2>"$log"; then
    if grep -q 'NewConnectionError\|ProxyError\|TimeoutError\|ConnectionError' "$log"; then
        fail "The packages could not be downloaded: no network? Try again when there is one."
    fi
    fail "pip failed: $(grep '^ERROR' "$log" | head -n 1)"
fi
mine=no
touch "$stamp"
