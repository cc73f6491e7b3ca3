"""Compares a profile and its views with the truth."""
import collections
import csv
import io
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import formats  # noqa: E402
import gpu_profile as layout  # noqa: E402
import samples  # noqa: E402
import timelines  # noqa: E402
from truth import KERNEL, SET, direction  # noqa: E402

# Ticks are nominal in one clock and measured in the other, and each piece is rounded.
RATE, ROUNDING = 1e-4, 2e-9


class Comparison:
    """Counts the comparisons and keeps the differences."""

    def __init__(self, truth):
        self.truth = truth
        self.figures = 0
        self.differences = []

    def equal(self, what, ours, true):
        self.figures += 1
        if ours != true:
            self.differences.append(f"{what}: {ours}, true is {true}")

    def within(self, what, ours, least, most):
        """Seconds, between a lower and an upper bound."""
        self.figures += 1
        slack = RATE * most + ROUNDING * (len(self.truth.all) + 1) + 1e-9
        if not least - slack <= ours <= most + slack:
            true = f"{least:.9f}" + (f" to {most:.9f}" if most != least else "")
            self.differences.append(f"{what}: {ours:.9f} s, true is {true}")

    def near(self, what, ours, true, slack):
        self.figures += 1
        if abs(ours - true) > slack:
            self.differences.append(f"{what}: {ours:.9f} s, true is {true:.9f}")

    def time(self, what, ours, true_ns):
        self.within(what, ours, true_ns * 1e-9, true_ns * 1e-9)


def check_records(c, profile):
    """The profile's entries, as the runtime wrote them."""
    seconds = lambda ticks: ticks / profile.hz
    found = {}
    for entry in profile.all(layout.WORK):
        node, function, device, _, kind, direction = struct.unpack_from("<IIIIHH", entry, 0)
        count, no_time, total, _, _, least, most, size = struct.unpack_from("<8Q", entry, 24)
        name = (profile.string(profile.all(layout.FUNCTIONS)[function], 0) if kind == 1
                else direction)
        sums = found.setdefault((profile.path(node), kind, name, device),
                                [0, 0, 0, None, 0, 0, 0, 0])
        sums[0] += count
        sums[1] += count - no_time
        sums[2] += seconds(total)
        if count > no_time:
            sums[3] = min(sums[3] or 1e9, seconds(least))
        sums[4] = max(sums[4], seconds(most))
        sums[5] += size
        sums[6] += seconds(struct.unpack_from("<Q", entry, layout.WORK_BUSY)[0])
        sums[7] += 1
    true = c.truth.sums()
    c.equal("kinds of work", sorted(map(str, found)), sorted(map(str, true)))
    for key in set(found) & set(true):
        ours, ns = found[key], true[key]
        for index, what in ((0, "count"), (1, "with times"), (5, "bytes")):
            c.equal(f"{key} {what}", ours[index], ns[index])
        for index, what in ((2, "time"), (3, "shortest"), (4, "longest")):
            if ns[1]:
                c.time(f"{key} {what}", ours[index], ns[index])
    for (path, kind, name, device), sums in found.items():
        works = [w for w in c.truth.timed if w.path == path and what_is(w) == (kind, name, device)]
        union = c.truth.busy(works) * 1e-9
        # With several threads, each has its own union.
        c.within(f"{path} {name} device {device} busy", sums[6], union,
                 union if sums[7] == 1 else sum(w.end - w.start for w in works) * 1e-9)
    check_same_work(c, profile, seconds)
    check_devices(c, profile, seconds)
    check_nodes(c, profile, seconds)
    check_waits(c, profile, seconds)
    counters = {name: value for i, name in layout.COUNTERS.items()
                if (value := struct.unpack_from("<32Q", profile.data, layout.COUNTERS_AT)[i])}
    c.equal("counters", counters, {"no_time": c.truth.untimed} if c.truth.untimed else {})


def what_is(w):
    """Identifies a piece of work, whoever launched it."""
    return w.what, w.name if w.kind == KERNEL else direction(w), w.device


def check_same_work(c, profile, seconds):
    """The union of all work with a name."""
    found = {}
    for entry in profile.all(layout.SAME_WORK):
        device, function, _, kind, to, busy = struct.unpack_from("<IIIHHQ", entry, 0)
        name = profile.string(profile.all(layout.FUNCTIONS)[function], 0) if kind == 1 else to
        found[kind, name, device] = seconds(busy)
    c.equal("names of work", sorted(map(str, found)),
            sorted(map(str, {what_is(w) for w in c.truth.all})))
    for key, busy in found.items():
        c.time(f"{key} busy", busy, c.truth.busy(w for w in c.truth.timed if what_is(w) == key))


