# Make .venv, or bring it up to date, and leave a stamp file in it. Called by the Makefile:
#     sh tools/install.sh PYTHON STAMP PIP-ARGUMENTS
# A .venv without any stamp is the rest of an attempt that was cut off: it is made anew.
set -u
python=$1 stamp=$2
shift 2

fail() {
    echo "$1" >&2
    exit 1
}

"$python" -c '' 2>/dev/null || fail "$python does not run: install Python 3.11 or newer, or name one: make lab PYTHON=python3.13"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Python 3.11 or newer is needed, and $python is $("$python" -c 'import platform; print(platform.python_version())'): name a newer one, as in make lab PYTHON=python3.13"
"$python" -c 'import ensurepip, venv' 2>/dev/null || fail "$python has no venv module: install it (on Debian and Ubuntu: apt install python3-venv)"

log=$(mktemp) || fail "no temporary file can be made: is the disk full?"
# Whatever goes wrong below, including Ctrl-C: no .venv stays behind that was never finished.
clean() {
    [ -e .venv/lab ] || rm -rf .venv
    rm -f "$log"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

if [ ! -e .venv/lab ]; then
    echo "Making .venv with $("$python" --version) …"
    rm -rf .venv
    "$python" -m venv .venv 2>"$log" || fail "The virtual environment could not be made: $(tail -n 1 "$log")"
fi
echo "Installing into .venv: $* …"
if ! .venv/bin/python -m pip install --disable-pip-version-check --retries 2 "$@" 2>"$log"; then
    if grep -q 'NewConnectionError\|ProxyError\|TimeoutError\|ConnectionError' "$log"; then
        fail "The packages could not be downloaded: no network? Nothing was changed; try again when there is one."
    fi
    fail "pip failed: $(grep '^ERROR' "$log" | head -n 1)"
fi
touch .venv/lab "$stamp"
