#!/bin/sh
# Writes docs/watch.md: `loopscope watch` beside an example while it runs, as a
# terminal shows it. Needs tmux, and a build with the rewriter.
#
#   sh docs/watch.sh BUILD > docs/watch.md
set -eu
build=$(cd "$1" && pwd)
export PATH="$build/bin:$PATH" LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
session=loopscope-watch-$$
trap 'tmux kill-session -t $session 2>/dev/null; rm -rf "$work"' EXIT

# Starts a program and watches it in a terminal of 100 columns, for four seconds
# at most; prints the last screen before it ended. PROGRAM
capture() {
  rm -f "$work"/*.loopscope
  (cd "$work" && LOOPSCOPE=report=none exec "$1" >/dev/null) &
  program=$!
  until ls "$work"/*.loopscope >/dev/null 2>&1; do sleep 0.05; done
  tmux new-session -d -s $session -x 100 -y 24 \
    "loopscope watch --interval 0.2 $program; sleep 60"
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.2
    tmux capture-pane -p -t $session >"$work/now"
    ! grep -q ' ended$' "$work/now" || break
    ! grep -q ' steps ' "$work/now" || cp "$work/now" "$work/screen"
  done
  printf '    $ loopscope watch %s\n\n' $program
  sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$work/screen" | sed 's/^\(.\)/    \1/'
  tmux kill-session -t $session
  kill $program 2>/dev/null || :
  wait $program || :
  rm "$work/screen"
}

cat <<'END'
# Watching a run

`loopscope watch FILE|PID...` reads profiles while programs write them. On a terminal it
redraws the table once a second (`--interval` changes that); a pipe gets one line per
update:

    $ loopscope watch 4711 --interval 10 --steps 100000 | tee progress.txt

A line has the steps so far, samples per second now and on average, the shares of the
steps' time spent waiting for data and, if measured, on the CPU and starved, and the
last 40 step times, the longest as a full column. If the source says how often its loops
run ([iterations](annotations.md#iterations)), or with `--steps N`, the number of training
steps in the whole run, it also shows progress and the time left at the present pace.
Several files, a directory or several processes are the ranks of a run: each has a line,
and the table is the first one's.

The program needs no option and isn't slowed: its profile is its own memory, mapped by
both. `LOOPSCOPE=progress` and `LOOPSCOPE=log=FILE` make the program itself show its
progress ([user-guide.md](user-guide.md#follow-a-run)).

This page is made by `sh docs/watch.sh BUILD > docs/watch.md`.

## An example

The example [cnn-cpp](examples/cnn-cpp) in the middle of its run:

END
cmake -S "$root/docs/examples/cnn-cpp" -B "$work/cnn" -DCMAKE_PREFIX_PATH="$build" \
  -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1
cmake --build "$work/cnn" >>"$work/log" 2>&1
capture "$work/cnn/cnn"
