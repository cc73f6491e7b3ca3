"""Compares a profile's useful time with wait-truth.c's own measurements.

    check_waits.py BASE    reads BASE.own and the views BASE.overview and so on, as csv
"""
import csv
import os
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main():
    base = sys.argv[1]
    with open(base + ".own", encoding="utf-8") as file:
        least_steps, steps, least_waits, waits = map(float, file.read().split())
    bad = []

    def between(what, least, is_, most):
        # The program's measurements inside the spans and around them.
        if not least - 1e-6 <= is_ <= most + 1e-6:
            bad.append(f"{what}: {is_:.6f} s, not {least:.6f} to {most:.6f} s")

    def exactly(what, is_, should):
        if abs(is_ - should) > 1e-8:
            bad.append(f"{what}: {is_:.9f} s, not {should:.9f} s")

    simple = {row["action"]: row for row in rows(base + ".simple")}
    between("pop", least_waits, float(simple["pop"]["total_s"]), waits)
    exactly("pop, useful", float(simple["pop"]["useful_s"]), 0)
    exactly("forward, useful", float(simple["forward"]["useful_s"]),
            float(simple["forward"]["total_s"]) - float(simple["pop"]["total_s"]))
    exactly("make, useful", float(simple["make"]["useful_s"]),
            float(simple["make"]["total_s"]) - float(simple["pause"]["total_s"]))
    tree = {row["kind"]: row for row in rows(base + ".tree") if row["threads"] == "main"}
    between("step", least_steps, float(tree["step"]["inclusive_s"]), steps)
    useful = float(tree["step"]["useful_s"])
    between("step, useful", least_steps - waits, useful, steps - least_waits)
    exactly("wait", float(tree["wait"]["useful_s"]), 0)
    overview = rows(base + ".overview")
    if base.endswith("simple"):
        sums = {row["what"]: float(row["time_s"]) for row in overview if row["table"] == "totals"}
        # Unlike the tree's steps, without the loop's last draw.
        between("overview, useful", least_steps - waits, sums["useful"], steps - least_waits)
        exactly("overview, waiting", sums["waiting inside the process"],
                float(tree["wait"]["inclusive_s"]))
    else:
        step = [row for row in overview if row["table"] == "steps" and row["step"] != "average"]
        exactly("roles, wait", sum(float(row["wait_s"]) for row in step),
                float(tree["wait"]["inclusive_s"]))
        step = rows(base + ".steps")
        exactly("steps, wait", sum(float(row["wait_s"]) for row in step),
                float(tree["wait"]["inclusive_s"]))
    print("\n".join(bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
