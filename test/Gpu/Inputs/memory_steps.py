"""Compares the memory view with what the program counted.

usage: memory_steps.py TRUTH CSV
"""
import csv
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    truth = [line.split() for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    rows = {row["step"]: row for row in csv.DictReader(file)}
assert len(truth) > 10 and len(rows) == len(truth), (len(truth), len(rows))
pool = 0
for step, start, peak, end, phase in truth:
    row = rows[str(int(step))]
    assert row["memory"] == "GPU 0", row
    got = [row["start_bytes"], row["peak_bytes"], str(int(row["start_bytes"]) + int(row["change_bytes"])), row["peak_in"]]
    assert got == [start, peak, end, phase], (step, got, [start, peak, end, phase])
    assert int(row["allocated_bytes"]) - int(row["freed_bytes"]) == int(row["change_bytes"]), row
    # The pool of the fake driver keeps what a step needed, in whole pages of 2 MiB: all of it is free at the step's end.
    pool = max(pool, (int(row["peak_bytes"]) - int(start) - 3 * 1024 + (2 << 20) - 1) >> 21 << 21)
    assert int(row["unused_bytes"]) == pool, (row, pool)
