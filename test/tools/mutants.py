"""Checks that the tests find planted faults, one at a time.

usage: mutants.py [-j N] [--work DIR] [--check] [PATCH...]

Each patch in test/tools/mutants changes one line; its first lines say what is wrong. For each of
them, or those named (30, 30-comm, comm), the script changes a copy of the sources, builds what the
tests need, and runs the quick tests that the change can reach until one fails: first the one that
the patch names after "Found-by:", then unit tests, then folder by folder, the likeliest first. A
test that also fails without the patch doesn't count.

Prints a line per patch, and last how many were found. Exits with 1 if some weren't, or if a patch
no longer applies or builds.

-j N: processes of the build and of the tests (default 2)
--work DIR: holds the copy and its build, and is kept for the next time (default build-mutants)
--check: only tells whether each patch applies and names a test that exists
"""
import argparse
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import reach

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "test"))
import run_tests  # pylint: disable=wrong-import-position

# A fault may make a test wait forever: seconds for one test, and for a folder of them.
LONGEST_TEST, LONGEST_FOLDER = 300, 3600
# Where a fault in a folder is looked for first, after the unit tests.
LIKELY = {
    "lib/Launch": ["Build"],
    "lib/Instrument": ["Rewrite", "Same", "Build"],
    "lib/Run/Kineto": ["Kineto"],
    "lib/Analysis/Verdict": ["Verdict", "Report"],
    "lib/Report/Html": ["Html"],
    "lib/Sample": ["Runtime", "Survive"],
    "lib": ["Report", "Kineto", "Verdict"],
    "runtime/src/gpu": ["Gpu"],
    "runtime/src/devices": ["Devices"],
    "runtime/src/nvtx": ["Nvtx"],
    "runtime/src/torch": ["Torch"],
    "runtime/src/mpi": ["Mpi"],
    "runtime/src/comm": ["Nccl", "Mpi"],
    "runtime": ["Runtime", "Survive"],
    "tool": ["Report", "Rewrite", "Build"],
}
# Tests of these folders need no other programs.
REPORTS = {"Report", "Html", "Kineto"}
REPORT_PROGRAMS = ["loopscope", "make-profile"]
# They read the sources rather than run them, and these aren't the project's any more.
NO_TESTS = {"Style"}


def is_unit(test):
    """Whether a test starts a program of unit tests."""
    return re.search(r"/unit(-[a-z]+)?\.test$", test) is not None


class Stale(Exception):
    """A patch that doesn't apply, or is no patch as it should be."""


class Patch:
    """One planted fault: a file in which one line is to be replaced or removed."""

    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".patch")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        head, _, diff = text.partition("\n--- a/")
        found = re.search(r"^Found-by: (\S+)$", head, re.M)
        self.found_by = found and found.group(1)
        self.what = head.split("\nFound-by:")[0].strip()
        lines = diff.split("\n")
        if len(lines) < 4 or not lines[1].startswith("+++ b/") or not lines[2].startswith("@@"):
            raise Stale("isn't a unified diff")
        self.file = lines[0]
        body = [line for line in lines[3:] if line]
        self.removed = [line[1:] for line in body if line[0] == "-"]
        added = [line[1:] for line in body if line[0] == "+"]
        if len(self.removed) != 1 or len(added) > 1 or not set(line[0] for line in body) <= set(
                " +-"):
            raise Stale("changes more than one line")
        self.before = "\n".join(line[1:] for line in body if line[0] != "+") + "\n"
        self.after = "\n".join(line[1:] for line in body if line[0] != "-") + "\n"

    def applied(self, source):
        """The text of the file with the fault. Where it is doesn't matter, only that it's clear."""
        try:
            with open(os.path.join(source, self.file), encoding="utf-8") as file:
                text = file.read()
        except OSError as why:
            raise Stale(str(why)) from why
        if text.count(self.before) != 1:
            raise Stale(f"no longer applies to {self.file}")
        return text.replace(self.before, self.after)


def check(paths):
    """Prints what is wrong with the patches; returns whether something is."""
    wrong = 0
    for path in paths:
        why = None
        try:
            patch = Patch(path)
            patch.applied(SOURCE)
            if not patch.what.endswith("."):
                why = "doesn't say in a sentence what is wrong"
            elif patch.found_by is None or not os.path.exists(
                    os.path.join(SOURCE, "test", patch.found_by)):
                why = f"is found by no test ({patch.found_by})"
        except Stale as stale:
            why = str(stale)
        if why:
            print(f"{os.path.basename(path)}: {why}")
            wrong += 1
    return wrong != 0


