"""Compares the operations in a profile with the program's own list.

usage: check_operations.py TRUTH PROFILE [unnamed]

TRUTH has lines "phase,operation,communicator,calls,bytes", where a communicator's name may have a
comma (operations.cpp). The tree has calls by phase, the view `communication` calls and bytes by
communicator. Prints how many were compared.
"""
import csv
import subprocess
import sys


def rows(view, profile):
    report = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", profile],
                            stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(report.stdout.splitlines()))


def main():
    by_phase, by_communicator = {}, {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            phase, operation, rest = line.strip().split(",", 2)
            communicator, calls, moved = rest.rsplit(",", 2)
            by_phase[phase, operation] = by_phase.get((phase, operation), 0) + int(calls)
            before = by_communicator.get((operation, communicator), (0, 0))
            by_communicator[operation, communicator] = (before[0] + int(calls),
                                                        before[1] + int(moved))
    seen_phases, path = {}, []
    for row in rows("tree", sys.argv[2]):
        path[int(row["depth"]):] = [row["name"]]
        if row["name"].startswith("nccl"):
            key = (path[-2], row["name"])
            seen_phases[key] = seen_phases.get(key, 0) + int(row["calls"])
    seen = {}
    for row in rows("communication", sys.argv[2]):
        seen[row["operation"], row["communicator"]] = (int(row["calls"]), int(row["bytes"] or 0))
    for what, got, wanted in (("phase", seen_phases, by_phase), ("view", seen, by_communicator)):
        if got != wanted:
            for key in sorted(set(got) | set(wanted)):
                if got.get(key) != wanted.get(key):
                    print(f"{what}: {key}: {got.get(key)}, not {wanted.get(key)}")
            sys.exit(1)
    print(f"{len(by_phase)} of phases and {len(by_communicator)} of communicators are right")


main()
