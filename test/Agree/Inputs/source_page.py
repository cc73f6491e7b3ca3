"""Compares the source on the page with `loopscope annotate`, and both with what random programs are known to have done.

usage: source_page.py LOOPSCOPE COMPILER FOLDER PROGRAMS

A program is a random tree of phases at random lines of random files: with tabs, carriage returns, bytes that aren't UTF-8, long lines,
markup, no newline at the end, and of no bytes. Files of it stay as they were compiled, change, vanish, are named by a path relative to
the compile's folder, number their lines anew, or aren't in the program's list; the program may have none, be built after the run, or be
gone. Each figure of each line must be the tree's sum, on the page and in annotate's json; the code must be the file's, and on the page
be there only for files as they were compiled. Prints what isn't so, and last how many programs agree.
"""
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "tools"))
import compiled_sources

LOOPSCOPE, COMPILER, FOLDER = sys.argv[1:4]
CONTEXT, LETTERS = 5, 400
PARTS = [b"x = 1;", b"\tif (a < b && c)", b"</script><b>", b"caf\xc3\xa9", b"\xff\xfe", b"", b"  for (;;)", b"z" * 700, b"\xe2\x80\xae"]
STATES = ["compiled", "changed", "missing", "unlisted", "numbered"]
WHY = {"changed": "has changed since it was compiled", "missing": "is missing here", "unlisted": "it lists those that",
       "numbered": "#line in ", "silent": "a build through loopscope-launch does", "rebuilt": "built again after this run",
       "gone": "the program can't be read here"}


def run(*arguments):
    return subprocess.run([LOOPSCOPE, *arguments], capture_output=True, text=True, check=True).stdout


def random_text(chance):
    if chance.random() < 0.1:
        return b""
    end = chance.choice([b"\n", b"\r\n"])
    text = end.join(chance.choice(PARTS) for _ in range(chance.randrange(1, 90)))
    return text + (end if chance.random() < 0.7 else b"")


class Program:
    """A random tree of phases, its files, and the profile that it would leave."""

    def __init__(self, chance, folder):
        self.chance, self.folder = chance, folder
        self.files = {}  # path: [name in the program, state, text as compiled]
        self.lines = {}  # (path, line): [calls, total, self]
        self.program = chance.choice(["known"] * 4 + ["silent", "rebuilt", "gone"])
        for number in range(chance.randrange(1, 5)):
            path = os.path.join(folder, "src", f"f{number}.cpp")
            name = path if chance.random() < 0.5 else f"../src/f{number}.cpp"
            self.files[path] = [name, chance.choice(STATES[:1] * 3 + STATES), random_text(chance)]
        if self.program != "known":  # only its list finds what a relative name means
            for path, file in self.files.items():
                if self.program != "rebuilt":
                    file[0] = path
        self.write_sources()
        self.write_profile()

    def write_sources(self):
        listed = []
        for path, file in self.files.items():
            name, state, text = file
            if state == "numbered":
                text = file[2] = b"a\n  #  line 7\n" + text
            if state == "unlisted":
                file[0] = name = path
            with open(path, "wb") as out:
                out.write(text)
            build = os.path.join(self.folder, "build")
            if state != "unlisted":
                listed.append(compiled_sources.text([name], build))
            if state == "changed":
                with open(path, "ab") as out:
                    out.write(b" ")
            elif state == "missing":
                os.remove(path)
        if all(state == "unlisted" for _, state, _ in self.files.values()) and self.program in ("known", "rebuilt"):
            self.program = "silent"
        if self.program == "silent":
            listed = []
        if self.program != "gone":
            compiled_sources.make_program(COMPILER, os.path.join(self.folder, "train"), " : ".join(listed))

    def state_of(self, path):
        """Why PATH has no code on the page, as a key of WHY; "compiled" if it has."""
        state = self.files[path][1]
        # Without a list, nobody knows that a file has changed.
        if state in ("missing", "numbered") or (state == "changed" and self.program in ("known", "rebuilt")):
            return state
        if self.program in ("gone", "silent"):
            return self.program
        return state if state == "unlisted" or self.program == "known" else self.program

    def phase(self, depth, around):
        """The lines of a random phase and what is in it, and its time in ms."""
        path = self.chance.choice(list(self.files))
        line, calls, own = self.chance.randrange(1, 95), self.chance.randrange(1, 5), self.chance.randrange(0, 50)
        place = (path, line)
        inner, text = 0, []
        for _ in range(self.chance.randrange(0, 4) if depth < 4 else 0):
            more, ms = self.phase(depth + 1, around | {place})
            text += more
            inner += ms
        ms = -(-(own + inner) // calls) * calls  # spans are equally long
        figures = self.lines.setdefault(place, [0, 0, 0])
        figures[0] += calls
        figures[1] += 0 if place in around else ms
        figures[2] += ms - inner
        self.count += 1
        name = f"p{self.count} file={self.files[path][0]} line={line}"
        return ["  " * (depth + 1) + f"phase {name} spans={calls}x{ms // calls}ms", *text], ms

    def write_profile(self):
        self.count = 0
        text, total = [], 0
        for _ in range(self.chance.randrange(1, 4)):
            more, ms = self.phase(0, frozenset())
            text += more
            total += ms
        self.wall = max(total, 1)
        started = 1_000_000_000 if self.program == "rebuilt" else 3_000_000_000
        head = [f"program {os.path.join(self.folder, 'train')}", f"started {started}s", f"wall {self.wall}ms", "thread main"]
        with open(os.path.join(self.folder, "run"), "w", encoding="utf-8") as out:
            out.write("\n".join(head + text) + "\n")
        self.profile = os.path.join(self.folder, "p")
        subprocess.run(["make-profile", os.path.join(self.folder, "run"), self.profile], check=True)


def page_lines(profile):
    """{path: (why, {line: (code, figures or none)})} of the page of PROFILE."""
    page = profile + ".html"
    run("report", profile, "--format", "html", "-o", page)
    with open(page, encoding="utf-8") as file:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S).group(1))
    sources = data["runs"][0]["sources"]
    result = {path: (why, {}) for path, why in sources["files"]}
    for file, lines in sources["excerpts"]:
        for number, code, *figures in lines:
            result[sources["files"][file][0]][1][number] = (None if code is None else data["code"][code], figures)
    return result


