"""Compares the ranks view of random runs with the known truth.

usage: ranks-reference.py WORKDIR SEED...

Invents a run of several ranks for each seed: steps of a draw, phases, one or two
collectives and a rest, on one host or several. In some runs one rank is always late, in
others a different one in each step, by one phase or by two. Some ranks have lost the
oldest instances of their ring, some have marked waits; some runs have warm-up steps or
a place that only some ranks reach. Each rank's waiting time is known, and the view's
figures are computed here from the instances, one by one, without the view's shortcuts.
If a figure is within 2% of a threshold, the run's straggler isn't compared, which is
counted.

Times are whole microseconds.
"""
import os
import random
import sys

from rank_runs import excess, near, reported

LOST, FEWEST, PERSISTENT, OF_TWO, EXPLAINED = 0.10, 10, 0.60, 0.75, 0.80
MOST_PHASES = 6


class Instance:
    """One rank's part in a collective."""

    def __init__(self, place, number, step, enter, took, work, phases, warm):
        self.place, self.number, self.step, self.enter, self.took = place, number, step, enter, took
        self.work, self.phases, self.warm = work, phases, warm


class Rank:
    """What one rank did."""

    def __init__(self, number, host):
        self.number, self.host, self.now, self.since = number, host, 0, 0
        self.spans = {}  # (warm-up or not, name) -> durations
        self.steps = {True: [], False: []}
        self.work = {}  # since the last collective
        self.instances, self.kept = [], []

    def spend(self, warm, name, took):
        self.spans.setdefault((warm, name), []).append(took)
        self.work[name] = self.work.get(name, 0) + took
        self.now += took

    def total(self, name):
        return sum(self.all_spans(name))

    def all_spans(self, name):
        return self.spans.get((True, name), []) + self.spans.get((False, name), [])

    def all_steps(self):
        return self.steps[True] + self.steps[False]


