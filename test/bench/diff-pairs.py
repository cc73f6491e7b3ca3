"""Measures how often `loopscope diff` errs: on pairs of a program with itself, and with
one whose phase `forward` is slower.

usage: diff-pairs.py BUILD [--comparisons 30] [--runs 10] [--steps 20] [--slower 5]
                     [--work sleep|compute] [--realtime] [--checked]

Each comparison is `loopscope diff --runs N --fail-over 5 -- A -- B`. Prints a table:
comparisons of the program with itself in which an action was reported as slower or
faster, those that --fail-over made fail, and comparisons with the slower program in
which `forward` was reported as slower. --realtime gives the programs priority over
others if that is allowed. With --checked, exits 1 if so many were false alarms as a test
at the level of LEVEL has once in 10,000 times, or if fewer than two thirds of the slower
ones were found, which a busy machine may cause.
"""
import argparse
import contextlib
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LEVEL = 0.01  # at which `loopscope diff` tests all actions of a stage together


def build(folder, build_folder):
    program = os.path.join(folder, "diff-pairs")
    subprocess.run(["gcc", "-O2", "-I", SOURCE / "runtime/include", HERE / "diff-pairs.c", "-o", program,
                    os.path.join(build_folder, "lib/libloopscope.a"), "-lpthread", "-ldl"], check=True)
    return program


def most_alarms(comparisons):
    """More false alarms than these are no chance."""
    def more_than(count):
        return sum(math.comb(comparisons, each) * LEVEL ** each * (1 - LEVEL) ** (comparisons - each)
                   for each in range(count + 1, comparisons + 1))
    return next(count for count in range(comparisons + 1) if more_than(count) < 1e-4)


def compare(options, program, slower):
    """The exit code and the rows of one comparison."""
    sides = [[program, options.work, str(percent), str(options.steps)] for percent in (0, slower)]
    done = subprocess.run([os.path.join(options.build, "bin/loopscope"), "diff", "--runs", str(options.runs),
                           "--fail-over", "5", "--format", "json", "--", *sides[0], "--", *sides[1]],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.returncode, [row for table in json.loads(done.stdout)["sections"][0]["tables"]
                             for row in table["rows"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--comparisons", type=int, default=30)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--slower", type=float, default=5)
    parser.add_argument("--work", choices=("sleep", "compute"), default="sleep")
    parser.add_argument("--realtime", action="store_true")
    parser.add_argument("--checked", action="store_true")
    options = parser.parse_args()
    if options.realtime:
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    alarms = failures = found = 0
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, options.build)
        for _ in range(options.comparisons):
            code, rows = compare(options, program, 0)
            alarms += any(row.get("significant") == "yes" for row in rows)
            failures += code
            code, rows = compare(options, program, options.slower)
            forward = next(row for row in rows if row["action"] == "forward")
            found += forward["significant"] == "yes" and forward["change_percent"] > 0
            changes.append(forward["change_percent"])
    changes.sort()
    of = f"of {options.comparisons}"
    print(f"| {options.work}, {options.runs} runs a side, {options.steps} steps | |")
    print("|---|---|")
    print(f"| one program with itself: an action called slower or faster | {alarms} {of} |")
    print(f"| one program with itself: --fail-over 5 fails | {failures} {of} |")
    print(f"| forward {options.slower:g} % slower: found | {found} {of} |")
    print(f"| change of forward that was measured | {changes[0]:.1f} to {changes[-1]:.1f} %,"
          f" median {changes[len(changes) // 2]:.1f} % |")
    if options.checked and alarms > most_alarms(options.comparisons):
        sys.exit(f"more false alarms than {most_alarms(options.comparisons)}, which chance would make")
    if options.checked and found < options.comparisons * 2 / 3:
        sys.exit("fewer than two thirds found")


main()
