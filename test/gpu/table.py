"""The last part of run.sh: compares the measurements and prints one table.

usage: table.py RESULTS [--any-time]

RESULTS has the outputs of run.sh's runs and their profiles. --any-time: don't judge
times (those of a replayed GPU are meaningless). Exits 1 if a line fails.
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from gpu_profile import NODE_SUMS, WORK, Profile  # noqa: E402


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


class Table:
    def __init__(self):
        self.failed = False
        self.rows = []

    def add(self, what, values, good):
        self.failed |= not good
        self.rows.append((what, values, "ok" if good else "FAILS"))

    def print(self):
        for what, values, verdict in self.rows:
            print(f"{what:<54}{values:<58}{verdict}")


def same_output(table, folder, name, what):
    equal = read(folder, f"{name}.plain") == read(folder, f"{name}.hooked")
    table.add(f"{what}: output with and without hooks", "equal" if equal else "differs", equal)


def same_kernels(table, folder, name, any_time):
    word, count, ms = read(folder, f"{name}.counts").split()
    assert word == "kernels"
    our_count, our_ms = kernels(Profile(os.path.join(folder, f"{name}.loopscope")))
    table.add(f"{name}: kernels by CUPTI alone, by us", f"{count}, {our_count}",
              int(count) == our_count)
    off = abs(our_ms - float(ms)) / max(float(ms), 1e-9)
    table.add(f"{name}: kernel time, two runs", f"{float(ms):.3f} ms, {our_ms:.3f} ms", any_time
              or off < 0.02)


def overhead(table, folder, any_time):
    seconds = {form: float(read(folder, f"launches.{form}").split()[1])
               for form in ("plain", "consumed", "hooked")}
    ratio = seconds["hooked"] / seconds["consumed"]
    table.add("launch-bound loop: us / empty consumer",
              f"{ratio:.3f} (at most 1.05)", any_time or ratio <= 1.05)
    table.add("launch-bound loop: us / no profiler",
              f"{seconds['hooked'] / seconds['plain']:.3f} (stated)", True)


def memory(table, folder):
    seconds = {form: float(read(folder, f"memory.{form}").split()[1])
               for form in ("plain", "without", "with", "hooked")}
    for form in ("without", "with"):
        table.add(f"allocating loop: CUPTI {form} memory records / none",
                  f"{seconds[form] / seconds['plain']:.3f} (stated)", True)
    table.add("allocating loop: us / no profiler",
              f"{seconds['hooked'] / seconds['plain']:.3f} (stated)", True)


def phases(table, folder, program, any_time):
    ours = busy(Profile(os.path.join(folder, f"{program}.loopscope")))
    for line in read(folder, f"{program}.events").splitlines():
        _, name, ms = line.split()
        off = abs(ours.get(name, 0) - float(ms)) / float(ms)
        table.add(f"{name}: GPU busy by events, by us",
                  f"{float(ms):.3f} ms, {ours.get(name, 0):.3f} ms ({off:.2%} off, at most 1 %)",
                  name in ours and (any_time or off <= 0.01))


def main():
    folder, any_time = sys.argv[1], "--any-time" in sys.argv
    table = Table()
    same_output(table, folder, "example", "cuda-mlp")
    same_kernels(table, folder, "example", any_time)
    same_kernels(table, folder, "launches", any_time)
    overhead(table, folder, any_time)
    memory(table, folder)
    phases(table, folder, "phases", any_time)
    phases(table, folder, "shapes", any_time)
    if os.path.exists(os.path.join(folder, "program.plain")):
        same_output(table, folder, "program", "public program")
    else:
        print("A public program was not given (PROGRAM_PLAIN, PROGRAM_HOOKED).")
    table.print()
    return 1 if table.failed else 0


sys.exit(main())
