"""Compares the verdict on random mixes of sleeping, computing and page faults with the
program's own measurements.

usage: verdict-mixes.py PROGRAM SEED...

PROGRAM is test/Verdict/Inputs/mix.c. A mix counts if, by the program's own clocks, one
use took a quarter more time than any other, and one phase a quarter more of it than any
other, and if the machine gave it a processor and handled faults within the time that
the report assumes (lib/Analysis/Thresholds.h). Phases that touch memory do nothing else
on the processor, because all processor time of a phase has one class. Prints the failed
seeds and a summary; a fifth of the mixes must be clear. On a busy machine the time without
a CPU may cost too much to read; then the verdict may say that it doesn't know, for a tenth of
the mixes.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys

NAMES = {10: "forward", 11: "backward", 12: "update", 13: "save"}
CLASSES = {"s": "blocked", "c": "compute-bound", "f": "fault-bound"}
MARGIN = 1.25
DEAREST_FAULT_S = 2.7e-6  # LongestFaultNs, minus the time for the memory access itself


def go_first():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def mix(seed):
    chance = random.Random(seed)
    parts = []
    for phase in chance.sample(sorted(NAMES), chance.randint(1, 4)):
        for what in chance.choice(("s", "c", "f", "sc", "sf")):
            parts.append(f"{phase}:{what}:{chance.choice((1, 2, 4, 8)) * chance.uniform(0.8, 1.2):.2f}")
    return parts


def most(times):
    """The largest key, and whether it clearly exceeds the next."""
    order = times.most_common(2)
    return order[0][0], len(order) < 2 or order[0][1] >= MARGIN * order[1][1]


def main(program, seeds):
    compared, failed, held_up, dear, unknown = collections.Counter(), 0, 0, 0, 0
    for seed in seeds:
        profile = f"{program}.{seed}.loopscope"
        if os.path.exists(profile):
            os.remove(profile)
        own = subprocess.run(
            [program, *mix(seed)], check=True, capture_output=True, text=True, preexec_fn=go_first,
            env=os.environ | {"LOOPSCOPE": f"report=none,output={profile}"}).stdout
        parts = [(int(phase), what, float(took)) for phase, what, took in
                 re.findall(r"part (\d+) (\w) ([0-9.]+)", own)]
        uses = collections.Counter()
        for _, what, took in parts:
            uses[what] += took
        use, clear = most(uses)
        phases = collections.Counter()
        for phase, what, took in parts:
            if what == use:
                phases[NAMES[phase]] += took
        phase, phase_clear = most(phases)
        lacked = float(re.search(r"starved ([0-9.]+)", own).group(1))
        if not clear or not phase_clear:
            continue
        if lacked > 0.05 * uses.total():
            held_up += 1
            continue
        if uses["f"] > DEAREST_FAULT_S * int(re.search(r"faults (\d+)", own).group(1)):
            dear += 1
            continue
        text = subprocess.run(["loopscope", "report", profile, "--format", "json"], check=True,
                              capture_output=True, text=True).stdout
        facts = json.loads(text)["sections"][0]["run"]
        if facts["verdict_class"] == "unknown" and "the rest is unexplained" in facts["verdict"]:
            unknown += 1
            continue
        compared[CLASSES[use]] += 1
        if (facts["verdict_class"], facts["verdict_phase"]) != (CLASSES[use], phase):
            failed += 1
            print(f"seed {seed}: is {CLASSES[use]}: {phase} of {dict(uses)}; {facts['verdict']}")
    print(f"{compared.total()} of {len(seeds)} mixes compared: "
          + ", ".join(f"{count} {name}" for name, count in sorted(compared.items()))
          + f"; {failed} wrong, {held_up} without a CPU for too long, "
            f"{dear} with faults that took too long, {unknown} not known")
    return failed != 0 or unknown > len(seeds) // 10 or compared.total() + held_up + dear < len(seeds) // 5


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
