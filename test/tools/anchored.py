"""Finds checks that also accept a longer number than the one given.

usage: anchored.py FILE-OR-DIRECTORY...

`CHECK: calls 12` matches "calls 123", and `CHECK: 12 calls` matches "312 calls". A
check that ends in a number needs {{$}} or a character of the following text, a check
that begins with a number {{^}} or some of the preceding text. With --match-full-lines
both are implied. Prints the lines found; exits 1 if there are any.
"""
import os
import re
import sys

RUN = re.compile(r"RUN:(.*?)(\\?)\n")
# FileCheck's options end at a pipe or the next command.
FILECHECK = re.compile(r"\bFileCheck\b([^|;&\n]*)")
PREFIX = re.compile(r"--?check-prefix(?:es)?[= ](\S+)")
SUFFIXES = r"(?:-(?:NEXT|SAME|DAG|LABEL|COUNT-\d+))?(?:\{LITERAL\})?"
# A number at either end: digits, a variable that holds one, or a regular expression
# with a digit or a class at the end of an alternative.
BEGINS = re.compile(r"[0-9]|\[\[(?:@LINE|#)")
ENDS = re.compile(r"(?:[0-9]|\[\[(?:@LINE|#)[^\]]*\]\]|\{\{[^}]*[0-9\]](?:\|[^}]*)?\}\})$")


def full_lines(text):
    """For each prefix that FileCheck checks, whether it always matches full lines."""
    commands = "".join(part + (" " if more else "\n") for part, more in RUN.findall(text))
    found = {}
    for options in FILECHECK.findall(commands):
        prefix = PREFIX.search(options)
        for each in (prefix[1] if prefix else "CHECK").split(","):
            found[each] = found.get(each, True) and "-match-full-lines" in options
    return found


def loose(text):
    """(line number, line) of each check without an anchor."""
    open_prefixes = [re.escape(name) for name, full in full_lines(text).items() if not full]
    if not open_prefixes:
        return
    check = re.compile(rf"(?<![\w-])(?:{'|'.join(open_prefixes)}){SUFFIXES}:(.*)")
    for number, line in enumerate(text.splitlines(), 1):
        match = None if "RUN:" in line else check.search(line)
        if match:
            pattern = match[1].strip()
            if BEGINS.match(pattern) or ENDS.search(pattern):
                yield number, line


def main():
    paths = []
    for each in sys.argv[1:]:
        paths += [os.path.join(folder, name) for folder, _, names in os.walk(each)
                  for name in names] if os.path.isdir(each) else [each]
    status = 0
    for path in sorted(paths):
        if path.endswith((".c", ".cpp", ".cu", ".test")):
            with open(path, encoding="utf-8", errors="replace") as file:
                for number, line in loose(file.read()):
                    print(f"{path}:{number}: {line.strip()}")
                    status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
