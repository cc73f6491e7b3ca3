"""Simulates ranks in random layouts, with and without a culprit, and checks whom the ranks view names.

usage: rank-simulator.py WORKDIR CASES SEED

A case is a layout (data parallel, hierarchical, sharded, ring, pipeline, pipelines side by side), its jitter and a
culprit: nobody, a rank, two of them, a node, a stage, ranks in turns, one long step, or work that costs nothing because
its rank would have waited (hidden). The true loss is the time of the run minus its time without the culprit, with the same
jitter. The profiles' records follow from docs/profile-format.md, not from the analysis. Prints how often the view was
right, and fails if it accuses falsely in more than 1 of 200 cases or misses more than 1 in 20 of those with a loss of at
least 10%, each beyond what chance gives so few cases.
"""
import math
import os
import random
import re
import shutil
import subprocess
import sys

ALWAYS = re.compile(r"^[Rr]anks? ([\d, to]+?) takes?(?: up to)? \S+ [mµn]?s longer per step than the median rank.*?: (.*)")
ONCE = re.compile(r"[Rr]ank (\d+) took \S+ [mµn]?s longer than usual in step (\d+)[,:]")
PHASES = ("load", "forward", "backward", "update")
LINES = {name: 20 + at for at, name in enumerate(PHASES)}


