"""Measures the cost of rewriting: CPU time and memory, compared with `clang
-fsyntax-only`, alternating in one run.

usage: rewrite.py BUILD [ROUNDS [TORCH]]

Prints a Markdown table of medians: a C file, a C++ file with many headers, the LibTorch
example if LibTorch is installed (TORCH: its include directory, /usr/include by
default); the launcher on a file without annotations; and -j.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

C = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
%s static double work(int n) { double s = 0; for (int i = 0; i < n; ++i) s += sqrt(i); return s; }
int main(void) { printf("%%g\\n", work(300)); return 0; }
"""
CXX = """#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <vector>
%s static int work(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i; return s; }
int main() { std::map<std::string, int> m; m["a"] = work(3); std::cout << m["a"] << '\\n'; }
"""
MARK = '[[loopscope::phase("work")]]'


def run(command, folder):
    """Returns (processor ms, wall ms, peak MB) of one run."""
    start = time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return ((used.ru_utime + used.ru_stime) * 1e3, (time.monotonic() - start) * 1e3,
            used.ru_maxrss / 1024)


def medians(commands, folder, rounds):
    """The median results of run() for each command; the commands alternate."""
    results = [[] for _ in commands]
    for _ in range(rounds):
        for each, command in zip(results, commands):
            each.append(run(command, folder))
    return [[sorted(values)[rounds // 2] for values in zip(*each)] for each in results]


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
        stream.write(text)
    return name


def main():
    binaries = os.path.join(os.path.abspath(sys.argv[1]), "bin")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    rewriter, launcher = (os.path.join(binaries, "loopscope-" + n) for n in ("rewrite", "launch"))
    clang = next(p for p in map(shutil.which, ("clang++-22", "clang++-21", "clang++-20", "clang++"))
                 if p)
    torch = sys.argv[3] if len(sys.argv) > 3 else "/usr/include"
    api = torch + "/torch/csrc/api/include"
    example = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs",
                           "examples", "torch", "main.cpp")
    with tempfile.TemporaryDirectory() as folder:
        print("| | ours, ms | clang -fsyntax-only, ms | ratio | ours, MB | clang, MB |\n"
              "|---|---:|---:|---:|---:|---:|")
        cases = [("a C file, a phase", write(folder, "a.c", C % MARK), ["-x", "c", "-std=c2x"], []),
                 ("the same, function mode", write(folder, "f.c", C % ""),
                  ["-x", "c", "-std=c2x"], ["--functions"]),
                 ("a C++ file with 11 headers, a phase", write(folder, "a.cpp", CXX % MARK),
                  ["-std=c++17"], []),
                 ("the same, function mode", write(folder, "f.cpp", CXX % ""), ["-std=c++17"],
                  ["--functions"])]
        if os.path.exists(api + "/torch/torch.h"):
            cases.append(("the LibTorch example", example,
                          ["-std=c++20", "-isystem", api, "-isystem", torch], []))
        for label, name, flags, options in cases:
            commands = [[rewriter, *options, name, "-o", "out.txt", "--", *flags],
                        [clang, "-fsyntax-only", "-w", *flags, name]]
            results = medians(commands, folder, rounds if name != example else max(3, rounds // 3))
            (ours, _, our_peak), (theirs, _, their_peak) = results
            print(f"| {label} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} | {our_peak:.0f} "
                  f"| {their_peak:.0f} |", flush=True)
        write(folder, "plain.cpp", CXX % "")
        # Stands for a compiler that takes no time.
        fake = os.path.join(folder, "g++")
        with open(fake, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\n")
        os.chmod(fake, 0o755)
        compile_it = [fake, "-c", "plain.cpp", "-o", "p.o"]
        (with_us, *_), (without, *_) = medians([[launcher, *compile_it], compile_it], folder, rounds)
        print(f"\nThe launcher on a file without annotations: {with_us - without:.1f} ms more than "
              "the compiler alone.")
        files = [write(folder, f"j{i}.cpp", CXX % MARK) for i in range(8)]
        (few, *_), (many, *_), (two, *_) = medians(
            [[rewriter, "-j", "1", *files[:2], "--mirror", "m", "--", "-std=c++17"],
             [rewriter, "-j", "1", *files, "--mirror", "m", "--", "-std=c++17"],
             [rewriter, "-j", "2", *files, "--mirror", "m", "--", "-std=c++17"]], folder,
            max(3, rounds // 5))
        print(f"8 files take {many / few:.2f} times the CPU time of 2; with -j 2 they take "
              f"{two / many:.2f} times that of -j 1.")


if __name__ == "__main__":
    main()
