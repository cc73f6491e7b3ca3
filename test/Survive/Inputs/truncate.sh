#!/bin/sh
# Runs truncated.c once for each place where it truncates its profile to SIZE bytes, and prints
# a line for each run.
#
#   truncate.sh PROGRAM SIZE WORDS
program=$1 size=$2 words=$3
profile=$program.$size.loopscope
place=0
while [ $((place += 1)) -le 67 ]; do
  rm -f "$profile" "$program".log*
  places=$(LOOPSCOPE=$words,report=none,output=$profile "$program" "$profile" "$size" $place 2>"$program.said")
  echo "exit $?, $places; $(cat "$program.said")"
done
