"""Whether three functions have 60, 30 and 10% of the samples, as chance allows.

usage: check_in_step.py FUNCTIONS.csv

Calls of the clock count for whoever calls it, in the functions' proportion. Without intervals,
because the kernel allows no random times, there is nothing to compare.
"""
import csv
import math
import sys

TRUTH = {"sixty": 60, "thirty": 30, "ten": 10}
DEVIATIONS = 4

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["function"] in TRUTH]
total = sum(int(row["count"]) for row in rows)
print(total, "samples", {row["function"]: 100 * int(row["count"]) / total for row in rows})
if any(row["percent_low"] == "" for row in rows):
    print("skipped: samples came at the kernel's ticks")
    sys.exit()
for row in rows:
    truth = TRUTH[row["function"]]
    error = math.sqrt(truth * (100 - truth) / total)
    share = 100 * int(row["count"]) / total
    assert abs(share - truth) < DEVIATIONS * error, (row, share, error)
assert len(rows) == 3 and total > 200
