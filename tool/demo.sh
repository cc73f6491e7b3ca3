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

# A build that exists keeps its tests and options. Else the sources of each folder are united and the
# programs less optimised, which saves more than half of the time; the runtime's sources have a level
# of their own.
set --
[ -f build/CMakeCache.txt ] ||
  set -- -DLOOPSCOPE_ENABLE_TESTS=OFF -DCMAKE_UNITY_BUILD=ON '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'
show cmake $(loopscope_generator build) -S . -B build -DLOOPSCOPE_ENABLE_REWRITER=ON "$@"
show cmake --build build --target loopscope loopscope-rewrite loopscope-launch loopscope_runtime loopscope_run_preload loopscope_nvtx

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

cat <<EOF

What to do next, with a program of your own:

  export PATH="$PWD/build/bin:\$PATH"
  loopscope run -- ./train    # as it is: samples show where its time goes, and its likely main loop
  loopscope try -- ./train    # marks that loop in a build of its own, and measures each step

docs/user-guide.md shows the third way, marks in the source, as docs/examples/cnn-cpp has them.
EOF
page=build/demo/cnn.html
rm -f "$page"
if build/bin/loopscope report "$profile" --format html -o "$page" 2>/dev/null; then
  echo "The run above as a page: $PWD/$page"
fi
