#!/bin/sh
# The cost of the device sampler: its processor time in a waiting program, for several intervals,
# from the profile (the thread's own clock).
#
#   sh test/bench/sampler.sh BUILD [SECONDS]      (default: 20 each)
set -eu
build=${1:?"usage: $0 BUILD [SECONDS]"} seconds=${2:-20}
source=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/wait.c" <<'END'
#include <loopscope/hooks.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(1, PHASE, "wait", 1, "main");
  sleep(argc > 1 ? atoi(argv[1]) : 1);
}
END
"${CC:-cc}" -O1 -I "$source/runtime/include" "$scratch/wait.c" -o "$scratch/wait" \
  "$build/lib/libloopscope.a" -lpthread -ldl
for interval in 250 100 10; do
  # Only the default interval adapts to its limit; a given interval is kept.
  word=devices=${interval}ms
  [ "$interval" != 250 ] || word=simple
  LOOPSCOPE="$word,report=none,output=$scratch/$interval.loopscope" \
    "$scratch/wait" "$seconds"
  "$build/bin/loopscope" report "$scratch/$interval.loopscope" | grep '^Device sampler:'
done