class Made:
    """An invented run."""

    def __init__(self, seed):
        self.r = r = random.Random(seed)
        self.size = r.choice((2, 2, 3, 4, 4, 5, 6))
        hosts = min(self.size, r.choice((1, 1, 1, 2, 3)))
        self.ranks = [Rank(n, f"node{n % hosts}") for n in range(self.size)]
        self.hosts = hosts
        self.count = r.choice((4, 12, 20, 35))
        self.warm = r.choice((0, 0, 2))
        self.phases = ["draw", "forward", "backward"] + (["augment"] if r.random() < 0.5 else [])
        self.places = ["reduce"] + (["gather"] if r.random() < 0.4 else [])
        self.some = set(r.sample(range(self.size), self.size - 1)) \
            if "gather" in self.places and r.random() < 0.3 else None
        self.waits = r.random() < 0.4
        self.noise = r.choice((0, 20, 200))
        self.base = {name: r.randrange(200, 2000) for name in self.phases}
        self.late = r.choice(("none", "persistent", "rotating", "both"))
        self.late_rank = r.randrange(self.size)
        self.late_phase = r.choice(self.phases)
        self.by = r.choice((300, 900, 3000))
        self.transfer = r.choice((50, 400, 4000))
        self.numbers = {}
        for step in range(self.warm + self.count):
            self.step(step)
        for rank in self.ranks:
            rank.kept = rank.instances
            if r.random() < 0.3:
                rank.kept = rank.instances[r.randrange(len(rank.instances) // 2):]

    def delay(self, rank, name, step):
        if self.late == "persistent":
            hit = rank.number == self.late_rank and name == self.late_phase
            return self.by if hit else 0
        if self.late == "rotating":
            hit = rank.number == self.rotates and name == self.late_phase
            return self.by if hit else 0
        if self.late == "both":
            hit = rank.number == self.late_rank and name in ("forward", "backward")
            return self.by if hit else 0
        return 0

    def step(self, step):
        warm = step < self.warm
        self.rotates = self.r.randrange(self.size)
        begun = [rank.now for rank in self.ranks]
        for rank in self.ranks:
            for name in self.phases:
                if name == "augment":
                    continue
                rank.spend(warm, name, self.base[name] + self.r.randrange(self.noise + 1) +
                           self.delay(rank, name, step))
            if "augment" in self.phases:
                rank.spend(warm, "augment", self.base["augment"] +
                           self.delay(rank, "augment", step))
            if self.waits:
                rank.spend(warm, "pop", self.r.randrange(1, 200))
        for place in self.places:
            if place == "gather":
                for rank in self.ranks:
                    rank.spend(warm, "pack", 30)
            self.collective(place, warm, step)
        for rank in self.ranks:
            rank.spend(warm, "update", 40)
        for rank, start in zip(self.ranks, begun):
            rank.steps[warm].append(rank.now - start)

    def collective(self, place, warm, step):
        there = [rank for rank in self.ranks
                 if place != "gather" or self.some is None or rank.number in self.some]
        last = max(rank.now for rank in there)
        for rank in there:
            number = self.numbers.get((rank.number, place), 0)
            self.numbers[rank.number, place] = number + 1
            took = last - rank.now + self.transfer + self.r.randrange(3)
            phases = sorted(rank.work.items(), key=lambda each: -each[1])[:MOST_PHASES]
            rank.instances.append(Instance(place, number, step, rank.now, took,
                                           rank.now - rank.since, dict(phases), warm))
            rank.spans.setdefault((warm, place), []).append(took)
            rank.now += took
            rank.since, rank.work = rank.now, {}

    def description(self, rank):
        lines = [f"rank {rank.number} of {self.size}", f"host {rank.host}",
                 f"wall {rank.now + 10}us",
                 f"started {1000 + 7 * self.ranks[0].number}s 500s",
                 "thread main", "  train line=10"]
        kinds = {"reduce": "collective", "gather": "collective", "pop": "wait"}
        node = {}  # (warm, name) -> number among those of that name
        for warm in (True, False):
            steps = rank.steps[warm]
            if not steps:
                continue
            flag = " warmup" if warm else ""
            draws = rank.spans[warm, "draw"]
            lists = lambda many: ",".join(f"1x{each}us" for each in many)
            lines += [f"    step spans={lists(steps)}{flag}", f"      draw spans={lists(draws)}",
                      "      batch spans=" +
                      lists([a - b for a, b in zip(steps, draws)])]
            for which, name in enumerate(["forward", "backward", "augment", "pop", "reduce", "pack",
                                          "gather", "update"]):
                if (warm, name) in rank.spans:
                    lines.append(f"        {kinds.get(name, 'phase')} {name} line={20 + which} "
                                 f"spans={lists(rank.spans[warm, name])}")
            node[warm] = "" if warm or self.warm == 0 else "#2"
        for each in rank.kept:
            mark = node[each.warm]
            phases = ",".join(f"{name}{mark}:{took}us" for name, took in each.phases.items())
            lines.append(f"collective {each.place}{mark} at={each.enter}us took={each.took}us "
                         f"number={each.number} step={each.step} work={each.work}us "
                         f"phases={phases}")
        return "\n".join(lines) + "\n"

    # The figures, computed from the instances alone.

    def compared(self):
        """Instances that all ranks have: lists with one per rank."""
        result = []
        for place in self.places:
            if place == "gather" and self.some is not None:
                continue
            have = [{each.number: each for each in rank.kept
                     if each.place == place} for rank in self.ranks]
            for number in sorted(set.intersection(*(set(each) for each in have))):
                result.append([each[number] for each in have])
        return result

    def waits_of(self, instance):
        if self.hosts == 1:
            last = max(each.enter for each in instance)
            return [min(last - each.enter, each.took) for each in instance]
        least = min(each.took for each in instance)
        return [each.took - least for each in instance]

    def expected(self):
        """Rows, and the straggler; None if it is too near a threshold."""
        all_of = self.compared()
        steps = {}
        for instance in all_of:
            waits = self.waits_of(instance)
            of = steps.setdefault(instance[0].step, ([0] * self.size, []))
            of[1].append(instance)
            for n, each in enumerate(waits):
                of[0][n] += each
        last, late, causes = [0] * self.size, [0] * self.size, [[] for _ in self.ranks]
        for waits, instances in steps.values():
            first = waits.index(min(waits))
            others = sorted(each for n, each in enumerate(waits) if n != first)
            last[first] += 1
            late[first] += others[len(others) // 2] - waits[first]
            causes[first] += instances
        rows = [self.row(rank, last[rank.number]) for rank in self.ranks]
        return rows, len(steps), self.straggler(len(steps), last, late, causes)

    def split(self, place, rank):
        """Of a rank's time at a place: the whole, what is waiting, and the instances compared."""
        there = [each for each in self.ranks if each.all_spans(place)]
        have = [{each.number: each for each in one.kept if each.place == place} for one in there]
        numbers = set.intersection(*(set(each) for each in have)) if len(there) > 1 else set()
        if not numbers or rank not in there:
            return 0, 0, 0
        transfer, of = 0, there.index(rank)
        for number in numbers:
            instance = [each[number] for each in have]
            if len({each.host for each in there}) == 1:
                last = max(each.enter for each in instance)
                wait = min(last - instance[of].enter, instance[of].took)
            else:
                wait = instance[of].took - min(each.took for each in instance)
            transfer += instance[of].took - wait
        whole, calls = rank.total(place), len(rank.all_spans(place))
        return whole, max(0, whole - transfer / len(numbers) * calls), len(numbers)

    def row(self, rank, last):
        collective = sum(rank.total(place) for place in self.places)
        elapsed = sum(rank.all_steps())
        other = rank.total("pop")
        calls = sum(len(rank.all_spans(place)) for place in self.places)
        parts = [self.split(place, rank) for place in self.places]
        compared = sum(each[2] for each in parts)
        is_split = compared and sum(each[0] for each in parts) >= 0.95 * collective
        wait = sum(each[1] for each in parts) if is_split else None
        return {"steps": len(rank.all_steps()), "own": elapsed - collective - other,
                "elapsed": elapsed, "wait": None if wait is None else wait + other,
                "transfer": None if wait is None else collective - wait, "last": last,
                "covered": 100 * compared / calls, "host": rank.host}

    def straggler(self, steps, last, late, causes):
        if steps < FEWEST:
            return {"kind": "unknown"}
        mean = sum(sum(rank.all_steps()) / len(rank.all_steps()) for rank in self.ranks) / self.size
        lost = sum(late) / (mean * steps)
        if near(lost, LOST):
            return None
        if lost < LOST:
            return {"kind": "none"}
        most = late.index(max(late))
        share = late[most] / sum(late)
        limit = OF_TWO if self.size == 2 else PERSISTENT
        if near(share, limit):
            return None
        kind = "persistent" if share >= limit else "rotating"
        told = {"kind": kind}
        if kind == "persistent":
            told.update(rank=most, share=100 * last[most] / steps)
        chosen = [(n, each) for n in range(self.size) for each in causes[n]
                  if kind == "rotating" or n == most]
        phase, part = self.cause(chosen, late[most] if kind == "persistent" else sum(late))
        if phase is not None and near(part, EXPLAINED):
            return None
        if phase is not None and part >= EXPLAINED:
            told.update(phase=phase, explained=100 * min(1, part))
        return told

    def cause(self, chosen, lateness):
        whole, phases = 0, {}
        for n, instance in chosen:
            whole += excess([each.work for each in instance], n)
            for phase in instance[n].phases:
                times = []
                for each in instance:
                    rest = min(each.phases.values()) if len(each.phases) == MOST_PHASES else 0
                    times.append(each.phases.get(phase, rest))
                phases[phase] = phases.get(phase, 0) + excess(times, n)
        if not phases or whole <= 0:
            return None, 0
        phase = max(phases, key=lambda each: phases[each])
        return phase, phases[phase] / max(whole, lateness)


def same(seen, wanted, what, tolerance=2e-6):
    if wanted is None or seen == "":
        if seen == "" and wanted is None:
            return
        sys.exit(f"{what}: {seen!r}, not {wanted!r}")
    if abs(float(seen) - wanted) > tolerance + 1e-6 * abs(wanted):
        sys.exit(f"{what}: {seen}, not {wanted}")


def check(seed, work):
    """Returns whether the straggler could be compared."""
    made = Made(seed)
    seen, facts = reported(made, seed, work)
    rows, steps, told = made.expected()
    if len(seen) != len(rows):
        sys.exit(f"seed {seed}: {len(seen)} rows, not {len(rows)}")
    for n, (row, wanted) in enumerate(zip(seen, rows)):
        what = f"seed {seed}, rank {n}, "
        if (row["stage"], row["rank"], row["host"]) != ("fit", str(n), wanted["host"]):
            sys.exit(f"{what}{row}")
        same(row["steps"], wanted["steps"], what + "steps")
        same(row["step_mean_s"], wanted["elapsed"] / wanted["steps"] / 1e6, what + "step_mean_s")
        same(row["own_s"], wanted["own"] / 1e6, what + "own_s")
        for key in ("wait", "transfer"):
            same(row[key + "_s"], None if wanted[key] is None else wanted[key] / 1e6, what + key)
        same(row["covered_percent"], wanted["covered"], what + "covered_percent")
        if wanted["wait"] is not None:
            same(row["last_count"], wanted["last"], what + "last_count")
            same(row["last_percent"], 100 * wanted["last"] / steps, what + "last_percent")
            whole = sum(float(row[key]) for key in ("own_s", "wait_s", "transfer_s"))
            same(whole, wanted["elapsed"] / 1e6, what + "own + wait + transfer")
    efficiency(seed, rows, facts.get("efficiency"))
    if told is None:
        return False
    late = facts.get("straggler")
    if told["kind"] == "unknown":
        if late is not None:
            sys.exit(f"seed {seed}: a straggler of too few steps: {late}")
        return True
    if late is None or late["kind"] != told["kind"] or late["rank"] != told.get("rank") or \
            late["phase"] != told.get("phase"):
        sys.exit(f"seed {seed}: straggler {late}, not {told}")
    for key, mine in (("share_percent", "share"), ("explained_percent", "explained")):
        if (late[key] is None) != (mine not in told):
            sys.exit(f"seed {seed}: straggler {late}, not {told}")
        if mine in told:
            same(late[key], told[mine], f"seed {seed}, {key}", 1e-3)
    return True


def efficiency(seed, rows, seen):
    own = [row["own"] for row in rows]
    elapsed, ranks = max(row["elapsed"] for row in rows), len(rows)
    hosts = {}
    for row in rows:
        hosts[row["host"]] = hosts.get(row["host"], 0) + row["own"]
    wanted = {"parallel": sum(own) / (ranks * elapsed),
              "load_balance": sum(own) / (ranks * max(own)),
              "communication": max(own) / elapsed,
              "load_balance_within": len(hosts) * max(hosts.values()) / (ranks * max(own)),
              "load_balance_between": sum(own) / (len(hosts) * max(hosts.values()))}
    if all(row["transfer"] is not None for row in rows):
        moved = min(row["transfer"] for row in rows)
        wanted["transfer"] = (elapsed - moved) / elapsed
        wanted["serialisation"] = max(own) / (elapsed - moved)
    for key, value in wanted.items():
        same(seen[key], value, f"seed {seed}, efficiency {key}")


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)
    seeds = [int(each) for each in sys.argv[2:]]
    told = sum(check(seed, work) for seed in seeds)
    print(f"{len(seeds)} runs are as made; the stragglers of {len(seeds) - told} are too near a "
          "threshold")


main()
