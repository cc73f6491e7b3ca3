#!/bin/sh
# Builds what run.sh measures: each program plain and with hooks, and the probes.
#
#   sh test/gpu/programs.sh BUILD DIR [native|packed|replayed]
#   sh test/gpu/programs.sh --check          only whether nvcc and CUPTI's headers are there
#
# BUILD is a finished build of Loopscope. native: for the GPU of this machine; packed: for sm_80,
# sm_90 and later, and with CUPTI in DIR/lib; replayed: for the replay library. Needs nvcc (NVCC
# names another) and CUPTI's headers (CUDA_HOME: the toolkit's folder).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
: "${NVCC:=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}"
[ -x "$NVCC" ] || { echo "programs.sh: there is no nvcc; name it in NVCC" >&2; exit 1; }
# The toolkit's folder, found by CUPTI's header.
header=
for cuda in ${CUDA_HOME:-} ${CUDA_PATH:-} "$(dirname "$(dirname "$(readlink -f "$NVCC")")")" /usr/local/cuda; do
  for header in "$cuda/include/cupti.h" "$cuda/extras/CUPTI/include/cupti.h" ""; do
    [ ! -f "$header" ] || break 2
  done
done
[ -n "$header" ] || { echo "programs.sh: there is no cupti.h beside $NVCC; name CUDA's folder in CUDA_HOME" >&2; exit 1; }
[ "${1:-}" != --check ] || exit 0
[ $# -ge 2 ] || { echo "usage: programs.sh BUILD DIR [native|packed|replayed]" >&2; exit 2; }
build=$(cd "$1" && pwd)
mkdir -p "$2"
into=$(cd "$2" && pwd)
for=${3:-native}
PATH=$build/bin:$PATH

cd "$into"
flags="-std=c++17 -O2 -I $source/runtime/include"
cupti=$(find -L "$cuda" -name 'libcupti.so.1[23]' | head -n 1)
library=
rpath=$(dirname "$cupti")
case $for in
native) flags="$flags -arch=native" ;;
packed)
  flags="$flags -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]"
  mkdir -p lib
  cp -L "$cupti" lib/
  # For PM sampling.
  for host in "$(dirname "$cupti")"/libnvperf_host.so; do
    [ ! -e "$host" ] || cp -L "$host" lib/
  done
  rpath='$ORIGIN/lib'
  ;;
replayed)
  library=$build/test/replay/libreplay-13.so
  flags="$flags -cudart none"
  cupti=$library
  rpath=$(dirname "$library")
  ;;
esac

# both NAME SOURCE [FLAG]: the program plain and with hooks.
both() {
  "$NVCC" $flags ${3:-} "$2" -o "$1.plain" $library &&
    loopscope-launch "$NVCC" $flags ${3:-} -c "$2" -o "$1.o" &&
    loopscope-launch "$NVCC" $flags ${3:-} "$1.o" -o "$1.hooked" $library &&
    rm "$1.o"
}
for name in launches phases shapes; do
  both "$name" "$here/$name.cu"
done
# The questions' programs, in the order of asking. The replayed CUDA lacks some of their calls.
for name in $(python3 "$here/table.py" --questions); do
  device=
  case $name in conditional | devicegraph) device=-rdc=true ;; esac
  if ! both "$name" "$here/questions/$name.cu" $device >build.log 2>&1; then
    rm -f "$name.plain" "$name.hooked"
    [ -n "$library" ] || cat build.log >&2
  fi
done
# What asks CUPTI and NVML themselves, and records for the replay library.
if [ -z "$library" ]; then
  for name in cupti cupti-fork nvml; do
    "$NVCC" $flags "$here/questions/$name.cu" -o "$name.plain" -Xlinker "$cupti" -Xlinker -rpath,"$rpath" ||
      rm -f "$name.plain"
  done
  g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
    -I "$source/test/replay" "$here/record.cpp" -o record.so "$cupti" -Wl,-rpath,"$rpath"
fi
# cuBLAS isn't replayed, and is too large to be packed.
[ "$for" = native ] || export CUBLAS=
for form in plain hooked; do
  NVCCFLAGS="$flags" LDFLAGS=$library \
    sh "$source/test/Examples/Inputs/build.sh" "$source" cuda-mlp "$NVCC" $form "$into/example" "$build"
done
rm -rf example/*.build
g++ -std=c++20 -O2 -shared -fPIC -I "$cuda/include" -I "$cuda/extras/CUPTI/include" \
  "$here/consumer.cpp" -o consumer.so "$cupti" -Wl,-rpath,"$rpath"
rm -f build.log