def check_devices(c, profile, seconds):
    for device in profile.all(layout.DEVICES):
        number = struct.unpack_from("<I", device, 0)[0]
        busy, kernels, copies = struct.unpack_from("<3Q", device, 64)
        mine = [w for w in c.truth.timed if w.device == number]
        for what, ours, works in (
                ("busy", busy, mine), ("kernels", kernels, [w for w in mine if w.kind == KERNEL]),
                ("copies", copies, [w for w in mine if w.kind != KERNEL])):
            c.time(f"device {number} {what}", seconds(ours), c.truth.busy(works))
        filled = c.truth.filled(number) * 1e-9
        c.within(f"device {number} filled", seconds(struct.unpack_from("<d", device, 88)[0]),
                 filled, filled)


def check_waits(c, profile, seconds):
    """Whose work ran during waits: at least the time inside the calls, at most the time
    around them."""
    found = collections.Counter()
    for entry in profile.all(layout.WAITS):
        waiter, worker, _, _, ticks = struct.unpack_from("<IIIIQ", entry, 0)
        found[profile.path(waiter), None if worker == layout.NONE else profile.path(worker)] += (
            seconds(ticks))
    least = c.truth.waited(c.truth.waits)
    most = c.truth.waited(s for s in c.truth.calls if s.what == "wait")
    for pair in found.keys() | least.keys():
        c.within(f"wait of {pair[0]} for {pair[1]}", found[pair], least[pair] * 1e-9,
                 most[pair] * 1e-9)


def check_nodes(c, profile, seconds):
    """Unions and idle times of single call paths."""
    found = collections.defaultdict(lambda: [0, 0, 0])
    idle = collections.Counter()
    for entry in profile.all(layout.NODE_SUMS):
        node, device, _, _, busy, _, waited = struct.unpack_from("<IIIIQQQ", entry, 0)
        sums = found[profile.path(node), device]
        sums[0] += seconds(busy)
        sums[1] = max(sums[1], seconds(busy))
        sums[2] += 1
        idle[profile.path(node)] += seconds(waited)
    for (path, device), (total, _, nodes) in found.items():
        works = [w for w in c.truth.timed if w.path == path and w.device == device]
        true = c.truth.busy(works) * 1e-9
        # With several threads, each has its own union.
        alone = sum(w.end - w.start for w in works) * 1e-9
        c.within(f"{path} device {device} busy", total, true, true if nodes == 1 else alone)
    for path, ns in c.truth.idle().items():
        c.time(f"{path} idle", idle[path], ns)


def view(loopscope, path, name, *options):
    """The rows of a view's table as dictionaries."""
    text = formats.report(loopscope, path, "--view", name, *options, "--format", "csv")
    return list(csv.DictReader(io.StringIO(text)))


def number(text):
    return float(text) if text else 0.0


def check_union(c, what, ours, works, exact):
    """Views add unions up, or have the union itself (EXACT)."""
    true = c.truth.busy(works) * 1e-9
    most = min(sum(w.end - w.start for w in works), c.truth.busy(c.truth.timed)) * 1e-9
    c.within(what, ours, true, true if exact else most)


def check_tree(c, rows, exact):
    """Each row, including everything below it."""
    idle = c.truth.idle()
    names = []
    for row in rows:
        if row["kind"] not in ("phase", "train", "step", "draw", "batch"):
            continue
        root = "main" if row["threads"] == "main" else "thread"
        names = names[:int(row["depth"])] + [row["name"]]
        path = "/".join([root] + names)
        what = f"tree {path}"
        works = c.truth.below(path)
        check_union(c, f"{what} gpu_s", number(row.get("gpu_s", "")), works, exact)
        c.equal(f"{what} kernels", int(row.get("kernels") or 0),
                sum(w.kind == KERNEL for w in c.truth.all
                    if w.path == path or w.path.startswith(path + "/")))
        c.time(f"{what} gpu_idle_s", number(row.get("gpu_idle_s")),
               sum(ns for p, ns in idle.items() if p == path or p.startswith(path + "/")))
        for key, call, inner in (("launch_s", "launch", []), ("blocked_s", "wait", c.truth.waits)):
            least, most = c.truth.bracket(call, path, inner)
            c.within(f"{what} {key}", number(row.get(key)), least * 1e-9, most * 1e-9)


def check_simple(c, rows, exact):
    """Each action, wherever it ran."""
    for row in rows:
        if not row["action"].startswith("p"):
            continue
        check_union(c, f"simple {row['action']} gpu_s", number(row.get("gpu_s")),
                    c.truth.named(row["action"]), exact)


