"""Compares the memory view with what a program counted.

usage: memory_random.py TRUTH CSV
"""
import csv
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    truth = [line.rstrip("\n").split(";") for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    rows = {(row["step"], row["memory"]): row for row in csv.DictReader(file)}
lanes = {lane for _, lane in rows}
wanted = [each for each in truth if each[1] in lanes]
assert len(wanted) == len(rows) >= 60, (len(wanted), len(rows))
for step, lane, start, peak, end, allocated, phase in wanted:
    row = rows[step, lane]
    got = [row["start_bytes"], row["peak_bytes"], str(int(row["start_bytes"]) + int(row["change_bytes"])),
           row["allocated_bytes"], row["peak_in"] or "-"]
    assert got == [start, peak, end, allocated, phase], (step, lane, got, [start, peak, end, allocated, phase])
    assert int(row["allocated_bytes"]) - int(row["freed_bytes"]) == int(row["change_bytes"]), row
