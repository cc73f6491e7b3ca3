"""Compares the operators in real.cpp's phases with the program's own counts:
check_operators.py OUTPUT < TREE."""
import collections
import csv
import sys

truth = collections.Counter()
for line in open(sys.argv[1]):
    if line.startswith("operator "):
        _, phase, count, name = line.rstrip("\n").split(" ", 3)
        truth[phase, name] += int(count)
found = collections.Counter()
path = []
for row in csv.DictReader(sys.stdin):
    path[int(row["depth"]):] = [row]
    phases = [each["name"] for each in path if each["kind"] == "phase"]
    if row["kind"] == "operator" and phases:
        found[phases[-1], row["name"]] += int(row["calls"])
bad = [f"{key}: {found[key]} calls, really {truth[key]}" for key in sorted({*truth, *found})
       if truth[key] != found[key]]
print("\n".join(bad) or f"{len(truth)} operators, {sum(truth.values())} calls: all true")
sys.exit(len(bad) != 0 or len(truth) < 10)
