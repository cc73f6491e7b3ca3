#!/bin/sh
# Runs the runtime under ThreadSanitizer (8 threads) and under AddressSanitizer
# with UBSan: a stress program that uses everything at once, then the report of
# its profile, whose count must be the program's own.
#
#   sh test/sanitize.sh [BUILD]      (default: a scratch directory)
#
# Exits non-zero at the first finding.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -gt 1 ]; then
  echo "usage: $0 [BUILD]" >&2
  exit 2
fi
if [ $# -eq 1 ]; then
  build=$1
  mkdir -p "$build"
else
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi
: "${CXX:=g++}"

# Builds and runs the stress program: SANITIZERS TURNS
stress() {
  directory=$build/$1
  cmake -S "$source" -B "$directory" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DLOOPSCOPE_ENABLE_REWRITER=OFF -DLOOPSCOPE_ENABLE_TESTS=OFF \
    -DLOOPSCOPE_SANITIZE="$1" >"$directory.log" 2>&1 &&
    cmake --build "$directory" -j "$(nproc)" --target loopscope_runtime loopscope >>"$directory.log" 2>&1 ||
    { tail -n 30 "$directory.log" >&2; exit 1; }
  "$CXX" -std=c++17 -g -O1 -fsanitize="$1" -fno-omit-frame-pointer \
    -I "$source/runtime/include" -I "$source/test/Survive/Inputs" \
    "$source/test/Survive/Inputs/stress.cpp" -o "$directory/stress" \
    "$directory/lib/libloopscope.a" -lpthread -ldl
  rm -f "$directory"/stress*.loopscope
  started=$(date +%s)
  works=$(LOOPSCOPE="report=none,output=$directory/stress.loopscope" \
    "$directory/stress" "$2")
  reported=$("$directory/bin/loopscope" report --view simple --format csv \
    "$directory/stress.loopscope" | sed -n 's/^work,[^,]*,\([0-9]*\),.*/\1/p')
  if [ "$works" != "$reported" ]; then
    echo "$0: $1: $works spans of \"work\", $reported in the report" >&2
    exit 1
  fi
  printf '%-18s %s spans of "work" on 8 threads, no finding, %s s\n' "$1" \
    "$works" "$(($(date +%s) - started))"
}

# A finding ends the program with this code, and so the script.
export TSAN_OPTIONS="halt_on_error=1:exitcode=66:die_after_fork=0 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1:exitcode=66 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1 ${UBSAN_OPTIONS:-}"
stress thread "${SANITIZE_TURNS:-20000}"
stress address,undefined "${SANITIZE_TURNS:-20000}"
