"""Checks that a tree report adds up, to the nanosecond.

usage: loopscope report PROFILE --view tree --format json | check-tree.py

For every row: children + self = inclusive. For every table: rows = total. Prints the
number of rows checked; exits 1 and names the first wrong one.
"""
import json
import sys


def nanoseconds(seconds):
    return round((seconds or 0) * 1e9)


def check(row):
    count = 1
    inside = nanoseconds(row["self_s"])
    for child in row["children"]:
        inside += nanoseconds(child["inclusive_s"])
        count += check(child)
    # "(unaccounted)" has no self time.
    if row["kind"] != "unaccounted" and inside != nanoseconds(row["inclusive_s"]):
        sys.exit("%s: parts are %d ns, the whole is %s s" %
                 (row["name"], inside, row["inclusive_s"]))
    return count


checked = 0
for section in json.load(sys.stdin)["sections"]:
    for table in section["tables"]:
        rows = sum(nanoseconds(row["inclusive_s"]) for row in table["rows"])
        if rows != nanoseconds(table["total"]["inclusive_s"]):
            sys.exit("%s: rows are %d ns, the total is %s s" %
                     (table["id"], rows, table["total"]["inclusive_s"]))
        checked += sum(check(row) for row in table["rows"])
print("%d rows add up" % checked)
