"""Compares the advanced report's ranking of functions with perf's or callgrind's.

usage: ranking.py [options] --source DIR --build-command CMD --run-command CMD

Builds the project in DIR twice, like run.py: plain, and in function mode. Then, round
by round, both run under `perf record`, which samples their stacks; with --with
callgrind, the plain one runs under valgrind, which counts instructions. This gives two
references:

  plain      says what the program spends its time on without us. Its code isn't laid out
             as the instrumented one's is: where a loop happens to start can make it a
             fifth slower.
  same run   perf's view of the very run that the report is about, less the samples in our
             runtime. It says whether the report tells the truth about that run.

Functions without a hook (small ones, lambdas, those of libraries) are part of their
callers in our report. So a sample belongs to the innermost function on its stack that
has a hook, and callgrind's costs of other functions go to their callers, in proportion
to the calls' costs.

Prints the N functions with the most self time in the plain program, with the smallest
and largest share over all rounds. A measure distinguishes two functions if the same one
is ahead in every round and their mean shares differ by more than --tie percentage
points. The rankings agree if no two of the N heaviest functions, by the reference or
the report, that both distinguish are in opposite order. Functions that the report marks
with ~, because hooks distort them, are compared separately. (Instructions aren't time:
to callgrind, a loop that waits for its own results seems lighter than it is.)

Exits 1 if the ranking of unmarked functions disagrees with a reference.
"""
import argparse
import collections
import csv
import io
import os
import re
import subprocess
import sys

import rankings
import run


# --- callgrind ---------------------------------------------------------------

class Callgrind:
    """A callgrind.out file: functions' own costs, and the costs of their calls."""

    def __init__(self, path):
        self.own = collections.Counter()
        self.calls = collections.defaultdict(collections.Counter)  # caller: {callee: cost}
        names, function, callee = {}, None, None
        with open(path, encoding="utf-8", errors="replace") as stream:
            for line in stream:
                key, equals, rest = line.rstrip("\n").partition("=")
                if equals and key in ("fn", "cfn"):
                    # "(3) name" the first time, then "(3)".
                    number, _, name = rest.partition(" ")
                    names.setdefault(number, name)
                    if key == "fn":
                        function = names[number]
                    else:
                        callee = names[number]
                elif re.match(r"[+\-*\d]", line) and function:
                    cost = int(line.split()[1])
                    if callee:
                        self.calls[function][callee] += cost
                        callee = None
                    else:
                        self.own[function] += cost

    def folded(self, kept):
        """Own costs of the functions that KEPT accepts, with those of the others added
        to them."""
        total = collections.Counter()
        for callees in self.calls.values():
            total.update(callees)
        cost, moving = collections.Counter(), collections.Counter(self.own)
        callers = collections.defaultdict(collections.Counter)
        for caller, callees in self.calls.items():
            for callee, share in callees.items():
                callers[callee][caller] += share
        # Costs of other functions move up by one caller per round; the rest circulates
        # in recursion.
        for _ in range(100):
            up = collections.Counter()
            for name, own in moving.items():
                if kept(name) or not total[name]:
                    cost[name] += own
                    continue
                for caller, share in callers[name].items():
                    up[caller] += own * share / total[name]
            moving = up
        return {name: own for name, own in cost.items() if kept(name)}


# --- perf ------------------------------------------------------------------

