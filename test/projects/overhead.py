"""Measures the cost of function mode for training programs: LightGBM, fastText and
ggml.

usage: overhead.py [options] NAME...      programs of overhead.toml (all: every one)

Builds each program three times: plain, in function mode, and in function mode without
the functions that a first run in `advanced` showed to be small (--functions-from). Then
runs, alternating in rounds, the plain program and both others with LOOPSCOPE=off,
simple and advanced. Their models must equal the plain one's, byte by byte.

Prints for each the ratio of minimum CPU times to the plain program's, and the
median of the rounds' ratios: other jobs on the machine disturb the first less, and the
second shows how much. With --count, each program also runs once with less work, and its
instructions are compared: from the processor's counter if there is one, otherwise from
valgrind. Instructions don't depend on other jobs, but they aren't time, and include the
start and end of a short run.

Exits 1 if a model differs.
"""
import argparse
import collections
import hashlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tomllib

import run

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ("off", "simple", "advanced")
Variant = collections.namedtuple("Variant", "build mode")
BUILDS = ("plain", "functions", "functions-from")
PLAIN = Variant("plain", "")
VARIANTS = [PLAIN, *(Variant(build, mode) for build in BUILDS[1:] for mode in MODES)]


class Program:
    """The builds of one program, each in its own directory."""

    def __init__(self, name, settings, origin, options):
        self.settings = settings
        self.project = run.Project(name, {"cases": "tap", "test": "", **settings},
                                   options.compiler, "functions", options)
        self.hooks = {"plain": 0}
        os.makedirs(self.project.work, exist_ok=True)
        if options.again:
            for build in BUILDS[1:]:
                with open(self.count_file(build), encoding="utf-8") as stream:
                    self.hooks[build] = int(stream.read())
            return
        self.build("plain", origin, None)
        self.build("functions", origin, "")
        first = os.path.join(self.project.work, "first.loopscope")
        if os.path.exists(first):
            os.remove(first)
        self.run(Variant("functions", "advanced"), settings["run"], output=first)
        self.build("functions-from", origin, f"--functions-from={first}")

    def folder(self, build):
        return f"{self.project.source}-{build}"

    def count_file(self, build):
        """The file with the number of functions with a hook in BUILD, for --again."""
        return self.folder(build) + ".hooks"

    def build(self, build, origin, words):
        """Builds in self.folder(BUILD) with the launcher and WORDS; plain if None."""
        shutil.rmtree(self.folder(build), ignore_errors=True)
        shutil.rmtree(self.project.record, ignore_errors=True)
        self.project.settings["functions"] = words or ""
        self.project.variant("plain" if words is None else "instrumented", origin)
        if words is not None:
            # Read them before the files that the records name are removed.
            self.hooks[build] = run.read_functions(self.project.launcher, self.project.record)[0]
            with open(self.count_file(build), "w", encoding="utf-8") as stream:
                stream.write(str(self.hooks[build]))
        os.rename(self.project.source, self.folder(build))

    def run(self, variant, command, prefix="", output="/dev/null"):
        """Seconds of CPU time of COMMAND, and the hash of its model."""
        words = f"{variant.mode},report=none,output={output}" if variant.mode else "off"
        folder = self.folder(variant.build)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["sh", "-c", f"exec {prefix}{command}"], cwd=folder, check=True,
                       env=dict(os.environ, LOOPSCOPE=words), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.path.join(folder, self.settings["model"]), "rb") as stream:
            model = hashlib.sha256(stream.read()).hexdigest()
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, model

    def instructions(self, variant):
        """The number of instructions in the short run of VARIANT."""
        counts = os.path.join(self.project.work, "counts")
        if has_counter():
            self.run(variant, self.settings["short"],
                     f"perf stat -x, -e instructions:u -o {counts} ")
            pattern = r"^(\d+),[^,]*,instructions"
        else:
            self.run(variant, self.settings["short"], "valgrind -q --tool=cachegrind "
                     f"--cache-sim=no --cachegrind-out-file={counts} ")
            pattern = r"^summary: (\d+)"
        with open(counts, encoding="utf-8") as stream:
            return int(re.search(pattern, stream.read(), re.M)[1])


def has_counter():
    """Whether the processor's instruction counter can be read."""
    if not shutil.which("perf"):
        return False
    found = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], check=False,
                           text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return bool(re.search(r"^\d+,", found.stderr, re.M))


def measured(program, rounds):
    """The CPU times of each variant, by round, and the variants whose model
    differs from the plain one's."""
    times, different = {variant: [] for variant in VARIANTS}, []
    for number in range(rounds):
        # Reversed every second time, so that slow drift favours no variant.
        models = {}
        for variant in VARIANTS[::-1] if number % 2 else VARIANTS:
            seconds, models[variant] = program.run(variant, program.settings["run"])
            times[variant].append(seconds)
        different += [variant for variant, model in models.items() if model != models[PLAIN]]
    return times, sorted(set(different))


def rows(name, program, times, counts):
    """Lines of the table."""
    for variant in VARIANTS:
        of, plain = times[variant], times[PLAIN]
        ratio = statistics.median(one / other for one, other in zip(of, plain))
        cells = [name, variant.build, variant.mode, f"{program.hooks[variant.build]:,}",
                 f"{min(of):.2f} s", f"{min(of) / min(plain):.3f}", f"{ratio:.3f}"]
        if counts:
            cells.append(f"{counts[variant] / counts[PLAIN]:.3f}")
        yield "| " + " | ".join(cells) + " |"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--work", default="build/overhead", help="where programs are built")
    parser.add_argument("--list", default=os.path.join(HERE, "overhead.toml"),
                        help="the list of programs")
    parser.add_argument("--again", action="store_true", help="measure the builds that are there")
    parser.add_argument("--source", help="the sources, instead of what the list names")
    parser.add_argument("--compiler", default="g++", choices=sorted(run.COMPILERS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--count", action="store_true", help="count instructions, too")
    run.add_project_options(parser, timeout=3600)
    return parser.parse_args()


def settings_of(path):
    """The programs listed in PATH, with sources for those that are projects."""
    with open(path, "rb") as stream:
        programs = tomllib.load(stream)
    with open(os.path.join(HERE, "projects.toml"), "rb") as stream:
        projects = tomllib.load(stream)
    for settings in programs.values():
        of = projects.get(settings.get("project"), {})
        settings.update((key, of[key]) for key in ("git", "commit", "archive", "sha256")
                        if key in of)
    return programs


def main():
    options = arguments()
    options.work, options.build = os.path.abspath(options.work), os.path.abspath(options.build)
    programs = settings_of(options.list)
    bad = False
    print("| program | build | LOOPSCOPE | hooks | least | ratio | median of ratios |"
          + (" instructions |" if options.count else "") + "\n|---|---|---|---:|---:|---:|---:|"
          + ("---:|" if options.count else ""), flush=True)
    for name in programs if options.names == ["all"] else options.names:
        if name not in programs:
            run.fail(f"'{name}' is not in the list; known are {', '.join(programs)}")
        origin = (os.path.abspath(options.source) if options.source
                  else run.fetch(name, programs[name], options.work))
        program = Program(name, programs[name], origin, options)
        times, different = measured(program, options.rounds)
        counts = {variant: program.instructions(variant) for variant in VARIANTS} \
            if options.count else None
        print("\n".join(rows(name, program, times, counts)), flush=True)
        for variant in different:
            print(f"  {variant.build}, {variant.mode}: trains another model")
        bad |= bool(different)
    print(f"load average {os.getloadavg()[2]:.1f}, {os.cpu_count()} processors")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
