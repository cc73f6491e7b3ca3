#!/bin/sh
# Writes docs/images/*.png: the first screen of the HTML page of three runs, in
# light, dark, on a phone and on paper, and of a comparison. The runs are
# docs/examples/cnn-cpp, cuda-mlp on a replayed GPU, and two ranks of mlp-mpi,
# made anew; cnn-cpp is compared with itself, compiled for this machine. Needs
# Chromium, npm, nvcc, MPI and a build with the tests.
#
#   sh docs/screenshots.sh BUILD [IMAGES]
set -eu
[ $# -ge 1 ] || { sed -n 's/^# *//; 7p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
images=${2:-$root/docs/images}
mkdir -p "$images"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$build/bin:$PATH"
example="$root/test/Examples/Inputs/build.sh"

mkdir "$work/cpu" "$work/native" "$work/gpu" "$work/ranks"
sh "$example" "$root" cnn-cpp g++ hooked "$work/cpu" "$build"
CXXFLAGS=-march=native sh "$example" "$root" cnn-cpp g++ hooked "$work/native" "$build"
for folder in cpu native; do
  mv "$work/$folder/hooked" "$work/$folder/cnn"
  # Of five runs the one that was disturbed least.
  (cd "$work/$folder" && for run in 1 2 3 4 5; do
    from=$(date +%s%N)
    LOOPSCOPE=trace,report=none,output=$run.loopscope ./cnn >/dev/null
    echo "$(($(date +%s%N) - from)) $run.loopscope"
  done | sort -n | sed 's/.* //; q' | xargs -I FILE mv FILE run.loopscope)
done

replay=$build/test/replay/libreplay-13.so
cat >"$work/gpu/scenario" <<'END'
device 0 132 9.0 Replayed GPU
default 30us
latency 4us
call 3us
copy 12000
END
CUBLAS= NVCCFLAGS='-std=c++17 -O2 -cudart none' LDFLAGS=$replay \
  sh "$example" "$root" cuda-mlp nvcc hooked "$work/gpu" "$build"
mv "$work/gpu/hooked" "$work/gpu/cuda-mlp"
# Nothing computes there, so the network learns nothing and says so.
(cd "$work/gpu" && LOOPSCOPE_REPLAY=$PWD/scenario LOOPSCOPE_CUPTI=$replay \
  LOOPSCOPE=trace,report=none,output=run.loopscope ./cuda-mlp >/dev/null || [ $? = 1 ])

sh "$example" "$root" mlp-mpi mpicc hooked "$work/ranks" "$build"
mv "$work/ranks/hooked" "$work/ranks/mlp-mpi"
(cd "$work/ranks" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  LOOPSCOPE=trace,report=none,output=runs/ mpirun --oversubscribe -n 2 ./mlp-mpi load 1 3 >/dev/null)

loopscope report "$work/cpu/run.loopscope" --format html -o "$work/cpu.html"
(cd "$work" && loopscope diff cpu/run.loopscope native/run.loopscope --format html -o diff.html)
loopscope report "$work/gpu/run.loopscope" --format html -o "$work/gpu.html"
loopscope report "$work/ranks/runs" --format html -o "$work/ranks.html"
NODE_PATH=$build/html/node_modules:$root/test/Html/Inputs \
LOOPSCOPE_CHROMIUM=$(command -v chromium || command -v chromium-browser) \
node "$root/docs/screenshots.js" "$work" "$images"
