"""Finds includes that break the layering.

usage: layers.py SOURCE-DIRECTORY

Also finds what only some rooms may know: how a trace spells its events, how others name their
calls, kernels and devices, and what kind of file a run was read from.

A room is a directory of lib, or a directory in one, or a directory of runtime/src. The
tables below have its allowed includes; docs/design.md explains them. Prints each
forbidden include, each room of lib that the table lacks, and circles of files in the
runtime's rooms, in which a header and its source are one; exits 1 if there are any.
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
    "Instrument/Model": ["Support", "Launch", "llvm", "loopscope/amounts.h"],
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
    "Analysis/Account": FACTS,
    "Analysis/Steps": FACTS + ["Analysis/Tree", "Analysis/Account"],
    "Analysis/Device": FACTS + ["Analysis/Tree", "Analysis/Steps"],
    "Analysis/Samples": FACTS + ["Analysis/Tree", "Analysis/Device"],
    "Analysis/Path": FACTS + ["Analysis/Tree", "Analysis/Steps", "Analysis/Device"],
    "Analysis/Verdict": FACTS + ["Analysis/Tree", "Analysis/Account", "Analysis/Steps", "Analysis/Device"],
    "Analysis/Ranks": FACTS + ["Analysis/Tree", "Analysis/Account", "Analysis/Steps", "Analysis/Verdict"],
    "Analysis/Compare": FACTS + ["Analysis/Tree", "Analysis/Account", "Analysis/Steps", "Analysis/Ranks"],
    # Of the runtime, what unwinds stacks and writes profiles.
    "Sample": ["Support", "Symbols", "loopscope", "base", "profile", "process", "stacks"],
    "Report/Print": ANALYSIS,
    "Report/Views": TABLES + ["Run/Combine", "Symbols", "loopscope"],
    "Report/Html": TABLES + ["Run/Combine", "Report/Views"],
    "Report/Export": TABLES + ["Run/Combine", "Run/Kineto", "Symbols", "loopscope"],
    "Report/Commands": TABLES + ["Run/Combine", "Run/Kineto", "Run/Read", "Report/Export",
                                 "Report/Html", "Report/Views", "Sample", "Symbols", "loopscope"],
}
# The runtime's rooms. Others in runtime/src are extensions: they know no other extension.
RUNTIME = {
    "base": [],
    "profile": ["base"],
    "tree": ["base", "profile"],
    "process": ["base", "profile", "tree"],
    "hooks": ["base", "profile", "tree", "process"],
    "libc": ["base"],
    "x86_64": ["base"],
    "aarch64": ["base"],
    "generic": ["base"],
    # Of one library only, which always samples.
    "preload": ["base", "profile", "tree", "process", "stacks"],
}
EXTENSION = ["base", "profile", "tree", "process"]
# What only these rooms may have: readers turn it into values (Run/Model/Recorder.h, Events.h), and
# KnownNames.h has what others' names say. Printed names and sentences have no such words alone.
KNOWN_TO = [
    (re.compile(r'^(?:(?!//)[^"\n]|"[^"\n]*")*"[^" \n]*(nccl|gloo:|aten::|c10d::|MPI_(?!COMM_WORLD)|Optimizer\.'
                r'|nn\.Module|Synchronize|[gG]emm|cudnn|tensorop|Radeon|Instinct|CompiledFx)[^" \n]*"', re.M),
     {"Run/Kineto", "Run/Model", "Instrument/Suggest", "Launch"}, "spells a name that others gave"),
    (re.compile(r'^(?!\s*//)[^"\n]*"[^"\n]*(loopscope\.(wait|collective|cut): |enumerate\(Data|ProfilerStep#)', re.M),
     {"Run/Kineto"}, "spells an event of a trace"),
    (re.compile(r"\bisTrace\b|[!=]= &(OurRuntime|PyTorchProfiler|ChromeExporter)\b"),
     {"Run/Kineto", "Run/Read", "Run/Model", "Run/Combine"}, "asks what kind of file a run is of"),
    (re.compile(r'^#include "Analysis/Steps/TimelineEvents\.h"', re.M),
     {"Analysis/Steps", "Analysis/Verdict", "Report/Export"}, "takes a timeline as events"),
]
OURS = {room.split("/")[0] for room in ALLOWED} | {"clang", "llvm", "loopscope", "stacks"} | set(RUNTIME)
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def room_of(path):
    """The innermost room of `path`, which is relative to lib."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2]) if "/".join(parts[:2]) in ALLOWED else "/".join(parts[:1])


def allows(room, other):
    """Whether files of `room` may include those of `other`; "X/*" stands for all rooms in X."""
    return other == room or other in ALLOWED[room] or other.split("/")[0] + "/*" in ALLOWED[room]


def knows(root, rooms):
    """The files that each file of `rooms` includes, without their extensions."""
    known = {}
    for folder, _, names in (each for room in rooms for each in os.walk(os.path.join(root, room))):
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


def wrong_of_runtime(root):
    """What is wrong in runtime/src. Only extensions.cpp knows extensions, and each of them by
    its extension.h; the archives at the root know the hooks."""
    for folder, _, names in os.walk(root):
        room = os.path.relpath(folder, root)
        for name in (each for each in names if each.endswith((".h", ".cpp", ".c"))):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                included = [each for each in INCLUDE.findall(file.read()) if "/" in each]
            for each in included:
                other = each.split("/")[0]
                if not os.path.isdir(os.path.join(root, other)):
                    good = other != ".."
                elif name == "extensions.cpp":
                    good = re.fullmatch(r"[a-z]+/extension\.h", each)
                elif room == ".":
                    good = other == "hooks"
                else:
                    good = other in RUNTIME.get(room, EXTENSION)
                if not good:
                    yield f"runtime/src/{os.path.normpath(os.path.join(room, name))}: includes {each}"
    found = circle(knows(root, RUNTIME))
    if found:
        yield "runtime/src: a circle of files: " + ", ".join(found)


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
                text = file.read()
                wrong += [f"lib/{room}/{name}: {what}" for found, rooms, what in KNOWN_TO
                          if room not in rooms and found.search(text)]
                for included in INCLUDE.findall(text):
                    first = included.split("/")[0]
                    if "/" not in included or first not in OURS or included in ALLOWED[room]:
                        continue
                    other = first if first in ("clang", "llvm", "loopscope") else room_of(included)
                    if not allows(room, other):
                        wrong.append(f"lib/{room}/{name}: includes {included}")
    wrong += wrong_of_runtime(os.path.join(sys.argv[1], "runtime", "src"))
    print("\n".join(sorted(wrong)), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
