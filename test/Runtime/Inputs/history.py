"""Checks histories: history.py LOOPSCOPE STEPS [hangs] PROFILE [OPTION...]

Prints for each process whether it has one bin or several, if these follow each other, have STEPS
steps of 64 samples and, with "hangs", end in a step that doesn't end."""
import json
import subprocess
import sys

loopscope, steps, *rest = sys.argv[1:]
hangs = rest[0] == "hangs"
command = [loopscope, "report", *rest[hangs:], "--view", "history", "--format", "json"]
text = subprocess.run(command, check=True, text=True, capture_output=True).stdout
for section in json.loads(text)["sections"]:
    tables = {table["id"]: table["rows"] for table in section["tables"]}
    bins, rows = tables["bins"], tables["steps"]
    assert bins[0]["from_s"] == 0
    for before, after in zip(bins, bins[1:]):
        assert before["to_s"] == after["from_s"], (before, after)
    assert sum(row["steps"] for row in rows) == int(steps), rows
    assert sum(row["samples"] for row in rows) == 64 * int(steps), rows
    if hangs:
        last = [row for row in rows if row["steps"] == 0][-1]
        length = last["to_s"] - last["from_s"]
        assert abs(last["step_total_s"] - length) < 1e-6 + length / 100, last
    print("one" if len(bins) == 1 else "several")
