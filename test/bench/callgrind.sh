#!/bin/sh
# Counts the instructions of the hot path under callgrind, case by case, as the difference between
# two runs, so that start-up and first visits cancel out. Prints a Markdown table.
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

# Number of instructions that loopscope_bench executes: MODE COUNT OPTION...
count() {
  mode=$1 many=$2
  shift 2
  LOOPSCOPE="$mode" valgrind --tool=callgrind \
    --callgrind-out-file="$scratch/out.$many" "$bench" "$@" "$many" \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  sed -n 's/^summary: \([0-9]*\).*/\1/p; s/^totals: \([0-9]*\).*/\1/p' \
    "$scratch/out.$many" | head -n 1
}

# Prints a row: its name, MODE OPTION... The counts are divisible by the number of spans of all
# cases: k adjacent phases, and a step of nine spans.
row() {
  name=$1 mode=$2
  shift 2
  few=$(count "$mode" 144000 "$@")
  many=$(count "$mode" 432000 "$@")
  awk -v few="$few" -v many="$many" -v name="$name" \
    'BEGIN { printf "| %s | %.1f |\n", name, (many - few) / 288000 }'
}

# No overwriting: the runs' profiles are numbered, and removed together with $scratch.
# The background thread's instructions are no hook's.
on=simple,report=none,devices=off,output=$scratch/run.loopscope
printf '| case | instructions per span |\n|---|---:|\n'
row 'the loop alone' off --empty
row 'floor: two TSC reads' off --case 'floor: two TSC reads' --spans
for each in 'a phase' '2 adjacent phases, each' '4 adjacent phases, each' \
  '8 adjacent phases, each' '16 adjacent phases, each' \
  'step loop, 8 phases: per span' 'step loop, 8 adjacent phases: per span' \
  '4 nested phases, each' 'recursion 8 deep, each' '2 parents in turn, per span' \
  '16 children at random (prediction miss)' 'a phase with one key' '32 keys in turn, each' \
  '4 texts of 6 bytes in turn, each' '16 keys at random (prediction miss)'; do
  row "$each" "$on" --case "$each" --spans
done
row 'a phase, timeline mode' "trace,report=none,devices=off,output=$scratch/run.loopscope" --case 'a phase' --spans
row 'a phase, LOOPSCOPE=off' off --case 'a phase' --spans
