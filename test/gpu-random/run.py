"""Runs random programs on replayed devices, and compares every figure with the truth.

usage: run.py [-t SECONDS] [-s SEED] [-n PROGRAMS] [-k DIRECTORY] [-b BUILD] [--exact]

See test/gpu-random.sh.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

import check
from generate import Program
from truth import Truth

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.normpath(os.path.join(HERE, "..", ".."))
SHOWN, LENGTH = 8, 300  # differences per program, characters of each


def build(folder, options):
    """Builds the player for both CUPTIs: {major: path}."""
    result = {}
    for major in (12, 13):
        library = f"{options.build}/test/replay/libreplay-{major}.so"
        result[major] = f"{folder}/player-{major}"
        subprocess.run(
            ["gcc", "-g", "-O1", f"-I{SOURCE}/test/Gpu/Inputs", f"-I{SOURCE}/test/Survive/Inputs",
             f"-I{SOURCE}/test/replay", f"-I{SOURCE}/runtime/include", f"{HERE}/player.c", "-o",
             result[major], library, f"{options.build}/lib/libloopscope.a",
             f"-Wl,-rpath,{os.path.dirname(library)}", "-lpthread", "-ldl"], check=True)
    return result


def play(program, script, players, folder, options):
    """Runs the program; returns the Comparison, or a text with the reason why there is
    none."""
    paths = {name: f"{folder}/{name}" for name in ("script", "scenario", "truth", "loopscope")}
    for path in paths.values():
        if os.path.exists(path):
            os.remove(path)
    with open(paths["script"], "w", encoding="utf-8") as file:
        file.write(script)
    with open(paths["scenario"], "w", encoding="utf-8") as file:
        file.write("\n".join(program.scenario + ["truth " + paths["truth"]]) + "\n")
    library = f"{options.build}/test/replay/libreplay-{program.major}.so"
    environment = dict(os.environ, SCRIPT=paths["script"], LOOPSCOPE_REPLAY=paths["scenario"],
                       LOOPSCOPE_CUPTI=library,
                       LOOPSCOPE=("trace,cap=64M," if program.traced else "") +
                       # Warm-up steps have call paths of their own with the same names.
                       ("gpu-counters=200us,warmup=0," if program.sampled else "") +
                       f"report=none,devices=off,output={paths['loopscope']}")
    run = subprocess.run([players[program.major]], env=environment, timeout=120, check=False,
                         capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        return f"ends with {run.returncode}: {run.stderr.strip()}"
    try:
        truth = Truth(paths["truth"])
        result = check.compare(truth, paths["loopscope"], f"{options.build}/bin/loopscope",
                               options.exact)
    except RuntimeError as error:
        return str(error)
    result.equal("tools that were refused", truth.refused, script.splitlines().count("S"))
    return result


def blocks(lines):
    """The (first, last + 1) of removable parts: whole blocks, then single lines."""
    result, opened = [], []
    for at, line in enumerate(lines):
        if line[0] in "(T":
            opened.append(at)
        elif line == ")" and opened:
            result.append((opened.pop(), at + 1))
        elif line[0] in "kcmpCsdeuGPS":
            result.append((at, at + 1))
    return sorted(result, key=lambda pair: pair[0] - pair[1])


def reduce(program, players, folder, options, until):
    """A script with fewer lines that still differs."""
    lines = program.text().splitlines()
    changed = True
    while changed and time.time() < until:
        changed = False
        for first, last in blocks(lines):
            shorter = lines[:first] + lines[last:]
            result = play(program, "\n".join(shorter) + "\n", players, folder, options)
            if not isinstance(result, str) and result.differences:
                lines, changed = shorter, True
                break
            if time.time() > until:
                break
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-t", type=float, default=60, help="seconds")
    parser.add_argument("-n", type=int, default=10**9, help="programs at most")
    parser.add_argument("-s", type=int, default=None, help="seed of the first program")
    parser.add_argument("-k", default=".", help="where what fails is kept")
    parser.add_argument("-b", dest="build", default=os.path.join(SOURCE, "build"))
    parser.add_argument("--exact", action="store_true", help="sums over rows are unions")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    first = options.s if options.s is not None else time.time_ns() % 1_000_000_000
    print(f"seed {first}", flush=True)
    programs = figures = failures = 0
    end = time.time() + options.t
    with tempfile.TemporaryDirectory() as folder:
        players = build(folder, options)
        while programs < options.n and time.time() < end:
            program = Program(first + programs)
            programs += 1
            result = play(program, program.text(), players, folder, options)
            if not isinstance(result, str):
                figures += result.figures
            problems = [result] if isinstance(result, str) else result.differences
            if not problems:
                continue
            failures += 1
            print(f"program {program.seed} differs (sh test/gpu-random.sh -s {program.seed} -n 1):",
                  *(text[:LENGTH] for text in problems[:SHOWN]), sep="\n  ")
            kept = os.path.join(options.k, f"gpu-{program.seed}")
            os.makedirs(kept, exist_ok=True)
            for name in ("script", "scenario", "truth", "loopscope"):
                if os.path.exists(f"{folder}/{name}"):
                    shutil.copy(f"{folder}/{name}", kept)
            shorter = reduce(program, players, folder, options, time.time() + 20)
            with open(f"{kept}/shorter", "w", encoding="utf-8") as file:
                file.write("\n".join(shorter) + "\n")
            print(f"  kept in {kept}; cut down to {len(shorter)} lines", flush=True)
    print(f"{programs} programs, {figures} figures, {failures} programs with differences")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
