"""Compares the communication view of random runs with the known truth.

usage: communication-reference.py WORKDIR SEED...

Invents a run of several ranks for each seed: MPI collectives on communicators of all
and of some ranks, annotated ones in two places with one name, and broadcasts, which
can't be split, on one host or several, in one stage or two. Some ranks have lost the
oldest instances of their ring; in some places ranks move different amounts; some runs
lack a rank. Each rank's waiting time is computed here from the instances, one by one.
Times are whole microseconds.
"""
import csv
import io
import os
import random
import subprocess
import sys

FACTORS = {"MPI_Allreduce": lambda n: 2 * (n - 1) / n, "MPI_Allgather": lambda n: n - 1,
           "MPI_Alltoall": lambda n: (n - 1) / n, "reduce-scatter": lambda n: (n - 1) / n}


class Place:
    """A function on a communicator, or an annotation, and each rank's calls there:
    (number, enter, took, bytes), and how many of them are still recorded."""

    def __init__(self, r, made, stage, name, communicator, ranks, split):
        self.stage, self.name, self.communicator, self.ranks = stage, name, communicator, ranks
        self.split = split
        sizes = [r.choice((0, 8, 4096, 1000000))] * made.size
        self.unequal = split and r.random() < 0.15
        if self.unequal:
            sizes = [sizes[0] + 16 * rank + 1 for rank in range(made.size)]
        self.calls = {rank: [] for rank in ranks}
        for number in range(r.randrange(1, 25)):
            enters = {rank: made.now[rank] + r.randrange(1, 3000) for rank in ranks}
            last, moving = max(enters.values()), r.randrange(1, 500)
            for rank in ranks:
                took = last - enters[rank] + moving
                self.calls[rank].append((number, enters[rank], took, sizes[rank]))
                made.now[rank] = enters[rank] + took
        self.kept = {rank: calls[r.randrange(len(calls)) if r.random() < 0.2 else 0:]
                     for rank, calls in self.calls.items()}

    def key(self):
        return self.stage, self.name, self.communicator


