#!/bin/sh
# Runs PROGRAM in every mode, with every trap off and on, in every rounding mode, and prints a line
# for each run.
#
#   floating_point.sh PROGRAM
program=$1
warnings=$program.warnings
: >"$warnings"
for words in simple advanced trace simple,warmup=3,window=2:2:20:1 simple,cpu=on advanced,cpu=on \
  trace,cpu=on whatif simple,stacks=1000 trace,stacks,cpu=on,whatif simple,devices=10ms \
  simple,devices=off "advanced,log=$program.log" simple,peak=1T off; do
  for traps in 0 63; do
    for rounding in 0 1 2 3; do
      rm -f "$program".*.loopscope "$program".log
      result=$(LOOPSCOPE=$words,report=none,output=$program.run.loopscope "$program" $traps $rounding 2>>"$warnings")
      echo "$words, traps $traps, rounding $rounding: exit $?, $result"
    done
  done
done
cat "$warnings"
