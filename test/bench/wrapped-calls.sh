#!/bin/sh
# The cost of wrapped calls, next to the calls' own time.
#
# usage: wrapped-calls.sh DIR
#
# Runs DIR/plain and DIR/wrapped, which print a name and the nanoseconds of each call, and the latter with
# LOOPSCOPE=off, too. Prints the shortest of three runs.
set -e
work=$1
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
