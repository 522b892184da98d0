# What the tests in the browser need, on Debian and Ubuntu: Chromium, unless it or Chrome is there,
# as on GitHub's machines, and a font with Chinese characters.
set -eu
packages=fonts-noto-cjk
command -v chromium || command -v google-chrome || packages="$packages chromium"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a word each
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages
