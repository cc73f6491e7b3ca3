"""Compares the rows of operators by shape with what a program printed, as lines of calls, name, shapes and types:
check_shapes.py OUTPUT PROFILE. A line without shapes has the calls with any. "??" among the types of the output are
any type. Rows by shape add up to those by name. Operators that aren't in the output don't count."""
import collections
import csv
import subprocess
import sys


def rows(*options):
    text = subprocess.run(["loopscope", "report", "--view", "operators", "--format", "csv", *options, sys.argv[2]],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    return list(csv.DictReader(text.splitlines()))


truth, sums = {}, {}
for line in open(sys.argv[1]):
    if line.count("\t") == 3:
        calls, name, shapes, types = line.rstrip("\n").split("\t")
        if shapes:
            truth[name, shapes, types] = int(calls)
        else:
            sums[name] = int(calls)
by_shape = rows("--by", "shape")
found = {(row["name"], row["input_shapes"], row["input_types"]): int(row["calls"]) for row in by_shape}
bad = 0
for key in sorted({*truth, *(key for key in found if any(key[0] == name for name, _, _ in truth))}):
    if truth.get(key) != found.get(key):
        print(*key, f": {found.get(key)} calls, really {truth.get(key)}")
        bad += 1
by_name = {row["name"]: row for row in rows()}
for name, calls in sums.items():
    if int(by_name[name]["calls"]) != calls:
        print(f"{name}: {by_name[name]['calls']} calls, really {calls}")
        bad += 1
for figure in ("calls", "self_cpu_s", "cpu_total_s"):
    whole = collections.Counter()
    for row in by_shape:
        whole[row["name"]] += round(float(row[figure]) * 1e9)
    for name, row in by_name.items():
        if whole[name] != round(float(row[figure]) * 1e9):
            print(f"{name}: {figure} {row[figure]}, by shape {whole[name]} e-9")
            bad += 1
print(f"{len(truth)} operators with their shapes, {len(sums)} with any")
sys.exit(bad != 0 or not truth)
