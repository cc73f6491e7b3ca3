"""Writes the profiles of a run of several ranks with known steps.

usage: made-ranks.py DIRECTORY RUN MILLISECONDS...

MILLISECONDS are the durations of the ranks' forward phases, in each of 12 steps. An
all-reduce follows, which they leave together, 1 ms after the last one has arrived.
"""
import os
import subprocess
import sys

STEPS = 12


def main():
    folder, run, forward = sys.argv[1], sys.argv[2], [int(each) for each in sys.argv[3:]]
    os.makedirs(folder, exist_ok=True)
    step = max(forward) + 1
    for rank, own in enumerate(forward):
        waits = step - own
        text = f"""run {run}
rank {rank} of {len(forward)}
host node
wall {STEPS * step}ms
thread main
  train line=3 spans={STEPS * step}ms
    step spans={STEPS}x{step}ms
      draw spans={STEPS}x0ms
      batch spans={STEPS}x{step}ms
        phase forward file=train.cpp line=7 spans={STEPS}x{own}ms
        collective reduce file=train.cpp line=8 spans={STEPS}x{waits}ms
"""
        for number in range(STEPS):
            text += (f"collective reduce at={number * step + own}ms took={waits}ms step={number} "
                     f"work={own}ms phases=forward:{own}ms\n")
        subprocess.run(["make-profile", "/dev/stdin", os.path.join(folder, f"{rank}.loopscope")],
                       input=text, text=True, check=True)


main()
