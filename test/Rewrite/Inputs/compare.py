"""Rewrites a program and checks that the copy behaves the same.

usage: compare.py SOURCE BASE [option...] [compiler flag...]

For each standard and compiler: builds SOURCE and loopscope-rewrite's copy of it (BASE.c
or BASE.cpp), both with all usual warnings as errors, and runs both with the recorder.
Output, exit code and the work done must be equal, and the text may differ only by
blanked attributes and insertions. Prints the instrumented run's trace, which must be
the same for all builds, and the exit code unless it is 0.

  --std=A,B       the standards (default: c++17, c11)
  --only=WORD     compilers whose path holds WORD
  --quiet-raw=no  no flags against warnings about attributes in the plain build
  --sites         names in the trace carry line and function
  --shuffled      sorts the trace (threads)
  --no-warnings   without the warnings
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "../../../runtime/include"))
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Werror".split()
OURS = re.compile(r"\[\[(?:(?!\]\]).)*loopscope(?:(?!\]\]).)*\]\]", re.S)


def fail(*lines):
    print(*lines, sep="\n")
    sys.exit(1)


def execute(command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", check=False, **options)
    return result.returncode, result.stdout


def must(command):
    code, output = execute(command)
    if code:
        fail(" ".join(command), output, f"exit code {code}")
    return output


def blank(match):
    return re.sub(r"[^\r\n]", " ", match.group())


def is_inserted_into(line, result):
    characters = iter(result)
    return all(c in characters for c in line if not c.isspace())


def check_text(source, name, result):
    """Every line is in its place, with only insertions."""
    lines = OURS.sub(blank, source).split("\n")
    written = result.split("\n")
    start = [line.rstrip("\r").lstrip("\ufeff") for line in written[:2]]
    if start != ["#include <loopscope/hooks.h>", f'#line 1 "{name}"']:
        fail("not the two lines expected at the start:", *start)
    if len(lines) != len(written) - 2:
        fail(f"{len(lines)} lines became {len(written) - 2}")
    for number, (line, other) in enumerate(zip(lines, written[2:]), 1):
        if not is_inserted_into(line.lstrip("\ufeff"), other):
            fail(f"line {number} is not the original with insertions:", line, other)


def run(program, trace, sites):
    if os.path.exists(trace):
        os.remove(trace)
    environment = dict(os.environ, TRACE=trace)
    if sites:
        environment["RECORD_SITES"] = "1"
    # The same name for both, because assert messages contain it.
    code, output = execute(["program"], executable=program, env=environment, timeout=60)
    recorded = ""
    if os.path.exists(trace):
        with open(trace, encoding="utf-8") as file:
            recorded = file.read()
    return code, output, recorded


def words(trace):
    """The work in a trace, without spans."""
    spans = re.sub(r"[^\s()]*\(", " ", trace)
    text = re.sub(r"\)!?|(?<=[(\s])\w+=\S+|<open", " ", spans)
    return sorted(text.replace("thread:", " ").split()), text.replace("thread:", " ").split()


def main():
    source, base = sys.argv[1:3]
    options = {"std": None, "only": "", "quiet-raw": "yes"}
    switches, flags = set(), []
    for argument in sys.argv[3:]:
        match = re.fullmatch(r"--(std|only|quiet-raw)=(.*)", argument)
        if match:
            options[match[1]] = match[2]
        elif argument in ("--sites", "--shuffled", "--no-warnings"):
            switches.add(argument)
        else:
            flags.append(argument)
    cxx = not source.endswith(".c")
    suffix = os.path.splitext(source)[1]
    compilers = os.environ["LOOPSCOPE_CXX" if cxx else "LOOPSCOPE_C"].split(os.pathsep)
    flags += ["-I", INCLUDE, "-I", HERE]
    warnings = [] if "--no-warnings" in switches else WARNINGS
    recorder = base + ".recorder.o"
    must(["gcc", "-O1", "-c", "-I", INCLUDE, os.path.join(HERE, "recorder.c"), "-o", recorder])
    with open(source, encoding="utf-8", newline="") as file:
        text = file.read()

    traces = {}
    for std in (options["std"] or ("c++17" if cxx else "c11")).split(","):
        rewritten = base + suffix
        report = must(["loopscope-rewrite", source, "-o", rewritten, "--", "-std=" + std] + flags)
        if report:
            fail("loopscope-rewrite is not silent:", report)
        with open(rewritten, encoding="utf-8", newline="") as file:
            check_text(text, source, file.read())
        for compiler in (c for c in compilers if options["only"] in c):
            results = []
            quiet = "-Wno-unknown-attributes" if "clang" in compiler else "-Wno-attributes"
            for code, extra in ((source, [quiet] if options["quiet-raw"] == "yes" else []),
                                (rewritten, [])):
                program = base + ".exe"
                must([compiler, "-std=" + std, "-O1"] + warnings + extra + flags
                     + [code, recorder, "-lpthread", "-o", program])
                results.append(run(program, base + ".trace", "--sites" in switches))
            (code, output, plain), (code2, output2, trace) = results
            where = f"{compiler} -std={std}"
            if (code, output) != (code2, output2):
                fail(where, f"plain: exit code {code}", output,
                     f"instrumented: exit code {code2}", output2)
            index = 0 if "--shuffled" in switches else 1
            if words(plain)[index] != words(trace)[index]:
                fail(where, "other work than plain:", plain, trace)
            if "--shuffled" in switches:
                trace = "".join(sorted(trace.splitlines(keepends=True)))
            traces[where] = trace + (f"exit code {code}\n" if code else "")
    if len(set(traces.values())) > 1:
        fail(*(f"{where}:\n{trace}" for where, trace in traces.items()))
    print(traces.popitem()[1], end="")


main()
