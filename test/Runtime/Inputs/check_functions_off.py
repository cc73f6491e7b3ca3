"""Compares own times of the advanced view with what a program measured of itself.

usage: check_functions_off.py ADVANCED.csv TRUTH

TRUTH has the processor time in seconds of small, which is off, of what else its caller does,
and of another function. Small's own time has to be within 5 % and three standard deviations
of so many samples, 1,000 a second; with its caller's own time it is the caller's total; and
where the processor was the program's, the three come in the true order.
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
