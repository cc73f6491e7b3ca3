"""Prints which tests a change can reach, as a regular expression for lit's --filter.

usage: reach.py SOURCE-DIRECTORY [PATH...]

PATHs are the changed files; without any, those that differ from the branch main, committed or
not. Sources reach the rooms that may include theirs (layers.py), these the programs, and these
the folders of tests that run them (the table below). A changed test runs itself, a changed file
beside tests its folder, and what isn't known reaches everything (an empty expression).
"""
import os
import re
import subprocess
import sys

import layers

# What is linked into a program, by the rooms of lib that it uses itself.
PROGRAMS = {
    "loopscope": ["Report/Commands"],
    "rewriter": ["Instrument", "Analysis/Samples"],
    "launcher": ["Launch"],
}
# Rooms that only tests see which say one of these words.
SHOWN = {"Report/Html": r"html", "Report/Export": r"export|--to ",
         "Run/Kineto": r"\.json|kineto|golden"}
# The same for documents.
DOCUMENTS = r"docs/|README|doc_|scenes"
# The programs that each folder's tests run. "runtime" is all but its extensions.
FOLDERS = {
    "Agree": ["loopscope", "runtime", "cpu", "timeline"],
    "Build": ["loopscope", "rewriter", "launcher", "runtime"],
    "Cross": ["loopscope", "launcher", "rewriter", "runtime", "cpu", "stacks", "timeline"],
    "Devices": ["loopscope", "runtime", "devices"],
    "Examples": ["loopscope", "rewriter", "launcher", "runtime", "gpu", "nvtx", "torch", "mpi"],
    "Gpu": ["loopscope", "runtime", "gpu"],
    "Html": ["loopscope"],
    "Kineto": ["loopscope"],
    "Mpi": ["loopscope", "runtime", "mpi", "comm"],
    "Nccl": ["loopscope", "runtime", "gpu", "nccl", "comm"],
    "Nvtx": ["loopscope", "runtime", "nvtx"],
    "Packages": ["loopscope", "rewriter", "launcher", "runtime"],
    "Report": ["loopscope", "preload"],
    "Rewrite": ["rewriter", "launcher"],
    "Runtime": ["loopscope", "runtime", "cpu", "stacks", "whatif", "progress", "functions", "history",
                "facts", "values", "threads", "pause", "report", "reset", "ranges", "fibres",
                "timeline", "amounts", "preload"],
    "Same": ["rewriter", "launcher", "runtime"],
    "Sanitize": ["loopscope", "rewriter", "launcher", "runtime"],
    "Style": [],
    "Survive": ["loopscope", "runtime", "cpu", "stacks", "whatif", "timeline", "devices"],
    "Torch": ["loopscope", "runtime", "torch", "gloo", "comm", "preload"],
    "Verdict": ["loopscope", "runtime", "cpu", "gpu", "comm", "mpi"],
}
# Always: they read all sources.
STYLE = "Style"
# Unit tests, by their folder in test/unit.
UNITS = {"runtime": "Runtime", "instrument": "Rewrite", "launch": "Build", "kineto": "Kineto",
         "analysis": "Report", "report": "Report", "run": "Report", "support": "Report",
         "symbols": "Report", "sample": "Runtime"}


def includers(room):
    """The room and all that may include it, directly or not."""
    found, new = set(), {room}
    while new:
        found |= new
        new = {each for each in layers.ALLOWED for old in new
               if each not in found and layers.allows(each, old)}
    return found


def folders_of(programs):
    return {folder for folder, uses in FOLDERS.items() if set(uses) & set(programs)}


def saying(source, words):
    """The tests that say one of the words, a regular expression; for a folder's inputs all of
    its tests."""
    found = set()
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(source, "test", folder)):
            for name in names:
                with open(os.path.join(where, name), encoding="utf-8", errors="replace") as file:
                    if re.search(words, file.read()):
                        inside = os.path.relpath(os.path.join(where, name), source + "/test")
                        found.add(folder if "Inputs" in inside else inside)
    return found


def reached_by(source, path):
    """The tests, or folders of them, that a changed file reaches; None: all."""
    parts = path.split("/")
    if path.endswith(".md"):
        return {STYLE} | saying(source, DOCUMENTS)
    if path.startswith("test/tools/mutants"):
        return {STYLE}
    if parts[0] == "test" and parts[1:2] == ["unit"] and parts[2] in UNITS:
        return {STYLE, UNITS[parts[2]] + "/unit"}
    if parts[0] == "test" and len(parts) > 2 and parts[1] in FOLDERS:
        return {STYLE, parts[1]} if parts[2] == "Inputs" else {STYLE, "/".join(parts[1:])}
    if parts[0] == "lib" and path.endswith((".h", ".cpp", ".def")):
        room = layers.room_of("/".join(parts[1:]))
        if room not in layers.ALLOWED:
            return None
        units = {STYLE} | {folder + "/unit" for folder in UNITS.values()}
        if room in SHOWN:
            return units | saying(source, SHOWN[room])
        rooms = includers(room)
        return units | folders_of(
            [program for program, roots in PROGRAMS.items() if rooms & set(roots)])
    if path.startswith("runtime/src/") and len(parts) > 3:
        return {STYLE, "Runtime/unit"} | folders_of(
            ["runtime"] if parts[2] in layers.RUNTIME else [parts[2]])
    return None


def changed(source):
    """The files that differ from main."""
    def git(*words):
        return subprocess.run(["git", "-C", source, *words], check=True, capture_output=True,
                              text=True).stdout.split("\n")
    base = git("merge-base", "HEAD", "main")[0]
    new = git("ls-files", "--others", "--exclude-standard")
    return [path for path in git("diff", "--name-only", base) + new if path]


def expression(source, paths):
    """Matches names of tests; "" matches all, None: there is nothing to run."""
    reached = set()
    for path in paths:
        found = reached_by(source, path)
        if found is None:
            return ""
        reached |= found
    if not reached:
        return None
    words = sorted(re.escape(each) + ("" if "/" in each else "/") for each in reached
                   if "/" not in each or each.split("/")[0] not in reached)
    return "loopscope :: (" + "|".join(words) + ")"


def main():
    source = os.path.abspath(sys.argv[1])
    found = expression(source, sys.argv[2:] or changed(source))
    print("nothing" if found is None else found)


if __name__ == "__main__":
    main()
