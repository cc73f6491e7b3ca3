"""Compares the exported timeline of a run of clocks.c on two hosts with the phases' true times.

usage: check_clocks.py PROFILES TRUE_DIR RANKS

Prints whether the report aligns the two clocks and shows each phase at its true time:
on rank 0's host exactly, and on the other one within the time that the report states for
ranks' exits, in 95% of the phases. The program knows between which two moments a phase
began, however long it was without a processor there.
"""
import json
import re
import subprocess
import sys

CLOCK_NS = 50_000  # the kernel may change the speed of a clock during the run
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
NOTE = re.compile(r"2 clocks are aligned by (\d+) collectives: in 95% of them, ranks "
                  r"leave within ([\d.]+) ?(ns|µs|ms|s) of each other; in \d+, one leaves "
                  r"before the last arrives\.")


def loopscope(*words):
    return subprocess.run(["loopscope", *words], check=True, capture_output=True,
                          text=True).stdout


def aligned(profiles):
    """(the starts of all ranks' phases in the export, the note below it)"""
    said = loopscope("export", "--to", "chrome", profiles, "-o", "clocks.json")
    with open("clocks.json", encoding="utf-8") as file:
        events = [each for each in json.load(file)["traceEvents"] if each["name"] == "forward"]
    starts = {}
    for each in events:
        starts.setdefault(each["pid"] // 1000 - 1, []).append(each["ts"] * 1e3)
    note = NOTE.search(" ".join(said.split()))
    view = loopscope("report", profiles, "--merge", "--view", "timeline")
    if not note or not NOTE.search(" ".join(view.split())):
        sys.exit(f"no word of two clocks in the export ({said.strip()}) or the view: {view[-400:]}")
    return starts, note


def outside(start, true):
    """How far START is from the two moments TRUE."""
    return max(true[0] - start, start - true[1], 0)


def main():
    profiles, directory, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
    starts, note = aligned(profiles)
    stated = float(note[2]) * UNITS[note[3]]
    true = []
    for rank in range(ranks):
        with open(f"{directory}/true.{rank}", encoding="utf-8") as file:
            true.append([[int(word) for word in line.split()] for line in file])
        if len(true[rank]) != len(starts[rank]):
            sys.exit(f"rank {rank} has {len(true[rank])} phases, {len(starts[rank])} are shown")
    # Where the export's zero is, by rank 0's phases.
    zero = max(moments[0] - start for start, moments in zip(sorted(starts[0]), true[0]))
    off = [[outside(start + zero, moments) for start, moments in zip(sorted(starts[rank]), true[rank])]
           for rank in range(ranks)]
    here, there = sum(off[:ranks // 2], []), sum(off[ranks // 2:], [])
    print(f"off by up to {max(here)} and {max(there)} ns, said {stated} ns", file=sys.stderr)
    if max(here) > CLOCK_NS:
        sys.exit(f"phases on rank 0's host are up to {max(here)} ns off")
    late = sum(each > stated + CLOCK_NS for each in there)
    if late * 20 > len(there):
        sys.exit(f"{late} of {len(there)} phases are further off than {stated} ns, up to "
                 f"{max(there)} ns")
    print("two clocks; phases are where they were")


main()
