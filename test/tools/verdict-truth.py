"""Compares the verdict on a program of known truth with that truth.

usage: verdict-truth.py COMPILER... -- SOURCE [WORD OF LOOPSCOPE]...

SOURCE states its truth in a line "// TRUTH: CLASS: PHASE: PATTERN", and marks the line
of the phase, or of the loop for a draw, with "// HERE". It is built and run twice, with
its names and with other names. Class, phase, file and line must be right in the footer,
the overview and JSON, and the sentence must match the pattern. "// QUOTA: N" runs it in
a control group with N percent of a processor.

Programs run at high priority if that is allowed. Others may still take the processor,
which then is the truth: a run whose main thread measured that it had no processor for a
tenth of the time is repeated. If the machine never gives it one, nothing is compared,
and a line says so.
"""
import json
import os
import re
import subprocess
import sys
import time

import quota

TRIES = 6


def go_first():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def report(profile, *options):
    return subprocess.run(["loopscope", "report", profile, *(options or ("--view", "simple"))], check=True,
                          capture_output=True, text=True).stdout


class Program:
    def __init__(self, compiler, source, words, renamed):
        self.words, self.renamed = words, renamed
        text = open(source, encoding="utf-8").read()
        self.found_class, phase, self.pattern = re.search(
            r"// TRUTH: ([a-z-]+): (\w+): (.*)", text).groups()
        self.phase = "renamed_" + phase if renamed and phase != "draw" else phase
        self.place = (os.path.basename(source),
                      1 + text[:text.index("// HERE")].count("\n"))
        self.quota = re.search(r"// QUOTA: (\d+)", text)
        name = os.path.splitext(os.path.basename(source))[0]
        self.path = os.path.abspath(f"{name}-{'renamed' if renamed else 'named'}")
        subprocess.run([compiler[0], *(["-DRENAMED"] if renamed else []), source, "-o", self.path,
                        *compiler[1:]], check=True)

    def run(self):
        """What is wrong; None if the machine delayed the program."""
        profile = self.path + ".loopscope"
        if os.path.exists(profile):
            os.remove(profile)
        words = ",".join(["report=none", "output=" + profile, *self.words])
        group = quota.Group(int(self.quota.group(1))) if self.quota else None
        start = time.monotonic()
        own = subprocess.run([self.path], check=True, capture_output=True, text=True,
                             env=os.environ | {"LOOPSCOPE": words}, preexec_fn=group.enter if group else go_first).stdout
        wall = time.monotonic() - start
        if group:
            group.remove()
        lacked = float(re.search(r"starved ([0-9.]+)", own).group(1))
        wrong = list(self.check(profile))
        if wrong and lacked > 0.1 * wall and "without a CPU" not in self.pattern:
            return None
        return wrong

    def check(self, profile):
        facts = json.loads(report(profile, "--format", "json"))["sections"][0]["run"]
        line = facts["verdict"]
        expected = self.found_class, self.phase, *self.place
        found = tuple(facts["verdict_" + key] for key in ("class", "phase", "file", "line"))
        if found != expected:
            yield f"is {expected}, verdict {line}"
        elif not re.search(self.pattern, line):
            yield f"is {self.pattern}, verdict {line}"
        if line + "\n" not in report(profile, "--view", "overview"):
            yield f"no overview says: {line}"
        if line + "\n" not in report(profile):
            yield f"no footer says: {line}"


def main(arguments):
    split = arguments.index("--")
    compiler, (source, *words) = arguments[:split], arguments[split + 1:]
    failed = False
    for renamed in (False, True):
        program = Program(compiler, source, words, renamed)
        wrong = None
        for attempt in range(TRIES):
            wrong = program.run()
            if wrong is not None:
                break
            time.sleep(0.2 * attempt)
        if wrong is None:
            print(f"{program.path}: the machine gave it too little processor, {TRIES} times: "
                  "nothing was compared")
            continue
        failed |= bool(wrong)
        print("\n".join(wrong) or f"{program.path}: {program.found_class}, as it should be")
    return failed


sys.exit(main(sys.argv[1:]))
