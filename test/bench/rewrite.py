"""What rewriting costs: processor time against `clang -fsyntax-only`, in turn in one run.

usage: rewrite.py BUILD [ROUNDS]

Prints a Markdown table of medians: a C file, a C++ file with many headers, a LibTorch
program where that is installed; the launcher on a file without annotations; and -j.
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
TORCH = """#include <torch/torch.h>
%s static float work(int n) { return torch::ones({n, n}).sum().item<float>(); }
int main() { return work(3) != 9; }
"""
MARK = '[[loopscope::phase("work")]]'


def seconds(command, folder):
    """(processor, wall) seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - start)


def medians(commands, folder, rounds, which=0):
    """The median milliseconds of each command, run in turn."""
    times = [[] for _ in commands]
    for _ in range(rounds):
        for each, command in zip(times, commands):
            each.append(seconds(command, folder)[which] * 1e3)
    return [sorted(each)[rounds // 2] for each in times]


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
    torch = next((p for p in ("/usr/include", "/usr/local/include")
                  if os.path.exists(p + "/torch/torch.h")), None)
    with tempfile.TemporaryDirectory() as folder:
        print("| | ours, ms | clang -fsyntax-only, ms | ratio |\n|---|---:|---:|---:|")
        cases = [("a C file, a phase", "a.c", C % MARK, ["-x", "c", "-std=c2x"], []),
                 ("the same, function mode", "f.c", C % "", ["-x", "c", "-std=c2x"],
                  ["--functions"]),
                 ("a C++ file with 11 headers, a phase", "a.cpp", CXX % MARK, ["-std=c++17"], []),
                 ("the same, function mode", "f.cpp", CXX % "", ["-std=c++17"], ["--functions"])]
        if torch:
            api = f"-I{torch}/torch/csrc/api/include"
            cases.append(("a LibTorch program, a phase", "t.cpp", TORCH % MARK,
                          ["-std=c++17", api], []))
        for label, name, text, flags, options in cases:
            write(folder, name, text)
            ours, theirs = medians(
                [[rewriter, *options, name, "-o", "out.txt", "--", *flags],
                 [clang, "-fsyntax-only", "-w", *flags, name]], folder,
                rounds if "LibTorch" not in label else max(3, rounds // 7))
            print(f"| {label} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} |")
        write(folder, "plain.cpp", CXX % "")
        # In place of a compiler that takes no time.
        fake = os.path.join(folder, "g++")
        with open(fake, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\n")
        os.chmod(fake, 0o755)
        with_us, without = medians([[launcher, fake, "-c", "plain.cpp", "-o", "p.o"],
                                    [fake, "-c", "plain.cpp", "-o", "p.o"]], folder, rounds)
        print(f"\nThe launcher on a file without annotations: {with_us - without:.1f} ms more than "
              "the compiler alone.")
        files = [write(folder, f"j{i}.cpp", CXX % MARK) for i in range(8)]
        few, many, two = medians(
            [[rewriter, "-j", "1", *files[:2], "--mirror", "m", "--", "-std=c++17"],
             [rewriter, "-j", "1", *files, "--mirror", "m", "--", "-std=c++17"],
             [rewriter, "-j", "2", *files, "--mirror", "m", "--", "-std=c++17"]], folder,
            max(3, rounds // 5))
        print(f"8 files take {many / few:.2f} times the processor time of 2; with -j 2 they take "
              f"{two / many:.2f} times that of -j 1.")


if __name__ == "__main__":
    main()
