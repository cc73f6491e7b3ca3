"""Compares timelines with the truth: the timeline view, and the export for
chrome://tracing."""
import collections
import json
import os
import struct
import subprocess

import gpu_profile as layout

RATE, ROUNDING = 1e-4, 3e-9  # as in formats.py
MICROSECOND = 1e-6           # an exported trace is rounded down to it
CATEGORIES = {1: "kernel", 2: "gpu_memcpy", 3: "gpu_memset"}


class Clock:
    """Offset of the truth's times in the run, from the first piece of work that both
    have."""

    def __init__(self, truth, profile):
        starts = [struct.unpack_from("<QQ", event, 0)[1] for event in profile.all(layout.EVENTS)
                  if struct.unpack_from("<Q", event, 0)[0]
                  and struct.unpack_from("<H", event, 24)[0] in CATEGORIES]
        self.known = bool(starts) and bool(truth.timed)
        if self.known:
            self.began = min(w.start for w in truth.timed)
            self.offset = (min(starts) - profile.start) / profile.hz

    def seconds(self, ns):
        """Time since the run's start."""
        return self.offset + (ns - self.began) * 1e-9

    def slack(self, at):
        return RATE * abs(at - self.offset) + ROUNDING


def check_chrome(c, loopscope, path, clock):
    """Checks that each piece of work is an event in its stream, with its time and name."""
    target = f"{path}.json"
    subprocess.run([loopscope, "export", path, "--to", "chrome", "-o", target], check=True,
                   capture_output=True)
    with open(target, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    os.remove(target)
    found, true = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        if event.get("cat") in CATEGORIES.values() and event["ph"] == "X":
            arguments = event["args"]
            found[arguments["device"], arguments["stream"]].append(event)
    for w in c.truth.timed:
        true[w.device, w.stream].append(w)
    c.equal("streams of the trace", sorted(found), sorted(true))
    for stream in set(found) & set(true):
        ours = sorted(found[stream], key=lambda e: (e["ts"], e["dur"]))
        works = sorted(true[stream], key=lambda w: (w.start, w.end))
        c.equal(f"trace, {stream}, pieces", len(ours), len(works))
        for event, w in zip(ours, works):
            for what, at, ns in (("start", event["ts"], w.start),
                                 ("end", event["ts"] + event["dur"], w.end)):
                begin = clock.seconds(ns)
                c.near(f"trace, {stream}, {what}", at * MICROSECOND, begin,
                       MICROSECOND + clock.slack(begin))
            c.equal(f"trace, {stream}, category", event["cat"], CATEGORIES[w.what])
            if w.name != "-":
                c.equal(f"trace, {stream}, kernel", event["name"], w.name)
            if w.what != 1:
                c.equal(f"trace, {stream}, bytes", event["args"]["bytes"], w.bytes)


def check_steps(c, rows, clock, phase_of):
    """Compares ROWS of the timeline view: each step's own thread must have no gaps, and
    each stream must have the work in the steps by the phase that launched it. Does
    nothing without steps."""
    steps, found = {}, collections.Counter()
    ends = {}
    for row in rows:
        start, length = float(row["start_s"]), float(row["duration_s"])
        if row["track"].startswith("GPU "):
            found[row["track"], row["phase"]] += length
            continue
        key = row["loop"], row["step"], row["track"]
        if row["track"] == rows[0]["track"]:
            if key in ends:
                c.near(f"timeline, step {key}, gap", start, ends[key], ROUNDING)
            first = steps.get(key, (start, start))[0]
            steps[key] = first, start + length
        ends[key] = start + length
    true = collections.Counter()
    pieces = collections.Counter()
    for w in c.truth.timed:
        begin, end = clock.seconds(w.start), clock.seconds(w.end)
        name = f"GPU {w.device} stream {w.stream}", phase_of(w.path)
        for first, last in steps.values():
            inside = min(end, last) - max(begin, first)
            if inside > 0:
                true[name] += inside
                pieces[name] += 1
    for name in found.keys() | true.keys():
        slack = sum(2 * clock.slack(last) for _, last in steps.values()) + ROUNDING * pieces[name]
        c.near(f"timeline, {name}", found[name], true[name], slack + RATE * true[name])
