"""Builds programs plain and instrumented, and compares their behaviour.

usage: same.py [option...] SOURCE... [-- compiler flag...]

Each source is one program. It is built with gcc and clang, at -O0 and -O2, plain and
through loopscope-launch, with its annotations and in function mode, and run. Output,
exit code and the compiler's warnings must agree. Prints one line per source:

  SOURCE: same
  SOURCE: refused [ID]...  somewhere the rewriter said why not; with
                           --on-error=passthrough the program builds and is the same
  SOURCE: known            differs, and --known names it
  SOURCE: differs          with the first build that does, and their number
  SOURCE: no program       the plain build fails, with newer standards as well

Exits 1 if a source differs or doesn't build. Columns of warnings aren't compared,
because hooks precede code on the same line.

Files named STEM.NAME next to STEM.cpp can be included as NAME. A source's first line
may hold `flags:`, `launcher:` and `only:`, each followed by words: flags for the
compiler; options of loopscope-launch, which replace the two modes; and what the
compiler's name must start with.

  --only=WORD         compilers whose name starts with WORD: gcc, g++, clang...
  --levels=-O0,-O2    optimisation levels
  --modes=MODES       phases, functions or both, separated by commas
  --warnings=WORDS    the flags for warnings (default: -Wall -Wextra -Wpedantic)
  --spans             prints each call path with its calls as well; these must be
                      the same for all compilers and levels
  --known=NAMES       file names whose differences documents admit
  --all               shows every build that differs
  --keep              keeps the directories of builds that differ
"""
import argparse
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "../../runtime/include"))
MODES = {"phases": [], "functions": ["--functions", "--min-size=0"]}
STANDARDS = {True: ([], ["-std=gnu++20"], ["-std=gnu++23"]), False: ([], ["-std=gnu2x"])}
MESSAGE = re.compile(r"(.+?:\d+):(?:\d+:)? (warning|error|fatal error): (.*)")
ID = re.compile(r" \[([a-z][a-z-]*)\]$")
RAW = re.compile(r"\[\[[^\]]*loopscope")
HEAD = re.compile(r"\b(flags|launcher|only):")


def find(name):
    """NAME in PATH, or from the newest LLVM."""
    inside = sorted(glob.glob(f"/usr/lib/llvm-*/bin/{name}"),
                    key=lambda path: int(re.search(r"llvm-(\d+)", path)[1]))
    return shutil.which(name) or (inside[-1] if inside else None)


def execute(command, timeout=120, **options):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", check=False, timeout=timeout,
                              stdin=subprocess.DEVNULL, **options)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout, done.stderr


class Build:
    """One way of building a source, and its results."""

    def __init__(self, source, compiler, flags, folder, launcher=None):
        self.folder = folder
        os.makedirs(folder)
        # One name for all builds, because it may appear in the output.
        self.program = os.path.join(folder, "program")
        command = [compiler, *flags, source, "-o", self.program, "-lm", "-lpthread"]
        if launcher is not None:
            command = ["loopscope-launch", *launcher, *command]
        self.command = shlex.join(command)
        self.built, _, self.log = execute(command, cwd=folder)
        self.messages, self.ids = [], []
        for line in self.log.splitlines():
            match = MESSAGE.fullmatch(line)
            ours = ID.search(line)
            if ours and not ours[1].startswith("W"):
                self.ids.append(ours[1])
            elif match:
                self.messages.append(": ".join(match.groups()))

    def run(self):
        environment = dict(
            os.environ, LOOPSCOPE="advanced,report=none,output=run.loopscope")
        return execute(["program"], executable=self.program, cwd=self.folder,
                       env=environment)

    def spans(self):
        """Calls by call path, summed over threads."""
        profile = os.path.join(self.folder, "run.loopscope")
        _, text, _ = execute(["loopscope", "report", "--view", "tree", "--rows", "all",
                              "--format", "json", profile])
        calls = Counter()

        def add(rows, above):
            for row in rows:
                if row["calls"]:
                    calls[above + row["name"]] += row["calls"]
                    add(row["children"], above + row["name"] + "/")

        for section in json.loads(text)["sections"] if text else ():
            for table in section["tables"]:
                add(table["rows"], "")
        return [f"{count} {path}" for path, count in sorted(calls.items())]


def difference(plain, other):
    """The differences between two builds; an empty list if there are none."""
    if other.built != 0:
        return [f"doesn't build: exit code {other.built}", *other.log.splitlines()[:20]]
    found = []
    for word, first, second in (("lost", plain, other), ("new", other, plain)):
        found += [f"{word}: {each}"
                  for each in (Counter(first.messages) - Counter(second.messages)).elements()]
    before, after = plain.run(), other.run()
    for what, first, second in zip(("exit code", "output", "errors"), before, after):
        if first != second:
            found += [f"{what}: plain", *str(first).splitlines()[:20],
                      f"{what}: instrumented", *str(second).splitlines()[:20]]
    return found


