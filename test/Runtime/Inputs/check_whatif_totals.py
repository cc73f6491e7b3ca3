"""Checks that the time injected into a run of `pipelines` is in no other row.

    check_whatif_totals.py PROFILE

The loop plus the time injected into it is less than the run, so the loop's time
excludes it. Prints what is wrong.
"""
import csv
import io
import subprocess
import sys


def main():
    text = subprocess.run(["loopscope", "report", "--view", "tree", "--format", "csv", sys.argv[1]],
                          capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    total = {row["name"]: float(row["inclusive_s"]) for row in rows if row["depth"] == "0"}
    calls = {row["name"]: row["calls"] for row in rows}
    bad = []
    if total["train"] + total["(what-if)"] > total["wall time"]:
        bad.append(f"the loop and what was injected are more than the run: {total}")
    if total["(what-if)"] < int(calls["(what-if)"]) * 200e-6:
        bad.append(f"sleeps of at least 0.2 ms each: {total}, {calls}")
    print("\n".join(bad) or "all true")
    return len(bad) != 0


sys.exit(main())
