"""Compares the forward operators in the operators view with a program's output, lines
of calls, backward and forward operator: check_links.py OUTPUT PROFILE."""
import collections
import csv
import subprocess
import sys

truth = collections.defaultdict(collections.Counter)
for line in open(sys.argv[1]):
    if line.count("\t") == 2:
        calls, backward, forward = line.rstrip("\n").split("\t")
        truth[backward][forward] += int(calls)
text = subprocess.run(["loopscope", "report", "--view", "operators", "--format", "csv", sys.argv[2]],
                      check=True, text=True, stdout=subprocess.PIPE).stdout
found = {row["name"]: row["forward"] for row in csv.DictReader(text.splitlines()) if row["forward"]}
expected = {}
for backward, forwards in truth.items():
    names = [name for name, _ in sorted(forwards.items(), key=lambda each: (-each[1], each[0]))]
    expected[backward] = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
for name in sorted({*found, *expected}):
    if found.get(name) != expected.get(name):
        print(f"{name}: {found.get(name)}, really {expected.get(name)}")
print(f"{len(expected)} backward operators")
sys.exit(found != expected or not expected)
