#!/bin/sh
# Builds Loopscope and runs its tests. On Debian 12 it first installs missing packages; on other
# systems it uses what is installed. The last line is "N passed, N failed", with ", N skipped" if
# any were, and the reasons for skips are above it. Exits 1 if a test failed or none ran.
#
# usage: sh test/run.sh [--all] [options of lit, e.g. --filter Examples]
#
# --all also runs the long tests: most of those that take ten seconds or more, such as sanitizers,
# fuzzers, clang-tidy, the examples in every build, random programs.
#
# CI=true also installs the tools for the style tests, which run wherever those are installed. CUDA
# and LibTorch are used if present, and never installed.
set -eu
cd "$(dirname "$0")/.."
. tool/packages.sh

# The lists are split into words.
loopscope_install $loopscope_build_packages $loopscope_test_packages || exit 1
loopscope_need python3 || exit 1
rewriter=ON
if ! loopscope_install $loopscope_llvm_packages $loopscope_lit_packages || ! loopscope_has_llvm; then
  rewriter=OFF
  loopscope_say "going on without LLVM 20 or newer: the rewriter isn't built, and its tests are skipped"
fi
loopscope_install $(loopscope_without_program $loopscope_page_packages) ||
  loopscope_say "going on without the HTML page or a browser: their tests are skipped"
case " $* " in
*' --all '*)
  loopscope_install $loopscope_cross_packages ||
    loopscope_say "going on without compilers for aarch64: tests under qemu are skipped"
  loopscope_install $loopscope_packaging_packages ||
    loopscope_say "going on without lintian and Meson: their tests are skipped"
  ;;
esac
if [ "${CI:-}" = true ]; then
  loopscope_install $loopscope_style_packages ||
    loopscope_say "going on without the style tests"
fi

# ccache, where it is installed; precompiled headers need the sloppiness.
if command -v ccache > /dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER-ccache}"
  export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"
  export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS-pch_defines,time_macros}"
fi

# A first build unites the sources of each folder, which halves its time; who changes sources had
# better do without: docs/CONTRIBUTING.md. What CI builds serves for one run of the tests, so the
# tools are less optimised, too. The runtime's sources have a level of their own.
united= quick=
if [ ! -f build/CMakeCache.txt ]; then
  united=-DCMAKE_UNITY_BUILD=ON
  [ "${CI:-}" != true ] || quick='-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'
fi

cross=
if [ "$(uname -m)" = x86_64 ] && command -v aarch64-linux-gnu-g++ >/dev/null; then
  cross=aarch64
fi

cmake $(loopscope_generator build) -S . -B build -DLOOPSCOPE_ENABLE_TESTS=ON \
  -DLOOPSCOPE_ENABLE_REWRITER=$rewriter -DLOOPSCOPE_CROSS_RUNTIMES=$cross $united ${quick:+"$quick"}
cmake --build build

exec python3 test/run_tests.py build "$@"
