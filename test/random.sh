#!/bin/sh
# Generates random annotated programs, builds each one plain and instrumented with g++ and clang++,
# -O0 and -O2, and compares output, exit code, warnings and the profile's counts. A failing program
# is reduced, printed with the commands that show the difference, and kept in the current directory.
#
#   sh test/random.sh [-t SECONDS] [-s SEED] [-p PROGRAM] [-l c|c++]
#                     [-m phases|functions] [-j JOBS] [-k DIRECTORY] [-b BUILD]
#
#   -t   how long (60)
#   -s   seed of the random numbers (default: a new one each time; printed)
#   -p   only this program of the seed
#   -l   only this language; -m: only this mode
#   -j   processes at a time (2)
#   -k   where failing programs are kept (the current directory)
#   -b   Loopscope's build directory (build)
#
# Exits non-zero when something differs.
exec python3 "$(dirname "$0")/random/run.py" "$@"
