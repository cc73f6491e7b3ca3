"""Checks that a report is one csv table whose text is quoted.

usage: loopscope report PROFILE --format csv | check-csv.py

Every line is a row of it: no comment, no blank line, as many cells as the header
has names, each name once. Text is quoted, numbers aren't. Prints the header and
how many rows there are; exits 1 and names the first line that is off.
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