def annotated(profile):
    found = json.loads(run("annotate", profile, "--format", "json", "--context", str(CONTEXT)))
    result = {}
    for excerpt in found["excerpts"]:
        for line in excerpt["lines"]:
            result.setdefault(excerpt["file"], {})[line["line"]] = line
    return result


def ns(seconds):
    return round(seconds * 1e9)


def wrong(program):
    page, listing = page_lines(program.profile), annotated(program.profile)
    if {path for path, _ in program.lines} != set(page) or set(page) != set(listing):
        yield f"files: {sorted(page)}, {sorted(listing)}"
        return
    for path, (why, lines) in page.items():
        state = program.state_of(path)
        if (state == "compiled") != (why == "") or (why and WHY[state] not in why):
            yield f"{path} is {state}, the page says '{why}'"
        with_figures = {line for at, line in program.lines if at == path}
        if {number for number, (_, figures) in lines.items() if figures} != with_figures:
            yield f"{path}: lines with figures"
        if state == "compiled" and set(lines) != set(listing[path]):
            yield f"{path}: {len(lines)} lines on the page, {len(listing[path])} in the listing"
        text = program.files[path][2].split(b"\n")
        for number, (code, figures) in lines.items():
            other = listing[path][number]
            if (code is None) != (state != "compiled"):
                yield f"{path}:{number}: code is {code}"
            elif code is not None:
                want = other["code"]
                want = want if len(want) <= LETTERS else want[:LETTERS - 1] + "…"
                plain = text[number - 1].rstrip(b"\r").replace(b"\t", b" " * 8) if number <= len(text) else b""
                if code != want or (re.fullmatch(rb"[ -~]{0,400}", plain) and b"\t" not in text[number - 1:number][:1] and
                                    code != plain.decode()):
                    yield f"{path}:{number}: the code is '{code}', not '{want}'"
            if not figures:
                continue
            calls, total, own = program.lines[path, number]
            shown = figures[:3]
            if shown != [calls, total * 10**6, own * 10**6]:
                yield f"{path}:{number}: {shown} on the page, not {calls, total, own}"
            if (other["calls"], ns(other["time_s"]), ns(other["self_s"])) != tuple(shown):
                yield f"{path}:{number}: {shown} on the page, in the listing {other}"
            if abs(figures[5] - own / program.wall) > 1e-4:
                yield f"{path}:{number}: heat {figures[5]}"


def main():
    count, agree, seen = int(sys.argv[4]), 0, set()
    for seed in range(count):
        folder = os.path.join(os.path.realpath(FOLDER), str(seed))
        for each in ("src", "build"):
            os.makedirs(os.path.join(folder, each))
        program = Program(random.Random(seed), folder)
        seen |= {program.state_of(path) for path, _ in program.lines}
        problems = list(wrong(program))
        for problem in problems:
            print(f"program {seed}: {problem}")
        agree += not problems
    print("states:", ", ".join(sorted(seen)))
    print(f"{agree} of {count} programs agree")


main()
