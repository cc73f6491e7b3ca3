"""Compares the views' figures for NCCL's kernels with the replayed device's.

usage: check_device.py TRUTH PROFILE

TRUTH comes from a replay (test/replay/Truth.h; 10 is CUPTI's kind for kernels).
Compares, to one part in a thousand: the time of each operation's kernels; for the
average step, the time in which the device only computed, only communicated, and did
both. Checks that sends and receives, which share kernels, have no time, and that every
kernel is charged to its operation's node. Prints what was compared.
"""
import csv
import re
import subprocess
import sys

STEPS = 20


def rows(view, profile):
    report = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", "--rows", "all",
                             profile], stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(report.stdout.splitlines()))


def same(what, seen, wanted):
    if abs(seen - wanted) > wanted * 1e-3 + 1e-9:
        sys.exit(f"{what}: {seen}, not {wanted}")


def main():
    work, times, kernels = [], {}, {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[0] != "work" or words[1] != "10":
                continue
            start, end = int(words[3]), int(words[4])
            found = re.search(r"ncclDevKernel_([A-Za-z]+)", words[2])
            work.append((start, end, found is not None))
            if found:
                name = found.group(1)
                times[name] = times.get(name, 0) + end - start
                kernels[name] = kernels.get(name, 0) + 1
    alone, both, exposed = 0, 0, 0
    borders = sorted({time for each in work for time in each[:2]})
    for begin, end in zip(borders, borders[1:]):
        kinds = {each[2] for each in work if each[0] <= begin and each[1] >= end}
        alone += end - begin if kinds == {False} else 0
        exposed += end - begin if kinds == {True} else 0
        both += end - begin if kinds == {False, True} else 0
    seen = {row["operation"]: row for row in rows("communication", sys.argv[2])}
    for name, ns in times.items():
        if name == "SendRecv":
            if seen["ncclSend"]["mean_s"] or seen["ncclRecv"]["mean_s"]:
                sys.exit("sends and receives have a time")
            continue
        row = seen["nccl" + name]
        same(name, float(row["mean_s"]) * int(row["calls"]), ns / 1e9)
    step = rows("distributed", sys.argv[2])[0]
    same("computation", float(step["computation_s"]), alone / STEPS / 1e9)
    same("overlap", float(step["overlapping_s"]), both / STEPS / 1e9)
    same("communication", float(step["communication_s"]), exposed / STEPS / 1e9)
    charged, path = {}, []
    for row in rows("tree", sys.argv[2]):
        path[int(row["depth"]):] = [row["name"]]
        if row["name"].startswith("nccl") and row["gpu_s"]:
            if path[-2] != "backward":
                sys.exit(f"{row['name']} is below {path[-2]}")
            charged[row["name"][4:]] = float(row["gpu_s"])
    for name, ns in times.items():
        same(name + "'s node", charged["Send" if name == "SendRecv" else name], ns / 1e9)
    print(f"{sum(kernels.values())} kernels of {len(kernels)} kinds are right")


main()
