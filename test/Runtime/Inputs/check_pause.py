"""Compares reports of Runtime/pause.c with what the program measured itself.

usage: check_pause.py PREFIX...

PREFIX.own has one line: counted steps, spans of forward in them, and two bounds each for the time of
forward, of "(paused)", of "outer", of the excluded steps without the one that the pause cut off, and
of the longest counted step. PREFIX.loopscope is the profile.
"""
import csv
import io
import json
import subprocess
import sys


def report(profile, view, form):
    text = subprocess.run(["loopscope", "report", profile, "--view", view, "--format", form],
                          check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text))) if form == "csv" else json.loads(text)["sections"][0]


def between(what, found, bounds, profiler):
    # The profiler's clock is another one, calibrated to that of the program. What others run while
    # a hook reads it belongs to "(profiler)", at whatever place of the tree that is.
    least, most = bounds[0] * 0.999 - 1e-6 - profiler, bounds[1] * 1.001 + 1e-6 + profiler
    if not least <= found <= most:
        yield f"{what}: {found}, expected {least} to {most}"


def equal(what, found, expected):
    if found != expected:
        yield f"{what}: {found}, expected {expected}"


def check(prefix):
    counts = open(prefix + ".own", encoding="utf-8").read().split()
    steps, forwards = map(int, counts[:2])
    times = list(map(float, counts[2:]))
    forward_s, cut_s, outer_s, excluded_s, longest_s = zip(times[::2], times[1::2])
    profile = prefix + ".loopscope"
    rows = {}
    for row in report(profile, "tree", "csv"):
        total = rows.setdefault(row["name"], [0, 0.0])
        total[0] += int(row["calls"] or 0)
        total[1] += float(row["inclusive_s"])
    profiler = rows.get("(profiler)", [0, 0])[1]
    yield from equal("steps", rows["step"][0] + rows.get("step (warm-up)", [0])[0], steps)
    yield from equal("forward", rows["forward"][0], forwards)
    yield from equal("unseen", "unseen" in rows, False)
    yield from between("time of forward", rows["forward"][1], forward_s, profiler)
    yield from between("time of (paused)", rows["(paused)"][1], cut_s, profiler)
    yield from between("time of outer", rows["outer"][1], outer_s, profiler)
    facts = report(profile, "simple", "json")
    yield from equal("excluded", facts["integrity"]["steps_excluded"], 21)
    spans = report(profile, "steps", "csv")
    was_open = prefix.endswith("killed")
    yield from equal("steps of the timeline", len(spans), steps + was_open)
    yield from between("the longest step", max(float(row["duration_s"] or 0) for row in spans), longest_s, profiler)
    account = report(profile, "account", "csv")
    excluded = sum(float(row["time_s"]) for row in account if row["use"] == "excluded")
    yield from between("excluded steps", excluded, excluded_s, profiler)


def main():
    wrong = [f"{prefix}: {line}" for prefix in sys.argv[1:] for line in check(prefix)]
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