def head(source):
    with open(source, encoding="utf-8", errors="replace") as file:
        first = file.readline()
        text = first + file.read()
    words = HEAD.split(first)
    found = dict.fromkeys(("flags", "launcher", "only"), "")
    found.update(zip(words[1::2], (word.strip(" */\n") for word in words[2::2])))
    return found, bool(RAW.search(text))


class Program:
    """A source and the results of its builds."""

    def __init__(self, options, source, scratch):
        self.options, self.source, self.scratch = options, os.path.abspath(source), scratch
        self.ids, self.differences, self.spans = [], [], {}
        self.number, self.raw = 0, False

    def beside(self):
        """A folder with the files STEM.NAME next to the source, under the name NAME."""
        folder = os.path.join(self.scratch, "beside")
        os.makedirs(folder, exist_ok=True)
        stem = os.path.splitext(self.source)[0] + "."
        for path in glob.glob(glob.escape(stem) + "*.*"):
            shutil.copy(path, os.path.join(folder, path[len(stem):]))
            with open(path, encoding="utf-8", errors="replace") as file:
                self.raw |= bool(RAW.search(file.read()))
        return folder

    def build(self, compiler, flags, launcher=None):
        self.number += 1
        return Build(self.source, compiler, flags,
                     os.path.join(self.scratch, str(self.number)), launcher)

    def check(self):
        said, self.raw = head(self.source)
        beside = self.beside()
        cxx = not self.source.endswith(".c")
        modes = {name: MODES[name] for name in self.options.modes.split(",")}
        if said["launcher"]:
            modes = {said["launcher"]: shlex.split(said["launcher"])}
        for name in ("g++", "clang++") if cxx else ("gcc", "clang"):
            compiler = find(name)
            if not compiler or not all(
                    name.startswith(word) for word in (said["only"], self.options.only)):
                continue
            flags = self.options.warnings.split() + ["-idirafter", INCLUDE]
            flags += ["-I", beside]
            if self.raw and "clang" in name:
                flags += ["-Wno-unknown-attributes", "-Wno-c23-extensions",
                          "-Wno-c++23-lambda-attributes"]
            elif self.raw:
                flags += ["-Wno-attributes"]
            flags += shlex.split(said["flags"]) + self.options.flags
            for level in self.options.levels.split(","):
                plain = None
                for standard in STANDARDS[cxx]:
                    words = [level, *standard, *flags]
                    failed, plain = plain, self.build(compiler, words)
                    if plain.built == 0:
                        break
                else:
                    return "no program", [f"{name} {level}", *failed.log.splitlines()[:20]]
                for mode, launcher in modes.items():
                    self.compare(f"{name} {level} {mode}", mode, plain, launcher,
                                 compiler, words)
        if self.differences:
            known = os.path.basename(self.source) in self.options.known.split(",")
            shown = self.differences if self.options.all else self.differences[:1]
            rest = [f"{len(self.differences)} builds differ"]
            return "known" if known else "differs", sum(shown, []) + rest
        lines = []
        for mode, spans in self.spans.items() if self.options.spans else ():
            if len(set(spans)) > 1:
                return "differs", [f"{mode}: other spans", *spans]
            lines += spans[0].splitlines()
        if self.ids:
            return "refused " + " ".join(f"[{i}]" for i in sorted(set(self.ids))), lines
        return "same", lines

    def compare(self, where, mode, plain, launcher, compiler, flags):
        build = self.build(compiler, flags, launcher)
        self.ids += build.ids
        if build.built != 0 and build.ids:
            # Refused; the rest must be correct.
            build = self.build(compiler, flags, ["--on-error=passthrough", *launcher])
        found = difference(plain, build)
        if found:
            self.differences.append(
                [f"{where}: {build.command}", *("  " + line for line in found)])
        elif self.options.spans:
            self.spans.setdefault(mode, []).append("\n".join(build.spans()))


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--modes", default="phases,functions")
    parser.add_argument("--warnings", default="-Wall -Wextra -Wpedantic")
    parser.add_argument("--spans", action="store_true")
    parser.add_argument("--known", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)
    options.flags = flags
    bad = False
    for source in options.sources:
        scratch = tempfile.mkdtemp(prefix="loopscope-same-")
        verdict, lines = Program(options, source, scratch).check()
        print(f"{os.path.basename(source)}: {verdict}", *("  " + line for line in lines), sep="\n",
              flush=True)
        wrong = verdict in ("differs", "no program")
        bad |= wrong
        if not (wrong and options.keep):
            shutil.rmtree(scratch, ignore_errors=True)
    sys.exit(1 if bad else 0)


main()
