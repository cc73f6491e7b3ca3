"""Compares the steps view of random profiles with the pieces of the timeline view.

usage: steps-reference.py WORKDIR SEED...

Makes a profile for each seed: stages, loops, nested loops and explicit draws of random
durations. The reference sums the pieces of each step's own thread from `--view timeline
--format csv`; the samples are known.
"""
import csv
import io
import os
import random
import subprocess
import sys

STAGES = ("fit", "validate", "test", "predict", "outside")


def us(number):
    return f"{number}us"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.now = 0  # microseconds
        self.loops = 0
        self.samples = {}  # per step, by loop; None if they differ

    def loop(self, stage, depth):
        """Lines of a loop that begins now, with its steps and their calls."""
        self.loops += 1
        line, start = self.loops, self.now
        name = f"{stage}_{line}"
        kind = self.random.choice(("train", "valid"))
        steps, draws, batches, phases, inner = [], [], [], [], []
        nested = depth == 0 and self.random.random() < 0.4
        count = self.random.randint(1, 6)
        for number in range(count):
            begin = self.now
            self.now += self.random.randint(1, 9000)
            draws.append((begin, self.now))
            batch = self.now
            for _ in range(self.random.randint(0, 3)):
                self.now += self.random.randint(1, 900)
                phase = self.now
                self.now += self.random.randint(1, 900)
                if self.random.random() < 0.5:
                    drawn = self.now
                    self.now += self.random.randint(1, 5000)
                    draws.append((drawn, self.now))
                self.now += self.random.randint(1, 900)
                phases.append((phase, self.now))
            if nested and number == 0:
                inner = self.loop(stage, depth + 1)
            self.now += self.random.randint(1, 20000)
            steps.append((begin, self.now))
            batches.append((batch, self.now))
        each = self.random.choice((None, 8, 100))
        self.samples[f"{kind} {name}:{line}"] = each
        keys = ""
        if each:
            rates = sum(each * 1e6 / (end - begin) for begin, end in steps)
            keys = f" equal samples={each * count} rates={rates!r}"
        elif count > 1:
            rates = sum(32 * (i + 1) * 1e6 / (end - begin) for i, (begin, end) in enumerate(steps))
            keys = f" samples={16 * count * (count + 1)} rates={rates!r}"
        lines = [f"{kind} {name} function={name} line={line} {spans([(start, self.now)])}",
                 f"  step {spans(steps)}{keys}", f"    draw {spans(draws)}",
                 f"    batch {spans(batches)}"]
        if phases:
            lines.append(f"      phase work {spans(phases)}")
        return lines + ["      " + line for line in inner]

    def make(self):
        lines = []
        for stage in self.random.sample(STAGES, self.random.randint(1, 4)):
            start = self.now
            below = [line for _ in range(self.random.randint(1, 3)) for line in self.loop(stage, 0)]
            if stage == "outside":
                lines += below
            else:
                lines += [f"{stage} {stage} {spans([(start, self.now)])}"]
                lines += ["  " + line for line in below]
        head = [f"wall {us(self.now + 1000)}", "thread main"]
        return "\n".join(head + ["  " + line for line in lines]) + "\n"


def spans(pairs):
    took = ",".join(us(end - begin) for begin, end in pairs)
    return f"spans={took} at=" + ",".join(f"{us(begin)}+{us(end - begin)}" for begin, end in pairs)


def rows(profile, view, *options):
    output = subprocess.run(["loopscope", "report", profile, "--view", view, "--format", "csv",
                             *options], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(output)))


def expected(profile, samples, only):
    """Loop, step, microseconds and microseconds of draws, sorted by start."""
    steps = {}
    for row in rows(profile, "timeline"):
        key = row["loop"], row["step"]
        took = round(float(row["duration_s"]) * 1e6)
        step = steps.setdefault(key, [0, 0])
        step[0] += took
        step[1] += took if row["kind"] == "draw" else 0
    found = []
    for (loop, number), (took, drawn) in steps.items():
        # The name of a loop without others of its kind has no place in it.
        full = next(name for name in samples if name == loop or name.split(" ")[0] == loop)
        stage = full.split(" ")[1].split("_")[0]
        each = samples[full]
        if stage == only:
            found.append((loop, number, took, drawn, each and each * 1e6 / took))
    return sorted(found, key=lambda step: -step[2])


work, *seeds = sys.argv[1:]
total = 0
for seed in seeds:
    maker = Maker(seed)
    description, profile = os.path.join(work, seed + ".run"), os.path.join(work, seed)
    with open(description, "w", encoding="utf-8") as file:
        file.write(maker.make())
    subprocess.run(["make-profile", description, profile], check=True)
    stages = {loop.split(" ")[1].split("_")[0] for loop in maker.samples}
    # A run without stages is one fit.
    for stage in sorted(stages):
        shown = "fit" if stages == {"outside"} else stage
        wanted = expected(profile, maker.samples, stage)
        got = rows(profile, "steps", "--stage", shown)
        total += len(got)
        for have, want in zip(got, wanted, strict=True):
            loop, number, took, drawn, rate = want
            if ((have["loop"], have["step"]) != (loop, number)
                    or round(float(have["duration_s"]) * 1e6) != took
                    or round(float(have["draw_s"] or 0) * 1e6) != drawn
                    or bool(have["samples_per_s"]) != bool(rate)
                    or rate and abs(float(have["samples_per_s"]) / rate - 1) > 1e-12):
                sys.exit(f"seed {seed}, stage {stage}: {have} should be {want}")
print(f"{len(seeds)} profiles, {total} steps")
