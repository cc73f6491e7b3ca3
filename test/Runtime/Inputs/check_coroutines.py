"""Checks the times of fibres-coroutines.cpp: those of `generate` are the parts' alone, and those of
`main` what it used."""
import csv
import sys

ROWS = {row["action"]: row for row in csv.DictReader(sys.stdin)}
PARTS, GENERATE = (float(ROWS[name]["total_s"]) for name in ("part", "generate"))
USES, MAIN = (float(ROWS[name]["total_s"]) for name in ("use", "main"))
assert int(ROWS["part"]["calls"]) == 30 and int(ROWS["generate"]["calls"]) == 3, ROWS
assert int(ROWS["use"]["calls"]) == 10 and 0.030 <= PARTS and 0.020 <= USES, ROWS
# With the other coroutines' parts, they would be twice as long and more.
assert PARTS <= GENERATE <= 1.6 * PARTS, ROWS
assert USES <= MAIN <= 1.6 * USES, ROWS
