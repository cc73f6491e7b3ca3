#!/bin/sh
# Checks the GPU side on a real GPU and prints one table; exits non-zero when a
# line of it fails.
#
#   sh test/gpu/run.sh [BUILD]             (default: builds in a scratch folder)
#   sh test/gpu/run.sh --replayed BUILD    on the replay library, without a GPU:
#                                          only shows that this script works
#   sh gpu-pack/test/gpu/run.sh            in a pack (see pack.sh): builds nothing
#
# Building takes nvcc, CUPTI's headers, and the packages for Loopscope with its rewriter. A public
# CUDA training program is included if its commands are given:
#   PROGRAM_PLAIN, PROGRAM_HOOKED   shell commands that run it without and with
#                                   hooks; their standard outputs must be equal
# The raw files and the table go to gpu-results in the current directory, or to
# the directory in GPU_RESULTS, as soon as they are known; *.recording there are
# recordings for the replay library. A program that takes longer than LIMIT
# seconds (60) is ended. In a pack, --replayed takes the replay library in REPLAY. What could not be measured is a line of the table, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
replayed=
if [ "${1:-}" = --replayed ]; then
  replayed=replayed
  shift
fi
if [ -z "$replayed" ] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "run.sh: there is no GPU (nvidia-smi -L lists none)" >&2
  exit 1
fi
kept=${GPU_RESULTS:-$PWD/gpu-results}
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)
: "${LIMIT:=60}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=$source/programs
if [ ! -d "$programs" ]; then # this isn't a pack
  if [ $# -gt 0 ]; then
    build=$(cd "$1" && pwd)
  else
    sh "$here/programs.sh" --check # before minutes of building
    build=$work/build
    cmake -G Ninja -S "$source" -B "$build" -DLOOPSCOPE_ENABLE_TESTS=OFF \
      -DCMAKE_UNITY_BUILD=ON >"$work/build.log"
    cmake --build "$build" >>"$work/build.log" || { tail -n 30 "$work/build.log" >&2; exit 1; }
  fi
  programs=$work/programs
  sh "$here/programs.sh" "$build" "$programs" ${replayed:-native}
fi
cd "$programs"
questions=$(python3 "$here/table.py" --questions)
launches=100000 rounds=7 cycles=5000000000
[ ! -d lib ] || export LOOPSCOPE_CUPTI="$programs/lib/$(cd lib && ls libcupti.so.*)"
if [ -n "$replayed" ]; then
  launches=500 rounds=2
  printf '%s\n' 'default 1us' 'kernel _Z4spinx 200us' 'latency 1us' 'copy 1000000' \
    'kernel _Z8multiplyiPf 200us sm=99 tensor=90 dram=1' 'kernel _Z6streamP6float4PKS_m 200us sm=98 dram=85' >scenario
  library=${REPLAY:-${build:-}/test/replay/libreplay-13.so}
  export LOOPSCOPE_REPLAY="$programs/scenario" LOOPSCOPE_CUPTI="$library"
fi

# measured FILE COMMAND...: runs the command for at most LIMIT seconds with its output in the
# results' FILE, whose last line is its exit status if that isn't 0.
measured() {
  into=$kept/$1
  shift
  timeout -k 5 "$LIMIT" "$@" >>"$into" 2>>"$kept/messages" || echo "exit $?" >>"$into"
}
# consumed FILE COMMAND...: the same under the empty consumer.
consumed() {
  file=$1
  shift
  if [ -n "$replayed" ]; then
    measured "$file" env CONSUMER_AT_START=1 LD_PRELOAD="$programs/consumer.so" "$@"
  else
    measured "$file" env CUDA_INJECTION64_PATH="$programs/consumer.so" "$@"
  fi
}
# hooked FILE PROGRAM WORDS...: the same with hooks; the profile is PROGRAM.loopscope. More words of
# LOOPSCOPE are in $options.
options=
hooked() {
  file=$1
  program=$2
  shift 2
  measured "$file" env LOOPSCOPE="gpu=on,report=none$options,output=$kept/$(basename "$program" .hooked).loopscope" \
    "$program" "$@"
  rm -f "$kept"/*.[0-9].loopscope # of repetitions, and of children
}
table() {
  python3 "$here/table.py" "$kept" ${replayed:+--any-time} >"$kept/table"
}
rm -f "$kept"/*.plain "$kept"/*.consumed "$kept"/*.hooked "$kept"/*.events "$kept"/*.counts \
  "$kept"/*.loopscope "$kept"/memory.* "$kept"/messages "$kept"/*.recording
: >"$kept/messages"

# The example: equal losses, and the number of kernels that CUPTI alone counts. (On the replay
# library it learns nothing, and exits with 1.)
measured example.plain example/plain
hooked example.hooked example/hooked
mv "$kept/hooked.loopscope" "$kept/example.loopscope"
CONSUMER_COUNTS=$kept/example.counts consumed example.consumed example/plain

# GPU busy time of each phase, from CUDA events and from Loopscope.
hooked phases.events ./phases.hooked
hooked shapes.events ./shapes.hooked "$cycles"

# A launch-bound loop without a profiler, under the empty consumer, and under Loopscope, in turns.
for turn in 1 2 3; do
  measured launches.plain ./launches.plain $launches $rounds
  consumed launches.consumed ./launches.plain $launches $rounds
  rm -f "$kept/launches.loopscope"
  hooked launches.hooked ./launches.hooked $launches $rounds
done
CONSUMER_COUNTS=$kept/launches.counts consumed launches.counted ./launches.plain $launches $rounds

# The same with an allocation per launch, with and without CUPTI's memory records.
measured memory.plain ./launches.plain $((launches / 10)) 3 memory
consumed memory.without ./launches.plain $((launches / 10)) 3 memory
CONSUMER_MEMORY=1 consumed memory.with ./launches.plain $((launches / 10)) 3 memory
cp launches.hooked memory.hooked
hooked memory.hooked ./memory.hooked $((launches / 10)) 3 memory

if [ -n "${PROGRAM_PLAIN:-}" ] && [ -n "${PROGRAM_HOOKED:-}" ]; then
  measured program.plain sh -c "$PROGRAM_PLAIN"
  measured program.hooked sh -c "$PROGRAM_HOOKED"
fi
table || true

for name in $questions; do
  if [ -x "$name.hooked" ]; then
    measured "$name.plain" "./$name.plain"
    [ "$name" != sampling ] || options=,gpu-counters=500us
    hooked "$name.hooked" "./$name.hooked"
    options=
    table || true
  fi
done

# New recordings for the replay library, and what CUPTI and NVML say for themselves.
if [ -z "$replayed" ]; then
  for name in shapes graphs conditional devicegraph; do
    words=
    [ $name != shapes ] || words=10000000
    measured recorded.out env CUDA_INJECTION64_PATH="$programs/record.so" \
      LOOPSCOPE_RECORDING="$kept/$name.recording" "./$name.plain" $words
  done
  measured cupti.out ./cupti.plain
  for how in loaded kept again finalized child; do
    measured cupti-fork.out ./cupti-fork.plain $how
  done
  measured nvml.out ./nvml.plain "$kept/wave.csv"
fi
[ ! -s "$kept/messages" ] || cat "$kept/messages" >&2
status=0
table || status=$?
cat "$kept/table"
exit $status
