"""Compares a profile of fibres.cpp with the program's own log.

usage: check_fibres.py PROFILE LOG
"""
import csv
import io
import subprocess
import sys


def rows(view, columns):
    text = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", "--columns", columns,
                           sys.argv[1]], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def main():
    log = {}
    for line in open(sys.argv[2], encoding="utf-8"):
        name, *numbers = line.split()
        log[name] = [float(each) for each in numbers]
    found = {row["action"]: row for row in rows("simple", "action,calls,total_s")}
    for name in ("outer", "inner"):
        count, least, most = log[name]
        row = found[name]
        assert int(row["calls"]) == count, (name, row, count)
        # The two clocks differ slightly.
        assert least * 0.999 <= float(row["total_s"]) <= most * 1.001, (name, row, least, most)
    # What was switched out is said, and more than the time of one fibre.
    assert float(found["(switched out)"]["total_s"]) > 2 * log["wall"][0], (found, log)
    assert 0 < log["inner"][1] < log["outer"][2], log


main()
