"""Checks that samples distinguish work from waiting at a barrier.

usage: check_barrier.py FUNCTIONS.csv TRUTH

TRUTH has, for each thread, the processor time of its work and its total, in seconds.
"""
import csv
import sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["phase"] == "parallel"]
with open(sys.argv[2], encoding="utf-8") as file:
    times = [[float(word) for word in line.split()] for line in file]
assert {row["stage"] for row in rows} == {"fit"}
assert {row["thread"] for row in rows} == {"main", "(no span)"}, rows
samples = sum(int(row["count"]) for row in rows)
whole = sum(every for _, every in times)


def share(thread, **wanted):
    return sum(int(row["count"]) for row in rows
               if row["thread"] == thread and all(row[key].startswith(value) for key, value in wanted.items())) / samples


for thread, (work, every) in zip(("main", "(no span)"), times):
    found = share(thread, function="work")
    waiting = share(thread, library="libgomp.so")
    print(f"{thread}: work {found:.3f}, truth {work / whole:.3f}; libgomp {waiting:.3f}, truth {(every - work) / whole:.3f}")
    assert abs(found - work / whole) < 0.05, thread
    assert abs(waiting - (every - work) / whole) < 0.05, thread
