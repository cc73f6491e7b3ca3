#!/bin/sh
# Counts the instructions of one phase on the hot path under callgrind, as the
# difference of two runs, so that start-up and first visits cancel out.
#
#   sh test/bench/callgrind.sh BUILD      (BUILD/bin/loopscope_bench must exist)
set -eu
if [ $# -ne 1 ]; then
  echo "usage: $0 BUILD" >&2
  exit 2
fi
bench=$1/bin/loopscope_bench
if [ ! -x "$bench" ]; then
  echo "$0: no $bench: configure with -DLOOPSCOPE_ENABLE_BENCH=ON and build loopscope_bench" >&2
  exit 1
fi
if ! command -v valgrind >/dev/null; then
  echo "$0: valgrind is not installed (apt-get install valgrind)" >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Instructions that loopscope_bench executes: MODE OPTION COUNT
count() {
  LOOPSCOPE="$1" valgrind --tool=callgrind \
    --callgrind-out-file="$scratch/out.$3" "$bench" "$2" "$3" \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  sed -n 's/^summary: \([0-9]*\).*/\1/p; s/^totals: \([0-9]*\).*/\1/p' \
    "$scratch/out.$3" | head -n 1
}

# Instructions per turn of the loop: MODE OPTION
per_turn() {
  few=$(count "$1" "$2" 100000)
  many=$(count "$1" "$2" 300000)
  awk -v few="$few" -v many="$many" 'BEGIN { printf "%.1f", (many - few) / 200000 }'
}

on=simple,report=none,output=$scratch/run.loopscope
phase=$(per_turn "$on" --phases)
# Nothing is overwritten: the runs' profiles are numbered, and gone with scratch.
off=$(per_turn off --phases)
empty=$(per_turn off --empty)
printf 'instructions per phase          %s\n' "$phase"
printf 'instructions per phase, off     %s\n' "$off"
printf 'instructions per empty turn     %s\n' "$empty"
