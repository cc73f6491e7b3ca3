"""Runs layouts of ranks with a known culprit, and checks whom the ranks view names.

usage: rank-layouts.py MPIRUN PROGRAM WORKDIR LAYOUT...

PROGRAM is test/Mpi/Inputs/layouts.c. A run with a culprit must name its rank and phase, and no other rank; a run
without one must name nobody. Other programs on the machine may make a rank late in truth, so a run that disagrees is
repeated: of TRIES, one must agree. Prints a line for each layout and culprit.
"""
import collections
import os
import re
import shlex
import shutil
import subprocess
import sys

RANKS, STEPS, TRIES = 4, 30, 8
NAMED = re.compile(r"^(?:Rank|rank) (\d+) takes .*?: (?:(.*?) \(layouts\.c:\d+\) explains|no single)")
ONCE = re.compile(r"[Rr]ank (\d+) took .* than usual in step (\d+)(?:,.*?)?: (.*?) \(layouts\.c:\d+\) explains")
SLOW = {"pipe": 8, "mpmd": 25}


def cases(layout):
    """What is passed to the program, and what the view must say."""
    slow = SLOW.get(layout, 20)
    last = RANKS - 1
    yield "nobody", ["forward", -1, 0], set()
    if layout == "mpmd":
        yield "solve", ["solve", 1, slow], {("always", 1, "solve")}
        yield "forward", ["forward", 2, slow], {("always", 2, "forward")}
        return
    yield "forward", ["forward", 2, slow], {("always", 2, "forward")}
    yield "last", ["backward", last, slow], {("always", last, "backward")}
    if layout in ("dp", "hier", "overlap", "thread"):
        yield "load", ["load", 1, slow], {("always", 1, "load")}
    yield "turns", ["forward", -2, slow], {("turns",)}
    yield "once", ["forward", 1, 1000, STEPS, 20], {("once", 1, 20, "forward")}


def said(profiles):
    text = subprocess.run(["loopscope", "report", profiles, "--view", "ranks"], check=True,
                          capture_output=True, text=True).stdout
    found = set()
    for line in text.splitlines():
        if match := NAMED.match(line):
            found.add(("always", int(match[1]), match[2]))
        elif re.match(r"[Rr]anks .* take ", line):
            found.add(("set", line))
        elif line.startswith("Which rank takes longest changes"):
            found.add(("turns",))
        for match in ONCE.finditer(line):
            found.add(("once", int(match[1]), int(match[2]), match[3]))
    return found, text


def main():
    mpirun, program, work = sys.argv[1:4]
    for layout in sys.argv[4:]:
        for name, arguments, wanted in cases(layout):
            phase, rank, slow, *more = arguments
            # A busy machine hides a culprit, and makes now one rank late in truth, now another. A rank and phase that
            # are named twice, or three that are named, are the view's error. Single long steps are true there.
            accused = collections.Counter()
            for turn in range(TRIES):
                # On a busy machine, milliseconds are little beside the waits for a processor.
                rest = [str(each) for each in (phase, rank, slow << turn // 2, *(more or [STEPS]))]
                shutil.rmtree(work, ignore_errors=True)
                profiles = os.path.join(work, "p") + "/"
                os.makedirs(work)
                environment = dict(os.environ, LOOPSCOPE=f"report=none,output={profiles}")
                subprocess.run([*shlex.split(mpirun), "-n", str(RANKS), program, layout, *rest],
                               env=environment, check=True)
                found, text = said(profiles)
                if ("turns",) not in wanted:  # accuses nobody, and is true on a busy machine
                    found.discard(("turns",))
                if turn >= TRIES // 2:  # a very busy machine makes single steps long in each run
                    found = {each for each in found if each[0] != "once" or each in wanted}
                if found == wanted:
                    break
                print(f"{layout}, {name}, run {turn + 1}: {found}, not {wanted}", file=sys.stderr)
                accused.update(each[:2] + (each[2].split(".")[0],) if each[0] == "always" else each
                               for each in found - wanted if each[0] != "once")
                if accused and (max(accused.values()) > 1 or accused.total() > 2):
                    sys.exit(f"rank-layouts: {layout}, {name}: {dict(accused)}, not {wanted}\n{text}")
            else:
                sys.exit(f"rank-layouts: {layout}, {name}: {found}, not {wanted}\n{text}")
            print(f"{layout}, {name}: {sorted(wanted)[0] if wanted else 'nobody'}", flush=True)


main()
