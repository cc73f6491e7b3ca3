"""Measures what function mode costs programs that train: LightGBM, fastText and ggml.

usage: overhead.py [options] NAME...      programs of overhead.toml (all: every one)

Builds each program three times: plain, in function mode, and in function mode without the
functions that a first run in `advanced` showed to be small (--functions-from). Then runs, in
turn and round by round, the plain program and both others with LOOPSCOPE=off, simple and
advanced. Models that they write must be the plain one's, byte by byte.

Prints for each the least processor time over the plain one's, and the median of the rounds'
ratios: other jobs of the machine disturb the first less, the second shows how much. With
--count, each runs once more, shorter, and its instructions are compared: by the processor's
counter where there is one, and by valgrind otherwise. They don't depend on other jobs, but
aren't time either, and include start and end of so short a run.

The exit status is 1 where a model differs.
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
    """The builds of one program, each in a directory of its own."""

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
        """Says how many functions have a hook in BUILD, for --again."""
        return self.folder(build) + ".hooks"

    def build(self, build, origin, words):
        """Builds in self.folder(BUILD) what the launcher makes with WORDS; plain if None."""
        shutil.rmtree(self.folder(build), ignore_errors=True)
        shutil.rmtree(self.project.record, ignore_errors=True)
        self.project.settings["functions"] = words or ""
        self.project.variant("plain" if words is None else "instrumented", origin)
        if words is not None:
            # Before the files that the records name have gone.
            self.hooks[build] = run.read_functions(self.project.launcher, self.project.record)[0]
            with open(self.count_file(build), "w", encoding="utf-8") as stream:
                stream.write(str(self.hooks[build]))
        os.rename(self.project.source, self.folder(build))

    def run(self, variant, command, prefix="", output="/dev/null"):
        """Seconds of processor time of COMMAND, and the hash of what it trained."""
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
        """What the short run of VARIANT executes."""
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
    """Whether the processor's counter of instructions can be read."""
    if not shutil.which("perf"):
        return False
    found = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], check=False,
                           text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return bool(re.search(r"^\d+,", found.stderr, re.M))


def measured(program, rounds):
    """The processor times of each variant, by rounds, and those whose model isn't the plain's."""
    times, different = {variant: [] for variant in VARIANTS}, []
    for number in range(rounds):
        # The other way round every second time: a slow drift then favours nobody.
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
    parser.add_argument("--build", default="build", help="Loopscope's build directory")
    parser.add_argument("--work", default="build/overhead", help="where programs are built")
    parser.add_argument("--list", default=os.path.join(HERE, "overhead.toml"),
                        help="the list of programs")
    parser.add_argument("--again", action="store_true", help="measure the builds that are there")
    parser.add_argument("--source", help="the sources, instead of what the list names")
    parser.add_argument("--compiler", default="g++", choices=sorted(run.COMPILERS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--count", action="store_true", help="count instructions, too")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=3600, help="seconds for one command")
    return parser.parse_args()


def settings_of(path):
    """The programs of the list at PATH, with the sources of those that are projects."""
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
