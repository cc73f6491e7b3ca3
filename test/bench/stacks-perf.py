"""Compares the functions view with perf, on four programs, and measures the cost of
sampling.

usage: stacks-perf.py --build BUILD [--times N] [--hz HZ] [--cost ROUNDS] [--work DIR]

Each program of test/bench/stacks runs once under `perf record` with
LOOPSCOPE=trace,stacks, so that both sample the same run: perf 2,000 times per second,
Loopscope at its default rate. perf knows no phases: its samples are assigned to the
main thread's phase at that time, from our timeline. For each phase, the ten functions
with the most samples in either are compared. A library counts as one function, because
perf names its functions differently if they are inlined or stripped. Prints the largest
difference in percentage points, and the difference that chance alone may cause (95%).
Exits 1 if a difference exceeds three points, or if chance alone could cause that much:
then the programs ran too briefly. They run about one second per phase, times N.

With --cost, each program runs ROUNDS times, alternating between plain and
LOOPSCOPE=stacks; the medians of the ratios of processor time are printed, with their
quartiles.

Needs perf, and perf_event_paranoid up to 2.
"""
import argparse
import bisect
import collections
import csv
import io
import json
import math
import os
import re
import resource
import statistics
import subprocess
import sys
import time

POINTS = 3
TOP = 10
PERF_HZ = 2000
PROGRAMS = {"phases.c": ["gcc"], "barrier.c": ["gcc", "-fopenmp"], "sigprof.c": ["gcc"],
            "library.cpp": ["g++"]}


def build(options, source):
    program = os.path.join(options.work, source.partition(".")[0])
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stacks")
    include = os.path.join(here, "..", "..", "..", "runtime", "include")
    subprocess.run([*PROGRAMS[source], f"-DTIMES={options.times}", "-O1", "-fno-inline", "-g",
                    "-I", include, os.path.join(here, source), "-o", program,
                    os.path.join(options.build, "lib", "libloopscope.a"), "-lpthread", "-ldl",
                    "-lm"], check=True)
    return program


def environment(words):
    return dict(os.environ, LOOPSCOPE=words, OMP_WAIT_POLICY="active")


def plain(name):
    """Without parameters, template arguments and versions."""
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    name = re.sub(r"\(.*", "", name)
    return name.split()[-1] if name.split() else name


def library_name(file):
    """Without the parts in which links to the same file differ."""
    return file.partition(".so")[0]


def share(of, name):
    """Percentage of the samples OF a phase."""
    return 100 * of[name] / max(1, of.total())


def by_chance(ours, theirs, name):
    """The difference of both shares, in points, that chance exceeds in one of twenty
    cases."""
    both = (ours[name] + theirs[name]) / (ours.total() + theirs.total())
    return 196 * math.sqrt(both * (1 - both) * (1 / ours.total() + 1 / theirs.total()))


def report(options, *words):
    return subprocess.run([os.path.join(options.build, "bin", "loopscope"), *words], check=True,
                          text=True, stdout=subprocess.PIPE).stdout


def by_us(options, profile, program):
    counts = collections.defaultdict(collections.Counter)
    text = report(options, "report", "--view", "functions", "--format", "csv", "--rows", "all", profile)
    for row in csv.DictReader(io.StringIO(text)):
        name = library_name(row["library"]) if row["library"] != program else plain(row["function"])
        counts[row["phase"]][name] += int(row["count"])
    return counts


