#!/bin/sh
# Writes docs/reports.md: every view of runs that are described here, as a terminal
# shows it.
#
#   sh docs/reports.sh BUILD > docs/reports.md
set -eu
export PATH="$(cd "$1" && pwd)/bin:$PATH" COLUMNS=120 NO_COLOR=1 LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/.." && pwd)
inputs=$root/test/Report/Inputs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Prints TITLE, then COMMAND and its output.
show_whole() {
  printf '\n## %s\n\n    $ loopscope %s\n' "$1" "$2"
  loopscope $2 | sed 's/^\(.\)/    \1/'
}

# The same without the paragraph below the tables, which is that of the first one.
show() {
  show_whole "$1" "$2" | sed -E '/^    (Profiler.s own cost|Means and totals of actions)/,$d' |
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

cat <<'END'
# Every view

Example runs and PyTorch traces, as each view shows them. [report.md](report.md) explains the figures. The lines below the
tables, on the profiler's own cost and the verdict, are shown with the first report and the first GPU report, those on
significance with the first comparison. The user guide shows the views `functions` ([inside a
phase](user-guide.md#inside-a-phase)) and `whatif` ([what if](user-guide.md#what-if)).

`sh docs/reports.sh BUILD > docs/reports.md` makes this page.
END

make-profile "$inputs/reports.run" train.4711.loopscope
show_whole 'summary' 'report train.4711.loopscope'
show 'simple' 'report train.4711.loopscope --view simple'
show 'simple, in Lightning'"'"'s frame' 'report train.4711.loopscope --style lightning --stage outside'
show 'throughput' 'report train.4711.loopscope --view throughput'
show 'account' 'report train.4711.loopscope --view account'
make-profile "$inputs/history.run" long.loopscope
show 'history' 'report long.loopscope --view history'
show 'tree' 'report train.4711.loopscope --view tree'

make-profile "$inputs/waits.run" waits.loopscope
show 'tree, with marked waits and another thread' 'report waits.loopscope --view tree'

make-profile "$inputs/timeline.run" traced.loopscope
show 'timeline' 'report traced.loopscope --view timeline --rows 4'
for rank in 0 1; do
  sed "s/^wall.*/&\nrank $rank of 2\nhost node1\nstarted ${rank}00ms ${rank}00ms/" "$inputs/timeline.run" > rank.run
  make-profile rank.run train.rank$rank.loopscope
done
show 'timeline, of two processes' 'report train.rank0.loopscope train.rank1.loopscope --merge --view timeline --rows 2'
show 'steps' 'report traced.loopscope --view steps'

cat > functions.run <<'END'
wall 30s
hook 20 10
thread main
  phase forward spans=100x200ms
    function conv2d spans=200x80ms file=layers.cpp line=12
      function im2col spans=200x30ms file=layers.cpp line=40
    function relu spans=200x1us file=layers.cpp line=77
END
make-profile functions.run functions.loopscope
show 'advanced' 'report functions.loopscope --view advanced'
cat > ranges.run <<'END'
wall 10s
thread main
  phase train spans=8s
range xgboost:BuildHist 400 3s 5ms 40ms
range prefetch 20 1600ms 50ms 200ms 1 9500ms
END
make-profile ranges.run ranges.loopscope
show 'ranges' 'report ranges.loopscope --view ranges'
show 'devices' 'report train.4711.loopscope --view devices --stage fit'

cat > hardware.run <<'END'
wall 100s
thread main
  train train spans=1x99s
    step spans=75x1320ms
      draw spans=75x40ms
      batch spans=75x1280ms
        phase forward spans=75x440ms
        phase backward spans=75x720ms
        phase update spans=75x120ms
sampler 250 rounds=399 cost=800ms
metric power.draw watts 0 H100
samples 0 step count=380 sum=232560 min=90 max=691
gpu on cupti=130001 launches=90000 records=90000 cost=23ms
device 0 NVIDIA H100 80GB HBM3 cc=9.0 sms=132 busy=95s kernels=95s from=0s to=99s
kernel forward gemm spans=32s
kernel backward gemm_grad spans=54s
kernel update adam spans=9s
overlap busy=32s kernels=forward
overlap busy=54s kernels=backward
overlap busy=9s kernels=update
use forward windows=31 time=6.1s sm.active=97.1 sm.occupancy=31 tensor.active=71.3 tensor.half.active=71.3 dram.active=41.2 fp32.active=8.1 clocks.sm=1755000000
use backward windows=94 time=17.2s sm.active=96.4 sm.occupancy=29 tensor.active=52.7 tensor.half.active=52.7 dram.active=66.4 fp32.active=9.7 clocks.sm=1740000000
use step windows=398 time=69.8s sm.active=91.6 sm.occupancy=30 tensor.active=55.1 tensor.half.active=55.1 dram.active=57.9 fp32.active=9.4 clocks.sm=1748000000
use step windows=92 time=96s power=612 held.power=38
END
make-profile hardware.run hardware.loopscope
show_whole 'hardware' 'report hardware.loopscope --view hardware'

make-profile "$inputs/gpu.run" gpu.loopscope
make-profile "$inputs/gpu-trace.run" gpu-traced.loopscope
show_whole 'overview, of a run on a GPU' 'report gpu.loopscope --view overview'
show 'tree, of a run on a GPU' 'report gpu.loopscope --view tree'
show 'kernels' 'report gpu.loopscope --view kernels'
show 'operators' 'report gpu.loopscope --view operators'
show 'timeline, of a run on a GPU' 'report gpu-traced.loopscope --view timeline'
show 'path' 'report gpu-traced.loopscope --view path'

python3 "$inputs/made-ranks.py" ranks 1 10 10 30 10
show_whole 'ranks' 'report ranks --view ranks'
show 'ranks, by action' 'report ranks --view ranks --by action'
for rank in 0 1; do
  cat > communication.run <<END
rank $rank of 2
host node1
wall 10s
thread main
  fit spans=1x10s
    phase backward spans=1x$((4 + rank * 2))s
    collective MPI_Allreduce file=MPI_COMM_WORLD line=0 spans=1x$((3 - rank * 2))s bytes=1000000
    wait MPI_Bcast file=MPI_COMM_WORLD line=0 spans=2x50ms bytes=8
collective MPI_Allreduce at=$((5 + rank * 2))s took=$((3 - rank * 2))s bytes=1000000
END
  make-profile communication.run mpi.rank$rank.loopscope
done
show 'communication' 'report mpi.rank0.loopscope mpi.rank1.loopscope --view communication'

sed 's/phase forward spans=120x40ms/phase forward spans=60x41ms,60x43ms/' "$inputs/reports.run" > after.run
make-profile after.run after.loopscope
show_whole 'diff' 'diff train.4711.loopscope after.loopscope'
python3 "$inputs/made-ranks.py" balanced 2 12 12 12 12
show 'diff, of two runs of several ranks' 'diff ranks balanced'
show 'watch' 'watch train.4711.loopscope'

trace=$root/test/Kineto/Inputs/two-steps.pt.trace.json
cp "$trace" worker0.pt.trace.json
show 'overview, of a PyTorch trace' 'report worker0.pt.trace.json --view overview'
show 'operators, of a PyTorch trace' 'report worker0.pt.trace.json --view operators --by phase'
for rank in 0 1; do
  sed -n '/^#--- one$/,/^#--- profile$/{/^#---/d;p}' "$root/test/Kineto/distributed.test" |
    sed "s/RANK/$rank/; s/CALL/$((290 + rank * 190))/; s/BEGIN/$((300 + rank * 200))/; s/TOOK/$((300 - rank * 200))/" \
      > rank$rank.pt.trace.json
done
show 'distributed, of two PyTorch traces' 'report rank0.pt.trace.json rank1.pt.trace.json --view distributed'
