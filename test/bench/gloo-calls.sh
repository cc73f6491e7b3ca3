#!/bin/sh
# The cost of a wrapped call of LibTorch's with Gloo, next to the call's own time.
#
# usage: gloo-calls.sh BUILD
#
# Prints nanoseconds for each call of a library that does next to nothing: plain, with the wrappers, and
# with the wrappers and LOOPSCOPE=off. Each figure is the shortest of three runs.
set -e
build=$1
here=$(cd "$(dirname "$0")" && pwd)
inputs=$here/../Torch/Inputs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++17 -O2 -shared -fPIC "$inputs/fake_c10d.cpp" -o "$work/libtorch_cpu.so"
set -- g++ -std=c++17 -O2 -I "$inputs" "$here/gloo-calls.cpp" -L "$work" -ltorch_cpu "-Wl,-rpath,$work"
"$@" -o "$work/plain"
"$@" -o "$work/wrapped" -Wl,--undefined=loopscope_gloo "$build/lib/libloopscope.a" -lpthread -ldl
for run in 1 2 3; do
  "$work/plain" | sed 's/^/plain /'
  LOOPSCOPE="report=none,output=$work/p$run.loopscope" "$work/wrapped" | sed 's/^/wrapped /'
  LOOPSCOPE=off "$work/wrapped" | sed 's/^/off /'
done | awk '
  { if (!(($1, $2) in least) || $3 < least[$1, $2]) least[$1, $2] = $3 }
  $1 == "plain" && !($2 in seen) { seen[$2] = 1; order[++count] = $2 }
  END {
    printf "%-26s %8s %8s %8s\n", "ns", "plain", "wrapped", "off"
    for (i = 1; i <= count; ++i)
      printf "%-26s %8.1f %8.1f %8.1f\n", order[i], least["plain", order[i]],
             least["wrapped", order[i]], least["off", order[i]]
  }'
