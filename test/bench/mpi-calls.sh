#!/bin/sh
# The cost of a wrapped MPI call, next to the call's own time.
#
# usage: mpi-calls.sh BUILD [MPICC]
#
# Prints nanoseconds for each call on a communicator of one rank: plain, with the wrappers, and with
# the wrappers and LOOPSCOPE=off. Each figure is the shortest of three runs.
set -e
build=$1
compiler=${2:-mpicc}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$compiler -w -O2 "$here/mpi-calls.c" -o "$work/plain"
$compiler -w -O2 "$here/mpi-calls.c" -o "$work/wrapped" \
  "$build/lib/libloopscope-mpi.a" "$build/lib/libloopscope.a" -lpthread -ldl
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
sh "$here/wrapped-calls.sh" "$work"
