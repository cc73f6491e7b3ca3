"""Checks the loops view against what a program is known to do.

usage: check_loops.py REPORT.json FUNCTION LINE [CALL=PERCENT...]

REPORT is the view as json. The first candidate must be FUNCTION's loop at LINE (- if no line is
known), each CALL must have its PERCENT of the loop's samples, and 99% of all stacks must be whole.
Percentages need a hundred samples; a program that shares its CPU has fewer.
"""
import json
import sys

# Of a hundred samples, 15 points are 3 standard deviations: on a busy machine, ticks mislead, too.
POINTS = 15


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        section = json.load(file)["sections"][0]
    first = section["tables"][0]
    counts = first
    assert counts["samples"] >= (100 if sys.argv[4:] else 20), counts["samples"]
    assert counts["whole_samples"] >= 0.99 * counts["samples"], counts["whole_samples"]
    function, line = sys.argv[2:4]
    assert f"{function}()" in first["title"], first["title"]
    assert line == "-" or any(f":{line}{after}" in first["title"] for after in (" (", ", by")), first["title"]
    shares = {}
    for row in first["rows"]:
        shares[row["function"]] = shares.get(row["function"], 0) + row["percent"]
    for word in sys.argv[4:]:
        call, percent = word.split("=")
        assert abs(shares[call] - float(percent)) <= POINTS, (call, shares)


main()
