"""The figures that a profile should have, from the replay library's truth file.

Slow and simple: each figure is computed separately from all pieces of work.
"""
import bisect
import collections
import functools

KERNEL, COPY, SET, PEER, GRAPH = 10, 1, 2, 22, 51
KIND = {KERNEL: 1, COPY: 2, PEER: 2, SET: 3}  # as in the profile
DIRECTION = {1: 1, 2: 2, 8: 3, 9: 4, 10: 5, 0: 0}

class Work(collections.namedtuple(
        "Work", "kind name start end device stream graph bytes copy blocks path")):
    """A piece of work, with CUPTI's numbers."""

    @property
    def what(self):
        """Its kind in the profile."""
        return KIND[self.kind]


Sample = collections.namedtuple("Sample", "device start end sm")
Span = collections.namedtuple("Span", "what start end path")


def direction(w):
    """The direction of a copy; 0 for a set."""
    return DIRECTION[w.copy if w.kind != SET else 0]


def union(spans):
    """The time covered by (start, end) pairs."""
    total = 0
    covered = None
    for start, end in sorted(spans):
        if covered is None or end > covered:
            total += end - (start if covered is None else max(start, covered))
            covered = end
    return total


class Truth:
    """The events of one run."""

    def __init__(self, path):
        self.all, self.waits, self.calls = [], [], []
        self.multiprocessors, self.refused = {}, 0
        self.samples = []
        flushed = None
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if words[0] == "work":
                    numbers = [int(w) for w in words[3:11]]
                    kind, name = int(words[1]), words[2]
                    if kind == GRAPH:
                        kind, name = KERNEL, "(CUDA graph)"
                        numbers[7] = 0  # blocks: unknown for its nodes
                    self.all.append(Work(kind, name, *numbers, words[11]))
                elif words[0] == "wait":
                    self.waits.append(Span("wait", int(words[1]), int(words[2]), words[3]))
                elif words[0] == "call":
                    self.calls.append(Span(words[1], int(words[2]), int(words[3]), words[4]))
                elif words[0] == "flush":
                    flushed = int(words[1])
                elif words[0] == "sample":
                    self.samples.append(Sample(int(words[1]), int(words[2]), int(words[3]),
                                               float(words[4])))
                elif words[0] == "device":
                    self.multiprocessors[int(words[1])] = int(words[2])
                elif words[0] == "refused":
                    self.refused += words[1:] in ([], ["CUPTI", "for", "Loopscope"])
        self.all = [w for w in self.all if w.kind in KIND]
        # Work in flight at the end has no times.
        self.timed = [w for w in self.all if flushed is None or w.end <= flushed]
        self.untimed = len(self.all) - len(self.timed)

    @functools.cache
    def devices(self):
        return sorted({w.device for w in self.timed})

    def busy(self, works):
        """The union of some work, device by device."""
        works = list(works)
        return sum(union((w.start, w.end) for w in works if w.device == d) for d in self.devices())

    @functools.cache
    def below(self, path):
        """The work of a call path and everything below it."""
        return [w for w in self.timed if w.path == path or w.path.startswith(path + "/")]

    @functools.cache
    def named(self, name):
        """The work below all phases of that name."""
        return [w for w in self.timed if name in w.path.split("/")]

    @functools.cache
    def idle(self):
        """How long a device was idle before work came, by call path."""
        result = collections.Counter()
        for device in self.devices():
            covered = None
            for w in sorted((w for w in self.timed if w.device == device),
                            key=lambda w: w.start):
                if covered is not None and w.start > covered:
                    result[w.path] += w.start - covered
                covered = w.end if covered is None else max(covered, w.end)
        return result

    def filled(self, device):
        """Time in ns for which the device was filled: the integral of running blocks
        per multiprocessor, at most 1."""
        edges = []
        for w in self.timed:
            if w.device == device and w.kind == KERNEL and w.end > w.start and w.blocks:
                share = min(1.0, w.blocks / self.multiprocessors[device])
                edges += [(w.start, share), (w.end, -share)]
        total = running = before = 0
        for time, change in sorted(edges):
            total += min(running, 1) * (time - before)
            running, before = running + change, time
        return total

    def waited(self, spans):
        """{(waiter, worker): ns} of waits: a moment belongs to the earliest-started
        work that is running, or to None."""
        segments, covered = [], 0
        for w in sorted(self.timed, key=lambda w: (w.start, w.end)):
            if w.end > covered:
                segments.append((max(w.start, covered), w.end, w.path))
                covered = w.end
        result = collections.Counter()
        ends = [end for _, end, _ in segments]
        for span in spans:
            rest = span.end - span.start
            # Segments are in order and don't overlap.
            for start, end, path in segments[bisect.bisect_right(ends, span.start):]:
                if start >= span.end:
                    break
                ns = min(end, span.end) - max(start, span.start)
                if ns > 0:
                    result[span.path, path] += ns
                    rest -= ns
            result[span.path, None] += rest
        return result

    def sums(self):
        """{(path, kind, name or direction, device): [count, timed, ns, min, max, bytes]}"""
        result = {}
        timed = set(id(w) for w in self.timed)
        for w in self.all:
            what = w.name if w.kind == KERNEL else direction(w)
            entry = result.setdefault((w.path, KIND[w.kind], what, w.device),
                                      [0, 0, 0, None, 0, 0])
            entry[0] += 1
            entry[5] += w.bytes
            if id(w) in timed:
                length = w.end - w.start
                entry[1] += 1
                entry[2] += length
                entry[3] = length if entry[3] is None else min(entry[3], length)
                entry[4] = max(entry[4], length)
        return result

    def bracket(self, what, path, inner):
        """The minimum and maximum time of calls in a path and below."""
        inside = [s for s in inner if s.path == path or s.path.startswith(path + "/")]
        outside = [s for s in self.calls
                   if s.what == what and (s.path == path or s.path.startswith(path + "/"))]
        return (sum(s.end - s.start for s in inside), sum(s.end - s.start for s in outside))
