"""The last part of run.sh: compares the measurements and prints one table.

usage: table.py RESULTS [--any-time]
       table.py --questions    the names of the questions' programs

RESULTS has the outputs of run.sh's runs and their profiles. --any-time: don't judge
times (those of a replayed GPU are meaningless). Exits 1 if a line fails.
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from gpu_profile import DEVICES, FUNCTIONS, NODE_SUMS, USES, WORK, Profile  # noqa: E402


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as stream:
        return stream.read()


def kernels(profile):
    """Number and milliseconds of all kernels in a profile."""
    count = ticks = 0
    for work in profile.all(WORK):
        kind, = struct.unpack_from("<H", work, 16)
        number, _, total = struct.unpack_from("<3Q", work, 24)
        if kind == 1:
            count += number
            ticks += total
    return count, ticks * 1000 / profile.hz


def busy(profile):
    """Milliseconds of GPU busy time, by the last name of the call path."""
    result = {}
    for sums in profile.all(NODE_SUMS):
        node, _, _, _, ticks = struct.unpack_from("<IIIIQ", sums, 0)
        name = profile.path(node).split("/")[-1]
        result[name] = result.get(name, 0) + ticks * 1000 / profile.hz
    return result


def sums_of(profile):
    """Kernels by name, copies and their bytes, sets, and the most memory, as counted by us."""
    result = {"kernel": {}, "copies": 0, "bytes": 0, "sets": 0, "peak": 0}
    functions = profile.all(FUNCTIONS)
    for work in profile.all(WORK):
        function, = struct.unpack_from("<I", work, 4)
        kind, = struct.unpack_from("<H", work, 16)
        count, = struct.unpack_from("<Q", work, 24)
        size, = struct.unpack_from("<Q", work, 80)
        if kind == 1:
            name = profile.string(functions[function], 0)
            result["kernel"][name] = result["kernel"].get(name, 0) + count
        elif kind == 2:
            result["copies"] += count
            result["bytes"] += size
        else:
            result["sets"] += count
    for device in profile.all(DEVICES):
        result["peak"] += struct.unpack_from("<Q", device, 120)[0]
    return result


class Table:
    def __init__(self, folder):
        self.folder = folder
        self.failed = False
        self.rows = []

    def add(self, what, values, good):
        self.failed |= not good
        self.rows.append((what, values, "ok" if good else "FAILS"))

    def missing(self, what, why):
        self.rows.append((what, why, "not measured"))

    def has(self, what, *names):
        """Whether all files of a question are there; if not, says so."""
        lacking = [name for name in names if not os.path.exists(os.path.join(self.folder, name))]
        if lacking:
            self.missing(what, "no " + lacking[0])
        return not lacking

    def print(self):
        for what, values, verdict in self.rows:
            print(f"{what:<54}{values:<58}{verdict}")


def fastest(folder, name):
    """The least of the seconds that a program printed in its runs; infinite without any."""
    return min((float(line.split()[1]) for line in read(folder, name).splitlines()
                if line.startswith("seconds")), default=float("inf"))


def same_output(table, folder, name, what):
    if not table.has(what, f"{name}.plain", f"{name}.hooked"):
        return
    plain, hooked = read(folder, f"{name}.plain"), read(folder, f"{name}.hooked")
    table.add(f"{what}: output with and without hooks",
              "equal" if plain == hooked else "differs", plain == hooked and plain != "")


def same_kernels(table, folder, name, any_time):
    if not table.has(name, f"{name}.counts", f"{name}.loopscope"):
        return
    word, count, ms = read(folder, f"{name}.counts").split()
    assert word == "kernels"
    our_count, our_ms = kernels(Profile(os.path.join(folder, f"{name}.loopscope")))
    table.add(f"{name}: kernels by CUPTI alone, by us", f"{count}, {our_count}",
              int(count) == our_count)
    off = abs(our_ms - float(ms)) / max(float(ms), 1e-9)
    table.add(f"{name}: kernel time, two runs", f"{float(ms):.3f} ms, {our_ms:.3f} ms", any_time
              or off < 0.02)


def overhead(table, folder, any_time):
    if not table.has("launch-bound loop", *(f"launches.{form}" for form in
                                            ("plain", "consumed", "hooked"))):
        return
    plain, consumed, hooked = (fastest(folder, f"launches.{form}")
                               for form in ("plain", "consumed", "hooked"))
    table.add("launch-bound loop: us / empty consumer",
              f"{hooked / consumed:.3f} (at most 1.25)", any_time or hooked / consumed <= 1.25)
    table.add("launch-bound loop: us / no profiler", f"{hooked / plain:.3f} (stated)", True)


def memory(table, folder):
    forms = ("plain", "without", "with", "hooked")
    if not table.has("allocating loop", *(f"memory.{form}" for form in forms)):
        return
    seconds = {form: fastest(folder, f"memory.{form}") for form in forms}
    for form in ("without", "with"):
        table.add(f"allocating loop: CUPTI {form} memory records / none",
                  f"{seconds[form] / seconds['plain']:.3f} (stated)", True)
    table.add("allocating loop: us / no profiler",
              f"{seconds['hooked'] / seconds['plain']:.3f} (stated)", True)


def phases(table, folder, program, any_time):
    if not table.has(program, f"{program}.events", f"{program}.loopscope"):
        return
    ours = busy(Profile(os.path.join(folder, f"{program}.loopscope")))
    for line in read(folder, f"{program}.events").splitlines():
        if not line.startswith("phase "):
            table.add(program, line, False)
            continue
        _, name, ms = line.split()
        off = abs(ours.get(name, 0) - float(ms)) / float(ms)
        table.add(f"{name}: GPU busy by events, by us",
                  f"{float(ms):.3f} ms, {ours.get(name, 0):.3f} ms ({off:.2%} off, at most 1%)",
                  name in ours and (any_time or off <= 0.01))


def use_of(profile, phase, metric):
    """Windows and mean of a metric over the call paths that end with PHASE."""
    count = ticks = integral = 0
    for path, _, name, windows, its, _, its_integral in profile.uses():
        if name == metric and path.split("/")[-1] == phase:
            count, ticks, integral = count + windows, ticks + its, integral + its_integral
    return count, integral / ticks if ticks else 0


def hardware(table, name, line, profile):
    _, phase, metric, low, high = line.split()
    what = f"{name}: {metric} of {phase}"
    windows, mean = use_of(profile, phase, metric)
    if windows == 0 and (name == "sampling" or not profile.all(USES)):
        table.missing(what, profile.note() or "NVML has no monitors here")
    else:
        table.add(what, f"{low} to {high} %, {mean:.1f} % in {windows} windows",
                  windows >= 5 and float(low) <= mean <= float(high))


def truth(table, name, line, ours):
    """A line of truth that a question's program printed; see questions/question.h."""
    what, *words = line.split()
    if what in ("kernel", "unrecorded"):
        found = sum(count for full, count in ours["kernel"].items() if words[0] in full)
        table.add(f"{name}: kernels {words[0]}", f"{words[1]}, {found}",
                  what == "unrecorded" or int(words[1]) == found)
    elif what == "copies":
        table.add(f"{name}: copies, bytes", f"{words[0]}, {ours['copies']}; {words[1]}, "
                  f"{ours['bytes']}", [int(word) for word in words] == [ours["copies"],
                                                                       ours["bytes"]])
    elif what in ("sets", "peak"):
        table.add(f"{name}: {what}", f"{words[0]}, {ours[what]}", int(words[0]) == ours[what])


