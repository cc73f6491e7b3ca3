"""Compares the ranges view with a program's log of its ranges.

usage: check_ranges.py PROFILE LOG

A line of LOG has NAME and, in nanoseconds, the minimum and maximum duration of one
range, or "open" and the minimum time that it had been open at the end.
"""
import collections
import csv
import io
import subprocess
import sys


def main():
    text = subprocess.run(["loopscope", "report", "--view", "ranges", "--format", "csv",
                           sys.argv[1]], check=True, capture_output=True, text=True).stdout
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(text))}
    ended, still = collections.defaultdict(list), collections.defaultdict(list)
    with open(sys.argv[2], encoding="utf-8") as log:
        for line in log:
            name, least, most = line.rstrip("\n").split("\t")
            if least == "open":
                still[name].append(int(most))
            else:
                ended[name].append((int(least), int(most)))
    assert set(rows) == set(ended) | set(still), (set(rows), set(ended), set(still))

    def within(value, least, most):
        # The two clocks differ slightly.
        assert least * 0.99 - 1e-6 <= value <= most * 1.01 + 1e-6, (name, row, least, value, most)

    for name, row in rows.items():
        times = [(least / 1e9, most / 1e9) for least, most in ended[name]]
        assert int(row["calls"]) == len(times) and int(row["open"]) == len(still[name]), (name, row)
        if times:
            within(float(row["total_s"]), sum(a for a, _ in times), sum(b for _, b in times))
            within(float(row["min_s"]), min(a for a, _ in times), min(b for _, b in times))
            within(float(row["max_s"]), max(a for a, _ in times), max(b for _, b in times))
            mean = float(row["total_s"]) / len(times)
            assert abs(float(row["mean_s"]) - mean) <= 1e-9 + mean * 1e-6, (name, row)
        within(float(row["open_s"]), sum(still[name]) / 1e9, float("inf"))
    assert sum(map(len, ended.values())) > 1000 and sum(map(len, still.values())) > 100


main()
