#!/bin/sh
# Runs the runtime under ThreadSanitizer, and under AddressSanitizer with UBSan: its unit tests, a
# stress program that uses everything at once on 8 threads, and one with replayed CUDA. Then reports
# on their profiles, whose counts must equal the programs' own.
#
#   sh test/sanitize.sh [-t TURNS] [-s SANITIZERS] [BUILD]
#
#   -t   turns of the stress program (20000)
#   -s   thread or address,undefined (default: both, one after the other)
#   BUILD  where to build (default: a scratch directory)
#
# Exits non-zero at the first finding. The reader has test/fuzz.sh.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
turns=20000
sanitizers='thread address,undefined'
while getopts t:s: option; do
  case $option in
  t) turns=$OPTARG ;;
  s) sanitizers=$OPTARG ;;
  *) echo "usage: $0 [-t TURNS] [-s SANITIZERS] [BUILD]" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=${1:-$scratch/build}
mkdir -p "$build"
# clang's sanitizer builds take half of g++'s time.
if [ -z "${CXX:-}" ]; then
  CXX=g++
  for each in clang++-22 clang++; do
    if echo 'int main() {}' |
      "$each" -fsanitize=address -x c++ - -o "$scratch/probe" 2>/dev/null; then
      CXX=$each
      break
    fi
  done
fi

# The build whose tests these are may already have the report.
targets='loopscope_runtime runtime-tests replay-13'
command -v loopscope >/dev/null || targets="$targets loopscope"

# Builds in $directory with the sanitizers $1, without the traces and HTML page, which these tests
# don't need.
make_build() {
  cmake -G Ninja -S "$source" -B "$directory" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG='-g1 -O1' \
    -DLOOPSCOPE_ENABLE_REWRITER=OFF -DLOOPSCOPE_ENABLE_TESTS=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_simdjson=ON -DLOOPSCOPE_NPM=OFF \
    -DCMAKE_UNITY_BUILD=ON -DLOOPSCOPE_SANITIZE="$1" -DLOOPSCOPE_SANITIZE_LIB=OFF >"$scratch/log" 2>&1 &&
    cmake --build "$directory" --target $targets >>"$scratch/log" 2>&1 &&
    "$CXX" -std=c++17 -g -O1 -fsanitize="$1" -fno-omit-frame-pointer \
      -I "$source/runtime/include" -I "$source/test/Survive/Inputs" \
      "$source/test/Survive/Inputs/stress.cpp" -o "$directory/stress" \
      "$directory/lib/libloopscope.a" -lpthread -ldl >>"$scratch/log" 2>&1 &&
    "$CXX" -x c++ -std=c++17 -g -O1 -fsanitize="$1" -fno-omit-frame-pointer \
      -I "$source/runtime/include" -I "$source/test/Survive/Inputs" \
      -I "$source/test/replay" "$source/test/Gpu/Inputs/stress.c" -x none \
      -o "$directory/gpu-stress" "$directory/lib/libloopscope.a" "$(cuda)" \
      -Xlinker -rpath -Xlinker "$directory/test/replay" -lpthread -ldl >>"$scratch/log" 2>&1
}

# The replayed CUDA and CUPTI.
cuda() {
  echo "$directory/test/replay/libreplay-13.so"
}

# Prints the count of NAME in the view VIEW of the last run's report. The count is in the column of
# that number.
reported() {
  PATH=$PATH:$directory/bin loopscope report --view "$1" --format csv \
    "$scratch/run.loopscope" | awk -F, -v name="\"$2\"" -v column="$3" \
    '$2 == name { sum += $column } END { print sum + 0 }'
}

# Fails unless the counts $2 of the program and $3 of the report are equal.
same() {
  [ "$2" = "$3" ] || {
    echo "$0: $1: $2 by the program, $3 in the report" >&2
    exit 1
  }
}

# Prints what ThreadSanitizer found in the last run.
findings() {
  for file in "$scratch"/tsan.*; do
    [ ! -f "$file" ] || cat "$file" >&2
  done
}

# Runs a program, and prints its findings.
attempt() {
  code=0
  rm -f "$scratch/run.loopscope" "$scratch"/tsan.*
  "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
  cat "$scratch/err" >&2
  findings
  cat "$scratch/out"
  return "$code"
}

check() {
  directory=$build/$1
  make_build "$1" || { tail -n 30 "$scratch/log" >&2; exit 1; }
  "$directory/test/unit/runtime-tests" --gtest_brief=1 >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; findings; exit 1; }
  works=$(attempt env LOOPSCOPE="report=none,devices=10ms,output=$scratch/run.loopscope" \
    "$directory/stress" "$turns")
  same "$1: spans of \"work\"" "$works" "$(reported simple work 4)"
  printf '%s\n' 'default 1us' 'latency 1us' 'nested' >"$scratch/scenario"
  kernels=$(attempt env LOOPSCOPE="trace,cap=64M,report=none,devices=10ms,output=$scratch/run.loopscope" \
    LOOPSCOPE_REPLAY="$scratch/scenario" LOOPSCOPE_CUPTI="$(cuda)" \
    "$directory/gpu-stress" $((turns / 100)))
  same "$1: kernels" "$kernels" \
    $(($(reported kernels forward 3) + $(reported kernels node 3)))
  printf '%s: %s unit tests, %s spans of "work" and %s kernels on 8 threads, no finding\n' "$1" \
    "$(sed -n 's/^.*\[=*\] \([0-9]*\) tests.* ran.*/\1/p' "$scratch/log")" "$works" "$kernels"
}

# A finding ends the program with this code, and therefore the script. It goes to a file: the thread
# for files has no standard error.
export TSAN_OPTIONS="halt_on_error=1:exitcode=66:die_after_fork=0:log_path=$scratch/tsan ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1:exitcode=66 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1 ${UBSAN_OPTIONS:-}"
for each in $sanitizers; do
  check "$each"
done
