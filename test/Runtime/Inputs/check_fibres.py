"""Compares a profile of fibres.cpp with the program's own log.

usage: check_fibres.py PROFILE LOG [PART...]

With parts (loopscope_reset), their sum counts.
"""
import csv
import io
import subprocess
import sys


def sums(profiles):
    """Calls and seconds by action, over all profiles."""
    found = {}
    for profile in profiles:
        text = subprocess.run(["loopscope", "report", "--view", "simple", "--format", "csv", "--columns",
                               "action,calls,total_s", profile], check=True, capture_output=True, text=True).stdout
        for row in csv.DictReader(io.StringIO(text)):
            sum_of = found.setdefault(row["action"], [0, 0.0])
            sum_of[0] += int(row["calls"] or 0)
            sum_of[1] += float(row["total_s"])
    return found


def main():
    log = {}
    for line in open(sys.argv[2], encoding="utf-8"):
        name, *numbers = line.split()
        log[name] = [float(each) for each in numbers]
    found = sums([sys.argv[1], *sys.argv[3:]])
    for name in ("outer", "inner"):
        count, least, most = log[name]
        calls, seconds = found[name]
        assert calls == count, (name, calls, count)
        # The two clocks differ slightly.
        assert least * 0.999 <= seconds <= most * 1.001, (name, seconds, least, most)
    # What was switched out is said, and more than the time of one fibre.
    assert found["(switched out)"][1] > 2 * log["wall"][0], (found, log)
    assert 0 < log["inner"][1] < log["outer"][2], log


main()
