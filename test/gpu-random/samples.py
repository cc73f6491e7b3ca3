"""Whose the samples of PM sampling should be, slowly: each from all work of its time."""
import collections

from truth import KERNEL

AROUND = ("main", "train", "step")  # of paths of one thread


def common(paths):
    """The deepest path that all are below or equal to; None for work without a launch."""
    if "-" in paths:
        return None if len(set(paths)) > 1 else "-"
    names = [path.split("/") for path in paths]
    same = []
    for level in zip(*names):
        if len(set(level)) > 1:
            break
        same.append(level[0])
    return "/".join(same)


def around(path):
    names = path.split("/")
    while names[-1] not in AROUND:
        names.pop()
    return "/".join(names)


def owner(works, start, end):
    """(owner, busy ns): a path, "idle" or "many"."""
    edges = sorted({start, end} | {edge for w in works for edge in (w.start, w.end)
                                   if start < edge < end})
    below, busy = collections.Counter(), 0
    for first, last in zip(edges, edges[1:]):
        running = [w for w in works if w.start <= first and w.end >= last]
        if not running:
            continue
        busy += last - first
        paths = [w.path for w in running if w.kind == KERNEL] or [w.path for w in running]
        path = common(paths)
        while path and path != "-":
            below[path] += last - first
            path = path.rpartition("/")[0]
    if not busy:
        return "idle", 0
    mine = [path for path, ns in below.items() if ns >= busy - busy // 20]
    return max(mine, key=lambda path: path.count("/"), default="many"), busy


def expected(truth):
    """{(owner, device): [ns, integral]}"""
    result = collections.defaultdict(lambda: [0, 0])
    for device in {s.device for s in truth.samples}:
        works = sorted((w for w in truth.timed if w.device == device and w.end > w.start),
                       key=lambda w: w.start)
        first = 0  # the first that may still run
        for s in sorted(s for s in truth.samples if s.device == device):
            while first < len(works) and works[first].end <= s.start:
                first += 1
            now = []
            for w in works[first:]:
                if w.start >= s.end:
                    break
                if w.end > s.start:
                    now.append(w)
            whose, busy = owner(now, s.start, s.end)
            length = s.end - s.start
            cut = whose not in ("idle", "many") and whose != around(whose)
            sums = result[whose, device]
            sums[0] += busy if cut else length
            sums[1] += s.sm * length
            if cut:
                result[around(whose), device][0] += length - busy
    return result


def compare(c, profile):
    """Compares with the profile's entries; a few samples at both ends may be left out."""
    found = collections.defaultdict(lambda: [0, 0])
    for whose, device, name, _, ticks, _, integral in profile.uses():
        if name == "sm.active":
            found[whose, device][0] += ticks / profile.hz
            found[whose, device][1] += integral / profile.hz
    slack = 4 * max((s.end - s.start for s in c.truth.samples), default=0) * 1e-9
    true = expected(c.truth)
    for key in found.keys() | true.keys():
        ns, integral = true[key]
        c.near(f"samples of {key}", found[key][0], ns * 1e-9, slack + 2e-4 * ns * 1e-9)
        c.near(f"use of SMs of {key}", found[key][1], integral * 1e-9,
               400 * slack + 2e-4 * integral * 1e-9)
