"""Compares which rank's device is late, and why, with the known truth of random runs.

usage: late-devices-reference.py WORKDIR SEED...

Invents a run of several ranks for each seed. In each step the host draws and augments a
batch, enqueues two phases and one or two all-reduces on its device, on separate streams
or the same one, and waits for all. In some runs one rank is always late, by a phase of
the host, by one of the device, by everything on its device, or by two phases; in others
a different rank in each step. The devices are simulated, so each one's waits are known.
If a figure is within 2% of a threshold, the run's straggler isn't compared, which is
counted. A phase may be named only if it was made late, and must be named if it was made
clearly late.

Times are whole microseconds.
"""
import os
import random
import sys

from rank_runs import excess, near, reported

LOST, FEWEST, PERSISTENT, OF_TWO, EXPLAINED = 0.10, 10, 0.60, 0.75, 0.80
HOST, DEVICE = ("draw", "augment"), ("forward", "backward")
SITES = {"augment": 20, "forward": 21, "backward": 22, "finish": 23}
REDUCE = "ncclAllReduce"


class Rank:
    """What one rank did."""

    def __init__(self, number, host):
        self.number, self.host = number, host
        self.now, self.free = 0, {"compute": 0, "comm": 0}
        self.spans = {name: [] for name in ("step", "draw", "augment", "forward", "backward", "finish")}
        self.work = []  # (begin, end, name) on the device
        self.waited, self.instances = 0, []

    def host_time(self, name, took):
        self.spans[name].append(took)
        self.now += took

    def put(self, stream, name, took, after=0):
        begin = max(self.free[stream], self.now, after)
        self.free[stream] = begin + took
        self.work.append((begin, begin + took, name))
        return begin + took


