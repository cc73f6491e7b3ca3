"""Finds includes that break the layering.

usage: layers.py SOURCE-DIRECTORY

A room is a directory of lib, or a directory in one. The table below has its allowed
includes; docs/design.md explains them. Prints each forbidden include, each room
that the table lacks, and circles of files in the runtime's core, in which a header
and its source are one; exits 1 if there are any.
"""
import os
import re
import sys

RUN = ["Support", "Run/Model"]
CLANG = ["Support", "Launch", "clang", "llvm"]
FACTS = RUN + ["Run/Combine", "Symbols", "loopscope", "Analysis"]
ANALYSIS = RUN + ["Analysis", "Analysis/*"]
TABLES = ANALYSIS + ["Report/Print"]
ALLOWED = {
    "Support": [],
    "Launch": ["Support"],
    "Symbols": ["Support"],
    "Instrument": CLANG + ["Instrument/*"],
    "Instrument/Model": ["Support", "Launch", "llvm"],
    "Instrument/Diagnose": ["Support", "llvm", "clang"],
    "Instrument/Text": CLANG + ["Instrument/Model", "Instrument/Diagnose"],
    "Instrument/Select": CLANG + ["Instrument/Model", "Instrument/Diagnose", "Instrument/Text"],
    "Instrument/Find": CLANG + ["Instrument/Model", "Instrument/Diagnose", "Instrument/Text",
                                "Instrument/Select"],
    "Instrument/Parse": CLANG + ["Instrument/Model", "Instrument/Diagnose", "Instrument/Text",
                                 "Instrument/Find"],
    "Instrument/Suggest": ["Support", "Launch", "llvm", "Instrument/Model"],
    "Instrument/Write": ["Support", "Launch", "llvm", "Instrument/Model", "Instrument/Select"],
    "Run/Model": ["Support", "loopscope"],
    "Run/Read": RUN + ["loopscope"],
    "Run/Kineto": RUN + ["loopscope"],
    "Run/Combine": RUN + ["loopscope"],
    "Analysis": [],
    "Analysis/Tree": FACTS,
    "Analysis/Steps": FACTS + ["Analysis/Tree"],
    "Analysis/Device": FACTS + ["Analysis/Tree", "Analysis/Steps"],
    "Analysis/Samples": FACTS + ["Analysis/Tree", "Analysis/Device"],
    "Analysis/Path": FACTS + ["Analysis/Tree", "Analysis/Steps", "Analysis/Device"],
    "Analysis/Verdict": FACTS + ["Analysis/Tree", "Analysis/Steps", "Analysis/Device"],
    "Analysis/Ranks": FACTS + ["Analysis/Tree", "Analysis/Steps", "Analysis/Verdict"],
    "Analysis/Compare": FACTS + ["Analysis/Tree", "Analysis/Ranks"],
    "Report/Print": ANALYSIS,
    "Report/Views": TABLES + ["Run/Combine", "Symbols", "loopscope"],
    "Report/Html": TABLES + ["Run/Combine", "Report/Views"],
    "Report/Export": TABLES + ["Run/Combine", "Symbols", "loopscope"],
    "Report/Commands": TABLES + ["Run/Combine", "Run/Kineto", "Run/Read", "Report/Export",
                                 "Report/Html", "Report/Views", "loopscope"],
}
OURS = {room.split("/")[0] for room in ALLOWED} | {"clang", "llvm", "loopscope"}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def room_of(path):
    """The innermost room of `path`, which is relative to lib."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2]) if "/".join(parts[:2]) in ALLOWED else "/".join(parts[:1])


def allows(room, other):
    """Whether files of `room` may include those of `other`; "X/*" stands for all rooms in X."""
    return other == room or other in ALLOWED[room] or other.split("/")[0] + "/*" in ALLOWED[room]


def knows(root):
    """The files that each file under `root` includes, without their extensions."""
    known = {}
    for folder, _, names in os.walk(root):
        for name in names:
            stem, kind = os.path.splitext(os.path.relpath(os.path.join(folder, name), root))
            if kind not in (".h", ".cpp"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found = {os.path.splitext(each)[0] for each in INCLUDE.findall(file.read())}
            beside = os.path.dirname(stem)
            known.setdefault(stem, set()).update(
                {each if "/" in each else os.path.join(beside, each) for each in found} - {stem})
    return known


def circle(known):
    """The files of `known` that are in circles, or lead from one to another."""
    left = dict(known)
    ends = True
    while ends:
        used = set().union(*left.values()) if left else set()
        ends = [each for each in left if not left[each] & left.keys() or each not in used]
        for each in ends:
            del left[each]
    return sorted(left)


def main():
    lib = os.path.join(sys.argv[1], "lib")
    wrong = []
    for folder, _, names in os.walk(lib):
        room = os.path.relpath(folder, lib)
        sources = [name for name in names if name.endswith((".h", ".cpp"))]
        if sources and room not in ALLOWED:
            wrong.append(f"lib/{room}: a room that layers.py doesn't know")
            continue
        for name in sources:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for included in INCLUDE.findall(file.read()):
                    first = included.split("/")[0]
                    if "/" not in included or first not in OURS:
                        continue
                    other = first if first in ("clang", "llvm", "loopscope") else room_of(included)
                    if not allows(room, other):
                        wrong.append(f"lib/{room}/{name}: includes {included}")
    round_trip = circle(knows(os.path.join(sys.argv[1], "runtime", "src", "core")))
    if round_trip:
        wrong.append("runtime/src/core: a circle of files: " + ", ".join(round_trip))
    print("\n".join(sorted(wrong)), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
