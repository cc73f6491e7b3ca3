"""Compares the verdict on a program of known truth with that truth.

usage: verdict-truth.py [--way WAY] [--runs N] COMPILER... -- SOURCE [WORD OF LOOPSCOPE]...

SOURCE states its truth in a line "// TRUTH: CLASS: PHASE: PATTERN", and marks the line
of the phase, or of the loop for a draw, with "// HERE". It is built and run twice, with
its names and with other names. Class, phase, file and line must be right in the footer,
the overview and JSON, and the sentence must match the pattern. "// QUOTA: N" runs it in
a control group with N percent of a processor.

Programs run at high priority if that is allowed. Others may still take the processor,
which then is the truth: a run whose main thread measured that it had no processor for a
tenth of the time is repeated. If the machine never gives it one, nothing is compared,
and a line says so.

--way: WORKER, POOL, VALIDATION or SPINNERS, in which the program runs in another way (truth.h), with
its own names.
Beside spinners, its thread's readings tell the truth: if it lacked a processor for most of the time,
the class is starved, or a draw's. In between, both are right. --runs: each program so often.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

import quota

TRIES = 6
# Shares of the time without a processor: less changes nothing, more is the truth itself.
FEW, MOST = 0.1, 0.55
# An abstention: the time on the run queue cost too much to read.
UNREAD = "How long it was ready to run isn't known"
# What is said of a pool that the program itself doesn't have.
OF_POOL = r", [0-9.]+% of it while other threads of the program computed"


def go_first():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def report(profile, *options):
    return subprocess.run(["loopscope", "report", profile, *(options or ("--view", "simple"))], check=True,
                          capture_output=True, text=True).stdout


class Program:
    def __init__(self, compiler, source, words, renamed, way):
        self.words, self.renamed, self.way = words, renamed, way
        text = open(source, encoding="utf-8").read()
        self.found_class, phase, self.pattern = re.search(
            r"// TRUTH: ([a-z-]+): (\w+): (.*)", text).groups()
        self.phase = "renamed_" + phase if renamed and phase != "draw" else phase
        self.place = (os.path.basename(source),
                      1 + text[:text.index("// HERE")].count("\n"))
        self.quota = re.search(r"// QUOTA: (\d+)", text)
        name = os.path.splitext(os.path.basename(source))[0]
        self.path = os.path.abspath(f"{name}-{'renamed' if renamed else 'named'}")
        flags = ["-DRENAMED"] * renamed + [f"-D{way}"] * (way is not None)
        subprocess.run([compiler[0], *flags, source, "-o", self.path,
                        *compiler[1:]], check=True)

    def run(self):
        """What is wrong; None if the machine delayed the program."""
        profile = self.path + ".loopscope"
        if os.path.exists(profile):
            os.remove(profile)
        words = ",".join(["report=none", "output=" + profile, *self.words])
        group = quota.Group(int(self.quota.group(1))) if self.quota else None
        start = time.monotonic()
        first = group.enter if group else None if self.way == "SPINNERS" else go_first
        own = subprocess.run([self.path], check=True, capture_output=True, text=True,
                             env=os.environ | {"LOOPSCOPE": words}, preexec_fn=first).stdout
        wall = time.monotonic() - start
        if group:
            group.remove()
        lacked = float(re.search(r"starved ([0-9.]+)", own).group(1))
        if self.way == "SPINNERS":
            return list(self.check_beside(profile, lacked, wall))
        wrong = list(self.check(profile))
        is_its_truth = self.quota or "without a CPU" in self.pattern
        if wrong and lacked > FEW * wall and not is_its_truth:
            return None
        return wrong

    def check_beside(self, profile, lacked, wall):
        """What is wrong in a run of WALL seconds beside processes that took the processor for LACKED."""
        section = json.loads(report(profile, "--format", "json"))["sections"][0]
        found = section["run"]["verdict_class"]
        # They like to take it at system calls. Those of the profiler aren't in the steps' time.
        of_profiler = section["integrity"].get("interrupted_s", 0)
        lacked = (lacked - of_profiler) / (wall - of_profiler)
        # From its bound on, the profiler's own cost comes before all others.
        is_first = self.phase == "draw" or self.found_class == "profiler-bound"
        right = {self.found_class} if lacked < MOST or is_first else set()
        if lacked > FEW:
            right.add("starved")
        if UNREAD in section["run"]["verdict"]:
            right.add(self.found_class)
        if found not in right:
            yield f"is one of {right} ({lacked:.0%} without a CPU), verdict {section['run']['verdict']}"

    def check(self, profile):
        facts = json.loads(report(profile, "--format", "json"))["sections"][0]["run"]
        line = facts["verdict"]
        said = line
        if self.way == "POOL" and "other threads" not in self.pattern:
            said = re.sub(OF_POOL, "", line)
        expected = self.found_class, self.phase, *self.place
        found = tuple(facts["verdict_" + key] for key in ("class", "phase", "file", "line"))
        if found != expected:
            yield f"is {expected}, verdict {line}"
        elif not re.search(self.pattern, said):
            yield f"is {self.pattern}, verdict {line}"
        if line + "\n" not in report(profile, "--view", "overview"):
            yield f"no overview says: {line}"
        if line + "\n" not in report(profile):
            yield f"no footer says: {line}"


def settled(program):
    """What is wrong in a run that the machine didn't delay; None if it delayed all of them."""
    for attempt in range(TRIES):
        wrong = program.run()
        if wrong is not None:
            return wrong
        time.sleep(0.2 * attempt)
    return None


def main(arguments):
    split = arguments.index("--")
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--way", choices=("WORKER", "POOL", "VALIDATION", "SPINNERS"))
    parser.add_argument("--runs", type=int, default=1)
    chosen, compiler = parser.parse_known_args(arguments[:split])
    source, *words = arguments[split + 1:]
    failed = False
    for renamed in (False, True) if chosen.way is None else (False,):
        program = Program(compiler, source, words, renamed, chosen.way)
        for _ in range(chosen.runs):
            wrong = settled(program)
            if wrong is None:
                print(f"{program.path}: the machine gave it too little processor, {TRIES} times: "
                      "nothing was compared")
                continue
            failed |= bool(wrong)
            print("\n".join(wrong) or f"{program.path}: {program.found_class}, as it should be")
    return failed


sys.exit(main(sys.argv[1:]))
