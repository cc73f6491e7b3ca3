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
sh "$here/wrapped-calls.sh" "$work"
