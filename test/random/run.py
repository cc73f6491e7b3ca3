"""Checks that random annotated programs behave the same plain and instrumented.

usage: run.py [-t SECONDS] [-s SEED] [-j N] [--build DIR] ...

See test/random.sh.
"""
import argparse
import concurrent.futures
import functools
import glob
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import declarations
import hygiene
import macros
import oddities
import statements
from check import Checker, PlainFails, Setting, Tally
from program import Program
from reduce import reduce

CASES = 50
# One program in this many is also built with sanitizers.
SANITIZED = 8
# How many failures of a kind are reduced and shown; more are counted.
EXAMPLES = 3
# The share of programs that test names.
HYGIENE = 0.15
INCLUDE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                        "..", "..", "runtime", "include"))
# How compilers spell the newest standards.
NEWEST = {23: {"c": "2x", "c++": "2b"}, 26: {"c": "2y", "c++": "2c"}}
SANITIZERS = "-O1 -fsanitize=address,undefined"


def generate(name, language):
    """The program of that name, always the same."""
    rng = random.Random(name)
    if rng.random() < HYGIENE:
        return hygienic(name, language, rng)
    gnu = rng.random() < 0.4
    std = rng.choice([11, 14, 17, 17, 20, 20, 23, 26] if language == "c++" else
                     [99, 11, 11, 17, 23, 26])
    # C has no [[a::b]] before C23.
    style = rng.choice(["macro", "select"] + ["attribute"] * 2 * (language == "c++" or std in NEWEST))
    cases = []
    for number in range(1, CASES + 1):
        if style == "select" and rng.random() < 0.3:
            case = statements.selected(rng, language, std)
        elif rng.random() < 0.2:
            case = oddities.oddity(rng, language, std, gnu)
        elif style != "select" and rng.random() < 0.1:
            case = macros.macro(rng, language, std)
        elif language == "c++" and rng.random() < 0.6:
            case = declarations.declaration(rng, std)
        else:
            case = statements.statement(rng, language, std, gnu)
        case.number = number
        cases.append(case)
    if rng.random() < 0.3:
        cases[-1] = oddities.end(rng, language)
        cases[-1].number = CASES
    flag = ("gnu" if gnu else "c") + ("++" if language == "c++" else "")
    spelled = NEWEST[std][language] if std in NEWEST else str(std)
    return Program(language, flag + spelled, cases, style, [], name)


def hygienic(name, language, rng):
    """A program whose own names are Loopscope's words."""
    std = rng.choice([11, 17, 20] if language == "c++" else [11, 17])
    form = rng.choice([form for form, (languages, _) in hygiene.FORMS.items()
                       if language in languages.split()])
    working = [statements.statement(rng, language, std, False) for _ in range(8)]
    if language == "c++":
        working += [declarations.declaration(rng, std) for _ in range(6)]
    cases = hygiene.cases(form, language, std, INCLUDE, working) + working
    # Macros come after the code that they would change, because that is a problem of
    # the plain program.
    for number, case in enumerate(cases, 1):
        case.number = number
    return Program(language, f"{language}{std}", cases, "macro", [], name, refusable=False)


@functools.cache
def takes(compiler, language, std):
    """Whether a compiler has the standard."""
    return subprocess.run([compiler, "-std=" + std, "-fsyntax-only", "-x", language, "/dev/null"],
                          check=False, stderr=subprocess.DEVNULL).returncode == 0


