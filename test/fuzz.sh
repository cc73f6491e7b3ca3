#!/bin/sh
# Runs the readers and their views under libFuzzer with AddressSanitizer and
# UBSan: the profile reader and the trace reader (JSON and gzip), both at once,
# from the seeds in test/fuzz.
#
#   sh test/fuzz.sh [-t SECONDS] [-s SEED] [-c CORPUS] [BUILD]
#
#   -t   how long (60)
#   -s   seed of the random numbers (default: a new one each time)
#   -c   directory that keeps the fuzzers' corpus for later runs (default: none)
#   BUILD  where to build (default: a scratch directory)
#
# Exits non-zero at the first finding; its input is kept in the current directory.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
seconds=60
random=0
corpus=
while getopts t:s:c: option; do
  case $option in
  t) seconds=$OPTARG ;;
  s) random=$OPTARG ;;
  c) corpus=$OPTARG ;;
  *) echo "usage: $0 [-t SECONDS] [-s SEED] [-c CORPUS] [BUILD]" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=${1:-$scratch/build}
: "${corpus:=$scratch/corpus}"
: "${CXX:=$(command -v clang++-22 || command -v clang++)}"
mkdir -p "$build" "$corpus/profiles" "$corpus/traces" "$scratch/profiles" "$scratch/traces"

# A build whose tests run this may already have make-profile.
targets=fuzzers
command -v make-profile >/dev/null || targets="fuzzers make-profile"
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_CXX_COMPILER="$CXX" \
  -DLOOPSCOPE_ENABLE_REWRITER=OFF -DLOOPSCOPE_ENABLE_TESTS=ON \
  -DLOOPSCOPE_NPM=OFF -DCMAKE_UNITY_BUILD=ON >"$scratch/log" 2>&1 &&
  cmake --build "$build" --target $targets >>"$scratch/log" 2>&1 ||
  { tail -n 30 "$scratch/log" >&2; exit 1; }
PATH=$build/bin:$PATH

for seed in "$source"/test/fuzz/profiles/*.run; do
  make-profile "$seed" "$scratch/profiles/$(basename "$seed" .run)"
done
# The first byte selects the treatment of the rest; see KinetoFuzzer.cpp.
for seed in "$source"/test/fuzz/traces/*.json "$source"/test/Kineto/Inputs/*.trace.json; do
  name=$scratch/traces/$(basename "$seed" .json)
  for how in p z; do
    { printf %s $how; cat "$seed"; } >"$name.$how"
  done
  { printf p; gzip -nc "$seed"; } >"$name.gz"
done

# Deep allocation stacks and a large quarantine would halve the speed.
export ASAN_OPTIONS="malloc_context_size=4:quarantine_size_mb=16 ${ASAN_OPTIONS:-}"

# Runs one fuzzer: PROGRAM SEEDS MAX_LEN [OPTION]
fuzz() {
  name=$1 seeds=$2 longest=$3
  shift 3
  "$name" -max_total_time="$seconds" -seed="$random" -max_len="$longest" -rss_limit_mb=2048 \
    -print_final_stats=1 -report_slow_units=100 \
    -artifact_prefix="$name-" "$@" "$corpus/$seeds" \
    "$scratch/$seeds" >"$scratch/$name.log" 2>&1
}
fuzz profile-fuzzer profiles 262144 &
other=$!
status=0
fuzz kineto-fuzzer traces 16384 -dict="$source/test/fuzz/trace.dict" || status=1
wait $other || status=1
for name in profile-fuzzer kineto-fuzzer; do
  if ! grep -q '^stat::number_of_executed_units' "$scratch/$name.log" ||
    grep -q '^SUMMARY:' "$scratch/$name.log"; then
    status=1
    grep -A 25 -m 1 -e '==ERROR' -e 'runtime error' "$scratch/$name.log" >&2 ||
      tail -n 5 "$scratch/$name.log" >&2
    grep 'Test unit written' "$scratch/$name.log" >&2 || :
  fi
  printf '%s: %s inputs in %s s\n' $name \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$name.log")" "$seconds"
done
exit $status
