#!/bin/sh
# Runs truncated.c once for each size to which it truncates its profile and each place where it does
# so, and prints a line for each run.
#
#   truncate.sh PROGRAM SIZES WORDS [PLACES [again]]
#
# again: the program makes the file as long as it was.
program=$1 sizes=$2 words=$3 places=${4:-$(seq 67)} again=${5:-}
for size in $sizes; do
  profile=$program.$size.loopscope
  for place in $places; do
    rm -f "$profile" "$program".log*
    done=$(LOOPSCOPE=$words,report=none,output=$profile "$program" "$profile" "$size" "$place" $again 2>"$program.said")
    echo "exit $?, $done; $(cat "$program.said")"
  done
done
