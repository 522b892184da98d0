# What the test in the browser needs, on Debian and Ubuntu, as root or with sudo: Chromium, unless
# it or Chrome is there (GitHub's machines have both), and a font with Chinese characters.
set -eu
packages=
for name in chromium chromium-browser google-chrome none; do
    command -v $name >/dev/null && break
done
[ $name != none ] || packages=chromium
fc-list :lang=zh 2>/dev/null | grep -q . || packages="$packages fonts-noto-cjk"
[ -n "$packages" ] || exit 0
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a word each
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages
