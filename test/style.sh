#!/bin/sh
# Checks the style of Loopscope's own sources.
#
# usage: style.sh format            clang-format has nothing to change
#        style.sh tidy BUILD DIR [OPTION...]
#                                   clang-tidy finds nothing in the sources under DIR that BUILD
#                                   compiles (test/tools/tidy.py has more options); the static
#                                   analyzer follows calls and long paths as little as possible
#        style.sh deep BUILD DIR [OPTION...]
#                                   the same at the analyzer's full depth: ten times slower, so run
#                                   it by hand
set -eu
cd "$(dirname "$0")/.."

# The newest installed version of a tool, from its name without version.
newest() {
  for version in 22 23 24; do
    command -v "$1-$version" && return
  done
  command -v "$1"
}

# Rewriter tests are inputs whose layout matters, so only other code is checked.
sources() {
  find "$@" \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.cu' \) -print
}

case ${1:-} in
format)
  sources lib runtime tool test/unit test/bench docs/examples |
    xargs "$(newest clang-format)" --dry-run --Werror
  ;;
tidy | deep)
  # Only sources in the build have compiler flags.
  mode=$1 build=$2 dir=$3
  shift 3
  if [ "$mode" = tidy ]; then
    for each in mode=shallow max-nodes=20000; do
      set -- "$@" --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=$each
    done
  fi
  # Without precompiled headers, two processes at a time.
  exec python3 test/tools/tidy.py "$(newest clang-tidy)" "$build" "$dir" "$@"
  ;;
*)
  sed -n '4,12s/^# *//p' "$0" >&2
  exit 2
  ;;
esac
