"""Compares the CPU times of cpu-steps.c in a tree in CSV with the program's own readings, which
lie within the spans (at least) and around them (at most): check_cpu_steps.py
plain|window|trace OWN < TREE."""
import collections
import csv
import sys

mode = sys.argv[1]
rows = list(csv.DictReader(sys.stdin))
# The window has a warm-up step, which trees show together with the others.
steps = range(2, 6) if mode == "window" else range(10)
own, levels = collections.Counter(), {}
with open(sys.argv[2], encoding="utf-8") as file:
    for name, number, seconds in map(str.split, file):
        if name == "recurse":
            levels[int(number)] = float(seconds)
        elif name not in ("outer", "inner", "draw", "next", "steps") or int(number) in steps:
            own[name] += float(seconds)
# What the steps used beside the spins: hooks, and time of others that they are charged with.
batch = own["outer"] + own["inner"] + own["next"]
spare = own["steps"] - own["draw"] - batch
# By name and kind, the least; and how much more it may be.
truth = {("step", "step"): (own["draw"] + batch, spare), ("draw", "draw"): (own["draw"], spare),
         ("batch", "batch"): (batch, spare), ("outer", "phase"): (own["outer"] + own["inner"], spare),
         ("inner", "phase"): (own["inner"], spare), ("next", "phase"): (own["next"], spare),
         ("left", "phase"): (own["leaving"], own["jumps"] - own["leaving"]),
         ("leaving", "phase"): (own["leaving"], own["jumps"] - own["leaving"])}
bad = []


def check(name, cpu, least, more):
    # The tree has nanoseconds, rounded.
    if not least - 1e-6 <= cpu <= least + more + 1e-6:
        bad.append(f"{name}: {cpu} s, own {least} to {least + more} s")


sums = {}
for (name, kind), (least, more) in truth.items():
    found = [row for row in rows if (row["name"], row["kind"]) == (name, kind)]
    sums[name] = sum(float(row["cpu_s"] or 0) for row in found)
    if len(found) != 1:
        bad.append(f"{name}: {len(found)} rows")
    check(name, sums[name], least, more)
    for row in found:
        if mode == "window" and kind in ("step", "draw", "batch"):
            continue  # its time includes the steps outside
        if abs(float(row["cpu_measured_s"] or 0) - float(row["inclusive_s"])) > 1e-4:
            bad.append(f"{name}: measured {row['cpu_measured_s']} of {row['inclusive_s']}")
# Nothing is in two of them.
check("draw, outer and next", sums["draw"] + sums["outer"] + sums["next"], own["draw"] + batch, spare)
recursive = [float(row["cpu_s"] or 0) for row in rows if row["name"] == "recurse"]
if len(recursive) != 3:
    bad.append(f"recurse: {recursive}")
for depth, cpu in zip((3, 2, 1), recursive):
    least = sum(levels[level] for level in range(1, depth + 1))
    check(f"recurse {depth}", cpu, least, own["recursion"] - sum(levels.values()))
print("\n".join(bad) or "all true")
sys.exit(len(bad) != 0)
