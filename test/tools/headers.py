"""Finds sources that don't begin as they should.

usage: headers.py SOURCE-DIRECTORY

The first line is the licence; a comment with the file's purpose follows. A header has a
unique guard, which begins with LOOPSCOPE_ (reserved names: __LOOPSCOPE_); in lib and
runtime/src it is the path from there. Prints each violation; exits 1 if there are any.
"""
import os
import re
import sys

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
ROOMS = ("lib", "runtime", "tool", "test/unit", "test/bench", "test/replay", "test/tools",
         "test/fuzz", "test/gpu")
GUARD = re.compile(r"^#ifndef (_{0,2}LOOPSCOPE_\w+)\n#define \1$", re.M)


def named_by(path, guard):
    """The guard required by a header's path; `guard` if the path requires none."""
    for room in ("lib/", "runtime/src/"):
        if path.startswith(room):
            return "LOOPSCOPE_" + re.sub(r"\W", "_", path[len(room):]).upper()
    return guard


def problems(path, text, guards):
    """What is wrong with the file at `path`; `guards` maps each guard to its file."""
    lines = text.split("\n")
    if LICENCE not in lines[0]:
        yield "its first line isn't the licence's"
    elif not re.match(r"//|/\*", lines[1]):
        yield "no purpose in its second line"
    if not path.endswith(".h") or not re.sub(r"/\*.*?\*/|//.*|\s", "", text, flags=re.S):
        return  # not a header, or an empty one
    guard = GUARD.search(text)
    if not guard:
        yield "no guard"
    elif guard[1] != named_by(path, guard[1]):
        yield f"its guard isn't {named_by(path, guard[1])}"
    elif guards.setdefault(guard[1], path) != path:
        yield f"the guard of {guards[guard[1]]}"


def main():
    os.chdir(sys.argv[1])
    guards, wrong = {}, []
    for room in ROOMS:
        for folder, _, names in os.walk(room):
            for name in sorted(names):
                if name.endswith((".h", ".cpp", ".c", ".cu")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        wrong += [f"{path}: {each}" for each in problems(path, file.read(), guards)]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
