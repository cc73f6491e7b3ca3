"""Checks the times of fibres-coroutines.cpp: those of `generate` are the parts' alone, and those of
`main` what it used.

usage: check_coroutines.py WALL < ROWS

WALL is a file with the seconds from before the first span to after the last one, by the program's own
clock. One thing runs at a time, so `main` and the coroutines have no more together. With the others'
parts in them, they would have 20 ms more at least; times that the machine takes away are in both.
"""
import csv
import sys

ROWS = {row["action"]: row for row in csv.DictReader(sys.stdin)}
WALL = float(open(sys.argv[1], encoding="utf-8").read())
PARTS, GENERATE = (float(ROWS[name]["total_s"]) for name in ("part", "generate"))
USES, MAIN = (float(ROWS[name]["total_s"]) for name in ("use", "main"))
assert int(ROWS["part"]["calls"]) == 30 and int(ROWS["generate"]["calls"]) == 3, ROWS
assert int(ROWS["use"]["calls"]) == 10 and 0.030 <= PARTS and 0.020 <= USES, ROWS
assert PARTS <= GENERATE and USES <= MAIN, ROWS
# The two clocks differ slightly.
assert MAIN + GENERATE <= 1.001 * WALL, (MAIN, GENERATE, WALL)
