"""Collects the profiles and traces that the report's tests use, and the commands that
use them.

Runs the tests once under lit with a wrapper around `loopscope` that copies each file
that a command names, and stores the command. It knows nothing about the tests, so a new
test's inputs are included automatically. Tests that record a program are excluded,
because their profiles differ from run to run.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
SUITES = ("Report", "Kineto", "Html")
# Tests whose inputs are recorded or come from elsewhere, tests of terminals and output
# targets, and some that are slow on purpose.
OTHERS = re.compile(r"%(gcc|gxx|clang|clangxx|golden)\b|loopscope (run|watch)\b"
                    r"|(output-targets|terminal)\.py")
SLOW = ("bomb.test", "bomb-memory.test", "slow-input.test")
COMMANDS = "commands.json"
# Options of loopscope without a value, and those for the output's target.
FLAGS = ("-", "-h", "--help", "--version", "--merge", "--runs", "--compact", "--stats",
         "--seconds")
OUTPUT = ("-o", "--output")


def name_of(path, build):
    """The input's name in the store: its suite, its test and its own name; None if the
    path belongs to no test."""
    path = os.path.abspath(path)
    for root in (os.path.join(build, "test"), SOURCE):
        if path.startswith(root + os.sep):
            name = os.path.relpath(path, root).replace("Output" + os.sep, "")
            return re.sub(r"\.tmp[/.]", "/", re.sub(r"\.tmp$", "/t", name))
    return None


def keep(path, name, store):
    """Copies the input and returns its name, with a number if a test writes several
    files of one name."""
    def differs(kept):
        if os.path.isdir(path) != os.path.isdir(kept):
            return True
        return subprocess.run(["diff", "-rq", path, kept], check=False,
                              stdout=subprocess.DEVNULL).returncode != 0

    stem, number = name, 1
    while os.path.lexists(os.path.join(store, name)) and differs(os.path.join(store, name)):
        number += 1
        name = f"{stem}~{number}"
    kept = os.path.join(store, name)
    if not os.path.lexists(kept):
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        (shutil.copytree if os.path.isdir(path) else shutil.copyfile)(path, kept)
    return name


def capture(store, build, real, arguments):
    """The wrapper of `loopscope`: keeps the command's inputs, then runs it."""
    kept, option = [], ""
    for each in arguments:
        if option or not kept or each.startswith("-"):
            if each in OUTPUT or option in OUTPUT:
                # The output's target isn't part of the command.
                pass
            else:
                kept.append(each)
            option = "" if option or each in FLAGS or not each.startswith("-") else each
            continue
        name = name_of(each, build)
        if name and (os.path.isfile(each) or os.path.isdir(each)):
            name = keep(each, name, store)
        elif not name or os.path.exists(each):
            # An input from outside, a terminal, or a pipe.
            kept = []
            break
        kept.append(name)
    if kept and kept[0] in ("report", "export", "diff") and "-" not in kept:
        line = json.dumps({"arguments": kept, "columns": os.environ.get("COLUMNS", "")})
        with open(os.path.join(store, COMMANDS), "a", encoding="utf-8") as file:
            file.write(line + "\n")
    os.execv(real, [real, *arguments])


def lit():
    """Path of lit."""
    sys.path.insert(0, SOURCE)
    from run_tests import find_lit
    return find_lit() or sys.exit("frozen.py: lit (llvm-22-tools) isn't installed")


def make(store, real):
    """Fills the directory with inputs and commands, from the tests of the build that
    `real`, a loopscope, belongs to."""
    build = os.path.dirname(os.path.dirname(os.path.abspath(real)))
    os.makedirs(store)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in ("", "test"):
            os.makedirs(os.path.join(scratch, folder), exist_ok=True)
            for each in os.listdir(os.path.join(build, folder)):
                if each not in ("bin", "test", "lit.site.cfg.py", *SUITES):
                    os.symlink(os.path.join(build, folder, each),
                               os.path.join(scratch, folder, each))
        shutil.copytree(os.path.join(build, "bin"), os.path.join(scratch, "bin"), symlinks=True)
        front = os.path.join(scratch, "bin", "loopscope")
        os.remove(front)
        with open(front, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "{store}" "{scratch}" '
                       f'"{os.path.abspath(real)}" "$@"\n')
        os.chmod(front, 0o755)
        with open(os.path.join(build, "test", "lit.site.cfg.py"), encoding="utf-8") as file:
            site = file.read().replace(f'r"{build}', f'r"{scratch}')
        with open(os.path.join(scratch, "test", "lit.site.cfg.py"), "w", encoding="utf-8") as file:
            file.write(site)
        tests = []
        for suite in SUITES:
            for each in sorted(os.listdir(os.path.join(SOURCE, suite))):
                path = os.path.join(SOURCE, suite, each)
                if each.endswith(".test") and not each.startswith("unit") and each not in SLOW:
                    with open(path, encoding="utf-8") as file:
                        if not OTHERS.search(file.read()):
                            tests.append(os.path.join(scratch, "test", suite, each))
        subprocess.run([lit(), "-v", "-j2", *tests], check=False)
    with open(os.path.join(store, COMMANDS), encoding="utf-8") as file:
        lines = sorted(set(file))
    with open(os.path.join(store, COMMANDS), "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    capture(*sys.argv[1:4], sys.argv[4:])
