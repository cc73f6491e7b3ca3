"""Truncates a busy program's profile at random moments, and checks that the program ends as usual.

usage: truncate_busy.py PROGRAM RUNS WORDS...

Each run with each of the words for LOOPSCOPE: up to three times, to sizes that never grow, or, in
one run of three, back to the former size each time, which puts zeros there. Prints each run that
didn't end with "done" and exit code 0, and how many did.
"""
import os
import random
import subprocess
import sys
import time

SIZES = [0, 0, 4096, 5000, 20_000, 100_000]
LARGEST = 200_000  # of random sizes: half of all


def run(program, words, rng):
    """Whether the program ended well; and what it said if not."""
    profile = program + ".busy.loopscope"
    if os.path.exists(profile):
        os.unlink(profile)
    options = f"{words},report=none,output={profile}"
    with subprocess.Popen([program], env=dict(os.environ, LOOPSCOPE=options), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        size, grows = 1 << 30, rng.randrange(3) == 0
        time.sleep(rng.uniform(0, 0.25))
        for _ in range(3):
            size = min(size, rng.choice([rng.choice(SIZES), rng.randrange(LARGEST)]))
            try:
                before = os.stat(profile).st_size
                if before > size:
                    os.truncate(profile, size)
                    if grows:
                        os.truncate(profile, before)
            except FileNotFoundError:
                pass
            time.sleep(rng.uniform(0, 0.04))
        try:
            out, said = process.communicate(timeout=100)
        except subprocess.TimeoutExpired:
            process.kill()
            return "it hangs"
    return "" if (process.returncode, out) == (0, "done\n") else f"exit {process.returncode}: {said}"


def main():
    program, runs = sys.argv[1], int(sys.argv[2])
    seed = random.randrange(1 << 30)
    rng, good = random.Random(seed), 0
    for words in sys.argv[3:]:
        for _ in range(runs):
            problem = run(program, words, rng)
            good += not problem
            if problem:
                print(f"{words}, seed {seed}: {problem}")
    print(f"{good} runs ended as usual")


main()