def call(words, **how):
    """Runs a command in a process group of its own, which ends with it; returns the process."""
    seconds = how.pop("seconds", None)
    with subprocess.Popen(words, start_new_session=True, text=True, **how) as process:
        try:
            process.out = process.communicate(timeout=seconds)[0]
        except BaseException as why:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if not isinstance(why, subprocess.TimeoutExpired):
                raise
            process.out = ""
    return process


class Copy:
    """The sources that are changed, their build, and the results of their tests."""

    def __init__(self, work, jobs):
        self.source = os.path.join(work, "source")
        # As far from the sources as a usual build, so that a compiler cache knows the commands.
        self.build = os.path.join(self.source, "build")
        self.results = os.path.join(work, "results.json")
        self.jobs = jobs
        self.lit = run_tests.find_lit()
        self.fails = {}  # by test: whether it fails without a patch
        os.makedirs(self.source, exist_ok=True)
        shared = os.path.join(SOURCE, "..", "shared")
        if os.path.isdir(shared) and not os.path.lexists(os.path.join(work, "shared")):
            os.symlink(os.path.abspath(shared), os.path.join(work, "shared"))

    def take(self):
        """Makes the copy the same as the sources."""
        names = subprocess.run(
            ["git", "-C", SOURCE, "ls-files", "-z", "-co", "--exclude-standard"], check=True,
            capture_output=True, text=True).stdout.split("\0")
        names = {name for name in names if name and os.path.lexists(os.path.join(SOURCE, name))}
        for name in names:
            self.restore(name)
        for folder, folders, files in os.walk(self.source):
            if folder == self.source and "build" in folders:
                folders.remove("build")
            for each in files:
                path = os.path.join(folder, each)
                if os.path.relpath(path, self.source) not in names:
                    os.remove(path)

    def restore(self, name):
        """Copies a file whose text differs, so that little is built again."""
        theirs, ours = os.path.join(SOURCE, name), os.path.join(self.source, name)
        with open(theirs, "rb") as file:
            text = file.read()
        if os.path.exists(ours):
            with open(ours, "rb") as file:
                if file.read() == text:
                    return
        os.makedirs(os.path.dirname(ours), exist_ok=True)
        with open(ours, "wb") as file:
            file.write(text)
        shutil.copymode(theirs, ours)

    def configure(self):
        """Configures the build, once."""
        if os.path.exists(os.path.join(self.build, "build.ninja")):
            return
        # What the page needs of npm.
        modules = os.path.join("html", "node_modules")
        if os.path.isdir(os.path.join(SOURCE, "build", modules)):
            shutil.copytree(os.path.join(SOURCE, "build", modules),
                            os.path.join(self.build, modules), dirs_exist_ok=True)
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build,
                        "-DLOOPSCOPE_ENABLE_TESTS=ON", "-DLOOPSCOPE_ENABLE_REWRITER=ON"],
                       check=True, stdout=subprocess.DEVNULL)

    def make(self, targets=()):
        """Builds targets, or everything; returns the compiler's words if that fails."""
        done = call(["ninja", "-C", self.build, f"-j{self.jobs}", *targets],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.out if done.returncode else None

    def targets(self, test):
        """What a test needs; nothing means everything."""
        if is_unit(test):
            with open(os.path.join(self.source, "test", test), encoding="utf-8") as file:
                return re.findall(r"%build_root/test/unit/([\w-]+)", file.read())
        return REPORT_PROGRAMS if test.split("/")[0] in REPORTS else []

    def run(self, tests, stop=True):
        """Runs tests; returns {test: code}. STOP: at the first that fails."""
        if os.path.exists(self.results):
            os.remove(self.results)
        words = [self.lit, "-qq", f"-j{self.jobs}", "-o", self.results,
                 *(os.path.join(self.build, "test", test) for test in tests)]
        call(words + (["--max-failures=1"] if stop else []),
             seconds=LONGEST_TEST if len(tests) == 1 else LONGEST_FOLDER,
             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not os.path.exists(self.results):
            return {tests[0]: "TIMEOUT"} if len(tests) == 1 else {}
        with open(self.results, encoding="utf-8") as file:
            return {each["name"].split(" :: ")[-1]: each["code"]
                    for each in json.load(file)["tests"]}

    def failing(self, tests):
        """A test that fails, also by itself; None if there is none."""
        for test, code in self.run(tests).items():
            if code in ("FAIL", "TIMEOUT", "UNRESOLVED", "XPASS"):
                if len(tests) == 1 or self.run([test]).get(test) == code:
                    return test
                return self.failing([each for each in tests if each != test])
        return None

    def all_tests(self):
        """The names of all tests."""
        shown = subprocess.run([self.lit, "--show-tests", os.path.join(self.build, "test")],
                               check=True, capture_output=True, text=True).stdout
        return re.findall(r"^\s*loopscope :: (\S+)", shown, re.M)


def groups(patch, tests):
    """The tests that the patch reaches, the likeliest groups first."""
    reached = re.compile(reach.expression(SOURCE, [patch.file]) or "")
    tests = [test for test in tests
             if reached.search("loopscope :: " + test) and test.split("/")[0] not in NO_TESTS]
    place = next((LIKELY[place] for place in sorted(LIKELY, key=len, reverse=True)
                  if patch.file.startswith(place + "/")), [])
    units = [test for test in tests if is_unit(test)]
    folders = sorted({test.split("/")[0] for test in tests},
                     key=lambda each: place.index(each) if each in place else len(place))
    rest = [[test for test in tests if test.split("/")[0] == folder and test not in units]
            for folder in folders]
    return [group for group in [units] + rest if group]


def search(copy, patch, text, tests):
    """The test that finds the patch, or None. Builds; raises Stale if that fails."""
    path = os.path.join(copy.source, patch.file)

    def build(with_patch, targets=()):
        if with_patch:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        else:
            copy.restore(patch.file)
        if words := copy.make(targets):
            raise Stale("doesn't build" + (":\n" + words[-2000:] if with_patch else " without it"))

    first = [patch.found_by] if patch.found_by in tests else []
    for group in [first] + groups(patch, tests):
        group = [test for test in group if not copy.fails.get(test)]
        build(True, copy.targets(group[0]) if group == first and group else ())
        while group:
            test = copy.failing(group)
            if test is None:
                break
            if test not in copy.fails:
                build(False, copy.targets(test))
                copy.fails[test] = copy.failing([test]) is not None
                if copy.fails[test]:
                    build(True)
            if not copy.fails[test]:
                return test
            group.remove(test)
    return None


def chosen(words):
    """The paths of the patches that the words name; all without words."""
    paths = sorted(glob.glob(os.path.join(HERE, "mutants", "*.patch")))
    for word in words:
        if not any(word in os.path.basename(path) for path in paths):
            sys.exit(f"mutants.py: no patch has '{word}' in its name")
    return [path for path in paths
            if not words or any(word in os.path.basename(path) for word in words)]


def find_all(paths, copy):
    """Looks for each fault; returns whether one wasn't found."""
    copy.take()
    copy.configure()
    print("building the sources without a patch", flush=True)
    if words := copy.make():
        sys.exit(words[-4000:] + "\nmutants.py: the sources don't build")
    tests = copy.all_tests()
    patches = {}
    missed = 0
    for path in paths:
        try:
            patch = Patch(path)
            patches[patch] = patch.applied(SOURCE)
        except Stale as why:
            print(f"{os.path.basename(path)}: {why}", flush=True)
            missed += 1
    named = sorted({patch.found_by for patch in patches} & set(tests))
    if named:
        print(f"running {len(named)} named tests without a patch", flush=True)
        for test, code in copy.run(named, stop=False).items():
            copy.fails[test] = code != "PASS"
            if code != "PASS":
                print(f"{test}: {code} without a patch", flush=True)
    width = max((len(patch.name) for patch in patches), default=0)
    count = 0
    for patch, text in patches.items():
        start = time.monotonic()
        try:
            found = search(copy, patch, text, tests)
        except Stale as why:
            found, missed = f"NOT FOUND, {why}", missed + 1
        else:
            count, missed = count + (found is not None), missed + (found is None)
            found = found or "NOT FOUND"
        finally:
            copy.restore(patch.file)
        print(f"{patch.name:{width}}  {found}  {time.monotonic() - start:.0f} s", flush=True)
    print(f"{count} found, {missed} not found")
    return missed != 0


def main():
    parser = argparse.ArgumentParser(add_help=False, usage=__doc__.split("\n")[2][7:])
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("patches", nargs="*", metavar="PATCH")
    parser.add_argument("-j", type=int, default=2, metavar="N", dest="jobs")
    parser.add_argument("--work", default=os.path.join(SOURCE, "build-mutants"), metavar="DIR")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__, end="")
        return 0
    paths = chosen(options.patches)
    if options.check:
        return check(paths)
    if shutil.which("ccache"):
        for language in "C", "CXX":
            os.environ.setdefault(f"CMAKE_{language}_COMPILER_LAUNCHER", "ccache")
        os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    return find_all(paths, Copy(os.path.abspath(options.work), options.jobs))


if __name__ == "__main__":
    sys.exit(main())
