"""Builds a program plain and instrumented, runs both, and reports the differences."""
import collections
import dataclasses
import glob
import json
import os
import re
import shutil
import subprocess

from program import HEADER_LINES

MESSAGE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? "
                     r"(?P<kind>warning|error|fatal error): (?P<text>.*)$", re.M)
# Annotated statements are wrapped in a block, which would hide gcc's warning about
# missing braces.
WARNINGS = ["-Wall", "-Wextra", "-Wno-dangling-else"]
SANITIZER = re.compile(r"AddressSanitizer:? [\w-]+|runtime error: .*")
OURS = re.compile(r"\[([a-z-]+)\]$")


@dataclasses.dataclass(frozen=True)
class Setting:
    """How to build a program."""
    compiler: str   # the path of g++ or clang++ (gcc or clang)
    level: str      # -O0 or -O2
    mode: str       # phases or functions

    def __str__(self):
        return f"{os.path.basename(self.compiler)} {self.level} {self.mode}"


@dataclasses.dataclass
class Difference:
    what: str                # build, warnings, output, counts, text, sanitizer
    setting: Setting
    details: str
    suspects: set            # numbers of the cases that certainly or probably cause it


@dataclasses.dataclass
class Tally:
    """A summary of the checks."""
    cases: int = 0           # constructs compared, once per setting
    programs: int = 0
    refused: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    hooks: int = 0           # annotations and functions whose counts were compared
    invalid: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    def add(self, other):
        self.cases += other.cases
        self.programs += other.programs
        self.hooks += other.hooks
        self.refused += other.refused
        self.invalid += other.invalid


def split(output):
    """The output by case, {number: text}, and its counts, {index: value}."""
    parts, counts = collections.OrderedDict(), {}
    for part in re.split(r"^#(?=\w+)", output, flags=re.M):
        head, _, rest = part.partition(":" if not part.startswith("counts") else " ")
        if head == "counts":
            line, _, behind = rest.partition("\n")
            counts = {int(k): int(v) for k, v in re.findall(r"(\d+)=(\d+)", line)}
            parts["behind"] = behind
        else:
            parts[int(head) if head.isdigit() else head] = rest
    return parts, counts


class PlainFails(RuntimeError):
    """A compiler accepts the program's syntax, but fails to build the plain program."""


FUNCTION_HOOK = re.compile(r'__LOOPSCOPE_SPAN\(\d+, FUNCTION, "[^"]*", \d+, "[^"]*"\);')


