"""Compares the operations of a profile's call paths with the program's numbers.

usage: check_work.py PROFILE NAME=FLOP...

A NAME followed by '?' gave them only for some of its spans, and has no rate. Every
other rate must be the operations divided by the row's time, and the MFU the rate
divided by the peak.
"""
import csv
import io
import subprocess
import sys


def main():
    profile, *wanted = sys.argv[1:]
    text = subprocess.run(["loopscope", "report", "--view", "tree", "--format", "csv", profile],
                          check=True, capture_output=True, text=True).stdout
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(text))}
    for each in wanted:
        name, flop = each.split("=")
        row = rows[name.rstrip("?")]
        assert float(row["flop"]) == float(flop), row
        if name.endswith("?"):
            assert row["flop_per_s"] == row["mfu_percent"] == "", row
            continue
        rate = float(flop) / float(row["inclusive_s"])
        # A step's time in the tree includes the draw that ended the loop.
        if name == "step":
            assert float(row["flop_per_s"]) >= rate * (1 - 1e-9), (row, rate)
            rate = float(row["flop_per_s"])
        assert abs(float(row["flop_per_s"]) / rate - 1) < 1e-9, (row, rate)
        if row["peak_flop_per_s"]:
            part = rate * 100 / (float(row["peak_flop_per_s"]) * float(row["peak_devices"]))
            assert abs(float(row["mfu_percent"]) / part - 1) < 1e-9, (row, part)


main()
