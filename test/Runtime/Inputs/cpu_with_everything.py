"""Runs the program of cpu-with-everything.c with cpu=on and each other option, in each of its ways.

Every pair works: the profiles are there, nothing is said on stderr, and the figures are the
program's truth.
"""
import csv
import glob
import os
import subprocess
import sys

STEPS, MS = 8, 4
# Words, and how many of the steps are in the figures.
WORDS = {
    "simple": STEPS, "advanced": STEPS, "trace": STEPS, "trace,cap=1M": STEPS,
    "window=2:1:3:1": 4, "warmup=0": STEPS, "warmup=2": STEPS, "warmup=1/epoch": STEPS,
    "trace,window=2:1:3:1": 4, "log=steps.log": STEPS, "progress": STEPS, "nvtx=on": STEPS,
    "nvtx=read": STEPS, "devices=off": STEPS, "devices=10": STEPS, "gpu=off": STEPS,
    "gpu=auto": STEPS,
}
# How the program runs, and how many profiles that makes.
WAYS = {"": 1, "fork": 2, "dlopen": 1}


def rows_of(profile, view):
    text = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", profile],
                          capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(text.splitlines()))


def check(profile, way, steps):
    bad = []
    rows = {row["action"]: row for row in rows_of(profile, "simple")}
    # Name, least and most milliseconds on the processor, least off it.
    truth = [("sleep", 0, MS * steps / 2, MS * steps), ("spin", MS * steps, MS * steps * 1.5 + 5, 0)]
    if way == "dlopen":
        truth.append(("library", 2 * steps, 2 * steps * 1.5 + 5, 0))
    for name, least, most, off in truth:
        row = rows.get(name)
        if row is None or not row.get("cpu_s"):
            bad.append(f"{name}: no figures")
            continue
        cpu, got_off = float(row["cpu_s"]) * 1e3, float(row["off_cpu_s"]) * 1e3
        # A sleeping thread may be on the processor for a little of its time.
        if not least <= cpu <= most or got_off < off * 0.9:
            bad.append(f"{name}: {cpu} ms on the processor, {got_off} ms off it")
    step = [row for row in rows_of(profile, "tree") if row["kind"] == "step" and row["cpu_s"]]
    if sum(float(row["cpu_s"]) for row in step) * 1e3 < MS * steps:
        bad.append(f"steps: {[row['cpu_s'] for row in step]}")
    return bad


def main():
    bad = []
    for words, steps in WORDS.items():
        for way, profiles in WAYS.items():
            for old in glob.glob("program*.loopscope") + glob.glob("steps*.log"):
                os.remove(old)
            environment = dict(os.environ, LOOPSCOPE=f"cpu=on,report=none,{words}")
            done = subprocess.run([sys.argv[1]] + [way] * bool(way), env=environment,
                                  capture_output=True, text=True, check=False)
            pair = f"cpu=on,{words} {way}"
            made = glob.glob("program*.loopscope")
            if done.returncode or done.stderr or len(made) != profiles:
                bad.append(f"{pair}: {done.returncode}, {made}, {done.stderr}")
            for profile in made:
                bad += [f"{pair}: {each}" for each in check(profile, way, steps)]
                watched = subprocess.run(["loopscope", "watch", profile], capture_output=True,
                                         text=True, check=True).stdout
                if "  on the processor " not in watched:
                    bad.append(f"{pair}: watch: {watched}")
    print("\n".join(bad) or f"{len(WORDS) * len(WAYS)} pairs")
    return len(bad) != 0


sys.exit(main())