class Case:
    """A layout as operations of each rank in a step."""

    def __init__(self, rng):
        self.rng = rng
        self.layout = rng.choice(("dp", "hier", "hier+world", "shard", "ring", "pipe", "pipes"))
        self.steps = rng.choice((30, 60))
        self.jitter = rng.uniform(0.01, 0.08)
        self.tail = rng.choice((0, 0.01, 0.03))
        self.transfer = rng.randint(20, 800)
        self.width = {"pipes": 2, "hier": 2, "hier+world": 2}.get(self.layout, 1)
        self.ranks = rng.choice((4, 6, 8)) if self.width == 2 else rng.randint(3, 10)
        if self.layout == "pipes":
            self.ranks = rng.choice((6, 8))
        self.micro = rng.choice((4, 8))
        self.base = {"load": rng.randint(500, 3000), "forward": rng.randint(2000, 8000),
                     "backward": rng.randint(4000, 12000), "update": rng.randint(300, 1500)}
        kinds = ["nobody", "nobody", "rank", "rank", "two", "turns", "once"]
        if self.width == 2 and self.layout != "pipes":
            kinds.append("node")
        if self.layout in ("pipe", "pipes"):
            kinds += ["hidden", "stage"] if self.layout == "pipes" else ["hidden"]
        self.kind = rng.choice(kinds)
        self.late, self.phase, self.extra, self.at = set(), rng.choice(PHASES), 0, None
        if self.layout in ("pipe", "pipes"):
            self.phase = rng.choice(("forward", "backward", "update"))
        self.extra = rng.uniform(0.05, 0.8) * sum(self.base.values())
        ranks = list(range(self.ranks))
        if self.kind == "rank":
            self.late = {rng.choice(ranks)}
        elif self.kind == "two":
            self.late = set(rng.sample(ranks, 2)) if self.ranks > 3 else {rng.choice(ranks)}
        elif self.kind == "node":
            node = rng.randrange(self.ranks // 2)
            self.late = {2 * node, 2 * node + 1}
        elif self.kind == "stage":
            stage = rng.randrange(self.ranks // 2)
            self.late = {2 * stage, 2 * stage + 1}
        elif self.kind == "once":
            self.late, self.at = {rng.choice(ranks)}, rng.randrange(2, self.steps)
            self.extra = rng.uniform(1, 30) * sum(self.base.values())
        elif self.kind == "hidden":
            # The last stage has nothing to do between its last gradient and the end of the step.
            self.late, self.phase = {self.ranks - 1}, "update"
            self.extra = 0.4 * (self.base["backward"]) / self.micro
        self.turns = rng.random()

    def stage(self, rank):
        return rank // self.width if self.layout == "pipes" else rank

    def program(self, rank):
        """A step: ("work", phase, share), ("meet", name, ranks), ("send" or "recv", peer, tag)."""
        everyone = tuple(range(self.ranks))
        if self.layout in ("dp", "ring"):
            step = [("work", "load", 1), ("work", "forward", 1), ("work", "backward", 1)]
            if self.layout == "dp":
                step.append(("meet", "all", everyone))
            else:
                right, left = (rank + 1) % self.ranks, (rank - 1) % self.ranks
                for hop in range(2 * (self.ranks - 1)):
                    step += [("send", right, hop), ("recv", left, hop)]
            return step + [("work", "update", 1)]
        if self.layout.startswith("hier"):
            node = tuple(r for r in everyone if r // 2 == rank // 2)
            across = tuple(r for r in everyone if r % 2 == rank % 2)
            step = [("work", "load", 1), ("work", "forward", 1), ("work", "backward", 1),
                    ("meet", f"node{rank // 2}", node), ("meet", f"across{rank % 2}", across),
                    ("work", "update", 1)]
            return step + ([("meet", "all", everyone)] if "world" in self.layout else [])
        if self.layout == "shard":
            return [("work", "load", 1), ("meet", "gather", everyone), ("work", "forward", 1),
                    ("meet", "gather2", everyone), ("work", "backward", 1), ("meet", "scatter", everyone),
                    ("work", "update", 1)]
        up, down = rank - self.width, rank + self.width
        step = []
        for micro in range(self.micro):
            step += [("recv", up, f"f{micro}")] if up >= 0 else []
            step.append(("work", "forward", 1 / self.micro))
            step += [("send", down, f"f{micro}")] if down < self.ranks else []
        for micro in range(self.micro):
            step += [("recv", down, f"b{micro}")] if down < self.ranks else []
            step.append(("work", "backward", 1 / self.micro))
            step += [("send", up, f"b{micro}")] if up >= 0 else []
        if self.width == 2:
            peers = tuple(r for r in everyone if r // 2 == rank // 2)
            step.append(("meet", f"stage{rank // 2}", peers))
        return step + [("work", "update", 1), ("meet", "norm", everyone)]

    def is_late(self, rank, step):
        if self.kind == "turns":
            return random.Random(self.turns + step).randrange(self.ranks) == rank
        return rank in self.late and (self.at is None or self.at == step)

    def run(self, with_culprit, seed):
        """By rank and step: the events (kind, name, begin, end)."""
        rng = random.Random(seed)
        clock = [0.0] * self.ranks
        log = [[] for _ in range(self.ranks)]
        programs = [self.program(rank) for rank in range(self.ranks)]
        for step in range(self.steps):
            events, place = [[] for _ in range(self.ranks)], [0] * self.ranks
            begun, arrived, sent, given = list(clock), {}, {}, set()
            factors = {}
            for rank in range(self.ranks):
                for phase in PHASES:
                    factor = max(0.2, rng.gauss(1, self.jitter))
                    factors[rank, phase] = factor * (1.5 if rng.random() < self.tail else 1)
            moved = True
            while moved:
                moved = False
                for rank in range(self.ranks):
                    while place[rank] < len(programs[rank]):
                        what, name, detail = programs[rank][place[rank]]
                        start = clock[rank]
                        if what == "work":
                            time = self.base[name] * detail * factors[rank, name]
                            if with_culprit and name == self.phase and self.is_late(rank, step):
                                time += self.extra * detail
                            clock[rank] += time
                            events[rank].append(("work", name, start, clock[rank]))
                        elif what == "send":
                            sent[rank, name, detail] = clock[rank] + self.transfer / 10
                            clock[rank] += 5
                            events[rank].append(("send", "MPI_Send", start, clock[rank]))
                        elif what == "recv":
                            if (name, rank, detail) not in sent:
                                break
                            clock[rank] = max(clock[rank] + 5, sent[name, rank, detail])
                            events[rank].append(("recv", "MPI_Recv", start, clock[rank]))
                        else:
                            here = arrived.setdefault(name, {})
                            here.setdefault(rank, clock[rank])
                            if len(here) < len(detail):
                                break
                            clock[rank] = max(here.values()) + self.transfer
                            events[rank].append(("meet", name, here[rank], clock[rank]))
                        place[rank] += 1
                        moved = True
            for rank in range(self.ranks):
                log[rank].append((begun[rank], clock[rank], events[rank]))
        return log, max(clock)


def own_line(number, begin, end, events):
    """The record of a step: its phases, and what followed them."""
    phases, pending, own = {}, {}, 0
    for what, name, start, stop in events + [("end", None, end, end)]:
        if what == "work":
            pending[name] = pending.get(name, 0) + stop - start
            own += stop - start
            continue
        length = sum(pending.values())
        critical = what in ("send", "end") or (what == "recv" and stop - start <= length / 20)
        for phase, time in pending.items():
            of = phases.setdefault(phase, [0, 0, 0, None])
            of[0] += time
            if critical:
                of[1] += time
            else:
                of[2] += time
                of[3] = name
        pending = {}
    text = ",".join(f"{name}:{of[0]:.0f}us:{of[1]:.0f}us" + (f":{of[2]:.0f}us:{of[3]}" if of[3] else "")
                    for name, of in sorted(phases.items(), key=lambda each: -each[1][0]))
    return f"own step step={number} took={end - begin:.0f}us own={own:.0f}us phases={text}"


def description(case, rank, log):
    steps = [end - begin for begin, end, _ in log]
    by_name = {}
    for _, _, events in log:
        for what, name, start, stop in events:
            by_name.setdefault((what, name), []).append(stop - start)
    spans = lambda times: ",".join(f"1x{each:.0f}us" for each in times)
    lines = [f"rank {rank} of {case.ranks}", "host node", f"wall {sum(steps) + 1e6:.0f}us", "started 1000s 500s",
             "program train", "thread main", f"  train line=10 spans=1x{sum(map(round, steps)) + 1000}us",
             f"    step spans={spans(steps)}", f"      draw spans={spans([0] * len(steps))}",
             f"      batch spans={spans(steps)}"]
    for (what, name), times in by_name.items():
        kind = {"work": "phase", "meet": "collective"}.get(what, "wait")
        lines.append(f"        {kind} {name} line={LINES.get(name, 40)} spans={spans(times)}")
    for number, (begin, end, events) in enumerate(log):
        lines.append(own_line(number, begin, end, events))
    return "\n".join(lines) + "\n"


def said(work, case, log):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "p"))
    for rank in range(case.ranks):
        path = os.path.join(work, "text")
        with open(path, "w", encoding="utf-8") as out:
            out.write(description(case, rank, log[rank]))
        subprocess.run(["make-profile", path, os.path.join(work, "p", f"train.{rank}.rank{rank}.loopscope")],
                       check=True)
    text = subprocess.run(["loopscope", "report", os.path.join(work, "p"), "--view", "ranks"], check=True,
                          capture_output=True, text=True).stdout
    always, why, once, turns = set(), "", set(), False
    for line in text.splitlines():
        if match := ALWAYS.match(line):
            for part in match[1].split(", "):
                first, *last = [int(each) for each in part.split(" to ")]
                always |= set(range(first, (last or [first])[0] + 1))
            why = match[2]
        turns |= line.startswith("Which rank takes longest changes")
        once |= {(int(rank), int(step)) for rank, step in ONCE.findall(line)}
    return always, why, once, turns, text


def main():
    work, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    false, hits, large, wrong = 0, 0, 0, []
    for number in range(cases):
        rng = random.Random(seed * 1000003 + number)
        case = Case(rng)
        noise = rng.random()
        log, time = case.run(True, noise)
        _, without = case.run(False, noise)
        loss = 0 if case.kind == "nobody" else (time - without) / time
        always, why, once, turns, text = said(work, case, log)
        truth = case.late if case.kind in ("rank", "two", "node", "stage") else set()
        truth_once = {(rank, case.at) for rank in case.late} if case.kind == "once" else set()
        what = f"case {number}: {case.layout} {case.kind} {sorted(case.late)} {case.phase} loss {loss:.3f}"
        if not always <= truth or not once <= truth_once:
            false += 1
            wrong.append(f"false, {what}: {sorted(always)} {sorted(once)}")
            continue
        least = 0.02 if case.kind == "once" else 0.10
        if case.kind in ("nobody", "hidden") or loss < least:
            continue
        large += 1
        right = {"turns": turns, "once": bool(once)}.get(
            case.kind, always == truth and f"{case.phase} (" in why)
        hits += right
        if not right:
            wrong.append(f"missed, {what}: {sorted(always)} {why}")
    print(f"{cases} cases: {false} false accusations; {hits} of {large} large losses found")
    allowed = cases / 200 + 3 * math.sqrt(cases / 200)
    missed = large / 20 + 3 * math.sqrt(large / 20)
    if false > allowed or large - hits > missed or "-v" in sys.argv:
        print("\n".join(wrong))
        sys.exit(false > allowed or large - hits > missed)


main()
