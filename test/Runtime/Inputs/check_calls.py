"""Checks counted calls against what run-counts.c says of its own passes.

usage: check_calls.py REPORT.json STAMPS

REPORT is the loops view as json. Of each pass, STAMPS has the start; the last line is the end. Every
pass calls batch once, layer three times and twice two times, so the counts' ratios are exact but for
the passes at both ends, and their number is that of the passes in the time that was counted.
Exit code 77: not all three were counted for ten passes, because a busy machine took the time before the
loop was found.
"""
import json
import sys
import time


def main():
    # The end of the program was seen after its last look at the clock, and before this one.
    latest = time.monotonic()
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["sections"][0]["tables"][0]["rows"]
    with open(sys.argv[2], encoding="utf-8") as file:
        *stamps, end = map(float, file)
    calls, seconds = {}, {}
    for row in rows:
        if row["calls"] is not None:
            calls[row["function"]] = row["calls"]
            seconds[row["function"]] = row["calls"] * row["call_interval_s"]
    if not {"batch", "layer", "twice"} <= calls.keys() or calls["batch"] < 10:
        sys.exit(77)
    passes = calls["batch"]
    assert abs(calls["layer"] - 3 * passes) <= 3, calls
    assert abs(calls["twice"] - 2 * passes) <= 2, calls
    most = sum(stamp > end - seconds["batch"] for stamp in stamps)
    least = sum(stamp > latest - seconds["batch"] for stamp in stamps)
    assert least - 1 <= passes <= most + 1, (least, passes, most, seconds)


main()