class Made:
    """An invented run."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.size = r.choice((2, 3, 4, 6))
        hosts = r.choice((1, 1, 2))
        self.host = [f"node{rank % hosts}" for rank in range(self.size)]
        self.one_clock = hosts == 1
        self.missing = r.random() < 0.1
        self.now = [0] * self.size
        everyone = list(range(self.size))
        some = sorted(r.sample(everyone, r.randrange(1, self.size + 1)))
        self.places = []
        for stage in ("fit", "validate")[:r.choice((1, 2))]:
            for name in r.sample(("MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall"), 2):
                self.places.append(Place(r, self, stage, name, "MPI_COMM_WORLD", everyone, True))
            self.places.append(Place(r, self, stage, "MPI_Allreduce", "halves", some, True))
            self.places.append(Place(r, self, stage, "MPI_Bcast", "halves", some, False))
            self.places.append(Place(r, self, stage, "MPI_Wait", "", everyone, False))
            for line in (7, 9):
                self.places.append(Place(r, self, stage, "reduce-scatter", f"train.cpp:{line}",
                                         everyone, True))

    def description(self, rank):
        lines = [f"rank {rank} of {self.size}", f"host {self.host[rank]}",
                 f"wall {max(self.now) + 10}us", "started 1000s 500s", "thread main"]
        records, count = [], {}
        for stage in ("fit", "validate"):
            places = [each for each in self.places if each.stage == stage and rank in each.ranks]
            if not places:
                continue
            total = sum(call[2] for each in places for call in each.calls[rank])
            lines.append(f"  {stage} spans=1x{total}us")
            for each in places:
                file, line = each.communicator, 0
                if ":" in file:
                    file, line = "src/" + file.split(":")[0], file.split(":")[1]
                kind = "collective" if each.split else "wait"
                calls = each.calls[rank]
                lines.append(f"    {kind} {each.name} file={file} line={line} spans="
                             + ",".join(f"1x{call[2]}us" for call in calls)
                             + f" bytes={sum(call[3] for call in calls)}")
                count[each.name] = count.get(each.name, 0) + 1
                mark = "" if count[each.name] == 1 else f"#{count[each.name]}"
                if each.split:
                    records += [f"collective {each.name}{mark} at={enter}us took={took}us "
                                f"number={number} bytes={size}"
                                for number, enter, took, size in each.kept[rank]]
        return "\n".join(lines + records) + "\n"

    def present(self):
        return range(self.size - (1 if self.missing else 0))

    def expected(self):
        rows = {}
        for place in self.places:
            ranks = [rank for rank in place.ranks if rank in self.present()]
            if not ranks:
                continue
            calls = [call for rank in ranks for call in place.calls[rank]]
            whole = sum(call[2] for call in calls)
            row = {"ranks": len(ranks), "calls": len(calls), "total": whole,
                   "bytes": sum(call[3] for call in calls) or None,
                   "transfer": None, "wait": None, "bus": None}
            if place.split and not self.missing and len(ranks) > 1:
                self.split(place, ranks, row)
            rows[place.key()] = row
        return rows

    def split(self, place, ranks, row):
        have = [{call[0]: call for call in place.kept[rank]} for rank in ranks]
        numbers = set.intersection(*(set(each) for each in have))
        clock = self.one_clock or len({self.host[rank] for rank in ranks}) == 1
        if not numbers or (place.unequal and not clock):
            return
        waits, moved, carried = [0] * len(ranks), 0, 0
        times = [sum(each[number][2] for number in numbers) for each in have]
        for number in numbers:
            instance = [each[number] for each in have]
            last, least = max(each[1] for each in instance), min(each[2] for each in instance)
            for n, (_, enter, took, size) in enumerate(instance):
                wait = last - enter if clock else took - least
                waits[n] += wait
                if size and place.name in FACTORS:
                    moved += took - wait
                    carried += FACTORS[place.name](len(ranks)) * size
        # What isn't compared is taken to have the same transfer.
        row["wait"] = 0
        for rank, wait, time in zip(ranks, waits, times):
            transfer = (time - wait) / len(numbers) * len(place.calls[rank])
            row["wait"] += max(0, sum(call[2] for call in place.calls[rank]) - transfer)
        row["transfer"] = row["total"] - row["wait"]
        row["bus"] = carried / moved * 1e6 if moved else None


def same(seen, wanted, what):
    if (seen == "") != (wanted is None):
        sys.exit(f"{what}: {seen!r}, not {wanted!r}")
    if wanted is not None and abs(float(seen) - wanted) > 2e-9 + 1e-6 * abs(wanted):
        sys.exit(f"{what}: {seen}, not {wanted}")


def check(seed, work):
    """Returns the number of rows compared."""
    made = Made(seed)
    files = []
    for rank in made.present():
        name = os.path.join(work, f"{seed}.{rank}")
        with open(name, "w", encoding="utf-8") as out:
            out.write(made.description(rank))
        files.append(name + ".loopscope")
        subprocess.run(["make-profile", name, files[-1]], check=True)
    seen = list(csv.DictReader(io.StringIO(subprocess.run(
        ["loopscope", "report", *files, "--view", "communication", "--format", "csv"],
        check=True, capture_output=True, text=True).stdout)))
    rows = made.expected()
    keys = [(row["stage"], row["operation"], row["communicator"]) for row in seen]
    if sorted(keys) != sorted(rows):
        sys.exit(f"seed {seed}: rows {sorted(keys)}, not {sorted(rows)}")
    for key, row in zip(keys, seen):
        wanted, what = rows[key], f"seed {seed}, {key}, "
        same(row["ranks"], wanted["ranks"], what + "ranks")
        same(row["calls"], wanted["calls"], what + "calls")
        same(row["bytes"], wanted["bytes"], what + "bytes")
        mean = wanted["bytes"] and wanted["bytes"] / wanted["calls"]
        same(row["mean_bytes"], mean, what + "mean_bytes")
        same(row["mean_s"], wanted["total"] / wanted["calls"] / 1e6, what + "mean_s")
        for mine in ("transfer", "wait"):
            same(row[mine + "_s"], None if wanted[mine] is None else wanted[mine] / 1e6,
                 what + mine)
        same(row["bus_bytes_per_s"], wanted["bus"], what + "bus")
    return len(rows)


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)
    compared = sum(check(int(seed), work) for seed in sys.argv[2:])
    print(f"{compared} rows of {len(sys.argv) - 2} runs are as made")


main()
