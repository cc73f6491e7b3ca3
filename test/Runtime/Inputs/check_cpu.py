"""Compares the CPU figures of a profile with those that cpu-truth.c read itself.

    check_cpu.py auto|on OWN SIMPLE.csv TREE.csv

on: every span was measured, even short ones. auto: spans of milliseconds were measured;
those near the limit partly or not at all. Compares only figures that other programs on
the machine can't change: CPU time, faults, voluntary switches, and inequalities. A virtual
machine may charge a thread with time of others, so the CPU time lies between what the program
read within each span and around it.
"""
import csv
import sys


def main():
    arguments = sys.argv[1:]
    everything = arguments[0] == "on"
    own_path, simple_path, tree_path = arguments[-3:]
    own = {}
    for line in open(own_path, encoding="utf-8"):
        name, *numbers = line.split()
        seen = own.setdefault(name, [0.0] * len(numbers))
        own[name] = [a + float(b) for a, b in zip(seen, numbers)]
    rows = {row["action"]: row for row in csv.DictReader(open(simple_path, encoding="utf-8"))}
    tree = list(csv.DictReader(open(tree_path, encoding="utf-8")))
    bad = []

    def check(what, true):
        if not true:
            bad.append(what)

    for name in ("sleeping", "spinning", "faulting", "waiting", "hungry"):
        (wall, cpu, _, first, minor, major, voluntary, involuntary, _,
         most_cpu, most_minor, most_major, most_voluntary) = own[name]
        # A first span's measure may start earlier, by 0.5% of it, at that time's faults.
        most_cpu += 0.005 * first
        most_minor, most_major = most_minor + 40, most_major + 40
        row = rows[name]
        # Half a millisecond, or more on a busy machine.
        near_bound = not everything and name in ("faulting", "waiting")
        if not row["cpu_s"]:
            check(f"{name}: no figures", near_bound)
            continue
        total, measured = float(row["total_s"]), float(row["cpu_measured_s"])
        got, off = float(row["cpu_s"]), float(row["off_cpu_s"])
        all_measured = abs(measured - total) < 1e-6
        # Not the first span, if a busy machine separated it from the measure that it would share.
        but_first = not everything and total - measured <= total - wall + first + 1e-6
        check(f"{name}: measured {measured} of {total}", all_measured or but_first or near_bound)
        check(f"{name}: {total} s, own {wall}", total >= wall)
        check(f"{name}: cpu {got}, own {cpu} to {most_cpu}", got <= most_cpu + 1e-6 and
              (got >= cpu * 0.999 or not all_measured))
        check(f"{name}: off {off} = {measured} - {got}", abs(off - max(0, measured - got)) < 1e-6)
        for key, least, most in (("minor_faults", minor, most_minor), ("major_faults", major, most_major),
                                 ("voluntary_switches", voluntary, most_voluntary)):
            check(f"{name}: {key} {row[key]}, own {least} to {most}", int(row[key]) <= most and
                  (int(row[key]) >= least or not all_measured))
        check(f"{name}: involuntary {row['involuntary_switches']}, own {involuntary}",
              int(row["involuntary_switches"]) >= involuntary or not all_measured)
        if row["starved_s"]:
            check(f"{name}: starved {row['starved_s']}, off {off}",
                  float(row["starved_s"]) <= off + 1e-3)
            check(f"{name}: starved of {row['starved_measured_s']}",
                  measured / 2 <= float(row["starved_measured_s"]) <= measured + 1e-6)

    spans = 12 if everything else 11
    check("sleeping: voluntary", int(rows["sleeping"]["voluntary_switches"] or 0) >= spans)
    check("sleeping: off the CPU", float(rows["sleeping"]["off_cpu_s"] or 0) >=
          spans * 0.005 - own["sleeping"][9] - 1e-6)
    check("spinning: on the CPU", float(rows["spinning"]["cpu_s"] or 0) >= spans * 0.005)
    if everything:
        check("faulting: faults", int(rows["faulting"]["minor_faults"]) >= 12000)
        # If a wait is over immediately, the scheduler decides which of the two it is.
        row = rows["waiting"]
        check("waiting: switches",
              int(row["voluntary_switches"]) + int(row["involuntary_switches"]) > 0)
    # Two threads need 0.32 s each of one processor: they wait for each other.
    got, starved = float(rows["hungry"]["starved_s"] or 0), own["hungry"][2]
    # Of first spans, the time on the run queue isn't read; half of the time must be known.
    wall, _, _, first, *_ = own["hungry"]
    if everything or first < wall * 0.45:
        check(f"hungry: starved {got}, own {starved}", got > 0.1 and got >= starved * 0.99)

    # Short spans: after the first none was measured, unless the first was delayed.
    tiny = rows["tiny"]
    first_alone = own["tiny"][3] < own["tiny"][0] / 4
    if everything:
        check("tiny: all measured", tiny["cpu_s"] and
              abs(float(tiny["cpu_measured_s"]) - float(tiny["total_s"])) < 1e-6)
    elif first_alone:
        check(f"tiny: has figures {tiny}", not tiny["cpu_s"])

    # The step includes its phases' figures.
    step = next(row for row in tree if row["kind"] == "step")
    inside = ("sleeping", "spinning", "faulting", "waiting")
    check(f"step: cpu {step['cpu_s']}",
          float(step["cpu_s"] or 0) >= sum(float(rows[name]["cpu_s"] or 0) for name in inside) * 0.999)
    check("step: faults", int(step["minor_faults"] or 0) >=
          sum(int(rows[name]["minor_faults"] or 0) for name in inside))
    parts = [row for row in tree if row["kind"] in ("draw", "batch")]
    check("step: draw and batch", sum(float(row["cpu_s"] or 0) for row in parts) <=
          float(step["cpu_s"]) + 1e-6)
    print("\n".join(bad) or "all true")
    return len(bad) != 0


sys.exit(main())
