"""Checks that samples distinguish work from waiting at a barrier.

usage: check_barrier.py FUNCTIONS.csv TRUTH

TRUTH has, for each thread, the processor time of its work and its total, in seconds. Samples
come with the kernel's ticks, and so may the ends of waits, where other processes keep a thread
from the processor: in each step, a thread's part may have a sample more or less than its time.
"""
import csv
import sys

STEPS = 120
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


def check(what, found, truth):
    allowed = STEPS / samples
    print(f"{what}: {found:.3f}, truth {truth:.3f}, allowed {allowed:.3f}")
    assert abs(found - truth) < allowed, what


assert samples > 500, samples
for thread, (work, every) in zip(("main", "(no span)"), times):
    check(f"{thread}: work", share(thread, function="work"), work / whole)
    check(f"{thread}: libgomp", share(thread, library="libgomp.so"), (every - work) / whole)
