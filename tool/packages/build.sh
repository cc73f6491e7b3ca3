#!/bin/sh
# Makes the packages of a build for this machine's processor: a wheel, a .deb
# and a .tar.gz. Two runs on one build make the same bytes, whoever makes them:
# times in them are those of the last commit, or SOURCE_DATE_EPOCH.
#
# usage: sh tool/packages/build.sh BUILD OUTPUT
set -eu
[ $# = 2 ] || {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
source=$(cd "$(dirname "$0")/../.." && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null)} || {
  echo "build.sh: the sources are no git repository; set SOURCE_DATE_EPOCH to the time of the release, in seconds" >&2
  exit 1
}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
mkdir -p "$2"
python3 "$source/tool/packages/wheel.py" "$1" "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cpack --config "$1/CPackConfig.cmake" -G DEB -B "$folder/cpack" >"$2/cpack.log"

# archive FOLDER NAME... prints these names of the folder as a .tar.gz.
archive() {
  from=$1
  shift
  tar -C "$from" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" -cf "$folder/tar" "$@"
  gzip -9n <"$folder/tar"
}

# The size in cpack's .deb depends on how large its file system makes folders. By
# Debian's rule a file takes whole KiB, and anything else one.
deb=$(echo "$folder"/cpack/*.deb)
mkdir "$folder/deb" "$folder/control"
(cd "$folder/deb" && ar x "$deb")
tar -xzf "$folder/deb/control.tar.gz" -C "$folder/control"
size=$(tar -tvzf "$folder/deb/data.tar.gz" | awk '{ n += /^-/ ? int(($3 + 1023) / 1024) : 1 } END { print n }')
sed -i "s/^Installed-Size: .*/Installed-Size: $size/" "$folder/control/control"
archive "$folder/control" ./control ./md5sums >"$folder/deb/control.tar.gz"
(cd "$folder/deb" && ar rcD package debian-binary control.tar.gz data.tar.gz)
deb=$2/$(basename "$deb")
cat "$folder/deb/package" >"$deb"

# cpack's other archives have the owner's name, and files in the folder's order.
name=$(sed -n 's/^set(CPACK_PACKAGE_FILE_NAME "\(.*\)")$/\1/p' "$1/CPackConfig.cmake")
cmake --install "$1" --prefix "$folder/$name" --strip >>"$2/cpack.log"
archive "$folder" "$name" >"$2/$name.tar.gz"
ls "$deb" "$2/$name.tar.gz"
