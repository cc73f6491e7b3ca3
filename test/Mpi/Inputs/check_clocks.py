"""Compares the merged timeline of a run of clocks.c on two hosts with the phases' true times.

usage: check_clocks.py PROFILES TRUE_DIR RANKS

Prints whether the report aligns the two clocks and shows each phase at its true time,
within the uncertainty that the report states for ranks' exits.
"""
import csv
import io
import re
import subprocess
import sys

READING_NS = 20_000  # between the program's clock reading and the phase's
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def report(profiles, *words):
    return subprocess.run(["loopscope", "report", profiles, "--merge", "--view", "timeline",
                           "--rows", "all", *words], check=True, capture_output=True,
                          text=True).stdout


def starts_of(rows, rank):
    return sorted(float(row["start_s"]) * 1e9 for row in rows
                  if row["track"].startswith(f"rank {rank} ") and row["phase"] == "forward")


def main():
    profiles, directory, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rows = list(csv.DictReader(io.StringIO(report(profiles, "--format", "csv"))))
    note = re.search(r"2 clocks are aligned by (\d+) collectives: in 95 % of them, ranks "
                     r"leave within ([\d.]+)(ns|µs|ms|s) of each other",
                     " ".join(report(profiles).split()))
    if not note:
        sys.exit("no word of two clocks")
    spread = float(note[2]) * UNITS[note[3]]
    true = [[int(line) for line in open(f"{directory}/true.{rank}", encoding="utf-8")]
            for rank in range(ranks)]
    zero = true[0][0] - starts_of(rows, 0)[0]
    worst, late = 0, 0
    for rank in range(ranks):
        starts = starts_of(rows, rank)
        for each in true[rank]:
            off = min(abs(start + zero - each) for start in starts)
            worst = max(worst, off)
            late += off > spread + READING_NS
    # The thread may lose its processor between the program's reading and the phase's.
    if late * 20 > sum(map(len, true)):
        sys.exit(f"{late} phases are further off than {spread} ns, up to {worst} ns")
    print("two clocks; phases are where they were")
    print(f"worst {worst} ns, said {spread} ns", file=sys.stderr)


main()
