#!/bin/sh
# Loopscope's main job from nothing: installs what is missing (on Debian 12;
# elsewhere it goes on with what is installed), builds
# Loopscope into build/, then builds docs/examples/cnn-cpp through it, runs that
# and prints its reports.
#
# usage: sh tool/demo.sh
set -eu
cd "$(dirname "$0")/.."
. tool/packages.sh

# Shows a command the way a user would type it, then runs it.
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

# Both lists are words.
loopscope_install $loopscope_build_packages $loopscope_llvm_packages || exit 1
loopscope_need || exit 1

# A build that has tests (test/run.sh) keeps them.
tests=
[ -f build/CMakeCache.txt ] || tests=-DLOOPSCOPE_ENABLE_TESTS=OFF
show cmake $(loopscope_generator build) -S . -B build -DLOOPSCOPE_ENABLE_REWRITER=ON $tests
show cmake --build build --target loopscope loopscope-rewrite loopscope-launch loopscope_runtime

# The example, as a user's project that finds Loopscope.
show cmake $(loopscope_generator build/demo) -S docs/examples/cnn-cpp -B build/demo -DCMAKE_PREFIX_PATH="$PWD/build"
show cmake --build build/demo

profile=build/demo/cnn.loopscope
rm -f "$profile"
echo
echo "The program, then the report that it prints at its end:"
show env LOOPSCOPE=output="$profile" build/demo/cnn
show build/bin/loopscope report "$profile" --view throughput
show build/bin/loopscope report "$profile" --view tree
