"""Compares the advanced report's ranking of functions with perf's or callgrind's.

usage: ranking.py [options] --source DIR --build-command CMD --run-command CMD

Builds the project in DIR twice as run.py does. The plain program runs under `perf
record`, which samples its stack, or `valgrind --tool=callgrind`, which counts
instructions; the instrumented one under LOOPSCOPE=advanced. Functions without a hook
(small ones, those of libraries) are part of their callers in our report. So a sample
belongs to the innermost function on its stack that has a hook, and callgrind's costs
of the others go to their callers, in the proportion of the calls' costs.

Prints the N functions with the greatest own cost and our ranking of them. Both agree
where every two of them whose costs differ by more than --tolerance come in the same
order; those below 1 % of the program, and those that the report marks with ~ because
a hook costs as much as they do, are not compared. (Instructions are not time:
expect callgrind to see a loop that waits for its own results as lighter than it is.)
The exit status is 1 where they don't agree.
"""
import argparse
import collections
import csv
import os
import re
import subprocess
import sys

import run


# --- callgrind ---------------------------------------------------------------

class Callgrind:
    """A callgrind.out file: own costs of functions, and costs of their calls."""

    def __init__(self, path):
        self.own = collections.Counter()
        self.calls = collections.defaultdict(collections.Counter)  # caller: {callee: cost}
        names, function, callee = {}, None, None
        with open(path, encoding="utf-8", errors="replace") as stream:
            for line in stream:
                key, equals, rest = line.rstrip("\n").partition("=")
                if equals and key in ("fn", "cfn"):
                    # "(3) name" the first time, "(3)" from then on.
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
        """Own costs of the functions that KEPT accepts, with those of the others in them."""
        total = collections.Counter()
        for callees in self.calls.values():
            total.update(callees)
        cost, moving = collections.Counter(), collections.Counter(self.own)
        callers = collections.defaultdict(collections.Counter)
        for caller, callees in self.calls.items():
            for callee, share in callees.items():
                callers[callee][caller] += share
        # What isn't kept moves up by one caller a round; the rest goes round in recursion.
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


def plain(name):
    """NAME without template arguments, callgrind's marks and unnamed namespaces."""
    name = re.sub(r"'\d+$", "", name)
    name = re.sub(r"\(anonymous namespace\)|\{anonymous\}|\[abi:\w+\]", "", name)
    previous = None
    while previous != name:
        previous, name = name, re.sub(r"<[^<>]*>", "", name)
    return name


def bare(name):
    """The last part of a function's name."""
    return plain(name).split("(")[0].split(" ")[-1].split("::")[-1].strip()


# --- perf ------------------------------------------------------------------

def sampled(path, kept):
    """Samples by the innermost function on the stack that KEPT accepts."""
    text = subprocess.run(["perf", "script", "-i", path, "-F", "ip,sym"], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    cost = collections.Counter()
    for stack in text.split("\n\n"):
        frames = [line.strip().partition(" ")[2] for line in stack.splitlines()]
        inner = next((frame for frame in frames if kept(frame)), None)
        if inner:
            cost[inner] += 1
    return cost


# --- Our report --------------------------------------------------------------

def advanced(report, profile):
    """Own seconds by function, over all stages, and the functions that hooks distort."""
    text = subprocess.run([report, "report", "--view", "advanced", "--format", "csv", "--rows",
                           "all", profile], check=True, text=True, stdout=subprocess.PIPE).stdout
    own, distorted = collections.Counter(), set()
    for part in re.split(r"^# Profile stats for: ", "\n" + text, flags=re.M):
        stage = part.split("\n", 1)[0]
        if re.match(r"(fit|validate|test|the whole run)\b", stage) or not stage:
            for row in csv.DictReader(line for line in part.split("\n")[1:] if line):
                name = re.sub(r"^.*?:\d+\((.*)\)$", r"\1", row["function"])
                own[bare(name)] += float(row["tottime_s"])
                if row["distorted"] == "1":
                    distorted.add(bare(name))
    return own, distorted


def swapped(theirs, ours, tolerance, names):
    """Pairs of functions that they tell apart and we order otherwise."""
    return [(a, b) for a in names for b in names
            if theirs[a] > tolerance * theirs[b] and ours[a] < ours[b]]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--work", default="build/ranking")
    parser.add_argument("--compiler", default="g++", choices=sorted(run.COMPILERS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=1800)
    parser.add_argument("--count", type=int, default=10, help="how many functions are shown")
    parser.add_argument("--tolerance", type=float, default=1.5)
    parser.add_argument("--min-size", type=int, default=6, help="of function mode")
    parser.add_argument("--with", dest="profiler", choices=["perf", "callgrind"], default="perf")
    parser.add_argument("--source", required=True)
    parser.add_argument("--configure-command")
    parser.add_argument("--build-command", required=True)
    parser.add_argument("--run-command", required=True, help="starts with the program")
    options = parser.parse_args()
    options.build, options.work = os.path.abspath(options.build), os.path.abspath(options.work)
    os.environ["LOOPSCOPE_REWRITE"] = f"--functions --min-size={options.min_size}"
    name = os.path.basename(os.path.abspath(options.source))
    project = run.Project(name, {"configure": options.configure_command, "cases": "tap",
                                 "build": options.build_command, "test": ""},
                          options.compiler, options)
    os.makedirs(project.work, exist_ok=True)
    counts, profile = project.work + "/" + options.profiler, project.work + "/profile.loopscope"
    for path in (counts, profile):
        if os.path.exists(path):
            os.remove(path)
    under = (f"perf record -q -e cpu-clock -F 2000 --call-graph dwarf,16384 -o {counts} -- "
             if options.profiler == "perf" else
             f"valgrind -q --tool=callgrind --callgrind-out-file={counts} ")
    for variant, environment, prefix in (
            ("plain", {}, under),
            ("instrumented", {"LOOPSCOPE": f"advanced,report=none,output={profile}"}, "")):
        project.variant(variant, os.path.abspath(options.source))
        subprocess.run(["sh", "-c", prefix + options.run_command], cwd=project.source, check=True,
                       env=dict(os.environ, **environment), stdout=subprocess.DEVNULL)
    ours, distorted = advanced(os.path.join(options.build, "bin", "loopscope"), profile)
    # Function mode leaves lambdas out.
    def kept(each):
        return bare(each) in ours and "lambda" not in plain(each)

    folded = (sampled(counts, kept) if options.profiler == "perf" else
              Callgrind(counts).folded(kept))
    theirs = collections.Counter()
    for each, cost in folded.items():
        theirs[bare(each)] += cost
    rank = {each: place for place, (each, _) in enumerate(ours.most_common(), 1)}
    print(f"| | function | {options.profiler} | advanced report | its place there |\n"
          "|---:|---|---:|---:|---:|")
    for place, (each, cost) in enumerate(theirs.most_common(options.count), 1):
        print(f"| {place} | {'~' if each in distorted else ''}`{each}` | {100 * cost / sum(theirs.values()):.1f} % "
              f"| {100 * ours[each] / sum(ours.values()):.1f} % | {rank[each]} |")
    compared = [each for each, cost in theirs.most_common(options.count)
                if cost > 0.01 * sum(theirs.values()) and each not in distorted]
    wrong = swapped(theirs, ours, options.tolerance, compared)
    for first, second in wrong:
        print(f"not in the same order: {first}, {second}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
