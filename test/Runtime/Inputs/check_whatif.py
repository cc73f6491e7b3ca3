"""Runs pipelines.c under LOOPSCOPE=whatif and compares the verdicts with the truth.

    check_whatif.py PROGRAM STEPS RUNS [NAME...]

Prints a line for each pipeline and run: its phases with slope, interval and verdict,
what is wrong with them, and the run's duration. The last line is "right in N of M,
unknown in K; P phases right". A run is right if each phase has its true verdict, and
unknown if all differing verdicts are "unknown". Exits 1 if more than one run in fifteen
is wrong, or no phase at all has its true verdict.
"""
import csv
import io
import os
import subprocess
import sys
import time


def experiment(program, name, steps):
    profile = f"{program}.{name}.loopscope"
    if os.path.exists(profile):
        os.remove(profile)
    start = time.monotonic()
    subprocess.run([program, name, steps], check=True, env={
        **os.environ, "LOOPSCOPE": f"whatif,whatif-percent=25,report=none,output={profile}"})
    took = time.monotonic() - start
    report = subprocess.run(["loopscope", "report", "--view", "whatif", "--format", "csv", profile],
                            capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(report.stdout))), took, report.stderr


def main():
    program, steps, runs, *names = sys.argv[1:]
    if not names:
        names = subprocess.run([program, "list"], capture_output=True, text=True).stdout.split()
    right = unknown = tried = phases = 0
    for name in names:
        text = subprocess.run([program, name, "0"], capture_output=True, text=True).stdout
        truth = dict(line.split() for line in text.splitlines())
        for run in range(int(runs)):
            rows, took, errors = experiment(program, name, steps)
            found = {row["phase"]: row for row in rows}
            wrong = [f"{phase} is {truth[phase]}" for phase in truth
                     if found.get(phase, {}).get("verdict") != truth[phase]]
            wrong += [f"{phase} is none" for phase in found if phase not in truth]
            shown = ", ".join(
                "{phase} {slope:.4} ({slope_low:.4} to {slope_high:.4}) {verdict}".format(**row)
                for row in rows) or errors.strip()
            print(f"{name} {run + 1}: {shown}; {'; '.join(wrong) or 'right'}; {took:.0f} s",
                  flush=True)
            right += not wrong
            unknown += bool(wrong) and all(
                found.get(phase, {}).get("verdict") in (truth.get(phase), "unknown")
                for phase in {*truth, *found})
            phases += sum(found.get(phase, {}).get("verdict") == truth[phase] for phase in truth)
            tried += 1
    print(f"right in {right} of {tried}, unknown in {unknown}; {phases} phases right")
    return (tried - right - unknown) * 15 > tried or phases == 0


sys.exit(main())
