"""Instruments whole projects and runs their own tests, plain and instrumented: no
result and no compiler warning may differ.

There are two ways to instrument: `functions` is function mode; `phases` selects every
call that is a statement or a declaration, and the first loops of every function.

usage: run.py [options] NAME...      projects of projects.toml (all: every one)
       run.py [options] --source DIR NAME     one of them, with existing sources
       run.py [options] --source DIR --build-command CMD --test-command CMD --cases HOW

Each project is copied to WORK/NAME-COMPILER/src and built there twice, by the same
commands: CC and CXX name scripts that run the compiler, first directly, then through
`loopscope-launch`. `configure` runs with the plain compiler both times. Sources come
from `apt-get source` (Debian), with a separate sources list under WORK, from an archive
with the listed SHA-256, or from a commit of a git repository.

Results go to WORK/results.json; --table prints those of all runs as a Markdown table.
Exits 1 if anything differs.
"""
import argparse
import collections
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import tomllib
import urllib.request
import xml.sax.saxutils

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {"g++": ("gcc", "g++"), "clang++": ("clang", "clang++")}

# How test runners print a test case: a pattern with the groups name and result.
CASES = {
    "gtest": r"^\[ +(?P<result>OK|FAILED|SKIPPED) +\] (?P<name>\S+?),?(?: where .*)? \(\d+ ms\)",
    "ctest": r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.*(?P<result>[* ]*[A-Za-z]+)",
    "automake": r"^(?P<result>PASS|FAIL|XFAIL|XPASS|ERROR|SKIP): (?P<name>.*)",
    "tap": r"^(?P<result>ok|not ok) (?P<name>\d+.*)",
    "unity": r"^[^:\n]+:\d+:(?P<name>\w+):(?P<result>PASS|FAIL|IGNORE)",
}
JUNIT = re.compile(r'<testcase [^>]*?\bname="(?P<name>[^"]*)"[^>]*?(?P<empty>/)?>'
                   r'(?P<body>(?:(?!</?testcase).)*)', re.S)
# Reasons for a function without a hook that are a choice, which the user may change.
# The other reasons are safety limits.
CHOSEN = {"small", "small in the profile", "selection", "ignore", "no_instrument_function"}
# The launcher's options in each mode.
MODES = {"functions": ["--functions"], "phases": ["--select={selection}"]}
SELECTION = """rules:
  - { kind: phase, name: call, call: "*", all: true }
  - { kind: epoch, in: "*", loop: 1, all: true }
  - { kind: train, in: "*", loop: 2, all: true }
"""


def fail(text):
    sys.exit(f"run.py: error: {text}")


# --- Results of one run ------------------------------------------------------

def read_cases(how, output):
    """The test cases in a runner's output: {name: [result, ...]}, in order."""
    found = collections.defaultdict(list)
    if how == "junit":
        for match in JUNIT.finditer(output):
            bad = re.search(r"<(failure|error|skipped)\b", match["body"])
            found[xml.sax.saxutils.unescape(match["name"])].append(
                bad[1] if bad and not match["empty"] else "ok")
        return found
    for match in re.finditer(CASES.get(how, how), output, re.M):
        groups = match.groupdict()
        # A runner that prints only totals: "1530 tests passed".
        for number in range(int(groups.get("count") or 1)):
            name = groups.get("name") or f"case {number + 1} of {groups['count']}"
            found[name].append((groups.get("result") or "ok").strip())
    return found


def read_warnings(output):
    """The compilers' warnings without their columns and directories, counted; ours
    separately.

    A hook moves the rest of its line, and a header beside a rewritten source is named
    by its absolute path. Our warnings end with their id, [jumped-into], where a
    compiler's end with an option, [-Wformat=].
    """
    lines = [line for line in output.splitlines() if ": warning: " in line]
    ours = [line for line in lines
            if line.startswith("loopscope-") or re.search(r" \[(?!-W)[a-z-]+\]$", line)]
    return collections.Counter(re.sub(r"^(?:.*/)?([^/]*?:\d+)(?::\d+)?(?=: warning: )", r"\1", line)
                               for line in lines if line not in ours), ours


