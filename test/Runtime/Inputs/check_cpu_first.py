"""Checks the CPU times of cpu-first-spans.c in a tree in CSV: check_cpu_first.py
OWN < TREE."""
import csv
import sys

rows = list(csv.DictReader(sys.stdin))
bad = []
for line in open(sys.argv[1]):
    name, wall, most_wall, cpu, most_cpu = line.split()[0], *map(float, line.split()[1:])
    found = [row for row in rows if row["name"] == name]
    measured = [float(row["cpu_measured_s"] or 0) for row in found]
    used = [float(row["cpu_s"] or 0) for row in found]
    # The early start of its measure is at most 0.5% of a span.
    early = 0.005 * most_wall + 1e-6
    if len(found) != 1 or not wall - 1e-6 <= measured[0] <= most_wall + early:
        bad.append(f"{name}: measured {measured} of {wall} to {most_wall}")
    elif not cpu - 1e-6 <= used[0] <= most_cpu + early:
        bad.append(f"{name}: {used[0]} s, {cpu} to {most_cpu} by its own clock")
short = [row for row in rows if row["name"] == "short"]
# If one is interrupted, those around it become long, but not the innermost.
unmeasured = sum(not float(row["cpu_measured_s"] or 0) for row in short)
if len(short) != 200 or unmeasured < 3:
    bad.append(f"{unmeasured} of {len(short)} short ones without times")
print("\n".join(bad) or "all true")
sys.exit(len(bad) != 0)
