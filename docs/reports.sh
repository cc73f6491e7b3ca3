#!/bin/sh
# Writes docs/reports.md: every view of one described run, as the terminal shows
# it.
#
#   sh docs/reports.sh BUILD > docs/reports.md
set -eu
export PATH="$(cd "$1" && pwd)/bin:$PATH" COLUMNS=130 NO_COLOR=1 LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
make-profile "$root/test/Report/Inputs/reports.run" train.4711.loopscope
sed 's/phase forward spans=120x40ms/phase forward spans=60x41ms,60x43ms/; s/^wall.*/&\nrank 1 of 2/' \
  "$root/test/Report/Inputs/reports.run" > after.run
make-profile after.run after.loopscope

sed 's/120x40ms/120x39ms/' "$root/test/Report/Inputs/reports.run" > again.run
mkdir main pr
cp train.4711.loopscope main/1.loopscope
make-profile again.run main/2.loopscope
cp after.loopscope pr/1.loopscope
sed 's/120x40ms/60x40ms,60x44ms/' "$root/test/Report/Inputs/reports.run" > more.run
make-profile more.run pr/2.loopscope
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
cp "$root/test/Kineto/Inputs/two-steps.pt.trace.json" worker0.pt.trace.json

show() {
  printf '\n## %s\n\n    $ loopscope %s\n' "$1" "$2"
  loopscope $2 | sed 's/^\(.\)/    \1/'
}

echo '# Every view'
echo
echo 'One run and one PyTorch trace, seen by each view; `sh docs/reports.sh BUILD > docs/reports.md` makes this page. [report.md](report.md) says what the numbers are.'
show 'simple' 'report train.4711.loopscope'
show 'simple, in Lightning'"'"'s frame' 'report train.4711.loopscope --style lightning'
show 'simple, compact' 'report train.4711.loopscope --compact'
show 'throughput' 'report train.4711.loopscope --view throughput'
make-profile "$root/test/Report/Inputs/timeline.run" traced.loopscope
show 'timeline' 'report traced.loopscope --view timeline --rows 4'
show 'timeline, one phase of it' 'report traced.loopscope --view timeline --rows 4 --filter ^backward$'
for rank in 0 1; do
  sed "s/^wall.*/&\nrank $rank of 2\nhost node1\nstarted ${rank}00ms ${rank}00ms/" \
    "$root/test/Report/Inputs/timeline.run" > rank.run
  make-profile rank.run train.rank$rank.loopscope
done
show 'timeline, of two processes' 'report train.rank0.loopscope train.rank1.loopscope --merge --view timeline --rows 3'
show 'steps' 'report traced.loopscope --view steps'
show 'path' 'report traced.loopscope --view path'
show 'tree' 'report train.4711.loopscope --view tree'
show 'tree, one part of it' 'report train.4711.loopscope --view tree --filter ^valid$'
show 'tree, of one stage' 'report train.4711.loopscope --view tree --stage outside'
make-profile "$root/test/Report/Inputs/waits.run" waits.loopscope
show 'tree, of a run that waits' 'report waits.loopscope --view tree'
show 'overview, of a run that waits' 'report waits.loopscope --view overview'
show 'timeline, of a run that waits' 'report waits.loopscope --view timeline'
show 'advanced' 'report functions.loopscope --view advanced'
cat > ranges.run <<'END'
wall 10s
thread main
  phase train spans=8s
range xgboost:BuildHist 400 3s 5ms 40ms
range prefetch 20 1600ms 50ms 200ms 1 9500ms
END
make-profile ranges.run ranges.loopscope
show 'ranges, of NVTX' 'report ranges.loopscope --view ranges'
show 'devices' 'report train.4711.loopscope --view devices'
make-profile "$root/test/Report/Inputs/gpu.run" gpu.loopscope
make-profile "$root/test/Report/Inputs/gpu-trace.run" gpu-traced.loopscope
show 'simple, of a run on a GPU' 'report gpu.loopscope'
show 'tree, of a run on a GPU' 'report gpu.loopscope --view tree'
show 'kernels' 'report gpu.loopscope --view kernels'
show 'kernels, by phase' 'report gpu.loopscope --view kernels --by phase'
show 'operators' 'report gpu.loopscope --view operators'
show 'overview' 'report gpu.loopscope --view overview'
show 'overview, of a traced run' 'report gpu-traced.loopscope --view overview'
show 'timeline, of a run on a GPU' 'report gpu-traced.loopscope --view timeline'
show 'path, of a run on a GPU' 'report gpu-traced.loopscope --view path'
show 'ranks' 'report train.4711.loopscope after.loopscope --view ranks'
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
show 'ranks, with collectives' 'report mpi.rank0.loopscope mpi.rank1.loopscope --view ranks'
show 'communication' 'report mpi.rank0.loopscope mpi.rank1.loopscope --view communication'
show 'diff' 'diff train.4711.loopscope after.loopscope'
show 'diff, several runs a side' 'diff main pr'
show 'watch' 'watch train.4711.loopscope'
show 'overview, of a PyTorch trace' 'report worker0.pt.trace.json --view overview'
show 'operators, of a PyTorch trace' 'report worker0.pt.trace.json --view operators'
show 'operators, of a PyTorch trace by phase' 'report worker0.pt.trace.json --view operators --by phase'
show 'kernels, of a PyTorch trace' 'report worker0.pt.trace.json --view kernels'
show 'kernels, of a PyTorch trace by phase' 'report worker0.pt.trace.json --view kernels --by phase'
sed 's/"rank": 1/"rank": 0/' worker0.pt.trace.json > worker1.pt.trace.json
show 'overview, of the traces of two ranks' 'report worker1.pt.trace.json worker0.pt.trace.json --merge --view overview'
show 'simple, of a PyTorch trace' 'report worker0.pt.trace.json'
show 'tree, of a PyTorch trace' 'report worker0.pt.trace.json --view tree'
show 'advanced, of a PyTorch trace' 'report worker0.pt.trace.json --view advanced'
show 'throughput, of a PyTorch trace' 'report worker0.pt.trace.json --view throughput'
show 'folded stacks' 'export --to folded train.4711.loopscope -o -'
