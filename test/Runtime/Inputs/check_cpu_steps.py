"""Checks the CPU times of cpu-steps.c in a tree in CSV: check_cpu_steps.py
plain|window|trace."""
import csv
import sys

mode = sys.argv[1]
rows = list(csv.DictReader(sys.stdin))
# The window has a warm-up step, which trees show together with the others.
steps = 4 if mode == "window" else 10
# By name and kind, in milliseconds.
truth = {("step", "step"): 10 * steps, ("draw", "draw"): 4 * steps, ("batch", "batch"): 6 * steps,
         ("outer", "phase"): 3 * steps, ("inner", "phase"): 2 * steps, ("next", "phase"): 3 * steps,
         ("left", "phase"): 10, ("leaving", "phase"): 10}
bad = []
for (name, kind), ms in truth.items():
    found = [row for row in rows if (row["name"], row["kind"]) == (name, kind)]
    cpu = sum(float(row["cpu_s"] or 0) for row in found) * 1e3
    # Hooks and the clock's own calls are added.
    if len(found) != 1 or not ms * 0.999 <= cpu <= ms * 1.05 + 1:
        bad.append(f"{name}: {cpu} ms, spun {ms} ms")
    for row in found:
        if mode == "window" and kind in ("step", "draw", "batch"):
            continue  # its time includes the steps outside
        if abs(float(row["cpu_measured_s"] or 0) - float(row["inclusive_s"])) > 1e-4:
            bad.append(f"{name}: measured {row['cpu_measured_s']} of {row['inclusive_s']}")
recursive = [float(row["cpu_s"] or 0) * 1e3 for row in rows if row["name"] == "recurse"]
if len(recursive) != 3 or any(not ms <= cpu <= ms * 1.05 + 1
                              for ms, cpu in zip((3, 2, 1), recursive)):
    bad.append(f"recurse: {recursive}")
print("\n".join(bad) or "all true")
sys.exit(len(bad) != 0)
