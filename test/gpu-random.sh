#!/bin/sh
# Runs random programs of launches, copies, waits, threads, streams, devices and phases on replayed
# devices that behave as CUPTI's headers allow, and compares every figure of the profile and its
# views with the truth. A failing program is kept and reduced.
#
#   sh test/gpu-random.sh [-t SECONDS] [-s SEED] [-n PROGRAMS] [-k DIRECTORY]
#                         [-b BUILD] [--exact]
#
#   -t   how long (60)
#   -s   seed of the first program (default: a new one each time; printed)
#   -n   so many programs at most: `-s SEED -n 1` is one again
#   -k   where programs that differ are kept (the current directory)
#   -b   Loopscope's build directory (build)
#   --exact   rows of views are unions themselves, not sums within bounds
#
# Exits non-zero when something differs.
exec python3 "$(dirname "$0")/gpu-random/run.py" "$@"
