"""Compares the tree of whatif-cpu.c, as CSV on standard input, with the program's own
readings.

    check_whatif_cpu.py OWN

The hooks' own CPU time is only in the profile. The injected time is several times
as much, and must not be in the rows. Prints what is wrong.
"""
import csv
import sys


def main():
    cpu, switches = (float(word) for word in open(sys.argv[1], encoding="utf-8").read().split())
    rows = list(csv.DictReader(sys.stdin))
    bad = []
    injected = sum(float(row["inclusive_s"]) for row in rows if row["name"] == "(what-if)")
    if injected < 0.1 * cpu:
        bad.append(f"only {injected} s were injected beside {cpu} s of computing")
    sums = {}
    for row in rows:
        # The first step is a row of its own.
        name = "step" if row["kind"] == "step" else row["name"]
        if name not in ("around", "train", "step"):
            continue
        if not row["cpu_s"]:
            bad.append(f"{name}: no CPU time")
            continue
        if float(row["cpu_s"]) > float(row["inclusive_s"]):
            bad.append(f"{name}: more on the CPU than there is: {row}")
        total = sums.setdefault(name, [0.0, 0.0])
        total[0] += float(row["cpu_s"])
        total[1] += float(row["voluntary_switches"])
    for name, (seen_cpu, seen_switches) in sums.items():
        if not 0.95 * cpu <= seen_cpu <= 1.05 * cpu:
            bad.append(f"{name}: {seen_cpu} s, and the program's own {cpu} s")
        # A hook may wait for the background thread, beside the program's own switches.
        if not switches - 2 <= seen_switches <= 1.05 * switches + 2:
            bad.append(f"{name}: {seen_switches} switches, and the program's own {switches}")
    if set(sums) != {"around", "train", "step"}:
        bad.append(f"rows: {sorted(sums)}")
    print("\n".join(bad) or "all true")
    return len(bad) != 0


sys.exit(main())
