"""Checks that a simple view in CSV has CPU time for these actions, and none for
those with a '-'."""
import csv
import sys

rows = {row["action"]: row for row in csv.DictReader(sys.stdin)}
bad = [name for name in sys.argv[1:]
       if (rows[name.lstrip("-")]["cpu_s"] == "") != name.startswith("-")]
print(f"wrong: {bad}" if bad else "right")
sys.exit(len(bad) != 0)
