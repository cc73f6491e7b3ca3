"""Compares the parts of a run of Gpu/parts.c with each other and with the program.

usage: check_parts.py FOLDER quiet|busy

FOLDER has the run's profile and its two part files; FOLDER/whole the profile alone, whose figures
are then the whole run's. "quiet": all records of a part arrived in it, so it has the program's own
counts, too.
"""
import csv
import glob
import io
import os
import subprocess
import sys

STEPS = [8, 20, 12]
# What a step launches, by phase: calls, and milliseconds of each.
WORK = {("copy", "load"): (1, None), ("kernels", "forward"): (1, 2), ("kernels", "inner"): (1, 2),
        ("kernels", "backward"): (1, 3), ("kernels", "opt_step"): (1, 1)}


def report(profile, *options):
    done = subprocess.run(["loopscope", "report", profile, "--format", "csv", *options],
                          capture_output=True, text=True)
    # A part in which no record arrived has no such table.
    assert done.returncode in (0, 2), done
    return list(csv.DictReader(io.StringIO(done.stdout)))


def number(text):
    return float(text) if text else 0.0


def figures(profile):
    """All that adds up, by table, row and column."""
    found = {}
    for row in report(profile, "--view", "kernels", "--by", "phase"):
        for column in ("calls", "total_s", "allocations", "allocated_bytes", "frees", "freed_bytes"):
            found[row["table"], row["name"], row["phase"], column] = number(row.get(column))
    for row in report(profile, "--view", "tree"):
        if row["kind"] == "phase":
            for column in ("calls", "inclusive_s", "gpu_s", "launch_s", "blocked_s", "gpu_idle_s", "kernels", "allocations"):
                found["tree", row["name"], row["depth"], column] = number(row.get(column))
    return found


def main():
    folder, kind = sys.argv[1:]
    [last] = [each for each in glob.glob(f"{folder}/*.loopscope") if ".part" not in each]
    files = sorted(glob.glob(f"{folder}/*.part*.loopscope")) + [last]
    assert len(files) == 3, files
    parts = [figures(each) for each in files]
    whole = figures(os.path.join(folder, "whole", os.path.basename(last)))
    assert sum(name[3] == "calls" for name in whole) >= 10, whole
    for name in {name for part in parts for name in part} | set(whole):
        total = sum(part.get(name, 0) for part in parts)
        allowed = 1e-5 * abs(whole.get(name, 0)) + 3e-6 if name[3].endswith("_s") else 0
        assert abs(total - whole.get(name, 0)) <= allowed, (name, total, whole.get(name), [p.get(name) for p in parts])
    for phase in ("forward", "inner", "backward", "opt_step", "load"):
        calls = sum(value for name, value in whole.items() if name[0] != "tree" and name[2:] == (phase, "calls"))
        assert calls == sum(STEPS), (phase, calls)
    if kind == "quiet":
        for part, steps in zip(parts, STEPS):
            for (_, phase), (_, ms) in WORK.items():
                of = {name[3]: value for name, value in part.items() if name[0] != "tree" and name[2] == phase}
                assert of["calls"] == steps, (phase, of, steps)
                if ms:
                    assert abs(of["total_s"] - steps * ms / 1000) < 1e-6, (phase, of, steps)
            [held] = {value for name, value in part.items() if name[2:] == ("allocate", "allocated_bytes")}
            assert held == 1000 * (parts.index(part) + 1), held


main()
