"""Compares the tree of whatif-cpu.c, as CSV on standard input, with the program's own
readings.

    check_whatif_cpu.py OWN PLAIN_OWN PLAIN_CSV

The last two are of a run without experiments. The hooks' own CPU time is only in the
profiles: about 1 % of the program's, for some ten readings a step. The injected time is
several times as much, and must not be in the rows. Prints what is wrong.
"""
import csv
import sys

# How much dearer readings may be on a machine that is busier than in the run without
# experiments.
DEARER = 3


def read(own):
    with open(own, encoding="utf-8") as file:
        return (float(word) for word in file.read().split())


def sums_of(rows, bad):
    """The CPU time and the switches of the rows around the injected time."""
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
    return sums


def main():
    cpu, switches = read(sys.argv[1])
    plain_cpu, _ = read(sys.argv[2])
    bad = []
    with open(sys.argv[3], encoding="utf-8") as file:
        plain = sums_of(csv.DictReader(file), bad)
    rows = list(csv.DictReader(sys.stdin))
    injected = sum(float(row["inclusive_s"]) for row in rows if row["name"] == "(what-if)")
    if injected < 0.1 * cpu:
        bad.append(f"only {injected} s were injected beside {cpu} s of computing")
    sums = sums_of(rows, bad)
    for name, (seen_cpu, seen_switches) in sums.items():
        hooks = plain[name][0] - plain_cpu
        if not cpu <= seen_cpu <= cpu + DEARER * hooks:
            bad.append(f"{name}: {seen_cpu} s, the program's own {cpu} s, the hooks' {hooks} s")
        # A hook may wait for the background thread, beside the program's own switches.
        if not switches - 2 <= seen_switches <= 1.05 * switches + 2:
            bad.append(f"{name}: {seen_switches} switches, and the program's own {switches}")
    if set(sums) != {"around", "train", "step"}:
        bad.append(f"rows: {sorted(sums)}")
    print("\n".join(bad) or "all true")
    return len(bad) != 0


sys.exit(main())
