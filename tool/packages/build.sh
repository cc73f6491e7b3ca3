#!/bin/sh
# Makes the packages of a build for this machine's processor: a wheel, a .deb
# and a .tar.gz. Two runs make the same bytes: times in them are those of the
# last commit, or SOURCE_DATE_EPOCH.
#
# usage: sh tool/packages/build.sh BUILD OUTPUT
set -eu
[ $# = 2 ] || {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
source=$(cd "$(dirname "$0")/../.." && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
mkdir -p "$2"
python3 "$source/tool/packages/wheel.py" "$1" "$2"
cpack --config "$1/CPackConfig.cmake" -G 'DEB;TGZ' -B "$2" >"$2/cpack.log"
rm -rf "$2/_CPack_Packages"
ls "$2"/*.deb "$2"/*.tar.gz
