"""Compares the merged timelines of random runs on several hosts with their true times.

usage: clocks-reference.py WORKDIR NOISE SEED...

Invents a run of several ranks for each seed, on hosts whose clocks differ by seconds or
hours and drift by up to 100 us per second. Each step has a phase and an all-reduce,
which all ranks leave within NOISE nanoseconds. The merged timeline and the Chrome export
of all ranks must show each phase of each rank at its true time, within 5 us plus the
noise, and must not stretch them, however much noise there is.
"""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys

NOISE = int(sys.argv[2])
LEAST_MOVING = 20_000  # from the last rank's arrival to the first one's exit
MOST_STRETCH = 0.0012  # the largest drift that a report believes, and the clocks' own


def made(seed):
    """Invents the ranks: (host, clock, events); times in ns."""
    r = random.Random(seed)
    hosts = r.choice((2, 3))
    clocks = [(r.randrange(10**9, 10**13), r.uniform(-1e-4, 1e-4)) for _ in range(hosts)]
    clocks[0] = (5 * 10**11, 0.0)
    size, steps = r.choice((hosts, hosts + 1, 2 * hosts)), r.choice((24, 40))
    ranks = [{"host": n % hosts, "begin": r.randrange(10**6), "phases": [], "exits": []}
             for n in range(size)]
    ranks[0]["begin"] = 0  # the timeline begins with rank 0's first step
    now = [each["begin"] + 1000 for each in ranks]
    for _ in range(steps):
        for n, rank in enumerate(ranks):
            took = r.randrange(10**6, 3 * 10**6)
            rank["phases"].append((now[n], took))
            now[n] += took
        moving, last = r.randrange(LEAST_MOVING, 200_000), max(now)
        for n, rank in enumerate(ranks):
            left = last + moving + r.randrange(NOISE)
            rank["exits"].append((now[n], left - now[n]))
            now[n] = left
    return clocks, ranks


def description(clocks, ranks, n):
    rank = ranks[n]
    offset, drift = clocks[rank["host"]]

    def clock(true):
        return round(offset + true * (1 + drift))

    def own(true):
        return clock(true) - clock(rank["begin"])

    def spans(events):
        lengths = ",".join(f"1x{own(a + b) - own(a)}ns" for a, b in events)
        places = ",".join(f"{own(a)}ns+{own(a + b) - own(a)}ns" for a, b in events)
        return f"spans={lengths} at={places}"

    steps = [(p[0], e[0] + e[1] - p[0]) for p, e in zip(rank["phases"], rank["exits"])]
    whole = [(steps[0][0], steps[-1][0] + steps[-1][1] - steps[0][0])]
    lines = [f"rank {n} of {len(ranks)}", f"host node{rank['host']}", "wall 100s",
             f"started 1700000000s {clock(rank['begin'])}ns", "thread main",
             f"  train line=3 {spans(whole)}", f"    step {spans(steps)}",
             f"      draw spans={','.join('1x0ns' for _ in steps)}",
             f"      batch {spans(steps)}",
             f"        phase forward line=7 {spans(rank['phases'])}",
             f"        collective reduce line=8 {spans(rank['exits'])}"]
    lines += [f"collective reduce at={own(a)}ns took={own(a + b) - own(a)}ns step={step}"
              for step, (a, b) in enumerate(rank["exits"])]
    return "\n".join(lines) + "\n"


def near_truth(what, starts, ranks, n, first):
    """Checks that each forward phase of rank n is in STARTS, ns since the first rank's
    start."""
    for true, _ in ranks[n]["phases"]:
        near = min(starts, key=lambda each: abs(each - (true - first)))
        if abs(near - (true - first)) > NOISE + 5_000:
            sys.exit(f"{what}, rank {n}: nothing starts at {true - first} ns but at {near}")
    return len(ranks[n]["phases"])


def exported(files, work):
    """The Chrome export of FILES, and the messages about its clocks."""
    out = os.path.join(work, "all.json")
    done = subprocess.run(["loopscope", "export", "--to", "chrome", *files, "-o", out],
                          check=True, capture_output=True, text=True)
    with open(out, encoding="utf-8") as file:
        return json.load(file), done.stdout


def check(seed, work):
    clocks, ranks = made(seed)
    files = []
    for n in range(len(ranks)):
        name = os.path.join(work, f"{seed}.{n}")
        with open(name, "w", encoding="utf-8") as out:
            out.write(description(clocks, ranks, n))
        files.append(name + ".loopscope")
        subprocess.run(["make-profile", name, files[-1]], check=True)
    report = ["loopscope", "report", *files, "--merge", "--view", "timeline", "--rows", "all"]
    seen = list(csv.DictReader(io.StringIO(subprocess.run(
        report + ["--format", "csv"], check=True, capture_output=True, text=True).stdout)))
    first = min(each["begin"] for each in ranks)
    compared = 0
    trace, said = exported(files, work)
    processes = {event["pid"]: event["args"]["name"] for event in trace["traceEvents"]
                 if event["name"] == "process_name"}
    if len(processes) != len(ranks) or any(
            not name.startswith(f"rank {pid // 1000 - 1}: ") for pid, name in processes.items()):
        sys.exit(f"seed {seed}: {processes}")
    for n in range(len(ranks)):
        # The timeline splits pieces at the borders of rank 0's steps.
        compared += near_truth(f"seed {seed}", [
            float(row["start_s"]) * 1e9 for row in seen
            if row["track"].startswith(f"rank {n} ") and row["phase"] == "forward"], ranks, n, first)
        begun = [event["ts"] * 1e3 for event in trace["traceEvents"]
                 if event["pid"] == 1000 * (n + 1) and event["name"] == "forward"]
        if len(begun) != len(ranks[n]["phases"]):
            sys.exit(f"seed {seed}, rank {n}: {len(begun)} forwards in the export")
        near_truth(f"seed {seed}, export", begun, ranks, n, first)
        long = ranks[n]["phases"][-1][0] - ranks[n]["phases"][0][0]
        if abs(max(begun) - min(begun) - long) > MOST_STRETCH * long + 2_000:
            sys.exit(f"seed {seed}, rank {n}: {long} ns become {max(begun) - min(begun)}")
    text = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    note = re.search(r"(\d+) clocks are aligned by (\d+) collectives: in 95% of them, ranks "
                     r"leave within ([\d.]+) (ns|µs|ms) of each other; in (\d+), one leaves",
                     " ".join(text.split()))
    if not note:
        sys.exit(f"seed {seed}: no word of the clocks: {text[-400:]}")
    spread = float(note[3]) * {"ns": 1, "µs": 1e3, "ms": 1e6}[note[4]]
    if int(note[1]) != len(clocks) or int(note[2]) != len(ranks[0]["exits"]) or \
            (int(note[5]) != 0 and NOISE < LEAST_MOVING) or spread > 2 * NOISE + 2_000:
        sys.exit(f"seed {seed}: {note[0]}")
    if note[0] not in " ".join(said.split()):
        sys.exit(f"seed {seed}: the export says {said}")
    return compared


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)
    compared = sum(check(int(seed), work) for seed in sys.argv[3:])
    print(f"{compared} phases of {len(sys.argv) - 3} runs are where they were")


main()
