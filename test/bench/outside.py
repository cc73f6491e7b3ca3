"""Measures what sampling from outside costs a static program.

usage: outside.py [--build BUILD] [--rounds N] [--rate HZ]

Runs one program plainly and under `loopscope run`, in turn, and prints the least CPU time of each and
their ratio: a program with a flat stack, and one with 40 calls of half a KiB each, which the kernel
copies with every sample.
"""
import argparse
import os
import subprocess
import tempfile

SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <time.h>
static volatile double sink;
__attribute__((noipa)) static void burn(void) {
  double x = 1;
  for (long i = 0; i < 300000; ++i)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}
__attribute__((noipa)) static int below(int depth) {
  volatile char room[512];
  memset((char *)room, depth, sizeof(room));
  if (depth == 0)
    burn();
  return depth == 0 ? room[3] : below(depth - 1) + room[5];
}
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 3000; ++i)
    below(argc > 1 ? 40 : 0);
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  printf("CPU %ld.%09ld\n", (long)used.tv_sec, used.tv_nsec);
}
"""


def cpu_seconds(command, folder):
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return float(next(line for line in done.stdout.splitlines() if line.startswith("CPU ")).split()[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rate", default="250")
    given = parser.parse_args()
    tool = os.path.abspath(os.path.join(given.build, "bin", "loopscope"))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "program.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run(["gcc", "-O2", "-static", "program.c", "-o", "program"], cwd=folder, check=True)
        run = [tool, "run", "--no-counts", "-e", f"stacks={given.rate},output=/dev/null", "--"]
        for name, words in (("flat", []), ("deep", ["deep"])):
            plain = sampled = float("inf")
            for _ in range(given.rounds):
                plain = min(plain, cpu_seconds(["./program"] + words, folder))
                sampled = min(sampled, cpu_seconds(run + ["./program"] + words, folder))
            print(f"{name}: {plain:.3f} s plain, {sampled:.3f} s sampled, ratio {sampled / plain:.4f}")


main()
