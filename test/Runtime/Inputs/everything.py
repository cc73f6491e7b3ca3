"""Runs everything-with-everything.c with each pair of options.

    everything.py PROGRAM

Checks that every pair works: the profiles exist, stderr is empty, and the figures are
true. Each of FEATURES is combined with each of WORDS: CPU times with every way in
which the program runs, the others with the ways in turn.
"""
import collections
import csv
import glob
import os
import subprocess
import sys

STEPS, MS, FLOP, OPERATORS = 8, 4, 1000, 3
# Words, and the number of steps in the figures.
WORDS = {
    "simple": STEPS, "advanced": STEPS, "trace": STEPS, "trace,cap=1M": STEPS,
    "window=2:1:3:1": 4, "warmup=0": STEPS, "warmup=2": STEPS, "warmup=1/epoch": STEPS,
    "trace,window=2:1:3:1": 4, "log=steps.log": STEPS, "progress": STEPS, "nvtx=on": STEPS,
    "nvtx=read": STEPS, "devices=off": STEPS, "devices=10": STEPS, "gpu=off": STEPS,
    "gpu=auto": STEPS, "cpu=on": STEPS, "cpu=off": STEPS, "stacks": STEPS, "operators=on": STEPS,
    "operators=top": STEPS, "shapes=on": STEPS, "whatif": STEPS, "whatif=spin": STEPS, "rank=1/2": STEPS,
    "peak=2T": STEPS, "functions=all": STEPS, "advanced,stacks,operators=top": STEPS,
    "trace,stacks,operators=on,cpu=on,peak=1G": STEPS,
}


def rows_of(profile, view):
    text = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", profile],
                          capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(text.splitlines()))


def read_own(text):
    """By process and phase, of each step: CPU time around the span and within it, time within it."""
    own = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in text.splitlines():
        process, name, *numbers = line.split()
        own[process][name].append([float(number) for number in numbers])
    return own


def check_cpu(profile, _way, steps, _words, own):
    bad = []
    rows = {row["action"]: row for row in rows_of(profile, "simple")}
    own = own[profile.split(".")[-2]]
    for name, readings in own.items():
        row = rows.get(name)
        if row is None or not row.get("cpu_s"):
            bad.append(f"{name}: no figures")
            continue
        # Which of the steps are in the figures isn't known here.
        least = sum(sorted(within for _, within, _ in readings)[:steps])
        most = sum(sorted(around for around, _, _ in readings)[-steps:])
        off = sum(sorted(wall - around for around, _, wall in readings)[:steps])
        cpu, got_off = float(row["cpu_s"]) * 1e3, float(row["off_cpu_s"]) * 1e3
        if not least - 1e-3 <= cpu <= most + 1e-3 or got_off < off - 1e-3:
            bad.append(f"{name}: {cpu} ms on the CPU, {got_off} ms off it; {least} to {most}, {off}")
    step = [row for row in rows_of(profile, "tree") if row["kind"] == "step" and row["cpu_s"]]
    if sum(float(row["cpu_s"]) for row in step) * 1e3 < MS * steps:
        bad.append(f"steps: {[row['cpu_s'] for row in step]}")
    watched = subprocess.run(["loopscope", "watch", profile], capture_output=True,
                             text=True, check=True).stdout
    if "  on the CPU " not in watched:
        bad.append(f"watch: {watched}")
    return bad


def check_stacks(profile, _way, _steps, _, own):
    # With a kernel whose timers follow its ticks, a sample comes every four milliseconds,
    # so a phase that computes for several of them has at least one; how many is random.
    found = sum(int(row["count"]) for row in rows_of(profile, "functions") if row["phase"] == "spin")
    most = sum(around for around, _, _ in own[profile.split(".")[-2]]["spin"]) + 50
    return [] if 1 <= found <= most else [f"spin has {found} samples, not 1 to {most}"]


def check_operators(profile, way, steps, words, _own):
    if "torch" not in way:
        return []
    rows = {row["name"]: row for row in rows_of(profile, "tree")}
    wanted = {"aten::mm": OPERATORS * steps}
    if "top" not in words:
        wanted["aten::dot"] = OPERATORS * steps
    got = {name: int(row["calls"]) for name, row in rows.items() if row["kind"] == "operator"}
    depth = got and int(rows["aten::mm"]["depth"]) - int(rows["spin"]["depth"])
    return [] if got == wanted and depth == 1 else [f"operators {got}, depth {depth}"]


def check_shapes(profile, way, steps, words, own):
    text = subprocess.run(["loopscope", "report", "--view", "operators", "--by", "shape", "--format",
                           "csv", profile], capture_output=True, text=True, check=True).stdout
    got = {row["name"]: (int(row["calls"]), row["input_shapes"], row["input_types"])
           for row in csv.DictReader(text.splitlines()) if row["name"].startswith("aten::")}
    names = ["aten::mm"] if "operators=top" in words else ["aten::mm", "aten::dot"]
    wanted = {name: (OPERATORS * steps, "[[4, 5], []]", "[float, Scalar]") for name in names}
    bad = [] if got == wanted else [f"inputs {got}"]
    return bad + check_operators(profile, way, steps, words, own)


def check_work(profile, _way, steps, _, _own):
    row = next(row for row in rows_of(profile, "tree") if row["name"] == "spin")
    said, rate = float(row["flop"]), float(row["flop_per_s"]) * float(row["inclusive_s"])
    good = said == FLOP * steps and abs(rate / said - 1) < 1e-9 and row["mfu_percent"]
    return [] if good else [f"spin: {row}"]


# The requested words; how the program runs, and the number of profiles; the checks;
# words with an equivalent meaning.
FEATURES = [
    ("cpu=on", {"": 1, "fork": 2, "dlopen": 1}, check_cpu, "cpu"),
    ("stacks=1000", {"": 1, "fork": 2, "dlopen": 1, "torch": 1}, check_stacks, "stacks"),
    ("operators=on", {"torch": 1, "fork torch": 2, "dlopen torch": 1}, check_operators, "operators"),
    ("operators=top", {"torch": 1, "fork torch": 2, "dlopen torch": 1}, check_operators, "operators"),
    ("shapes=on", {"torch": 1, "fork torch": 2, "dlopen torch": 1}, check_shapes, "shapes"),
    ("peak=1G", {"": 1, "fork": 2, "dlopen": 1, "torch": 1}, check_work, "peak"),
]


def pairs():
    for feature, ways, check, key in FEATURES:
        fitting = [words for words in WORDS if key + "=" not in words + "=" and f",{key}" not in words]
        for number, words in enumerate(fitting):
            chosen = list(ways) if key == "cpu" else [list(ways)[number % len(ways)]]
            for way in chosen:
                yield feature, words, way, ways[way], check


def main():
    bad, count = [], 0
    for feature, words, way, profiles, check in pairs():
        count += 1
        for old in glob.glob("program*.loopscope") + glob.glob("steps*.log"):
            os.remove(old)
        options = f"{feature},report=none,{words}"
        done = subprocess.run([sys.argv[1], *way.split()], capture_output=True, text=True,
                              env=dict(os.environ, LOOPSCOPE=options), check=False)
        pair = f"{options} {way}"
        made, own = glob.glob("program*.loopscope"), read_own(done.stdout)
        if done.returncode or done.stderr or len(made) != profiles:
            bad.append(f"{pair}: {done.returncode}, {made}, {done.stderr}")
        for profile in made:
            bad += [f"{pair}: {each}" for each in check(profile, way, WORDS[words], options, own)]
    print("\n".join(bad) or f"{count} pairs")
    return len(bad) != 0


sys.exit(main())
