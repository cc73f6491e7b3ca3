"""Computes unions, idle times and waits slowly from the events of a profile's GPU
timeline, and compares them with the runtime's sums, to the tick.

usage: check-unions.py PROFILE [CSV]

PROFILE must be recorded with LOOPSCOPE=trace and have all events. CSV is its simple
view (`--view simple --format csv`), to compare the GPU time of each phase, too.
"""
import csv
import random
import struct
import sys

from gpu_profile import (DEVICES, EVENTS, NODES, NODE_SUMS, NONE, OVERLAPS, SAME_WORK, WAITS, WORK,
                         WORK_BUSY, Profile)

KERNEL, COPY, SET, WAIT_CALL = 1, 2, 3, 5
MADE_IN = 120  # offset in struct loopscope_gpu_event


def union(pieces):
    """Ticks covered by intervals (start, end)."""
    covered = ticks = 0
    for start, end in sorted(pieces):
        if end > covered:
            ticks += end - max(start, covered)
            covered = end
    return ticks


def read_events(p):
    work, waits = [], []
    for event in p.all(EVENTS):
        sequence, start, end, kind, direction, node, function, device = (
            struct.unpack_from("<QQQHHIII", event, 0))
        if sequence and kind in (KERNEL, COPY, SET):
            made_in = struct.unpack_from("<I", event, MADE_IN)[0]
            work.append((start, end, node, device, kind == KERNEL,
                         (device, kind, direction, function), made_in))
        elif sequence and kind == WAIT_CALL and node != NONE:
            waits.append((start, end, node))
    return sorted(work), waits


def read_overlaps(p):
    result = []
    for entry in p.all(OVERLAPS):
        device, _, count, more, kernels, _, ticks = struct.unpack_from("<6IQ", entry, 0)
        nodes = struct.unpack_from(f"<{count}I", entry, 32)
        assert not more
        result.append((device, dict((n, kernels >> i & 1) for i, n in enumerate(nodes)), ticks))
    return result


class Check:
    def __init__(self):
        self.done = self.wrong = 0

    def __call__(self, what, is_, should):
        self.done += 1
        if is_ != should:
            self.wrong += 1
            print(f"{what}: {is_}, and should be {should}")


def idle_times(work):
    """Ticks by (node, device) in which a device was idle before the node's work."""
    idle, busy_until = {}, {}
    for start, end, node, device, *_ in work:
        before = busy_until.get(device, 0)
        if before:
            idle[node, device] = idle.get((node, device), 0) + max(0, start - before)
        busy_until[device] = max(before, end)
    return idle


def wait_times(work, waits):
    """Ticks by (waiter, worker): each moment counts for the work that began first."""
    segments, covered = [], 0
    for start, end, node, *_ in work:
        if end > covered:
            segments.append((max(start, covered), end, node))
            covered = end
    times = {}
    for start, end, waiter in waits:
        rest = end - start
        for first, last, worker in segments:
            ticks = min(end, last) - max(start, first)
            if ticks > 0:
                times[waiter, worker] = times.get((waiter, worker), 0) + ticks
                rest -= ticks
        if rest:
            times[waiter, NONE] = times.get((waiter, NONE), 0) + rest
    return times


def compare_names(p, work, check):
    """Unions of one name on one device: of all its work, and of each call path's."""
    names = set()
    for entry in p.all(SAME_WORK):
        device, function, _, kind, direction, busy = struct.unpack_from("<IIIHHQ", entry, 0)
        name = (device, kind, direction, function)
        names.add(name)
        check(f"name {name}", busy, union(w[:2] for w in work if w[5] == name))
    check("names with a union", names, {w[5] for w in work})
    for entry in p.all(WORK):
        node, function, device, _, kind, direction, made_in = struct.unpack_from("<IIIIHHI", entry, 0)
        busy = struct.unpack_from("<Q", entry, WORK_BUSY)[0]
        name = (device, kind, direction, function)
        check(f"{p.path(node)} {name}", busy,
              union(w[:2] for w in work if (w[2], w[5], w[6]) == (node, name, made_in)))


def main():
    p = Profile(sys.argv[1])
    work, waits = read_events(p)
    overlaps = read_overlaps(p)
    check = Check()
    devices = {w[3] for w in work}

    def compare(what, nodes):
        for kernels in (False, True):
            kept = sum(ticks for _, members, ticks in overlaps
                       if any(n in nodes and (k or not kernels) for n, k in members.items()))
            true = sum(union((s, e) for s, e, n, d, k, *_ in work
                             if d == device and n in nodes and (k or not kernels))
                       for device in devices)
            check(f"{what}{' kernels' if kernels else ''}", kept, true)

    for entry in p.all(DEVICES):
        device = struct.unpack_from("<I", entry, 0)[0]
        busy, kernel, copy = struct.unpack_from("<3Q", entry, 64)
        of = [w for w in work if w[3] == device]
        check(f"device {device} busy", busy, union(w[:2] for w in of))
        check(f"device {device} kernels", kernel, union(w[:2] for w in of if w[4]))
        check(f"device {device} copies", copy, union(w[:2] for w in of if not w[4]))
    compare_names(p, work, check)
    idle = idle_times(work)
    for entry in p.all(NODE_SUMS):
        node, device, _, _, busy, _, idled = struct.unpack_from("<IIIIQQQ", entry, 0)
        check(f"{p.path(node)} on {device}", busy,
              union(w[:2] for w in work if w[2:4] == (node, device)))
        check(f"{p.path(node)} on {device} idle", idled, idle.get((node, device), 0))
    charged = {struct.unpack_from("<II", entry, 0): struct.unpack_from("<Q", entry, 16)[0]
               for entry in p.all(WAITS)}
    true = wait_times(work, waits)
    for pair in charged.keys() | true.keys():
        check(f"wait of {p.path(pair[0])} for {p.path(pair[1])}", charged.get(pair, 0),
              true.get(pair, 0))

    paths = {i: p.path(i).split("/") for i in range(len(p.all(NODES)))
             if struct.unpack_from("<I", p.all(NODES)[i], 0)[0]}
    for i, path in paths.items():
        compare("/".join(path) + " with all below",
                {j for j, other in paths.items() if other[:len(path)] == path})
    names = {path[-1] for path in paths.values()}
    by_name = {name: {i for i, path in paths.items() if name in path} for name in names}
    for name, nodes in by_name.items():
        compare(name, nodes)
    compare("all", set(paths) | {NONE})
    chosen = random.Random(1)
    for i in range(50):
        compare(f"random {i}", {n for n in paths if chosen.random() < 0.4})
    if len(sys.argv) > 2:
        rows = {row["action"]: row for row in csv.DictReader(open(sys.argv[2]))}
        for name in names - {"main", "thread"}:
            true = sum(union((s, e) for s, e, n, d, *_ in work if d == device
                             and n in by_name[name]) for device in devices) / p.hz
            off = abs(float(rows[name]["gpu_s"]) - true)
            check(f"row {name}", off < 1e-6, True)
    print(f"{len(work)} pieces of work, {len(overlaps)} combinations, {check.wrong} of"
          f" {'some' if check.done > 100 else check.done} comparisons wrong")


main()
