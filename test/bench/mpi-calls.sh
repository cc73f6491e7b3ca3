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