def sampled(path, kept, ignored):
    """Samples by the innermost function on the stack that KEPT accepts, except samples
    in a function that IGNORED accepts below it."""
    text = subprocess.run(["perf", "script", "-i", path, "-F", "ip,sym"], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    cost = collections.Counter()
    for stack in text.split("\n\n"):
        for line in stack.splitlines():
            frame = line.strip().partition(" ")[2]
            if kept(frame):
                cost[frame] += 1
                break
            if ignored(frame):
                break
    return cost


def runtime_functions(archive):
    """The names of the functions in the runtime."""
    text = subprocess.run(["nm", "-C", "--defined-only", archive], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return {rankings.qualified(line.split(" ", 2)[2]) for line in text.splitlines()
            if len(line.split(" ", 2)) == 3 and line.split(" ", 2)[1] in "tTwW"}


# --- Our report --------------------------------------------------------------

def advanced(report, profile):
    """Own seconds by function, over all stages, and the functions that hooks distort."""
    text = subprocess.run([report, "report", "--view", "advanced", "--format", "csv", "--rows",
                           "all", profile], check=True, text=True, stdout=subprocess.PIPE).stdout
    own, distorted = collections.Counter(), set()
    rows = list(csv.DictReader(io.StringIO(text)))
    is_only = len({row["phase"] for row in rows}) == 1
    for row in rows:
        if is_only or re.match(r"(fit|validate|test|the whole run)\b", row["phase"]):
            # A function whose hook switched itself off is part of its callers.
            if not row["tottime_s"]:
                continue
            name = rankings.qualified(re.sub(r"^~?.*?:\d+\((.*)\)$", r"\1", row["function"]))
            own[name] += float(row["tottime_s"])
            if row["distorted"] == "1":
                distorted.add(name)
    return own, distorted


# --- Both programs -----------------------------------------------------------

class Programs:
    """The plain and the instrumented build of a project."""

    def __init__(self, options):
        name = os.path.basename(os.path.abspath(options.source))
        self.options = options
        self.project = run.Project(name, {
            "configure": options.configure_command, "cases": "tap",
            "build": options.build_command, "test": ""}, options.compiler, "functions", options)
        self.plain = self.project.source + "-plain"
        self.counts = os.path.join(self.project.work, options.profiler)
        self.profile = os.path.join(self.project.work, "profile.loopscope")
        os.makedirs(self.project.work, exist_ok=True)
        subprocess.run(["rm", "-rf", self.plain], check=True)
        self.project.variant("plain", os.path.abspath(options.source))
        os.rename(self.project.source, self.plain)
        self.project.variant("instrumented", os.path.abspath(options.source))

    def run(self, folder, prefix, environment):
        subprocess.run(["sh", "-c", prefix + self.options.run_command], cwd=folder, check=True,
                       env=dict(os.environ, **environment), stdout=subprocess.DEVNULL)

    def perf(self, folder, environment):
        """Runs the program in FOLDER under perf; stores its samples in self.counts."""
        self.run(folder, "perf record -q -e cpu-clock -F 2000 --call-graph dwarf,16384 "
                 f"-o {self.counts} -- ", environment)

    def plain_costs(self):
        """Runs the plain program; returns a function that folds costs by KEPT."""
        if self.options.profiler == "perf":
            self.perf(self.plain, {})
            text = self.counts + ".plain"
            os.rename(self.counts, text)
            return lambda kept: sampled(text, kept, lambda _: False)
        self.run(self.plain, f"valgrind -q --tool=callgrind --callgrind-out-file={self.counts} ",
                 {})
        return Callgrind(self.counts).folded

    def reported(self):
        """Runs the instrumented program under perf; returns advanced()."""
        if os.path.exists(self.profile):
            os.remove(self.profile)
        self.perf(self.project.source,
                  {"LOOPSCOPE": f"advanced,report=none,output={self.profile}"})
        return advanced(os.path.join(self.options.build, "bin", "loopscope"), self.profile)


def folded(costs):
    """Shares by qualified name."""
    sums = collections.Counter()
    for frame, cost in costs.items():
        sums[rankings.qualified(frame)] += cost
    return rankings.shares(sums)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--work", default="build/ranking")
    parser.add_argument("--compiler", default="g++", choices=sorted(run.COMPILERS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=1800)
    parser.add_argument("--count", type=int, default=10, help="how many functions are compared")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tie", type=float, default=0.5,
                        help="percentage points that don't tell two functions apart")
    parser.add_argument("--min-size", type=int, default=6, help="of function mode")
    parser.add_argument("--with", dest="profiler", choices=["perf", "callgrind"], default="perf")
    parser.add_argument("--source", required=True)
    parser.add_argument("--configure-command")
    parser.add_argument("--build-command", required=True)
    parser.add_argument("--run-command", required=True, help="starts with the program")
    return parser.parse_args()


def main():
    options = arguments()
    options.build, options.work = os.path.abspath(options.build), os.path.abspath(options.work)
    os.environ["LOOPSCOPE_REWRITE"] = f"--functions --min-size={options.min_size}"
    programs = Programs(options)
    runtime = runtime_functions(os.path.join(options.build, "lib", "libloopscope.a"))
    plain, same_run, report, marked = [], [], [], set()
    for _ in range(options.rounds):
        # callgrind's counts are the same each time.
        fold = programs.plain_costs() if options.profiler == "perf" or not plain else None
        own, distorted = programs.reported()
        marked |= distorted

        def kept(frame, own=own):
            return rankings.qualified(frame) in own

        plain.append(folded(fold(kept)) if fold else plain[0])
        same_run.append(folded(sampled(programs.counts, kept,
                                       lambda frame: rankings.qualified(frame) in runtime)))
        report.append(rankings.shares(own))
    references = {f"{options.profiler}, plain": rankings.measure(plain),
                  "perf, same run": rankings.measure(same_run)}
    report = rankings.measure(report)
    first = next(iter(references.values()))
    print(rankings.table(references, report, rankings.heaviest(first, options.count), marked))
    bad = False
    for who, reference in references.items():
        both = rankings.heaviest(reference, options.count)
        both += [name for name in rankings.heaviest(report, options.count) if name not in both]
        for what, names in (("", [name for name in both if name not in marked]), ("with ~, ", both)):
            found = rankings.agreement(reference, report, names, options.tie / 100)
            print(f"{who}: {what}{len(names)} functions, {found.pairs} pairs: {found.same} in the "
                  f"same order, {found.tied} not told apart, {len(found.opposite)} in opposite "
                  "orders" + "".join(f"; {a}, {b}" for a, b in found.opposite))
            bad |= not what and bool(found.opposite)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
