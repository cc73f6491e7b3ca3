"""Compares what is on record with what the program gloo.cpp says that it did.

usage: check_gloo.py TRUTH PROFILE

TRUTH has a line for each operation (name, calls, bytes) and each wait (name, calls, least and most
nanoseconds). Prints differences, and then how many rows agree.
"""
import csv
import io
import subprocess
import sys


def table(view):
    """The rows of a view of the profile."""
    text = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", sys.argv[2]],
                          check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


with open(sys.argv[1], encoding="utf-8") as file:
    truth = [line.split() for line in file]
operations = {name: (int(calls), int(size)) for name, calls, size in (each for each in truth if len(each) == 3)}
waits = {each[0]: tuple(map(int, each[1:])) for each in truth if len(each) == 4}
agreed = 0
for row in table("communication"):
    name, calls = row["operation"], int(row["calls"])
    if name in operations:
        found = (row["communicator"], calls, int(row["bytes"] or 0))
        if found != ("process group 1, 2 ranks", *operations.pop(name)):
            print("operation", name, found)
            continue
    elif name in waits:
        expected, least, most = waits.pop(name)
        # A condition variable may wake without a reason.
        if calls != expected and not (name.startswith("c10d::Reducer") and calls > expected):
            print("wait", name, calls)
            continue
        spent = sum(float(each["inclusive_s"]) for each in table("tree") if each["name"] == name) * 1e9
        # Two clocks, and a moment between the program's and the span's.
        if not least * 0.95 - 1e5 <= spent <= most * 1.01:
            print("wait", name, least, spent, most)
            continue
    else:
        print("unknown", name)
        continue
    agreed += 1
print(*(f"missing {name}\n" for name in [*operations, *waits]), sep="", end="")
print(f"{agreed} rows agree")
