#!/bin/sh
# Checks the GPU side on a real GPU and prints one table; exits non-zero when a
# line of it fails.
#
#   sh test/gpu/run.sh [BUILD]             (default: builds in a scratch folder)
#   sh test/gpu/run.sh --replayed BUILD    on the replay library, without a GPU:
#                                          only shows that this script works
#
# Needs nvcc, CUPTI's headers, and the packages for building Loopscope with its rewriter. A public
# CUDA training program is included if its commands are given:
#   PROGRAM_PLAIN, PROGRAM_HOOKED   shell commands that run it without and with
#                                   hooks; their standard outputs must be equal
# The raw files and the table go to gpu-results in the current directory, or to
# the directory in GPU_RESULTS, as soon as they are known; *.recording there are
# recordings for the replay library. A program that takes longer than LIMIT
# seconds (60) is ended. What could not be measured is a line of the table, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
replayed=
if [ "${1:-}" = --replayed ]; then
  replayed=yes
  shift
fi
if [ -z "$replayed" ] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
  echo "run.sh: there is no GPU (nvidia-smi -L lists none)" >&2
  exit 1
fi
# Report missing tools before spending minutes on the build.
: "${NVCC:=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}"
[ -x "$NVCC" ] || { echo "run.sh: there is no nvcc; name it in NVCC" >&2; exit 1; }
# The toolkit's folder, found by CUPTI's header.
header=
for cuda in ${CUDA_HOME:-} ${CUDA_PATH:-} "$(dirname "$(dirname "$(readlink -f "$NVCC")")")" /usr/local/cuda; do
  for header in "$cuda/include/cupti.h" "$cuda/extras/CUPTI/include/cupti.h" ""; do
    [ ! -f "$header" ] || break 2
  done
done
[ -n "$header" ] || { echo "run.sh: there is no cupti.h beside $NVCC; name CUDA's folder in CUDA_HOME" >&2; exit 1; }
kept=${GPU_RESULTS:-$PWD/gpu-results}
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)
: "${LIMIT:=60}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then
  build=$(cd "$1" && pwd)
else
  build=$work/build
  cmake -G Ninja -S "$source" -B "$build" -DLOOPSCOPE_ENABLE_TESTS=OFF >"$work/build.log"
  cmake --build "$build" >>"$work/build.log" || { tail -n 30 "$work/build.log" >&2; exit 1; }
fi
PATH=$build/bin:$PATH

cd "$work"
flags="-std=c++17 -O2 -I $source/runtime/include"
[ -n "$replayed" ] || flags="$flags -arch=native"
cupti=$(find -L "$cuda" -name 'libcupti.so.1[23]' | head -n 1)
launches=100000 rounds=7 cycles=5000000000
if [ -n "$replayed" ]; then
  library=$build/test/replay/libreplay-13.so
  flags="$flags -cudart none"
  export CUBLAS= # isn't replayed
  cupti=$library
  launches=500 rounds=2
  printf '%s\n' 'default 1us' 'kernel _Z4spinx 200us' 'latency 1us' 'copy 1000000' >scenario
  export LOOPSCOPE_REPLAY="$work/scenario" LOOPSCOPE_CUPTI="$library"
fi

# Builds the programs plain and with hooks.
for name in launches phases shapes; do
  "$NVCC" $flags "$here/$name.cu" -o "$name.plain" ${library:-}
  loopscope-launch "$NVCC" $flags -c "$here/$name.cu" -o "$name.o"
  loopscope-launch "$NVCC" $flags "$name.o" -o "$name.hooked" ${library:-}
done
# The questions' programs, in the order of asking. The replayed CUDA lacks some of their calls.
questions=$(python3 "$here/table.py" --questions)
for name in $questions; do
  device=
  case $name in conditional | devicegraph) device=-rdc=true ;; esac
  if ! { "$NVCC" $flags $device "$here/questions/$name.cu" -o "$name.plain" ${library:-} &&
    loopscope-launch "$NVCC" $flags $device -c "$here/questions/$name.cu" -o "$name.o" &&
    loopscope-launch "$NVCC" $flags $device "$name.o" -o "$name.hooked" ${library:-}; } >build.log 2>&1; then
    [ -n "$replayed" ] || cat build.log >&2
  fi
done
# What asks CUPTI and NVML themselves.
if [ -z "$replayed" ]; then
  for name in cupti cupti-fork nvml; do
    "$NVCC" $flags "$here/questions/$name.cu" -o "$name.plain" "$cupti" \
      -Xlinker -rpath,"$(dirname "$cupti")" || rm -f "$name.plain"
  done
fi
for form in plain hooked; do
  NVCCFLAGS="$flags" LDFLAGS=${library:-} \
    sh "$source/test/Examples/Inputs/build.sh" "$source" cuda-mlp "$NVCC" $form "$work/example" "$build"
done
g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
  "$here/consumer.cpp" -o consumer.so "$cupti" -Wl,-rpath,"$(dirname "$cupti")"

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
    measured "$file" env CONSUMER_AT_START=1 LD_PRELOAD="$work/consumer.so" "$@"
  else
    measured "$file" env CUDA_INJECTION64_PATH="$work/consumer.so" "$@"
  fi
}
# hooked FILE PROGRAM WORDS...: the same with hooks; the profile is PROGRAM.loopscope.
hooked() {
  file=$1
  program=$2
  shift 2
  measured "$file" env LOOPSCOPE="gpu=on,report=none,output=$kept/$(basename "$program" .hooked).loopscope" \
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
    hooked "$name.hooked" "./$name.hooked"
    table || true
  fi
done

# New recordings for the replay library, and what CUPTI and NVML say for themselves.
if [ -z "$replayed" ]; then
  g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
    -I "$source/test/replay" "$here/record.cpp" -o record.so "$cupti" -Wl,-rpath,"$(dirname "$cupti")"
  for name in shapes graphs conditional devicegraph; do
    words=
    [ $name != shapes ] || words=10000000
    measured recorded.out env CUDA_INJECTION64_PATH="$work/record.so" \
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
