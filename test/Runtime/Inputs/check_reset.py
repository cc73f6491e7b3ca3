"""Adds up the parts of a run of Runtime/reset.c.

usage: check_reset.py FOLDER PARTS < OWN

OWN has a line for each thing that the program counted, and how long its threads had no processor.
FOLDER has run.loopscope and the files of the parts before its last one. The parts must add up to OWN,
and, call path by call path, to what the profile shows without those files, which is the whole run.
"""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile


def rows(profile, view, *options):
    done = subprocess.run(["loopscope", "report", profile, "--view", view, "--format", "csv", *options],
                          capture_output=True, text=True)
    # A part may have no samples, and a run none at all.
    return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode == 0 else []


def number(text):
    return float(text) if text else 0.0


def paths(profile):
    """Calls and seconds by call path and thread."""
    found = {}
    above = []
    for row in rows(profile, "tree", "--by", "key"):
        del above[int(row["depth"]):]
        above.append(row["name"])
        if row["calls"]:
            total = found.setdefault((row["threads"], *above), [0, 0.0])
            total[0] += int(row["calls"])
            total[1] += number(row["inclusive_s"])
    return found


def counts(profile):
    """What OWN counts, by its names, and samples of stacks."""
    found = {}

    def add(name, value):
        found[name] = found.get(name, 0) + value

    for (*_, name), (calls, _) in paths(profile).items():
        add(name, calls)
    for row in rows(profile, "tree"):
        if row["depth"] == "0" and row["kind"] == "phase":
            add("flops", number(row.get("flop")))
    for row in rows(profile, "history"):
        if row["table"] == "steps":
            add("history steps", int(row["steps"]))
            add("samples", int(row["samples"]))
        elif row["table"] == "values":
            add("values", int(row["count"]))
    for row in rows(profile, "ranges"):
        add("ranges", int(row["calls"]))
    for row in rows(profile, "functions"):
        add("stack samples", int(row["count"]))
    return found


def summed(tables):
    total = {}
    for table in tables:
        for name, value in table.items():
            total[name] = total.get(name, 0) + value
    return total


def check(folder, parts, own):
    starved_s = own.pop("starved_ns") / 1e9
    files = [os.path.join(folder, f"run.part{n}.loopscope") for n in range(1, parts)]
    files.append(os.path.join(folder, "run.loopscope"))
    found = summed(counts(each) for each in files)
    for name, expected in {**own, "history steps": own["step"]}.items():
        if found.get(name, 0) != expected:
            yield f"{name}: the parts have {found.get(name, 0)}, the program {expected}"
    with tempfile.TemporaryDirectory() as alone:
        shutil.copy(files[-1], alone)
        whole_file = os.path.join(alone, "run.loopscope")
        whole = paths(whole_file)
        of_whole = counts(whole_file)
    for name in ("stack samples", "flops"):
        # A sample may be in a call path that was just being made.
        missing = of_whole.get(name, 0) - found.get(name, 0)
        if missing != 0 and (name == "flops" or not 0 <= missing < parts):
            yield f"{name}: the parts have {found.get(name, 0)}, the run {of_whole.get(name, 0)}"
    tables = [paths(each) for each in files]
    for path in sorted(set(whole).union(*tables)):
        calls = sum(table.get(path, [0, 0])[0] for table in tables)
        seconds = sum(table.get(path, [0, 0])[1] for table in tables)
        whole_calls, whole_s = whole.get(path, [0, 0.0])
        if calls != whole_calls:
            yield f"{path}: the parts have {calls} calls, the run {whole_calls}"
        # Another thread may have had no processor between a reading of the clock and its record.
        apart = 1e-6 * whole_s + 20e-9 * parts if path[0] == "main" else 0.1 * whole_s + 10e-3 + starved_s
        if abs(seconds - whole_s) > apart:
            yield f"{path}: the parts have {seconds:.9f} s, the run {whole_s:.9f} s"
        # Each figure is of the part's time: no call path has more than the run.
        if any(table.get(path, [0, 0])[1] > whole_s + apart for table in tables):
            yield f"{path}: a part has more than the run"


def main():
    own = {}
    for line in sys.stdin:
        name, value = line.split()
        own[name] = int(value)
    wrong = list(check(sys.argv[1], int(sys.argv[2]), own))
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
