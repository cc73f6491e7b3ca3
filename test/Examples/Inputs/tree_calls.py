"""Prints the names and calls of a tree report, nested, sorted by name; fails if the
main thread's time isn't the run's wall time.

usage: loopscope report PROFILE --view tree --format json | tree_calls.py
"""
import json
import sys


def by_name(row):
    """Sorts rows independently of their times."""
    return row["name"], row["file"] or "", row["line"] or 0


def show(rows, depth):
    for row in sorted(rows, key=by_name):
        if row["calls"] is not None:
            print("  " * depth + f"{row['name']} {row['calls']}")
            show(row["children"], depth + 1)


for section in json.load(sys.stdin)["sections"]:
    for table in section["tables"]:
        print(table["id"])
        show(table["rows"], 1)
        whole = table["total"]["inclusive_s"]
        if table["id"] == "main" and whole != section["run"]["wall_s"]:
            sys.exit(f"main thread: {whole} s of {section['run']['wall_s']} s")