class Run:
    """All programs of one run, and the failures found."""

    def __init__(self, options):
        self.options = options
        self.tally = Tally()
        self.unbuilt = 0
        self.failures = {}      # signature: count
        self.lock = threading.Lock()
        self.scratch = tempfile.mkdtemp(prefix="loopscope-random-")
        self.start = time.monotonic()
        self.next = 0
        llvm = sorted(glob.glob("/usr/lib/llvm-*/bin"), key=lambda p: int(p.split("-")[1][:2]))[-1]
        self.compilers = {"c++": [shutil.which("g++"), llvm + "/clang++"],
                          "c": [shutil.which("gcc"), llvm + "/clang"]}
        text = subprocess.run([os.path.join(options.build, "bin", "loopscope-rewrite"), "--explain"],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        self.ours = {line.split()[0] for line in text.splitlines() if line.strip()}

    def compilers_for(self, program):
        """The compilers that have the program's standard."""
        return [each for each in self.compilers[program.language]
                if takes(each, program.language, program.std)]

    def settings(self, compilers):
        return [Setting(compiler, level, mode) for compiler in compilers
                for level in ("-O0", "-O2") for mode in self.options.mode]

    def one(self, index):
        language = self.options.language[index % len(self.options.language)]
        name = f"{self.options.seed}.{index}"
        program = generate(name, language)
        tally = Tally()
        folder = os.path.join(self.scratch, name)
        checker = Checker(folder, self.options.build, self.ours)
        try:
            self.program(index, checker, program, tally)
        except PlainFails as error:
            with self.lock:
                self.unbuilt += 1
                if self.options.verbose:
                    print(f"\n=== not built: {error}", flush=True)
        except RuntimeError as error:
            with self.lock:
                print(f"\n=== not checked: program {name}: {error}", flush=True)
                self.failures["program", "not checked", ""] = \
                    self.failures.get(("program", "not checked", ""), 0) + 1
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        with self.lock:
            self.tally.add(tally)

    def program(self, index, checker, program, tally):
        """Checks one program until the rest of it behaves the same."""
        compilers = self.compilers_for(program)
        program = checker.valid(program, compilers, tally)
        settings = self.settings(compilers)
        if index % SANITIZED == 0:
            settings += [Setting(compiler, SANITIZERS, "phases") for compiler in compilers]
            program = checker.sane(program, [each for each in settings
                                             if each.level == SANITIZERS], tally)
        while program.cases:
            found = checker.check(program, settings, tally)
            if not found:
                break
            guilty = self.report(checker, program, found)
            program = program.only(c for c in program.cases if c.number not in guilty)
            # Check again, because these failures may have hidden others.
            settings = sorted({each.setting for each in found}, key=str)
            tally.cases -= len(program.cases) * len(settings)

    def report(self, checker, program, found):
        """Reduces the differences and prints new ones; returns the guilty cases'
        numbers."""
        guilty = set()
        for difference in found:
            if self.options.verbose:
                print(f"{program.name}: {difference.what} {difference.setting} "
                      f"{sorted(difference.suspects)}\n{difference.details[:400]}", flush=True)
            suspects = [c for c in program.cases if c.number in difference.suspects - guilty]
            if difference.suspects and not suspects:
                continue
            compiler = os.path.basename(difference.setting.compiler)
            known = suspects and all(
                self.failures.get((c.kind, difference.what, compiler), 0) >= EXAMPLES
                for c in suspects)
            if known and not self.options.all:
                with self.lock:
                    for c in suspects:
                        self.failures[c.kind, difference.what, compiler] += 1
                guilty |= difference.suspects
                continue
            small, last = reduce(checker, program, difference, suspects)
            numbers = {c.number for c in small.cases}
            guilty |= numbers | difference.suspects
            with self.lock:
                for c in small.cases[:1]:
                    signature = (c.kind, difference.what, compiler)
                    self.failures[signature] = self.failures.get(signature, 0) + 1
                    self.show(checker, small, last)
        return guilty or {program.cases[0].number}

    def show(self, checker, program, difference):
        """Prints a failure and keeps its program."""
        number = sum(self.failures.values())
        os.makedirs(self.options.keep, exist_ok=True)
        base = os.path.join(self.options.keep, f"random-{self.options.seed}-{number}")
        text = program.render(annotated=difference.setting.mode == "phases"
                              or program.style != "select")
        with open(base + program.suffix(), "w", encoding="utf-8") as stream:
            stream.write(text.source)
        if text.rules:
            with open(base + ".yaml", "w", encoding="utf-8") as stream:
                stream.write(text.rules)
        if text.header:
            print(f"program.h:\n{text.header}")
        plain = " ".join(checker.command(program, difference.setting, "plain"))
        hooked = " ".join(checker.command(program, difference.setting, "hooked",
                                          difference.setting.mode))
        for old, new in (("program" + program.suffix(), base + program.suffix()),
                         (os.path.join(checker.folder, "rules.yaml"), base + ".yaml")):
            plain, hooked = plain.replace(old, new), hooked.replace(old, new)
        print(f"\n=== {difference.what} differs: {difference.setting} {program.std}, program "
              f"{program.name}, after {time.monotonic() - self.start:.0f} s")
        for case in program.cases[:4]:
            print(f"case {case.number}: {case.kind}: {case.shape}")
        lines = text.source.splitlines()
        first = min(text.owner, default=1)
        print("\n".join("  " + line for line in lines[first - 1:first + 59]))
        print(difference.details.rstrip())
        print(f"plain:        {plain} && ./plain")
        print(f"instrumented: {hooked} && LOOPSCOPE=advanced,report=none ./hooked")
        print(f"again:        sh test/random.sh -s {self.options.seed} -p {program.name.split('.')[-1]}",
              flush=True)

    def work(self):
        while True:
            with self.lock:
                index = self.next
                self.next += 1
            if self.options.program is not None:
                if index:
                    return
                index = self.options.program
            elif time.monotonic() - self.start > self.options.time:
                return
            self.one(index)

    def go(self):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for future in [pool.submit(self.work) for _ in range(self.options.jobs)]:
                future.result()
        shutil.rmtree(self.scratch, ignore_errors=True)
        return self.summary()

    def summary(self):
        wall = time.monotonic() - self.start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = used.ru_utime + used.ru_stime
        tally = self.tally
        print(f"\n{tally.cases} cases in {tally.programs} builds, {wall:.0f} s, "
              f"{processor:.0f} s of processor, {tally.cases / max(processor, 1):.0f} cases a "
              f"second of it; {tally.hooks} counts compared")
        print("refused: " + (", ".join(f"{k} {n}" for k, n in tally.refused.most_common()) or "none"))
        if tally.invalid:
            print(f"not taken by a compiler: {sum(tally.invalid.values())}")
            for key, n in tally.invalid.most_common() if self.options.verbose else ():
                print(f"  {n} {': '.join(key)}")
        if self.unbuilt:
            print(f"programs that a compiler fails to build plain: {self.unbuilt}")
        for signature, n in self.failures.items():
            print(f"different: {' '.join(signature)}: {n}")
        print(f"seed {self.options.seed}: {sum(self.failures.values())} different")
        return 1 if self.failures else 0


def arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-t", "--time", type=float, default=60, help="seconds")
    parser.add_argument("-s", "--seed", help="of the random numbers")
    parser.add_argument("-p", "--program", type=int, help="only this one of the seed's programs")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("-b", "--build", default=os.path.join(here, "..", "..", "build"))
    parser.add_argument("-l", "--language", action="append", choices=["c", "c++"])
    parser.add_argument("-m", "--mode", action="append", choices=["phases", "functions"])
    parser.add_argument("-k", "--keep", default=".", help="where failing programs are left")
    parser.add_argument("-a", "--all", action="store_true",
                        help="show every failure, not some of each sort")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.seed = options.seed or str(random.SystemRandom().randrange(10**6))
    options.language = options.language or ["c++", "c"]
    options.mode = options.mode or ["phases", "functions"]
    options.build, options.keep = os.path.abspath(options.build), os.path.abspath(options.keep)
    return options


if __name__ == "__main__":
    OPTIONS = arguments()
    print(f"seed {OPTIONS.seed}", flush=True)
    sys.exit(Run(OPTIONS).go())
