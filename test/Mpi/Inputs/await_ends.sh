#!/bin/sh
# Waits until the processes of profiles have ended: mpirun doesn't wait for those that it kills.
#
# usage: await_ends.sh PROGRAM.PID.rankN.loopscope...
for profile in "$@"; do
  pid=$(basename "$profile" | sed 's/.*\.\([0-9]*\)\.rank.*/\1/')
  tries=0
  while [ -d "/proc/$pid" ] && ! grep -q '^State:.[ZX]' "/proc/$pid/status"; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { cat "/proc/$pid/status" >&2; exit 1; }
    sleep 0.1
  done
done
