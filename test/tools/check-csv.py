"""Checks that a report is one CSV table with quoted text.

usage: loopscope report PROFILE --format csv | check-csv.py

Every line is a row: no comment, no blank line, as many cells as the header, whose names
are unique. Text is quoted, numbers aren't. Prints the header and the number of rows;
exits 1 and names the first wrong line.
"""
import csv
import io
import re
import sys

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+][0-9]+)?"
CELL = rf'(?:"(?:[^"]|"")*"|{NUMBER}|)'
ROW = re.compile(rf"{CELL}(?:,{CELL})*")

text = sys.stdin.read()
header, *rows = csv.reader(io.StringIO(text, newline=""))
lines = text.removesuffix("\n").split("\n")
if len(set(header)) != len(header) or not all(header):
    sys.exit("header: " + ",".join(header))
if len(lines) != len(rows) + 1:
    sys.exit(f"{len(lines)} lines, {len(rows)} rows")
for line, row in zip(lines[1:], rows):
    if len(row) != len(header) or not ROW.fullmatch(line) or not line.strip(","):
        sys.exit("line: " + line)
print(",".join(header))
print(len(rows), "rows")
