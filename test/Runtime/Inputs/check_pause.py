"""Compares reports of Runtime/pause.c with what the program measured itself.

usage: check_pause.py PREFIX...

PREFIX.own has one line: counted steps, spans of forward in them and their time, the time in
"(paused)", the time of "outer" with that, the time of the excluded steps without the one that the
pause cut off, and the longest counted step. PREFIX.loopscope is the profile.
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


def close(what, found, expected, apart=10e-3):
    # Clocks are read a little apart, and a busy machine may stop the program between two readings.
    if abs(found - expected) > 0.1 * expected + apart:
        yield f"{what}: {found}, expected {expected}"


def equal(what, found, expected):
    if found != expected:
        yield f"{what}: {found}, expected {expected}"


def check(prefix):
    counts = open(prefix + ".own", encoding="utf-8").read().split()
    steps, forwards = map(int, counts[:2])
    forward_s, cut_s, whole_s, excluded_s, longest_s = map(float, counts[2:])
    profile = prefix + ".loopscope"
    rows = {}
    for row in report(profile, "tree", "csv"):
        total = rows.setdefault(row["name"], [0, 0.0])
        total[0] += int(row["calls"] or 0)
        total[1] += float(row["inclusive_s"])
    yield from equal("steps", rows["step"][0] + rows.get("step (warm-up)", [0])[0], steps)
    yield from equal("forward", rows["forward"][0], forwards)
    yield from equal("unseen", "unseen" in rows, False)
    yield from close("time of forward", rows["forward"][1], forward_s)
    yield from close("time of (paused)", rows["(paused)"][1], cut_s)
    yield from close("time of outer", rows["outer"][1], whole_s - cut_s)
    facts = report(profile, "simple", "json")
    yield from equal("excluded", facts["integrity"]["steps_excluded"], 21)
    spans = report(profile, "steps", "csv")
    was_open = prefix.endswith("killed")
    yield from equal("steps of the timeline", len(spans), steps + was_open)
    yield from close("the longest step", max(float(row["duration_s"] or 0) for row in spans), longest_s)
    account = report(profile, "account", "csv")
    excluded = sum(float(row["time_s"]) for row in account if row["use"] == "excluded")
    # Two readings for each of 21 steps.
    yield from close("excluded steps", excluded, excluded_s, 50e-3)


def main():
    wrong = [f"{prefix}: {line}" for prefix in sys.argv[1:] for line in check(prefix)]
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
