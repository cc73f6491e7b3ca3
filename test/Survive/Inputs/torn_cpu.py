"""Checks CPU times in a simple view in CSV: torn_cpu.py SPANS|any.

SPANS: this many spans of "spin", with 20 ms of CPU time each, have figures. any:
no row has more processor time than wall time.
"""
import csv
import sys

rows = {row["action"]: row for row in csv.DictReader(sys.stdin)}
bad = []
for name, row in rows.items():
    if row.get("cpu_s"):
        measured, cpu = float(row["cpu_measured_s"]), float(row["cpu_s"])
        # The last span may be missing in both.
        if measured > float(row["total_s"]) + 1e-6 or cpu > measured + 1e-8:
            bad.append(f"{name}: {cpu} s of {measured} s of {row['total_s']} s")
if sys.argv[1] != "any":
    spans, row = int(sys.argv[1]), rows["spin"]
    if bool(row.get("cpu_s")) != (spans > 0):
        bad.append(f"spin: {row}")
    elif spans and not 0.02 * spans <= float(row["cpu_s"]) <= 0.025 * spans:
        bad.append(f"spin: {row['cpu_s']} s on the CPU")
    # Spans without figures are at least as long as their computation.
    elif spans and float(row["total_s"]) - float(row["cpu_measured_s"]) < 0.02 * (7 - spans) - 1e-6:
        bad.append(f"spin: {row['cpu_measured_s']} s of {row['total_s']} s")
print("\n".join(bad) or "right")
sys.exit(len(bad) != 0)
