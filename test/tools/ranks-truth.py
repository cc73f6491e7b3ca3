"""Runs a program as several ranks, and compares the ranks view with its own timers.

usage: ranks-truth.py [--with MPIRUN] PROGRAM WORKDIR RANKS STEPS LATE PHASE MS

PROGRAM is test/Runtime/Inputs/ranks.c or, started by MPIRUN, test/Mpi/Inputs/late.c,
with its arguments. How long each rank waited for the last one, how often it came last,
and which phase made it late is computed here from the ranks' own timers, so a busy
machine changes the truth as well. Only if a rank loses its processor between its own
reading and ours do the two disagree: such a run is repeated, up to TRIES runs in all.
Prints the view's statement about stragglers.
"""
import csv
import io
import json
import os
import shlex
import shutil
import subprocess
import sys

LOST, EXPLAINED = 0.10, 0.80
TRIES = 4
PHASES = ("load", "forward", "backward")


class Mismatch(Exception):
    """A figure of the view that differs from the ranks' own."""


def fail(what):
    sys.exit(f"ranks-truth: {what}")


def differ(what):
    raise Mismatch(what)


def run_mpi(mpirun, program, work, ranks, rest):
    profiles = os.path.join(work, "profiles") + "/"
    environment = dict(os.environ, LOOPSCOPE=f"report=none,output={profiles}")
    log = os.path.join(work, "log")
    subprocess.run([*shlex.split(mpirun), "-n", str(ranks), program, log, *rest],
                   env=environment, check=True)
    return profiles, [f"{log}.{rank}" for rank in range(ranks)]


def run(program, work, ranks, rest):
    shared = os.path.join(work, "shared")
    with open(shared, "wb") as file:
        file.write(bytes(4096))
    profiles = os.path.join(work, "profiles") + "/"
    logs, running = [], []
    for rank in range(ranks):
        logs.append(os.path.join(work, f"log.{rank}"))
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(ranks),
                           LOOPSCOPE=f"report=none,output={profiles}")
        running.append(subprocess.Popen([program, shared, logs[-1], *rest], env=environment))
    for each in running:
        if each.wait(timeout=120) != 0:
            fail(f"{program} ended with {each.returncode}")
    return profiles, logs


def read(logs):
    steps = []
    for log in logs:
        with open(log, encoding="utf-8") as file:
            steps.append([[int(word) for word in line.split()] for line in file])
    return list(zip(*steps))


def median_of_others(values, of):
    others = sorted(value for n, value in enumerate(values) if n != of)
    return others[len(others) // 2]


def truth(steps, ranks):
    """The figures of the ranks' own timers."""
    wait, inside, last, late = [0] * ranks, [0] * ranks, [0] * ranks, [0] * ranks
    close = 0  # steps in which the timers can't tell who came last
    excess = {phase: [0] * ranks for phase in PHASES}
    whole = [0] * ranks
    for step in steps:
        enter = [each[0] for each in step]
        latest = max(enter)
        waits = [latest - each for each in enter]
        for n, each in enumerate(step):
            wait[n] += waits[n]
            inside[n] += each[1] - each[0]
        culprit = waits.index(0)
        close += sorted(waits)[1] < 60_000
        last[culprit] += 1
        late[culprit] += median_of_others(waits, culprit)
        for which, phase in enumerate(PHASES):
            times = [each[2 + which] for each in step]
            excess[phase][culprit] += times[culprit] - median_of_others(times, culprit)
        work = [sum(each[2:]) for each in step]
        whole[culprit] += work[culprit] - median_of_others(work, culprit)
    return wait, inside, last, late, close, excess, whole


def kind_of(steps, ranks, late):
    elapsed = steps[-1][0][1] - steps[0][0][1]
    lost = sum(late) / (elapsed * len(steps) / (len(steps) - 1))
    if abs(lost - LOST) < 0.1 * LOST:
        return None
    if lost < LOST:
        return "none"
    share = max(late) / sum(late)
    limit = 0.75 if ranks == 2 else 0.60
    if abs(share - limit) < 0.03:
        return None
    return "persistent" if share > limit else "rotating"


def compare(mpirun, program, work, ranks, rest):
    """One run, compared; returns the view's statement about stragglers."""
    os.makedirs(work)
    if mpirun:
        profiles, logs = run_mpi(mpirun, program, work, ranks, rest)
    else:
        profiles, logs = run(program, work, ranks, rest)
    steps = read(logs)
    report = ["loopscope", "report", profiles, "--view", "ranks", "--format"]
    rows = list(csv.DictReader(io.StringIO(subprocess.run(
        report + ["csv"], check=True, capture_output=True, text=True).stdout)))
    facts = json.loads(subprocess.run(report + ["json"], check=True, capture_output=True,
                                      text=True).stdout)["sections"][0]["run"]
    wait, inside, last, late, close, excess, whole = truth(steps, ranks)
    for n, row in enumerate(rows):
        if int(row["rank"]) != n or int(row["steps"]) != len(steps):
            differ(f"row {n}: {row}")
        for key, mine in (("wait_s", wait[n]), ("transfer_s", inside[n] - wait[n])):
            if abs(float(row[key]) * 1e9 - mine) > 0.05 * inside[n] + 150_000 * len(steps):
                differ(f"rank {n}: {key} {row[key]}, not {mine / 1e9}")
        if abs(int(row["last_count"]) - last[n]) > close:
            differ(f"rank {n}: came last {row['last_count']} times, not {last[n]} +- {close}")
        if float(row["covered_percent"]) != 100:
            differ(f"rank {n}: covers {row['covered_percent']} %")
    if "straggler" not in facts:
        differ("it isn't known whether a rank is late")
    seen, kind = facts["straggler"], kind_of(steps, ranks, late)
    if kind not in (None, seen["kind"]):
        differ(f"kind {seen['kind']}, not {kind}")
    if kind == "persistent":
        most = late.index(max(late))
        if seen["rank"] != most:
            differ(f"rank {seen['rank']}, not {most}")
        phase = max(PHASES, key=lambda each: excess[each][most])
        part = excess[phase][most] / max(whole[most], late[most])
        if part > EXPLAINED + 0.05 and seen["phase"] != phase:
            differ(f"phase {seen['phase']}, not {phase}, which explains {part:.2f}")
    return f"{seen['kind']}, rank {seen['rank']}: {seen['phase']}"


def main():
    words = sys.argv[1:]
    mpirun = words[1] if words[0] == "--with" else None
    program, work, ranks, *rest = words[2:] if mpirun else words
    differences = []
    while len(differences) < TRIES:
        try:
            shutil.rmtree(work, ignore_errors=True)
            print(compare(mpirun, program, work, int(ranks), rest))
            return
        except Mismatch as difference:
            differences.append(str(difference))
    fail("; ".join(differences))


main()