class Checker:
    """Checks programs in its own directory."""

    def __init__(self, folder, build, ours):
        self.folder, self.bin, self.ours = folder, os.path.join(build, "bin"), ours
        self.include = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                    "..", "..", "runtime", "include")
        self.include = os.path.normpath(self.include)
        os.makedirs(folder, exist_ok=True)
        self.plain = {}      # for the last text: {(compiler, level): ...}

    # --- One build and run ---

    def execute(self, command, environment=None, timeout=120):
        try:
            result = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    errors="replace", check=False, timeout=timeout,
                                    env=dict(os.environ, LC_ALL="C.UTF-8", CCACHE_DISABLE="1",
                                             ASAN_OPTIONS="detect_leaks=0",
                                             UBSAN_OPTIONS="print_stacktrace=0",
                                             **(environment or {})))
        except subprocess.TimeoutExpired:
            return 124, "timed out"
        return result.returncode, result.stdout

    def command(self, program, setting, output, mode=None):
        """The command that builds PROGRAM; MODE: instrumented."""
        quiet = ["-Wno-attributes"]
        if "clang" in setting.compiler:
            quiet = ["-Wno-unknown-attributes", "-Wno-c++23-lambda-attributes"]
        command = [setting.compiler, "-std=" + program.std, *setting.level.split(), *WARNINGS,
                   *program.all_flags(), "-I", self.include]
        if program.style == "attribute":
            command += quiet
        command += ["program" + program.suffix(), "-o", output]
        if mode is None:
            return command
        front = [os.path.join(self.bin, "loopscope-launch"), "--on-error=passthrough", "--keep"]
        if mode == "functions":
            front += ["--functions", "--min-size=1"]
        elif program.style == "select":
            front.append("--select=" + os.path.join(self.folder, "rules.yaml"))
        return front + command

    def messages(self, output):
        """(the compiler's errors and warnings, ours as (line, id), lines of errors)"""
        theirs, ours, errors = collections.Counter(), [], []
        for match in MESSAGE.finditer(output):
            mine = OURS.search(match["text"])
            line = int(match["line"])
            if os.path.basename(match["file"]) == "program.h":
                line += HEADER_LINES - 1
            if mine and mine[1] in self.ours:
                ours.append((line, mine[1]))
            else:
                theirs[line, match["text"]] += 1
                if "error" in match["kind"]:
                    errors.append(line)
        return theirs, ours, errors

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def write_text(self, program, text):
        self.write("program" + program.suffix(), text.source)
        if text.header:
            self.write("program.h", text.header + "\n")
        if text.rules:
            self.write("rules.yaml", text.rules)

    # --- Plain ---

    def valid(self, program, compilers, tally):
        """PROGRAM without the cases that a compiler rejects: a mistake of the generator
        or a gap in a compiler, so they are counted by shape."""
        while program.cases:
            text = program.render()
            self.write_text(program, text)
            bad = set()
            for compiler in compilers:
                setting = Setting(compiler, "-O0", "plain")
                command = self.command(program, setting, "plain") + ["-fsyntax-only"]
                code, output = self.execute(command)
                theirs, _, errors = self.messages(output)
                found = text.cases(errors)
                if code and not found:
                    raise RuntimeError(f"{program.name}: {output[:3000]}")
                bad |= found
                said = {text.owner[line].number: words for line, words in theirs
                        if line in errors and line in text.owner}
                for case in program.cases:
                    if case.number in found:
                        tally.invalid[os.path.basename(compiler), case.kind, case.shape,
                                      said[case.number]] += 1
            if not bad:
                break
            program = program.only(c for c in program.cases if c.number not in bad)
        return program

    def sane(self, program, settings, tally):
        """PROGRAM without the cases to whose plain behaviour the sanitizers object."""
        for setting in settings:
            while program.cases:
                self.plain = {}
                self.write_text(program, program.render())
                _, code, output = self.run_plain(program, setting)
                if not SANITIZER.search(output):
                    break
                guilty = None
                for part in re.split(r"^#(?=\d+: )", output, flags=re.M):
                    if SANITIZER.search(part):
                        guilty = part.partition(":")[0]
                        break
                bad = [c for c in program.cases if str(c.number) == guilty]
                if not bad:
                    raise RuntimeError(f"{program.name}: {output[-3000:]}")
                tally.invalid[os.path.basename(setting.compiler), bad[0].kind, bad[0].shape,
                              SANITIZER.search(output)[0]] += 1
                program = program.only(c for c in program.cases if c is not bad[0])
        return program

    def run_plain(self, program, setting):
        """(warnings, exit code, output) of the plain program; built once per text."""
        key = (setting.compiler, setting.level)
        if key not in self.plain:
            code, output = self.execute(self.command(program, setting, "plain"))
            theirs, _, _ = self.messages(output)
            if code:
                self.plain[key] = None, code, output
            else:
                self.plain[key] = (theirs, *self.execute(["./plain"], timeout=20))
        return self.plain[key]

    # --- Both ---

    def check(self, program, settings, tally=None):
        """The differences of PROGRAM in SETTINGS."""
        self.plain = {}
        tally = tally or Tally()
        found = []
        for setting in settings:
            # In function mode, selected programs are used without their rules.
            text = program.render(setting.mode == "phases" or program.style != "select")
            self.write_text(program, text)
            found += self.compare(program, text, setting, tally)
            tally.programs += 1
            tally.cases += len(program.cases)
        return found

    def compare(self, program, text, setting, tally):
        theirs, code, output = self.run_plain(program, setting)
        if theirs is None:
            raise PlainFails(f"{program.name}: plain {setting}: {output[:3000]}")
        for name in glob.glob(os.path.join(self.folder, "hooked*")):
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        built, messages = self.execute(
            self.command(program, setting, "hooked", setting.mode))
        theirs2, ours, errors = self.messages(messages)
        found = []
        if built:
            return [Difference("build", setting, messages[:2000], text.cases(errors))]
        if theirs != theirs2:
            changed = list((theirs - theirs2).items()) + list((theirs2 - theirs).items())
            details = "\n".join(f"{'lost' if key in theirs - theirs2 else 'new'}: line {key[0]}: {key[1]}"
                                for key, _ in changed)
            found.append(Difference("warnings", setting, details,
                                    text.cases(key[0] for key, _ in changed)))
        for line, name in ours:
            tally.refused[name] += 1
        # In C, a labelled statement with a compound literal is refused.
        unasked = [] if program.refusable else [
            (line, name) for line, name in ours
            if name != "jumped-into" or program.language != "c"]
        if unasked:
            found.append(Difference("refused", setting, "\n".join(
                f"line {line}: [{name}]" for line, name in unasked[:5]), set()))
        found += self.answers(text, setting, ours)
        found += self.untouched(program, text, setting, ours)
        code2, output2 = self.execute(["./hooked"], timeout=20, environment={
            "LOOPSCOPE": "advanced,report=none,devices=off,output=hooked-profile"})
        if (code, output) != (code2, output2):
            parts, _ = split(output)
            parts2, _ = split(output2)
            keys = [key for key in [*parts, *(k for k in parts2 if k not in parts)]
                    if parts.get(key) != parts2.get(key)]
            details = f"exit code {code} and {code2}\n" + "".join(
                f"plain        #{key}:{parts.get(key)}\ninstrumented #{key}:{parts2.get(key)}\n"
                for key in keys[:2])
            suspects = {key for key in keys if isinstance(key, int) and key}
            if code2 != code and parts2:
                suspects |= {[key for key in parts2 if isinstance(key, int)][-1]}
            found.append(Difference("output", setting, details, suspects))
            return found
        found += self.counts(text, setting, output, ours, tally)
        return found

    def answers(self, text, setting, ours):
        """Whether annotations that are no place for a hook got the documented answer."""
        wrong = []
        for (number, k), entry in text.expected.items():
            for line in entry.get("uses", [entry.get("line")]) if entry.get("answer") else ():
                if (line, entry["answer"]) not in ours:
                    wrong.append((number, f"line {line}: no [{entry['answer']}] for annotation {k}"))
        return [Difference("answer", setting, "\n".join(text for _, text in wrong),
                           {number for number, _ in wrong})] if wrong else []

    def untouched(self, program, text, setting, ours):
        """Whether lines with only refused annotations are unchanged, but for hooks of functions
        that begin there."""
        refused = collections.Counter(line for line, _ in ours)
        if not refused:
            return []
        paths = glob.glob(os.path.join(self.folder, "hooked.loopscope*" + self.folder,
                                       "program" + program.suffix()))
        if not paths:
            return []
        with open(paths[0], encoding="utf-8") as stream:
            written = stream.read().split("\n")
        shift = len(written) - len(text.source.split("\n"))
        source = text.source.split("\n")
        wrong = [line for line, n in refused.items()
                 if line in text.lines and line < HEADER_LINES and n >= len(text.lines[line])
                 and FUNCTION_HOOK.sub("", written[line - 1 + shift]) != source[line - 1]]
        return [Difference("text", setting, "\n".join(
            f"line {line} is refused and changed:\n  {source[line - 1]}\n  {written[line - 1 + shift]}"
            for line in wrong), text.cases(wrong))] if wrong else []

    def profile(self):
        """Calls in the profile by (kind, line), by the name of phases and waits, and by
        function."""
        code, output = self.execute([os.path.join(self.bin, "loopscope"), "report", "--view",
                                     "tree", "--by", "key", "--format", "json", "hooked-profile"])
        self.unread = output if code else ""
        self.flops = collections.Counter()
        self.keys = collections.defaultdict(collections.Counter)
        if code and not re.search("holds no|cannot open|recorded no span", output):
            raise RuntimeError(f"the profile can't be read: {output}")
        if code:
            return collections.Counter()
        calls = collections.Counter()

        def walk(row):
            kind, name, n = row["kind"], row["name"], row["calls"]
            if row["key"] is not None:
                # The phase's own row has its sum.
                name = name[:-len(row["key"]) - 2]
                self.keys[kind, name if kind in ("phase", "wait") else row["line"]][row["key"]] += n
                for child in row["children"]:
                    walk(child)
                return
            if n:
                if kind in ("phase", "wait"):
                    calls[kind, name] += n
                elif kind == "function":
                    calls["function", row["function"] or name] += n
                else:
                    calls[kind, row["line"]] += n
            said = row.get("flop") or 0
            if kind in ("phase", "step"):
                self.flops[kind, name if kind == "phase" else row["line"]] += said
            for child in row["children"]:
                walk(child)

        for section in json.loads(output)["sections"]:
            for table in section["tables"]:
                for row in table["rows"]:
                    walk(row)
        return calls

    def counts(self, text, setting, output, ours, tally):
        """Whether the profile's counts equal the program's."""
        _, counted = split(output)
        if not counted:
            return []
        refused = {line for line, _ in ours}
        calls = self.profile()
        wrong, suspects = [], set()
        if setting.mode == "functions":
            for name, (index, number) in text.functions.items():
                got, want = calls.get(("function", name)), counted.get(index, 0)
                if got is None:
                    continue
                tally.hooks += 1
                if got != want:
                    wrong.append(f"function {name}: ran {want} times, profile says {got}")
                    suspects.add(number)
            return [Difference("counts", setting, "\n".join(wrong), suspects)] if wrong else []
        # A step's own draw has the line of its loop.
        steps, stepped = set(), set()
        for (number, _), entry in text.expected.items():
            if entry.get("key", " ")[0] in ("train", "valid"):
                steps.add(entry["line"])
                stepped.add(number)
        # A span still open at the end isn't counted as a call.
        ends = {case.number for case in text.owner.values() if case.last}
        # The profile merges calls with the same name and line.
        places = collections.Counter(entry["key"] for entry in text.expected.values()
                                     if "key" in entry)
        for (number, k), entry in text.expected.items():
            if ("key" not in entry or "N" not in entry or places[entry["key"]] > 1
                    or refused & {entry["line"], *entry.get("uses", [])}):
                continue
            pairs = [(entry["key"], entry["N"])]
            if "S" in entry:
                pairs.append((("step", entry["line"]), entry["S"]))
            for key, index in pairs:
                if key[0] == "draw" and key[1] in steps:
                    continue
                tally.hooks += 1
                got, want = calls.get(key, 0), counted.get(index, 0)
                # An explicit draw inside a step is part of the step's draw, not a call.
                fewer = number in ends or (key[0] == "draw" and number in stepped)
                if got > want if fewer else got != want:
                    wrong.append(f"{key[0]} {key[1]}: ran {want} times, profile says {got}")
                    suspects.add(number)
                turns = entry["keys"] if key == entry["key"] and got == want else None
                # What counts an execution may stand in front of its span.
                by_turn = [collections.Counter(turns[(i + before) % len(turns)]
                                               for i in range(want)) for before in (0, 1)] \
                    if turns else []
                if turns and self.keys[key] not in by_turn:
                    wrong.append(f"{key[0]} {key[1]}: keys {dict(by_turn[0])}, "
                                 f"profile says {dict(self.keys[key])}")
                    suspects.add(number)
                # A loop's value applies to each of its steps.
                each = entry["flops"] if key[0] in ("phase", "step") else 0
                if each and self.flops[key] != each * got:
                    wrong.append(f"{key[0]} {key[1]}: {got} times {each} FLOP, "
                                 f"profile says {self.flops[key]}")
                    suspects.add(number)
        if wrong and self.unread:
            wrong.insert(0, self.unread.strip())
        return [Difference("counts", setting, "\n".join(wrong), suspects)] if wrong else []
