"""Runs clang-tidy over sources, several at a time, because most of its time goes into their headers.

usage: tidy.py CLANG-TIDY BUILD DIRECTORY [--alone] [OPTION...]

Takes what BUILD compiles in DIRECTORY. Sources of one folder with the same flags, no two of which
define the same name, are parsed one after the other, as one file: the analyzer follows no paths in
an included one. Those in which something is found then, also that they don't compile together, are
checked alone, and that counts. So are those with using-declarations, which others might use, and
all with --alone: each must then include what it uses (includes.py looks at common headers only).

Precompiled headers are left out. Prints findings and, last, how many sources were checked and how
many of them alone. Exits with 1 if there are findings.
"""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# The more, the fewer times headers are parsed, but the longer one process runs while others idle.
TOGETHER = 12
# A line that defines something, as clang-format puts it; members' names are qualified.
DEFINITION = re.compile(r"(?!return|namespace|using namespace)[A-Za-z_][\w:<>,*& ]*?(?<!::)\b(\w+)(?:\(|;| =|\{|\[| \{)")
USING = re.compile(r"^\s*using [\w:]+::\w+;", re.M)
UNITED = re.compile(r'^#include "(.*)"$', re.M)
PRECOMPILED = re.compile(r" -include [^ ]*cmake_pch\.hxx")


def compiled(build, directory):
    """{source: (folder, arguments)} of the build; arguments without the source and what is written."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        words = shlex.split(PRECOMPILED.sub("", entry["command"]))
        kept, skipped = [], False
        for word in words:
            if not skipped and word not in ("-o", "-c", "-MF", "-MT", entry["file"]):
                kept.append(word)
            skipped = word in ("-o", "-MF", "-MT")
        for path in united(os.path.normpath(os.path.join(entry["directory"], entry["file"]))):
            if path.startswith(directory + os.sep):
                found.setdefault(path, (entry["directory"], kept))
    return found


def united(path):
    """The sources that PATH stands for: those that CMake united in it, or itself."""
    return UNITED.findall(read(path)) if os.path.basename(os.path.dirname(path)) == "Unity" else [path]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def defined(path):
    """The names that a source seems to define outside classes and functions."""
    return {found[1] for line in read(path).splitlines() if (found := DEFINITION.match(line))}


def split(paths):
    """PATHS as few lists of like length, none with two sources that define the same name."""
    names = {path: defined(path) for path in paths}
    common = collections.Counter(name for each in names.values() for name in each)
    often = {path: max((common[name] for name in names[path]), default=1) for path in paths}
    lists = [([], set()) for _ in range(max([-(-len(paths) // TOGETHER), *often.values()]))]
    for path in sorted(paths, key=lambda path: (-often[path], path)):
        fitting = [each for each in lists if not each[1] & names[path]]
        if not fitting:
            fitting = [([], set())]
            lists += fitting
        into, taken = min(fitting, key=lambda each: len(each[0]))
        into.append(path)
        taken |= names[path]
    return [into for into, _ in lists if into]


def groups(sources, separate):
    """Sources that can be parsed together, as lists; SEPARATE: each by itself."""
    alike = collections.defaultdict(list)
    for path, (folder, words) in sources.items():
        alike[os.path.dirname(path), folder, tuple(words), os.path.splitext(path)[1]].append(path)
    alone = [path for path in sources if separate or USING.search(read(path))]
    return [[path] for path in alone] + [
        each for paths in alike.values() for each in split([path for path in paths if path not in alone])]


def repeated(directory):
    """Includes that a file of the directory has twice; clang-tidy would find them between sources."""
    found = []
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            if not name.endswith((".h", ".c", ".cpp", ".cu")):
                continue
            path, seen = os.path.join(folder, name), set()
            for number, line in enumerate(read(path).splitlines(), 1):
                # The same file may expand to something else then.
                if re.match(r"\s*#\s*(define|undef|if|el|endif)", line):
                    seen.clear()
                elif re.match(r"\s*#\s*include", line):
                    if line.strip() in seen:
                        found.append(f"{path}:{number}:1: error: duplicate include [readability-duplicate-include]\n")
                    seen.add(line.strip())
    return found


class Checker:
    """Calls clang-tidy in a scratch folder."""

    def __init__(self, tidy, sources, scratch, options):
        self.tidy, self.sources, self.scratch, self.options = tidy, sources, scratch, options
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.config = os.path.join(root, ".clang-tidy")

    def call(self, path, like, number, *options):
        """What clang-tidy says of PATH, with the flags of the source LIKE; None if nothing."""
        folder, words = self.sources[like]
        words = [*words, "-iquote", os.path.dirname(like)]
        place = os.path.join(self.scratch, str(number))
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump([{"directory": folder, "file": path, "arguments": [*words, "-c", path]}], file)
        done = subprocess.run([self.tidy, "-p", place, "--quiet", f"--config-file={self.config}", *self.options,
                               *options, path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return None if done.returncode == 0 else done.stdout

    def check(self, number, paths):
        """(findings, sources that were checked alone) of a group."""
        if len(paths) == 1:
            found = self.call(paths[0], paths[0], number)
            return [found] if found is not None else [], 1
        together = os.path.join(self.scratch, f"{number}{os.path.splitext(paths[0])[1]}")
        owners = []  # of the lines
        with open(together, "w", encoding="utf-8") as file:
            for path in paths:
                lines = read(path).splitlines()
                owners += [path] * len(lines)
                file.writelines(line + "\n" for line in lines)
        said = self.call(together, paths[0], number, "--checks=-readability-duplicate-include")
        if said is None:
            return [], 0
        places = re.findall(r"^(/[^:\n]+):(\d+):\d+: (?:error|warning): ", said, re.M)
        named = {owners[int(line) - 1] if path == together else path for path, line in places}
        # What it finds in a header may be any source's.
        alone = [path for path in paths if path in named or not named <= set(paths)]
        rest = [path for path in paths if path not in alone]
        results = [self.check(number, [path]) for path in alone or paths]
        if alone and rest:
            results.append(self.check(number, rest))
        return [each for found, _ in results for each in found], sum(count for _, count in results)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    tidy, build, directory = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3])
    separate, options = "--alone" in sys.argv, [word for word in sys.argv[4:] if word != "--alone"]
    sources = compiled(build, directory)
    if not sources:
        sys.exit(f"tidy.py: {build} compiles nothing in {sys.argv[3]}")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        checker = Checker(tidy, sources, scratch, options)
        together = sorted(groups(sources, separate), key=len, reverse=True)
        results = list(pool.map(checker.check, range(len(together)), together))
    findings = repeated(directory) + [each for found, _ in results for each in found]
    print("".join(findings), end="")
    print(f"{len(sources)} sources, {sum(alone for _, alone in results)} checked alone")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
