"""Checks that loopscope-rewrite leaves a file unchanged if it can't instrument it.

usage: refuse.py SOURCE BASE [compiler flag...]

Prints the diagnostics of a run with default options, which must exit with 1 and write
nothing. With --on-error=passthrough the tool must succeed, copy the file byte for byte,
and print the same as warnings.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "../../../runtime/include"))


def rewrite(source, output, flags, *options):
    if os.path.exists(output):
        os.remove(output)
    return subprocess.run(
        ["loopscope-rewrite", *options, source, "-o", output, "--", *flags, "-I", INCLUDE,
         "-I", HERE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def main():
    source, base, *flags = sys.argv[1:]
    suffix = os.path.splitext(source)[1]
    if not any(flag.startswith("-std=") for flag in flags):
        flags.append("-std=c11" if suffix == ".c" else "-std=c++17")
    output = base + suffix
    refused = rewrite(source, output, flags)
    print(refused.stdout, end="")
    if refused.returncode != 1:
        print(f"exit code {refused.returncode}, not 1")
    if os.path.exists(output):
        print("a file was written")
    passed = rewrite(source, output, flags, "--on-error=passthrough")
    if passed.returncode:
        print(f"passthrough: exit code {passed.returncode}, not 0")
    if ": error: " in passed.stdout or ": warning: " not in passed.stdout:
        print("passthrough doesn't warn:", passed.stdout, sep="\n")
    first = refused.stdout.split(": error: ", 1)[-1].split("\n", 1)[0]
    if first not in passed.stdout:
        print("passthrough says something else:", passed.stdout, sep="\n")
    if not os.path.exists(output):
        print("passthrough wrote nothing")
    else:
        with open(source, "rb") as before, open(output, "rb") as after:
            if before.read() != after.read():
                print("passthrough changed the file")


main()
