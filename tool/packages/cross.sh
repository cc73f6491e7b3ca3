#!/bin/sh
# Builds the tools and runtimes for another processor, in FOLDER/build, for build.sh to
# make packages of: with Debian's cross compilers, qemu-user (it runs the tools once,
# for their manual pages) and sysroot.sh.
#
# usage: sh tool/packages/cross.sh PROCESSOR FOLDER    (PROCESSOR: aarch64)
set -eu
[ $# = 2 ] || {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tool/packages.sh"
loopscope_install $loopscope_build_packages $loopscope_cross_packages
sh "$source/tool/packages/sysroot.sh" "$1" "$2/sysroot"
cmake -G Ninja -S "$source" -B "$2/build" -DLOOPSCOPE_ENABLE_TESTS=OFF \
  -DCMAKE_TOOLCHAIN_FILE="$source/tool/cmake/$1-linux-gnu.cmake" \
  -DLOOPSCOPE_SYSROOT="$(cd "$2/sysroot" && pwd)" -DLOOPSCOPE_CROSS_RUNTIMES=x86_64
cmake --build "$2/build"
