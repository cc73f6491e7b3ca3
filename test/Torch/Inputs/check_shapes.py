"""Compares the rows of operators by shape with what a program printed, as lines of calls, name, shapes and types:
check_shapes.py OUTPUT PROFILE. A line without shapes has the calls with any. "??" among the output's types is
what is no tensor; then all such types are alike. Rows by shape add up to those by name. Operators that aren't in the
output don't count."""
import collections
import csv
import subprocess
import sys


def rows(*options):
    text = subprocess.run(["loopscope", "report", "--view", "operators", "--format", "csv", *options, sys.argv[2]],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    return list(csv.DictReader(text.splitlines()))


lines = open(sys.argv[1]).read()
unknown = {"-", "ScalarList", "TensorList"} if "??" in lines else {}


def known(types):
    words = types.removeprefix("[").removesuffix("]").split(", ")
    return "[" + ", ".join("??" if word in unknown else word for word in words) + "]" if types else ""


truth, sums = {}, {}
for line in lines.splitlines():
    if line.count("\t") == 3:
        calls, name, shapes, types = line.rstrip("\n").split("\t")
        if shapes:
            key = name, shapes, known(types)
            truth[key] = truth.get(key, 0) + int(calls)
        else:
            sums[name] = int(calls)
by_shape = rows("--by", "shape")
found = collections.Counter()
for row in by_shape:
    found[row["name"], row["input_shapes"], known(row["input_types"])] += int(row["calls"])
names = {name for name, _, _ in truth}
bad = 0
for key in sorted({*truth, *(key for key in found if key[0] in names)}):
    if truth.get(key, 0) != found[key]:
        print(*key, f": {found[key]} calls, really {truth.get(key, 0)}")
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