def question(table, folder, name):
    if not table.has(name, f"{name}.plain", f"{name}.hooked", f"{name}.loopscope"):
        return
    if "exit " in read(folder, f"{name}.plain"):
        table.missing(name, "the program fails without hooks, too")
        return
    same_output(table, folder, name, name)
    profile = Profile(os.path.join(folder, f"{name}.loopscope"))
    ours = sums_of(profile)
    before, during = (profile.counter(f"gpu.clock.{when}") / 1e6 for when in ("before", "during"))
    if before:
        table.add(f"{name}: SM clock before and during PM sampling",
                  f"{before:.0f} MHz, {during:.0f} MHz (stated)", True)
    for line in read(folder, f"{name}.plain").splitlines():
        if line.startswith("use "):
            hardware(table, name, line, profile)
        else:
            truth(table, name, line, ours)


# In the order of asking: what may hang comes last.
QUESTIONS = ("threads", "unload", "graphs", "conditional", "devicegraph", "attributes", "copies",
             "polls", "pools", "contexts", "managed", "hardware", "sampling", "reset", "inflight", "fork",
             "fault")


def main():
    if sys.argv[1] == "--questions":
        print(*QUESTIONS)
        return 0
    folder, any_time = sys.argv[1], "--any-time" in sys.argv
    table = Table(folder)
    same_output(table, folder, "example", "cuda-mlp")
    same_kernels(table, folder, "example", any_time)
    same_kernels(table, folder, "launches", any_time)
    overhead(table, folder, any_time)
    memory(table, folder)
    phases(table, folder, "phases", any_time)
    phases(table, folder, "shapes", any_time)
    same_output(table, folder, "program", "public program (PROGRAM_PLAIN, PROGRAM_HOOKED)")
    for name in QUESTIONS:
        question(table, folder, name)
    table.print()
    return 1 if table.failed else 0


sys.exit(main())