def differences(plain, instrumented):
    """The differences between two results of read_cases, as lines."""
    lines = []
    for name in [*plain, *(name for name in instrumented if name not in plain)]:
        if plain.get(name) != instrumented.get(name):
            lines.append(f"{name}: plain {plain.get(name)}, instrumented {instrumented.get(name)}")
    return lines


def read_functions(launcher, record):
    """(instrumented, {reason: left out}, files, failed) from a directory of records."""
    text = subprocess.run([launcher, f"--summary={record}"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    functions = re.search(r"^functions: (\d+) instrumented, \d+ left out(?: \((.*)\))?", text, re.M)
    files = re.search(r"^files: (\d+) rewritten, (\d+) failed", text, re.M)
    reasons = {}
    # A reason may hold a comma itself.
    for match in re.finditer(r"(.+?) (\d+)(?:, |$)", (functions[2] or "") if functions else ""):
        reasons[match[1]] = int(match[2])
    return (int(functions[1]) if functions else 0, reasons,
            int(files[1]) if files else 0, int(files[2]) if files else 0)


def read_places(record, ours):
    """(timed, {diagnostic: refused}) of phases and loops, like read_functions.

    A place in a header counts once, like a diagnostic that several compiles give.
    """
    places = collections.Counter()
    for path in glob.glob(record + "/*.manifest.json"):
        with open(path, encoding="utf-8") as stream:
            for file in json.load(stream)["files"]:
                places[file["original"]] = max(places[file["original"]], file["sites"])
    refused = collections.Counter(word for line in set(ours)
                                  for word in re.findall(r":\d+:\d+: .*\[([a-z-]+)\]$", line))
    return places.total(), dict(refused)


# --- One project -------------------------------------------------------------

class Profiles:
    """Keeps only the newest profiles of ended processes while a command runs: a shell's
    tests start 20,000 processes, and those of a database have up to 270 MB each."""

    def __init__(self, folder, most):
        self.folder, self.most, self.removed = folder, most, 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.work)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def work(self):
        while not self.ended.wait(2):
            ended = [path for path in glob.glob(self.folder + "/*.*.loopscope")
                     if not os.path.exists("/proc/" + re.search(r"\.(\d+)\.", path)[1])]
            size = 0
            for path in sorted(ended, key=os.path.getmtime, reverse=True):
                size += os.path.getsize(path)
                if size > self.most:
                    os.remove(path)
                    self.removed += 1


class Project:
    """One project with one compiler, in its own directory."""

    def __init__(self, name, settings, compiler, mode, options):
        self.name, self.settings, self.compiler, self.options = name, settings, compiler, options
        self.mode = mode
        self.work = os.path.join(options.work, f"{name}-{compiler.replace('++', 'xx')}")
        self.source = os.path.join(self.work, "src")
        self.messages = os.path.join(self.work, "messages")
        self.record = os.path.join(self.work, "record")
        self.launcher = os.path.join(options.build, "bin", "loopscope-launch")
        self.profiles = 0  # removed during the last command

    def shims(self, prefix):
        """Makes cc and c++ scripts that run the compiler through PREFIX."""
        folder = os.path.join(self.work, "bin")
        os.makedirs(folder, exist_ok=True)
        for name, program in zip(("cc", "c++"), COMPILERS[self.compiler]):
            path = os.path.join(folder, name)
            real = shutil.which(program) or shutil.which(program + "-22")
            if not real:
                fail(f"{program} isn't installed")
            with open(path, "w", encoding="utf-8") as stream:
                # Each compile gets its own file for messages, so that those of parallel
                # compiles don't mix. Failures are left to the build: some sources are
                # meant to be rejected.
                stream.write(f'#!/bin/sh\nlog={self.messages}/$$\n{prefix} {real} "$@" 2>$log\n'
                             'code=$?\ncat $log >&2\n[ $code = 0 ] || rm $log\nexit $code\n')
            os.chmod(path, 0o755)

    def run(self, what, variant):
        """Runs a command of the project; returns (exit code, output, seconds of
        CPU time)."""
        if not self.settings.get(what):
            return 0, "", 0.0
        environment = dict(os.environ, LC_ALL="C.UTF-8", CCACHE_DISABLE="1",
                           CC=os.path.join(self.work, "bin", "cc"),
                           CXX=os.path.join(self.work, "bin", "c++"),
                           JOBS=str(self.options.jobs),
                           LOOPSCOPE=f"advanced,report=none,output={self.work}/profiles/")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        profiles = Profiles(os.path.join(self.work, "profiles"), self.options.keep)
        log = os.path.join(self.work, f"{variant}-{what}.log")
        with open(log, "wb") as stream, profiles:
            try:
                code = subprocess.run(["sh", "-c", self.settings[what]], cwd=self.source,
                                      env=environment, stdin=subprocess.DEVNULL, stdout=stream,
                                      stderr=subprocess.STDOUT, check=False,
                                      timeout=self.options.timeout).returncode
            except subprocess.TimeoutExpired:
                fail(f"{self.name}: `{what}` took more than {self.options.timeout} s; see {log}")
        self.profiles = profiles.removed
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(log, encoding="utf-8", errors="replace") as stream:
            output = stream.read()
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return code, output, seconds

    def variant(self, variant, origin):
        """Builds and tests one variant; returns {cases, warnings, ours, seconds, code}."""
        shutil.rmtree(self.source, ignore_errors=True)
        shutil.copytree(origin, self.source, symlinks=True)
        os.makedirs(self.messages, exist_ok=True)
        self.shims("")
        code, output, _ = self.run("configure", variant)
        if code != 0:
            fail(f"{self.name}: configure fails:\n{output[-2000:]}")
        if variant == "instrumented":
            selection = os.path.join(self.work, "selection.yaml")
            with open(selection, "w", encoding="utf-8") as stream:
                stream.write(SELECTION)
            words = [word.format(selection=selection) for word in MODES[self.mode]]
            if self.mode == "functions":
                words += self.settings.get("functions", "").split()
            self.shims(" ".join([self.launcher, *words, "--on-error=passthrough",
                                 f"--record={self.record}"]))
        shutil.rmtree(self.messages, ignore_errors=True)
        os.makedirs(self.messages)
        code, output, seconds = self.run("build", variant)
        if code != 0:
            fail(f"{self.name} ({self.compiler}, {variant}): the build fails; see "
                 f"{self.work}/{variant}-build.log:\n{output[-3000:]}")
        messages = []
        for path in sorted(glob.glob(self.messages + "/*")):
            with open(path, encoding="utf-8", errors="replace") as stream:
                messages.append(stream.read())
        warnings, ours = read_warnings("\n".join(messages))
        code, output, _ = self.run("test", variant)
        return {"cases": read_cases(self.settings["cases"], output), "warnings": warnings,
                "ours": ours, "seconds": seconds, "code": code}

    def plain(self, origin):
        """The variant to compare all modes with."""
        plain = self.variant("plain", origin)
        if not plain["cases"]:
            fail(f"{self.name}: no test case found in {self.work}/plain-test.log")
        return plain

    def compare(self, origin, plain):
        """The table's row."""
        for name in ("record", "profiles"):
            shutil.rmtree(os.path.join(self.work, name), ignore_errors=True)
        os.makedirs(os.path.join(self.work, "profiles"))
        instrumented = self.variant("instrumented", origin)
        lines = differences(plain["cases"], instrumented["cases"])
        if plain["code"] != instrumented["code"]:
            lines.append(f"exit code: plain {plain['code']}, instrumented {instrumented['code']}")
        warned = list((instrumented["warnings"] - plain["warnings"]).elements())
        hooked, left, files, failed = read_functions(self.launcher, self.record)
        if self.mode == "phases":
            hooked, left = read_places(self.record, instrumented["ours"])
        # Programs without hooks would prove nothing.
        profiles = self.profiles + len(glob.glob(os.path.join(self.work, "profiles", "*")))
        if not profiles:
            lines.append("no profile was written: the tests ran no instrumented program")
        shutil.rmtree(os.path.join(self.work, "profiles"))
        return {
            "project": self.name, "version": os.path.basename(origin).rpartition("-")[2],
            "language": self.settings.get("language", ""), "compiler": self.compiler,
            "mode": self.mode,
            "cases": sum(map(len, plain["cases"].values())), "differences": lines,
            "warnings": warned, "ours": instrumented["ours"], "instrumented": hooked,
            "left_out": left, "files": files, "failed_files": failed, "profiles": profiles,
            "factor": instrumented["seconds"] / max(plain["seconds"], 0.01),
        }


# --- Sources -----------------------------------------------------------------

def fetch(name, settings, work):
    """The unpacked source of a project, in a directory NAME-VERSION; downloaded once."""
    folder = os.path.join(work, "sources", settings.get("package", name))
    found = glob.glob(folder + "/*/")
    if not found:
        os.makedirs(folder, exist_ok=True)
        if "package" in settings:
            fetch_package(settings["package"], folder, os.path.join(work, "apt"))
        elif "archive" in settings:
            fetch_archive(settings["archive"], settings["sha256"], folder)
        else:
            fetch_commit(settings["git"], settings["commit"],
                         os.path.join(folder, f"{name}-{settings['commit'][:12]}"))
        found = glob.glob(folder + "/*/")
    return found[0].rstrip("/")


def fetch_archive(address, digest, folder):
    """Unpacks a tar archive, if its SHA-256 is DIGEST."""
    with urllib.request.urlopen(address, timeout=60) as stream:
        data = stream.read()
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        fail(f"{address} has the SHA-256 {found}, not {digest}")
    path = os.path.join(folder, ".archive")
    with open(path, "wb") as stream:
        stream.write(data)
    subprocess.run(["tar", "-xf", path, "-C", folder], check=True)


def fetch_commit(address, commit, folder):
    """Checks out one commit of a git repository."""
    partial = os.path.join(os.path.dirname(folder), ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    os.makedirs(partial)
    for command in (["init", "--quiet"], ["fetch", "--quiet", "--depth=1", address, commit],
                    ["checkout", "--quiet", "FETCH_HEAD"]):
        subprocess.run(["git", *command], cwd=partial, check=True)
    shutil.rmtree(os.path.join(partial, ".git"))
    os.rename(partial, folder)


def fetch_package(package, folder, apt):
    """The source of a Debian package."""
    os.makedirs(os.path.join(apt, "lists", "partial"), exist_ok=True)
    suite = subprocess.run(["sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME"], check=True,
                           text=True, stdout=subprocess.PIPE).stdout.strip()
    with open(os.path.join(apt, "sources.list"), "w", encoding="utf-8") as stream:
        stream.write(f"deb-src http://deb.debian.org/debian {suite} main\n")
    options = ["-o", f"Dir::Etc::sourcelist={apt}/sources.list", "-o", "Dir::Etc::sourceparts=-",
               "-o", f"Dir::State::lists={apt}/lists", "-o", f"Dir::Cache={apt}"]
    if not glob.glob(apt + "/lists/*Sources*"):
        subprocess.run(["apt-get", *options, "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", *options, "source", "--download-only", package], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["dpkg-source", "--no-check", "-x",
                    *glob.glob(folder + "/*.dsc")],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)


# --- The table ---------------------------------------------------------------

def table(rows):
    """All rows in Markdown."""
    lines = ["| project | | compiler | mode | test cases | different | new warnings "
             "| instrumented | refused | left out | build time |",
             "|---|---|---|---|---:|---:|---:|---:|---|---|---:|"]

    def reasons(row, chosen):
        left = {why: n for why, n in row["left_out"].items() if (why in CHOSEN) == chosen}
        listed = ", ".join(f"{why} {n}" for why, n in sorted(left.items(), key=lambda x: -x[1]))
        return f"{sum(left.values())}" + (f" ({listed})" if left else "")

    for row in rows:
        lines.append(
            f"| {row['project']} {row['version']} | {row['language']} | {row['compiler']} "
            f"| {row['mode']} | {row['cases']:,} | {len(row['differences'])} | {len(row['warnings'])} "
            f"| {row['instrumented']:,} | {reasons(row, False)} | {reasons(row, True)} "
            f"| × {row['factor']:.2f} |")
    cases = sum(row["cases"] for row in rows)
    lines.append(f"| all | | | | {cases:,} | {sum(len(row['differences']) for row in rows)} "
                 f"| {sum(len(row['warnings']) for row in rows)} "
                 f"| {sum(row['instrumented'] for row in rows):,} | | | |")
    return "\n".join(lines)


def identity(row):
    """The fields that identify a row."""
    return row["project"], row["compiler"], row["mode"]


def keep(row, path):
    """Replaces the row of the same project and compiler in the file at PATH."""
    rows = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            rows = json.load(stream)
    rows = [old for old in rows
            if identity(old) != identity(row)] + [row]
    rows.sort(key=identity)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(rows, stream, indent=1)
    return rows


def add_project_options(parser, timeout):
    """The options that Project reads; TIMEOUT is the default for one command, in seconds."""
    parser.add_argument("--build", default="build", help="Loopscope's build directory")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=timeout, help="seconds for one command")
    parser.add_argument("--keep", type=int, default=2 << 30,
                        help="bytes of profiles of ended processes, the newest, that are kept")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--work", default="build/projects", help="where projects are built")
    parser.add_argument("--list", default=os.path.join(HERE, "projects.toml"),
                        help="the list of projects")
    parser.add_argument("--compiler", action="append", choices=sorted(COMPILERS),
                        help="g++ or clang++; both unless given")
    parser.add_argument("--mode", action="append", choices=sorted(MODES),
                        help="functions or phases; functions unless given")
    add_project_options(parser, timeout=1800)
    parser.add_argument("--table", action="store_true", help="print what all runs gave")
    parser.add_argument("--source", help="the sources, instead of what the list names")
    parser.add_argument("--configure-command")
    parser.add_argument("--build-command")
    parser.add_argument("--test-command")
    parser.add_argument("--cases", help="how the tests print a case: junit, "
                        + ", ".join(CASES) + ", or a regular expression with the groups "
                        "name and result, or count")
    return parser.parse_args()


def main():
    options = arguments()
    options.work, options.build = os.path.abspath(options.work), os.path.abspath(options.build)
    os.makedirs(options.work, exist_ok=True)
    results = os.path.join(options.work, "results.json")
    with open(options.list, "rb") as stream:
        projects = tomllib.load(stream)
    if options.source and not options.names:
        if not (options.build_command and options.test_command and options.cases):
            fail("--source needs --build-command, --test-command and --cases")
        name = os.path.basename(os.path.abspath(options.source))
        projects = {name: {"configure": options.configure_command, "cases": options.cases,
                           "build": options.build_command, "test": options.test_command}}
        options.names = [name]
    bad = False
    for name in projects if options.names == ["all"] else options.names:
        if name not in projects:
            fail(f"'{name}' is not in the list; known are {', '.join(projects)}")
        settings = projects[name]
        origin = (os.path.abspath(options.source) if options.source
                  else fetch(name, settings, options.work))
        modes = [Project(name, settings, compiler, mode, options)
                 for compiler in options.compiler or COMPILERS
                 for mode in options.mode or ["functions"]]
        for project in modes:
            if project.mode == modes[0].mode:
                plain = project.plain(origin)
            row = project.compare(origin, plain)
            keep(row, results)
            bad |= bool(row["differences"] or row["warnings"])
            left = ", ".join(f"{why} {n}" for why, n in row["left_out"].items())
            what = "functions" if project.mode == "functions" else "places"
            print(f"{name} {row['version']} {project.compiler}"
                  f"{' phases' if project.mode == 'phases' else ''}: "
                  f"{row['cases']} test cases, "
                  f"{len(row['differences'])} differences, {len(row['warnings'])} new warnings; "
                  f"{row['instrumented']} {what} instrumented, left out: {left or 'none'}; "
                  f"{row['files']} files, {row['failed_files']} failed; {row['profiles']} profiles; "
                  f"build time x {row['factor']:.2f}", flush=True)
            for line in (row["differences"] + row["warnings"] + row["ours"])[:20]:
                print("  " + line, flush=True)
    if options.table and os.path.exists(results):
        with open(results, encoding="utf-8") as stream:
            print(table(json.load(stream)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
