"""Checks that a speedscope file has the same sampled time below each phase as the
functions view.

usage: check_sampled.py SPEEDSCOPE.json FUNCTIONS.csv
"""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    scope = json.load(file)
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
frames = [frame["name"] for frame in scope["shared"]["frames"]]
time, total = {}, 0
for profile in scope["profiles"]:
    if profile["type"] != "sampled":
        continue
    assert profile["unit"] == "nanoseconds" and len(profile["samples"]) == len(profile["weights"])
    assert sum(profile["weights"]) == profile["endValue"]
    thread = profile["name"].removesuffix(", samples of CPU time")
    for stack, weight in zip(profile["samples"], profile["weights"]):
        names = [frames[i] for i in stack]
        total += weight
        key = (thread, names[-1])
        time[key] = time.get(key, 0) + weight
count = sum(int(row["count"]) for row in rows)
assert count > 500, count
wanted = {}
for row in rows:
    key = (row["thread"], row["function"])
    wanted[key] = wanted.get(key, 0) + int(row["count"])
assert set(wanted) == set(time), (set(wanted) ^ set(time))
for key, samples in wanted.items():
    assert abs(time[key] / total - samples / count) < 1e-4, key
