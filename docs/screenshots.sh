#!/bin/sh
# Writes docs/images/*.png: the HTML page of a profile and of a PyTorch trace, in
# light, dark and narrow. Needs Chromium and npm, as the page's tests do.
#
#   LOOPSCOPE=trace,output=cnn.loopscope build/demo/cnn-cpp
#   sh docs/screenshots.sh build cnn.loopscope worker0.pt.trace.json.gz
set -eu
[ $# = 3 ] || { sed -n 's/^# *//; 5,6p' "$0" >&2; exit 1; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/loopscope" report "$2" --format html -o "$work/profile.html"
"$build/bin/loopscope" report "$3" --format html -o "$work/trace.html"
mkdir -p "$root/docs/images"
NODE_PATH=$build/html/node_modules:$root/test/Html/Inputs \
LOOPSCOPE_CHROMIUM=$(command -v chromium) \
node "$root/docs/screenshots.js" "$work" "$root/docs/images"
