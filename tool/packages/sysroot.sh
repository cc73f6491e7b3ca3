#!/bin/sh
# Unpacks Debian's packages of another processor that the tools are built with:
# headers and libraries below FOLDER, for CMake's -DLOOPSCOPE_SYSROOT=FOLDER. Nothing is
# installed, and no right of root is needed. Lines of FOLDER/owners say
# which package a file is from.
#
# usage: sh tool/packages/sysroot.sh PROCESSOR FOLDER    (PROCESSOR: aarch64)
set -eu
usage() {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
[ $# = 2 ] || usage
case $1 in
aarch64) debian=arm64 ;;
*) usage ;;
esac
command -v apt-get >/dev/null || {
  echo "sysroot.sh: packages come from Debian: apt-get isn't there" >&2
  exit 1
}
packages="llvm-22-dev libclang-22-dev libclang-common-22-dev libfmt-dev libfmt9 libsimdjson-dev
  libsimdjson14 libdeflate-dev zlib1g-dev zlib1g libsqlite3-dev libzstd-dev libtinfo-dev libtinfo6
  libcli11-dev nlohmann-json3-dev"
mkdir -p "$2"
root=$(cd "$2" && pwd)
[ ! -e "$root/owners" ] || exit 0

# apt with lists and a state of its own.
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
chmod 755 "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
: >"$apt/status"
cat >"$apt/conf" <<END
APT::Architecture "$debian";
APT::Architectures { "$debian"; };
APT::Sandbox::User "root";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
export APT_CONFIG="$apt/conf" LC_ALL=C
echo "Fetching Debian's packages for $1 (82 MB)" >&2
{ apt-get -q update && cd "$apt/debs" && apt-get -q download $packages; } >"$apt/log" 2>&1 || {
  echo "sysroot.sh: can't fetch packages: $(grep -m 1 '^E:' "$apt/log" || tail -n 1 "$apt/log")" >&2
  exit 1
}
for deb in "$apt"/debs/*.deb; do
  dpkg-deb -x "$deb" "$root"
  name=$(dpkg-deb -f "$deb" Package)
  dpkg-deb --fsys-tarfile "$deb" | tar -t | sed -n "s|^\./lib/|./usr/lib/|; s|^\.\(/.*[^/]\)\$|\1 $name|p"
done >"$apt/names"
{ echo && cat "$apt/names"; } >"$apt/owners"
# As on installed systems, /lib is /usr/lib.
if [ -d "$root/lib" ]; then
  cp -a "$root/lib/." "$root/usr/lib/"
  rm -r "$root/lib"
  ln -s usr/lib "$root/lib"
fi
# Links to absolute names would lead out of the folder.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfrn "$root$(readlink "$link")" "$link"
done
# CMake's files of LLVM name programs, too, which only LLVM's own builds run.
sed -n 's|.*"\${_IMPORT_PREFIX}/\([^"]*\)".*|\1|p' "$root"/usr/lib/llvm-*/lib/cmake/llvm/LLVMExports-*.cmake |
  sort -u | while read -r name; do
  for file in "$root"/usr/lib/llvm-*/; do
    [ -e "$file$name" ] || { mkdir -p "$(dirname "$file$name")" && : >"$file$name"; }
  done
done
mv "$apt/owners" "$root/owners"
