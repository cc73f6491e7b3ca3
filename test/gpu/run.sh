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
# the directory in GPU_RESULTS; fresh.recording there is a recording for the
# replay library.
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
for form in plain hooked; do
  NVCCFLAGS="$flags" LDFLAGS=${library:-} \
    sh "$source/test/Examples/Inputs/build.sh" "$source" cuda-mlp "$NVCC" $form "$work/example" "$build"
done
g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
  "$here/consumer.cpp" -o consumer.so "$cupti"

# Runs "$@" under the empty consumer.
consumed() {
  if [ -n "$replayed" ]; then
    CONSUMER_AT_START=1 LD_PRELOAD="$work/consumer.so" "$@"
  else
    CUDA_INJECTION64_PATH="$work/consumer.so" "$@"
  fi
}
# Runs PROGRAM WORDS... with hooks; its profile is PROGRAM.loopscope.
hooked() {
  program=$1
  shift
  LOOPSCOPE="gpu=on,report=none,output=$work/$program.loopscope" \
    "./$program.hooked" "$@" 2>>messages
}
mkdir -p results
: >messages

# The example: equal losses, and the number of kernels that CUPTI alone counts. (On the replay
# library it learns nothing, and exits with 1.)
example/plain >results/example.plain || echo "exit $?" >>results/example.plain
LOOPSCOPE="gpu=on,report=none,output=$work/example.loopscope" example/hooked \
  >results/example.hooked 2>>messages || echo "exit $?" >>results/example.hooked
CONSUMER_COUNTS=$work/results/example.counts consumed example/plain >example.out || true

# A launch-bound loop without a profiler, under the empty consumer, and under Loopscope.
./launches.plain $launches $rounds >results/launches.plain
consumed ./launches.plain $launches $rounds >results/launches.consumed
hooked launches $launches $rounds >results/launches.hooked
CONSUMER_COUNTS=$work/results/launches.counts consumed ./launches.plain $launches $rounds >launches.out

# The same with an allocation per launch, with and without CUPTI's memory records.
./launches.plain $((launches / 10)) 3 memory >results/memory.plain
consumed ./launches.plain $((launches / 10)) 3 memory >results/memory.without
CONSUMER_MEMORY=1 consumed ./launches.plain $((launches / 10)) 3 memory >results/memory.with
LOOPSCOPE="gpu=on,report=none,output=$work/memory.loopscope" \
  ./launches.hooked $((launches / 10)) 3 memory >results/memory.hooked 2>>messages

# GPU busy time of each phase, from CUDA events and from Loopscope.
hooked phases >results/phases.events
hooked shapes $cycles >results/shapes.events

# A new recording for the replay library.
if [ -z "$replayed" ]; then
  g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
    -I "$source/test/replay" "$here/record.cpp" -o record.so "$cupti"
  CUDA_INJECTION64_PATH="$work/record.so" LOOPSCOPE_RECORDING="$work/results/fresh.recording" \
    ./shapes.plain 10000000 >record.out
fi

if [ -n "${PROGRAM_PLAIN:-}" ] && [ -n "${PROGRAM_HOOKED:-}" ]; then
  sh -c "$PROGRAM_PLAIN" >results/program.plain
  sh -c "$PROGRAM_HOOKED" >results/program.hooked
fi
cp ./*.loopscope results
[ ! -s messages ] || cat messages >&2
mkdir -p "$kept"
status=0
python3 "$here/table.py" results ${replayed:+--any-time} >results/table || status=$?
cp results/* "$kept"
cat results/table
exit $status
