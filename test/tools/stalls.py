"""Runs a command on a machine whose processors are taken away now and then.

usage: stalls.py [--share S] [--longest S] [--seed N] [--stolen] COMMAND...

On each processor a process of real-time priority spins for times drawn between a millisecond and
--longest seconds (default 0.15), the share --share of the time (default 0.25), so everything else
stands still there: what a busy machine does to a program between any two of its instructions, more
often and for longer. A test that fails so compares times that it read at different places.
Needs the right to use real-time priorities (root, CAP_SYS_NICE).

--stolen: threads are charged with CPU time that they didn't use, as on a virtual machine, instead of
being stopped (stolen.c, by a signal; sleeps that a signal ends early aren't a test's fault).
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time


def stall(processor, share, longest, draw):
    os.sched_setaffinity(0, {processor})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    while os.getppid() != 1:
        length = 1e-3 + (longest - 1e-3) * draw.random() ** 3  # short ones are the rule
        time.sleep(length * (1 - share) / share * 2 * draw.random())
        end = time.monotonic() + length
        while time.monotonic() < end:
            pass


def run_charged(command):
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "stolen.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stolen.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
        return subprocess.run(command, env=dict(os.environ, LD_PRELOAD=library), check=False).returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--longest", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stolen", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    if not chosen.command:
        parser.error("a COMMAND is missing")
    if chosen.stolen:
        return run_charged(chosen.command)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        sys.exit("stalls.py: real-time priorities aren't permitted here; run it as root")
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    stallers = []
    for processor in os.sched_getaffinity(0):
        child = os.fork()
        if child == 0:
            stall(processor, chosen.share, chosen.longest, random.Random(chosen.seed * 1000 + processor))
            os._exit(0)
        stallers.append(child)
    try:
        return subprocess.run(chosen.command, check=False).returncode
    finally:
        for child in stallers:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main())
