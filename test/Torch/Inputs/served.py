"""Runs served.cpp with many seeds and checks the records: served.py PROGRAM SEEDS
STEPS."""
import collections
import csv
import subprocess
import sys

program, seeds, steps = sys.argv[1], int(sys.argv[2]), sys.argv[3]
bad = 0
served = lonely = 0
for seed in range(seeds):
    profile = f"served-{seed}.loopscope"
    text = subprocess.run([program, str(seed), steps], check=True, text=True, stdout=subprocess.PIPE,
                          env={"LOOPSCOPE": f"operators=on,report=none,output={profile}"}).stdout
    truth = {}
    for line in text.splitlines():
        count, path = line.split(" ", 1)
        truth[path] = int(count)
    tree = subprocess.run(["loopscope", "report", "--view", "tree", "--format", "csv", profile],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    found = collections.Counter()
    way = []
    inside = {}  # nanoseconds of the children, by table and path
    own = {}
    for row in csv.DictReader(tree.splitlines()):
        depth = int(row["depth"])
        if row["kind"] == "total":
            continue
        way[depth:] = [row["name"]]
        path = "".join("/" + each for each in way)
        ns = round(float(row["inclusive_s"]) * 1e9)
        inside[row["threads"], path.rpartition("/")[0]] = ns + inside.get(
            (row["threads"], path.rpartition("/")[0]), 0)
        own[row["threads"], path] = ns, round(float(row["self_s"] or 0) * 1e9)
        if row["kind"] == "operator" or " (on " in row["name"]:
            found[path] += int(row["calls"])
    for path in sorted({*truth, *found}):
        if truth.get(path, 0) != found[path]:
            print(f"seed {seed}: {path}: {found[path]} calls, really {truth.get(path, 0)}")
            bad += 1
    for key, (ns, rest) in own.items():
        if rest + inside.get(key, 0) != ns and not key[1].endswith(("(profiler)", "(unaccounted)")):
            print(f"seed {seed}: {key}: {ns} ns, but {rest} of its own and {inside.get(key, 0)} inside")
            bad += 1
    served += any(" (on " in path for path in truth)
    lonely += any(path.startswith("/autograd") for path in truth)
print(f"{seeds} runs, {served} with phases served, {lonely} with tasks that serve none that is known: {bad} differences")
sys.exit(bad != 0 or served < seeds / 4 or lonely < seeds / 4)
