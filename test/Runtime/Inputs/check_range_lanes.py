"""Checks the lanes of ranges of ranges.c's `trace`.

usage: check_range_lanes.py PROFILE CHROME PERFETTO LOG
"""
import json
import os
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from protobuf import fields  # noqa: E402


def in_chrome(path):
    """Each range as (name, begin, end), in microseconds."""
    begun, result = {}, []
    for event in json.load(open(path, encoding="utf-8"))["traceEvents"]:
        if event.get("cat") != "range":
            assert event["ph"] not in "be", event
        elif event["ph"] == "b":
            begun[event["id"]] = event
        else:
            first = begun.pop(event["id"])
            assert first["name"] == event["name"] and first["pid"] == event["pid"]
            result.append((event["name"], first["ts"], event["ts"]))
    assert not begun, begun
    return sorted(result, key=lambda each: each[1])


def in_perfetto(path):
    """The names on each lane called "ranges", in the order of tracks."""
    names, lanes = {}, {}
    for _, packet in fields(open(path, "rb").read()):
        packet = dict(fields(packet))
        if 60 in packet:
            track = dict(fields(packet[60]))
            if track.get(2) == b"ranges":
                lanes[track[1]] = []
        if 12 in packet:
            entry = dict(fields(dict(fields(packet[12]))[2]))
            names[entry[1]] = entry[2].decode()
        if 11 in packet:
            event = dict(fields(packet[11]))
            if event[9] == 1 and event[11] in lanes:
                lanes[event[11]].append(names[event[10]])
    return [lanes[track] for track in sorted(lanes)]


def in_sqlite(profile):
    path = profile + ".sqlite"
    subprocess.run(["loopscope", "export", "--to", "sqlite", profile, "-o", path], check=True)
    return sqlite3.connect(path).execute(
        "select name, start_ns, end_ns, is_open from range_span join range_sum on"
        " range_span.range = range_sum.id order by start_ns").fetchall()


def main():
    profile, chrome, perfetto, _ = sys.argv[1:]
    ranges = in_chrome(chrome)
    assert [name for name, _, _ in ranges] == ["A", "B", "D", "C"], ranges
    a, b, d, c = ranges
    assert a[1] < b[1] < a[2] < d[1] < b[2] and a[2] - a[1] > 3900, ranges
    assert b[2] <= d[2] <= c[2], ranges
    # D takes the lane of A, C needs a third one.
    assert in_perfetto(perfetto) == [["A", "D"], ["B"], ["C"]], in_perfetto(perfetto)
    rows = in_sqlite(profile)
    assert [(row[0], row[3]) for row in rows] == [("A", 0), ("B", 0), ("D", 0), ("C", 1)], rows
    for row, (_, begin, end) in zip(rows, ranges):
        assert (row[1] // 1000, row[2] // 1000) == (begin, end), (row, begin, end)


main()
