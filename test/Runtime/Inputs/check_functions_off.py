"""Compares self times in the advanced view with a program's own measurements.

usage: check_functions_off.py ADVANCED.csv TRUTH

TRUTH has the processor times in seconds of `small`, which is off, of the rest of its
caller, and of another function. small's self time must be within 5% plus three
standard deviations at 1,000 samples per second; together with its caller's self time it
must be the caller's total; and if the program had the processor, the three must be in
the true order.
"""
import csv
import math
import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = {re.sub(r".*\((.*)\)$", r"\1", row["function"]): row for row in csv.DictReader(file)}
    own = {name: float(row["tottime_s"]) for name, row in rows.items()}
    total = {name: float(rows[name]["cumtime_s"]) for name in ("caller", "other")}
    with open(sys.argv[2], encoding="utf-8") as file:
        truth = {name: float(time) for name, time in (line.split() for line in file)}
    print(own, total, truth)
    allowed = 0.05 * truth["small"] + 3 * math.sqrt(truth["small"] * 1000) / 1000
    assert abs(own["small"] - truth["small"]) <= allowed, allowed
    assert abs(own["caller"] + own["small"] - total["caller"]) <= 0.01 * total["caller"]
    if sum(total.values()) < 1.2 * sum(truth.values()):
        assert sorted(truth, key=truth.get) == sorted(truth, key=own.get)


main()