class Made:
    """An invented run."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.size = r.choice((2, 2, 3, 4, 5))
        hosts = min(self.size, r.choice((1, 1, 1, 2)))
        self.hosts = hosts
        self.ranks = [Rank(n, f"node{n % hosts}") for n in range(self.size)]
        self.count = r.choice((4, 12, 20, 35))
        self.noise = r.choice((0, 5, 100))
        self.base = {"draw": r.randrange(50, 400), "augment": r.randrange(50, 400),
                     "forward": r.randrange(300, 3000), "backward": r.randrange(300, 3000)}
        self.late = r.choice(("none", "phase", "phase", "phase", "rotating", "device", "two"))
        self.late_rank = r.randrange(self.size)
        self.late_phase = r.choice(HOST + DEVICE)
        self.by = r.choice((200, 900, 3000))
        self.transfer = r.choice((50, 400))
        self.buckets = r.choice((1, 1, 2))
        self.own_stream = r.random() < 0.5
        for step in range(self.count):
            self.step(step)

    def time(self, rank, name):
        took = self.base[name] + self.r.randrange(self.noise + 1)
        hit = rank.number == (self.rotates if self.late == "rotating" else self.late_rank)
        if not hit or self.late == "none":
            return took
        if self.late == "device":
            return took * 3 // 2 if name in DEVICE else took
        if self.late == "two":
            return took + self.by if name in ("augment", "backward") else took
        return took + self.by if name == self.late_phase else took

    def step(self, step):
        self.rotates = self.r.randrange(self.size)
        ready = {rank: [] for rank in self.ranks}  # when its part of an all-reduce may begin
        begun = {rank: rank.now for rank in self.ranks}
        for rank in self.ranks:
            for name in HOST:
                rank.host_time(name, self.time(rank, name))
            for name in DEVICE:
                took, first = self.time(rank, name), 0
                rank.host_time(name, 20)
                if name == "backward" and self.buckets == 2:
                    first = took // 2
                    done = rank.put("compute", name, first)
                    if self.own_stream:
                        ready[rank].append(done)
                ready[rank].append(rank.put("compute", name, took - first)) \
                    if name == "backward" else rank.put("compute", name, took)
        stream = "comm" if self.own_stream else "compute"
        for bucket in range(len(ready[self.ranks[0]])):
            begin = {rank: max(ready[rank][bucket], rank.free[stream]) for rank in self.ranks}
            end = max(begin.values()) + self.transfer
            for rank in self.ranks:
                rank.work.append((begin[rank], end, REDUCE))
                rank.free[stream] = end
                rank.instances.append((len(rank.instances), step, begin[rank], end - begin[rank]))
        for rank in self.ranks:
            end = max(rank.free.values())
            rank.waited += max(0, end - rank.now)
            rank.host_time("finish", max(0, end - rank.now))
            rank.spans["step"].append(rank.now - begun[rank])

    def overlaps(self, rank):
        """How long the device ran each set of call paths."""
        result = {}
        borders = sorted({t for begin, end, _ in rank.work for t in (begin, end)})
        events = sorted(rank.work)
        for begin, end in zip(borders, borders[1:]):
            names = frozenset(name for a, b, name in events if a <= begin and b >= end)
            if names:
                result[names] = result.get(names, 0) + end - begin
        return result

    def description(self, rank):
        lists = lambda many: ",".join(f"1x{each}us" for each in many)
        batch = [a - b for a, b in zip(rank.spans["step"], rank.spans["draw"])]
        waits = f" waits={self.count}/{rank.waited}us"
        taken = sum(each[3] for each in rank.instances)
        parts = self.overlaps(rank)
        busy = sum(parts.values())
        lines = [f"rank {rank.number} of {self.size}", f"host {rank.host}", f"wall {rank.now + 10}us",
                 "started 1000s 500s", "gpu on cupti=130001 launches=5 records=5",
                 f"device 0 H100 sms=100 from=0us to={rank.now}us busy={busy}us kernels={busy}us",
                 "thread main", f"  train line=10 spans=1x{rank.now}us", f"    step spans={lists(rank.spans['step'])}",
                 f"      draw spans={lists(rank.spans['draw'])}", f"      batch spans={lists(batch)}"]
        for name, line in SITES.items():
            lines.append(f"        phase {name} line={line} spans={lists(rank.spans[name])}" +
                         (waits if name == "finish" else ""))
            if name == "backward":
                count = len(rank.instances)
                lines.append(f"          phase {REDUCE} file=communicator_0x1 line=0 spans={count}x1us "
                             f"enqueued={count} on-device={count}/{taken}us")
        for number, step, begin, took in rank.instances:
            lines.append(f"collective {REDUCE} at={begin}us took={took}us bytes=1000 number={number} "
                         f"step={step} operations=1 ranks={self.size} rank={rank.number}")
        for name in DEVICE + (REDUCE,):
            own = [end - begin for begin, end, other in rank.work if other == name]
            lines.append(f"kernel {name} {'gemm' if name != REDUCE else 'ncclDevKernel'} "
                         f"spans={lists(own)}")
            whole = sum(took for names, took in parts.items() if name in names)
            lines.append(f"union {name} busy={whole}us kernels={whole}us")
        for names, took in parts.items():
            lines.append(f"overlap device=0 busy={took}us " +
                         " ".join(f"kernels={name}" for name in sorted(names)))
        return "\n".join(lines) + "\n"

    # The expected figures, from the instances alone.

    def waits(self, number):
        each = [rank.instances[number] for rank in self.ranks]
        if self.hosts == 1:
            last = max(begin for _, _, begin, _ in each)
            return [min(last - begin, took) for _, _, begin, took in each]
        return [took - min(one[3] for one in each) for _, _, _, took in each]

    def expected(self):
        steps = [[0] * self.size for _ in range(self.count)]
        for number, step, _, _ in self.ranks[0].instances:
            for n, wait in enumerate(self.waits(number)):
                steps[step][n] += wait
        last, late = [0] * self.size, [0] * self.size
        for waits in steps:
            first = waits.index(min(waits))
            others = sorted(each for n, each in enumerate(waits) if n != first)
            last[first] += 1
            late[first] += others[len(others) // 2] - waits[first]
        return last, self.straggler(last, late)

    def straggler(self, last, late):
        if self.count < FEWEST:
            return {"kind": "unknown"}
        mean = sum(sum(rank.spans["step"]) for rank in self.ranks) / self.size / self.count
        exposed = max(sum(took for names, took in self.overlaps(rank).items() if names == {REDUCE})
                      for rank in self.ranks) / self.count
        lost = min(sum(late) / self.count, exposed) / mean
        if near(lost, LOST):
            return None
        if lost < LOST:
            return {"kind": "none"}
        most = late.index(max(late))
        limit, share = OF_TWO if self.size == 2 else PERSISTENT, late[most] / sum(late)
        if near(share, limit):
            return None
        if share < limit:
            return {"kind": "rotating", "phases": {None: 0}}
        told = {"kind": "persistent", "rank": most, "share": 100 * last[most] / self.count}
        return self.reasons(told, most, late[most] / self.count)

    def reasons(self, told, late, by):
        """The phases that explain it on their own; None if it is too near a threshold."""
        parts = {}
        for name in HOST + DEVICE + ("finish",):
            figures = []
            for rank in self.ranks:
                device = sum(end - begin for begin, end, other in rank.work if other == name)
                host = sum(rank.spans[name]) - (rank.waited if name == "finish" else 0)
                figures.append((device / self.count, host / self.count))
            parts[name] = max(excess([each[kind] for each in figures], late) for kind in (0, 1)) / by
        if any(near(part, EXPLAINED) for part in parts.values()):
            return None
        why = {name: part for name, part in parts.items() if part >= EXPLAINED}
        told["phases"] = why if len(why) == 1 else {None: 0}
        told["plain"] = (self.late == "phase" and self.by >= 900 and self.noise <= 5 and
                         self.late_phase in why)
        return told


def check(seed, work, counts):
    made = Made(seed)
    rows, section = reported(made, seed, work)
    seen = section.get("straggler")
    last, told = made.expected()
    where = f"seed {seed}, {made.late}"
    for n, row in enumerate(rows):
        if int(row["last_count"]) != last[n] or float(row["covered_percent"]) != 100:
            sys.exit(f"{where}: {row}, not {last}")
    if told is None:
        counts["near"] += 1
        return
    if told["kind"] == "unknown" or seen is None:
        if told["kind"] != "unknown" or seen is not None:
            sys.exit(f"{where}: {seen}, not {told}")
        return
    if seen["kind"] != told["kind"] or seen["rank"] != told.get("rank"):
        sys.exit(f"{where}: {seen}, not {told}")
    phase = seen["phase"]
    if phase is not None:
        allowed = {"phase": {made.late_phase}, "device": set(DEVICE),
                   "two": {"augment", "backward"}}.get(made.late, set())
        if made.noise <= 5 and phase not in allowed:
            sys.exit(f"{where}: {phase}, of {allowed}")
        counts["named"] += 1
    if told.get("plain") and phase != made.late_phase:
        sys.exit(f"{where}: {phase}, not {made.late_phase}: {told}")
    wanted = told.get("phases", {None: 0})
    if phase not in wanted:
        sys.exit(f"{where}: {phase}, not {wanted}")
    if phase is not None and abs(seen["explained_percent"] - 100 * min(1, wanted[phase])) > 0.01:
        sys.exit(f"{where}: {seen}, not {wanted}")


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)
    seeds = [int(each) for each in sys.argv[2:]]
    counts = {"near": 0, "named": 0}
    for seed in seeds:
        check(seed, work, counts)
    print(f"{len(seeds)} runs are as made; a phase is named in {counts['named']}, the stragglers of "
          f"{counts['near']} are too near a threshold")


main()