def check_kernels(c, rows):
    true = collections.defaultdict(list)
    for w in c.truth.all:
        if w.kind == KERNEL:
            true[w.name].append(w)
    timed = set(map(id, c.truth.timed))
    found = {row["name"]: row for row in rows if row["table"] == "kernels"}
    c.equal("kernels", sorted(found), sorted(true))
    for name in set(found) & set(true):
        lengths = [w.end - w.start for w in true[name] if id(w) in timed]
        c.equal(f"kernel {name} calls", int(found[name]["calls"]), len(true[name]))
        if lengths:
            for key, ns in (("total_s", sum(lengths)), ("max_s", max(lengths)),
                            ("min_s", min(lengths)), ("mean_s", sum(lengths) / len(lengths)),
                            ("busy_s", c.truth.busy(w for w in true[name] if id(w) in timed))):
                c.time(f"kernel {name} {key}", number(found[name][key]), ns)
    names = {1: "host to device", 2: "device to host", 3: "device to device", 4: "host to host",
             5: "peer to peer", 0: "other copies"}
    copies = collections.defaultdict(list)
    for w in c.truth.timed:
        if w.kind != KERNEL:
            copies["set" if w.kind == SET else names[direction(w)]].append(w)
    for row in rows:
        if row["table"] == "copies":
            c.time(f"{row['name']} busy_s", number(row["busy_s"]),
                   c.truth.busy(copies[row["name"]]))


def check_kernels_by_phase(c, rows):
    """A row is a union, or empty if call paths of the phase ran at once."""
    of = collections.defaultdict(list)
    for w in c.truth.timed:
        if w.kind == KERNEL:
            of[w.name, phase_of(w.path)].append(w)
    rows = [row for row in rows if row["table"] == "kernels"]
    # The truth lacks the node of a graph's kernel.
    graphs = {(row["name"], row["phase"]) for row in rows if row.get("made_in")}
    for row in rows:
        if (row["name"], row["phase"]) in graphs:
            continue
        what = f"kernel {row['name']} of {row['phase']} busy_s"
        works = of[row["name"], row["phase"]]
        if row["busy_s"]:
            c.within(what, number(row["busy_s"]), c.truth.busy(works) * 1e-9,
                     c.truth.busy(works) * 1e-9)
            continue
        together = [w for w in c.truth.timed if phase_of(w.path) == row["phase"]]
        c.equal(f"{what} unknown, and call paths overlapped",
                sum(w.end - w.start for w in together) > c.truth.busy(together), True)


def phase_of(path):
    if path == "-":
        return "(launch unknown)"
    return path.split("/")[-1] if "/" in path else "(no phase)"


def check_overview(c, rows, exact):
    found = {row["what"]: number(row["time_s"]) for row in rows if row["table"] == "totals"}
    if "GPU: kernels" not in found or len(c.truth.devices()) != 1:
        return
    busy = c.truth.busy(c.truth.timed) * 1e-9
    kernels = [w for w in c.truth.timed if w.kind == KERNEL]
    check_union(c, "overview kernels", found["GPU: kernels"], kernels, exact)
    c.within("overview busy", found["GPU: kernels"] + found["GPU: copies and memsets alone"],
             busy, busy)
    c.within("overview idle", found["GPU: idle"], found["run"] - busy * (1 + RATE),
             found["run"] - busy * (1 - RATE))


def compare(truth, path, loopscope, exact):
    """Compares everything; returns a Comparison."""
    c = Comparison(truth)
    profile = layout.Profile(path)
    check_records(c, profile)
    if truth.samples:
        samples.compare(c, profile)
    names = ["tree", "simple", "overview", "operators"]
    views = {name: view(loopscope, path, name)
             for name in names + (["kernels"] if truth.all else [])}
    if truth.all:  # without any work, views have no GPU columns
        check_tree(c, views["tree"], exact)
        check_simple(c, views["simple"], exact)
        check_kernels(c, views["kernels"])
        check_kernels_by_phase(c, view(loopscope, path, "kernels", "--by", "phase"))
    check_overview(c, views["overview"], exact)
    has_steps = any(row["kind"] == "step" for row in views["tree"])
    shown = {name: formats.json_rows(loopscope, path, name) for name in views}
    for name, rows in shown.items():
        formats.check_json(c, name, views[name], rows)
    formats.check_page(c, loopscope, path, shown)
    clock = timelines.Clock(truth, profile)
    if clock.known:
        timelines.check_chrome(c, loopscope, path, clock)
    if clock.known and has_steps:
        rows = view(loopscope, path, "timeline")
        timelines.check_steps(c, rows, clock, phase_of)
        formats.check_json(c, "timeline", rows, formats.json_rows(loopscope, path, "timeline"))
    return c
