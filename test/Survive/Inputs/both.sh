#!/bin/sh
# Builds a program plain and with hooks, runs both, and fails unless they print
# the same on stdout and end the same way (exit code or signal).
#
#   both.sh OUT INCLUDE-FLAGS LINK-FLAGS COMPILER SOURCE [FLAG...]
#
# Environment: SURVIVE_RUN, a shell command that runs "$@" in special
# circumstances (default: "$@"); SURVIVE_OPTIONS, more words for LOOPSCOPE=;
# SURVIVE_WORDS, the same for all tests of this folder (lit's --param words=), before them,
# so that a test's own word holds.
# Leaves OUT.loopscope (the profile), OUT.err (stderr of the run with hooks).
set -u
out=$1 include=$2 lib=$3 compiler=$4 source=$5
shift 5
inputs=$(dirname "$0")
ulimit -c 0
rm -rf "$out".*
# The flags are words, not one argument.
# shellcheck disable=SC2086
"$compiler" -g -O1 -Wall -Werror -I "$inputs" -DPLAIN "$source" -o "$out.plain" \
  "$@" -lpthread -ldl || exit 1
# shellcheck disable=SC2086
"$compiler" -g -O1 -Wall -Werror -I "$inputs" $include "$source" -o "$out.hooked" \
  "$@" $lib || exit 1

# Runs a program the same way in both builds; argument 1 names the profile, for programs
# that modify it.
run() {
  sh -c "${SURVIVE_RUN:-\"\$@\"}" sh "$1" "$out.loopscope"
}
run "$out.plain" >"$out.plain.out" 2>"$out.plain.err"
expected=$?
LOOPSCOPE="simple,report=none,output=$out.loopscope${SURVIVE_WORDS:+,$SURVIVE_WORDS}${SURVIVE_OPTIONS:+,$SURVIVE_OPTIONS}" \
  run "$out.hooked" >"$out.out" 2>"$out.err"
status=$?
if [ $status -ne $expected ]; then
  echo "ends with $expected plain and with $status under hooks" >&2
  cat "$out.err" >&2
  exit 1
fi
diff "$out.plain.out" "$out.out"
