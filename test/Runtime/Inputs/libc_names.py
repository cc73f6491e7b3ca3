"""Builds programs that define functions of libc, and runs them.

  libc_names.py ARCHIVE NAMES.H COMPILER FLAG... -- LINK-FLAG...

The functions are those that NAMES.H replaces and those that ARCHIVE leaves undefined.
Each one prints that it was called, uses a phase, and fails; nothing in the program
calls it. So every program (one for each function, and one with as many as can be linked
together) must print its own line, exit with its own code, and leave a profile with one
phase.
"""
import os
import re
import subprocess
import sys

archive, names, *rest = sys.argv[1:]
compiler, link = rest[:rest.index("--")], rest[rest.index("--") + 1:]

PROGRAM = r"""
#include <loopscope/hooks.h>
static long print(const char *text, long size) {
  long result = 1;
  __asm__ volatile("syscall" : "+a"(result) : "D"(1), "S"(text), "d"(size)
                   : "rcx", "r11", "memory");
  return result;
}
static long called(void) {
  __LOOPSCOPE_SPAN(9, PHASE, "called", 10, "called");
  return print("called!\n", 8) - 9;
}
#define DEFINE(NAME) long NAME(void) { return called(); }
%s
int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "work", 15, "main");
  print("main\n", 5);
  return 3;
}
"""


def undefined():
    """The archive's undefined names."""
    lines = subprocess.run(["nm", archive], capture_output=True, text=True,
                           check=True).stdout.split("\n")
    words = [line.split()[-2:] for line in lines if len(line.split()) >= 2]
    defined = {name for kind, name in words if kind not in "Uw"}
    return {name for kind, name in words if kind in "Uw"} - defined


# free belongs to the program; stdout and environ aren't functions.
kept = {"free", "stdout"}
cuda = {"cuInit", "cudaGetDeviceCount", "ncclGetVersion"}
replaced = set()
for header in names, names.replace("names.h", "memory_names.h"):
    with open(header, encoding="utf-8") as text:
        replaced |= set(re.findall(r"^LOOPSCOPE_(?:IS|OURS)_\((\w+)", text.read(), re.M))
replaced.add("strerror")  # in place of strerrordesc_np
left = {name for name in undefined() if not name.startswith("_")}
unknown = left - replaced - kept - cuda - {"loopscope_tool_path_"}
assert not unknown, f"not in {names}: {sorted(unknown)}"
functions = sorted(replaced - {"environ"})
assert len(functions) > 80, functions


def check(defined):
    """Whether a program that defines these functions runs correctly."""
    source = PROGRAM % "\n".join(f"DEFINE({name})" for name in defined)
    with open("a.c", "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([*compiler, "-O1", "-fno-builtin", "-w", "a.c", "-o", "a", *link],
                   check=True)
    # Both ways to end a run: with and without a report.
    for report in "none", "stderr":
        if os.path.exists("p.loopscope"):
            os.remove("p.loopscope")
        run = subprocess.run(["./a"], capture_output=True, text=True, timeout=60, check=False,
                             env={**os.environ, "LOOPSCOPE": f"output=p.loopscope,report={report}"})
        seen = (run.stdout, run.returncode)
        assert seen == ("main\n", 3), (defined, report, seen, run.stderr)
        assert report == "stderr" or run.stderr == "", (defined, run.stderr)
        assert report == "none" or "work" in run.stderr, (defined, run.stderr)
    csv = subprocess.run(["loopscope", "report", "--format", "csv", "p.loopscope"],
                         capture_output=True, text=True, check=True).stdout
    assert "work,p" not in csv and '\n"fit","work",' in csv and "called" not in csv, (defined, csv)


for function in functions:
    check([function])
check(functions)
print(len(functions), "functions")
