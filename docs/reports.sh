#!/bin/sh
# Writes docs/reports.md: every view of one described run, as the terminal shows
# it.
#
#   sh docs/reports.sh BUILD > docs/reports.md
set -eu
export PATH="$1/bin:$PATH" COLUMNS=130 NO_COLOR=1 LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
make-profile "$root/test/Report/Inputs/reports.run" train.4711.loopscope
sed 's/phase forward spans=120x40ms/phase forward spans=60x41ms,60x43ms/; s/^wall.*/&\nrank 1 of 2/' \
  "$root/test/Report/Inputs/reports.run" > after.run
make-profile after.run after.loopscope

show() {
  printf '\n## %s\n\n    $ loopscope %s\n' "$1" "$2"
  loopscope $2 | sed 's/^\(.\)/    \1/'
}

echo '# Every view'
echo
echo 'One run, seen by each view; `sh docs/reports.sh BUILD > docs/reports.md` makes this page. [report.md](report.md) says what the numbers are.'
show 'simple' 'report train.4711.loopscope'
show 'simple, compact' 'report train.4711.loopscope --compact'
show 'throughput' 'report train.4711.loopscope --view throughput'
make-profile "$root/test/Report/Inputs/timeline.run" traced.loopscope
show 'timeline' 'report traced.loopscope --view timeline --rows 4'
show 'tree' 'report train.4711.loopscope --view tree'
show 'devices' 'report train.4711.loopscope --view devices'
show 'ranks' 'report train.4711.loopscope after.loopscope --view ranks'
show 'diff' 'diff train.4711.loopscope after.loopscope'
show 'watch' 'watch train.4711.loopscope'
show 'folded stacks' 'export --to folded train.4711.loopscope -o -'