def by_perf(options, profile, data):
    trace = os.path.join(options.work, "trace.json")
    if os.path.exists(trace):
        os.remove(trace)
    report(options, "export", "--to", "chrome", "-o", trace, profile)
    with open(trace, encoding="utf-8") as file:
        read = json.load(file)
    spans = sorted((read["baseTimeNanoseconds"] + 1000 * e["ts"], 1000 * e["dur"], e["name"])
                   for e in read["traceEvents"] if e.get("ph") == "X" and e["cat"] == "cpu_op")
    starts = [start for start, _, _ in spans]
    counts = collections.defaultdict(collections.Counter)
    text = subprocess.run(["perf", "script", "-i", data, "--ns", "-F", "time,ip,sym,dso"], check=True,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for line in text.splitlines():
        time, _, name = line.split(None, 2)
        seconds, _, rest = time.rstrip(":").partition(".")
        at = bisect.bisect(starts, int(seconds) * 10**9 + int(rest)) - 1
        if at >= 0 and int(seconds) * 10**9 + int(rest) < spans[at][0] + spans[at][1]:
            symbol, _, place = name.rpartition(" (")
            library = os.path.basename(place.rstrip(")"))
            is_own = library == os.path.basename(os.path.splitext(data)[0])
            counts[spans[at][2]][plain(symbol) if is_own else library_name(library)] += 1
    return counts


def top(of):
    return [name for name, _ in of.most_common(TOP)]


def compare(options, program):
    """Prints a row for each phase; returns whether all are within POINTS."""
    profile, data = program + ".loopscope", program + ".perf"
    if os.path.exists(profile):
        os.remove(profile)
    subprocess.run(["perf", "record", "-q", "-k", "CLOCK_REALTIME", "-e", "cpu-clock:u", "-F",
                    str(PERF_HZ), "-o", data, "--", program], check=True,
                   env=environment(f"trace,stacks={options.hz},report=none,output={profile}"))
    ours, theirs = by_us(options, profile, os.path.basename(program)), by_perf(options, profile, data)
    fits = True
    for phase, reference in sorted(theirs.items()):
        found = ours[phase]
        if not found:
            print(f"| {os.path.basename(program)} | {phase} | no sample of ours |")
            fits = False
            continue
        names = top(reference) + [name for name in top(found) if name not in top(reference)]
        apart = {name: abs(share(found, name) - share(reference, name)) for name in names}
        chance = max(by_chance(found, reference, name) for name in names)
        first = top(reference)[0]
        print(f"| {os.path.basename(program)} | {phase} | {first} | {share(reference, first):.1f} % | "
              f"{share(found, first):.1f} % | {found.total():,} | {len(names)} | "
              f"{max(apart.values()):.1f} | {chance:.1f} |", flush=True)
        for name in names:
            if apart[name] > POINTS:
                print(f"  {name}: {share(found, name):.1f} %, perf {share(reference, name):.1f} %")
        if chance > POINTS:
            print(f"  chance alone makes {chance:.1f} points: give a greater --times")
        fits &= max(apart.values()) <= POINTS and chance <= POINTS
    return fits


def times_of(program, words):
    """CPU time and wall time of a run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program], check=True, env=environment(words))
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - start


def cost(program, rounds):
    ratios = []
    for turn in range(rounds):
        pair = {}
        for words in ("off", "stacks") if turn % 2 else ("stacks", "off"):
            pair[words] = times_of(program, words if words == "off" else "stacks,report=none,output=/dev/null")
        ratios.append([one / other for one, other in zip(pair["stacks"], pair["off"])])
    cells = []
    for each in zip(*ratios):
        low, middle, high = statistics.quantiles(each, n=4)
        cells.append(f"{middle:.3f} ({low:.3f} to {high:.3f})")
    print(f"| {os.path.basename(program)} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", help="where programs and profiles go (default: BUILD/stacks-perf)")
    parser.add_argument("--times", type=int, default=6, metavar="N")
    parser.add_argument("--hz", type=int, default=250, help="samples of ours a second")
    parser.add_argument("--cost", type=int, default=0, metavar="ROUNDS")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.work = os.path.abspath(options.work or os.path.join(options.build, "stacks-perf"))
    os.makedirs(options.work, exist_ok=True)
    programs = [build(options, source) for source in PROGRAMS]
    print("| program | phase | first by perf | perf | ours | our samples | compared | "
          "largest difference, points | by chance |\n|---|---|---|---:|---:|---:|---:|---:|---:|",
          flush=True)
    fits = [compare(options, program) for program in programs]
    if options.cost:
        print("\n| program | CPU time, with stacks / without | wall time |\n|---|---:|---:|")
        for program in programs:
            cost(program, options.cost)
    sys.exit(not all(fits))


main()
