"""Compares LibTorch operators recorded by LOOPSCOPE=operators=on with PyTorch's own
profiler in the same process.

usage: torch-operators.py PROGRAM [--loopscope PATH] [--steps N] [--runs N] [--least PERCENT]

PROGRAM is torch_operators, built with the runtime. Prints for each run the number of
calls that differ, and the self times of operators with at least --least percent of a
phase; then the cost per operator. Exits 1 if a count or a loss differs.
"""
import argparse
import collections
import csv
import os
import statistics
import subprocess
import sys
import tempfile


def run(program, options, what, number):
    environment = dict(os.environ, LOOPSCOPE=options)
    return subprocess.run([program, what, str(number)], env=environment, check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()


def theirs(lines):
    result = {}
    for line in lines:
        if line.startswith("operator "):
            _, phase, calls, self_ns, name = line.split(" ", 4)
            result[phase, name] = int(calls), float(self_ns)
    return result


def ours(loopscope, profile):
    report = subprocess.run([loopscope, "report", profile, "--view", "tree", "--format", "csv"],
                            check=True, text=True, stdout=subprocess.PIPE).stdout
    sums = collections.defaultdict(lambda: [0, 0.0])
    path = []
    for row in csv.DictReader(report.splitlines()):
        path[int(row["depth"]):] = [row]
        phases = [each["name"] for each in path if each["kind"] == "phase"]
        if row["kind"] == "operator" and phases:
            entry = sums[phases[-1], row["name"]]
            entry[0] += int(row["calls"])
            entry[1] += float(row["self_s"]) * 1e9
    return sums


def compare(options, number):
    """Differences in calls, and the ratio of self times for each large operator."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "run.loopscope")
        lines = run(options.program, f"operators=on,report=none,output={profile}", "compare", options.steps)
        other, own = theirs(lines), ours(options.loopscope, profile)
    # The profiler's own range of the phase is among our operators, too.
    own = {key: value for key, value in own.items() if not key[1].startswith("phase ")}
    different = [key for key in own.keys() | other.keys()
                 if own.get(key, [0])[0] != other.get(key, [0])[0]]
    for key in different[:10]:
        print("differs:", *key, own.get(key, [0])[0], other.get(key, [0])[0])
    whole = collections.Counter()
    for (phase, _), (_, self_ns) in other.items():
        whole[phase] += self_ns
    ratios = {key: own[key][1] / value[1] for key, value in other.items()
              if key in own and value[1] * 100 >= options.least * whole[key[0]]}
    worst = max(ratios.values(), key=lambda ratio: abs(ratio - 1))
    share = max(abs(own[key][1] / sum(o[1] for k, o in own.items() if k[0] == key[0])
                    - other[key][1] / whole[key[0]]) for key in ratios)
    print(f"| {number} | {len(other)} | {sum(calls for calls, _ in other.values())} | {len(different)}"
          f" | {len(ratios)} | {statistics.median(ratios.values()):.3f} | {worst:.3f} | {100 * share:.1f} |")
    return len(different)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--loopscope", default="loopscope")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--least", type=float, default=1)
    options = parser.parse_args()
    losses = [run(options.program, mode, "losses", options.steps) for mode in ("off", "operators=on,report=none")]
    print("losses:", "the same" if losses[0] == losses[1] else "DIFFERENT")
    print(f"| run | operators | calls | counts that differ | with {options.least:g} % or more"
          " | ours / theirs, median | farthest | largest difference of shares, points |")
    print("|---|---|---|---|---|---|---|---|")
    bad = sum(compare(options, number + 1) for number in range(options.runs))
    for _ in range(options.runs):
        print(*run(options.program, "operators=on,report=none", "cost", 101))
    sys.exit(bad != 0 or losses[0] != losses[1])


main()
