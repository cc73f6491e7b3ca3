"""Finds checks of a measured time that accept some of its units only.

usage: units.py FILE-OR-DIRECTORY...

`{{[0-9.]+ m?s}}` fails when a busy machine makes seconds of milliseconds, or a fast one microseconds: a
check of any number must take any unit, {{[0-9.]+ (ns|µs|ms|s)}}. A fixed unit is fine beside numbers
that the check limits, as in {{[3-5][.][0-9]+}} ms. Prints the lines found; exits 1 if there are any.
"""
import os
import re
import sys

ALL = {"ns", "µs", "ms", "s"}
# Any number, then a regular expression of units: letters that may be missing, sets of them, alternatives.
MEASURED = re.compile(r"\[0-9\\?\.?\][+*] ?\??((?:\[[mnµ]+\]\??|m\?)s|\((?:ns|µs|ms|s)(?:\|(?:ns|µs|ms|s))*\))")


def partial(line):
    """The expressions of units in LINE that don't take all."""
    found = (re.compile(match[1]) for match in MEASURED.finditer(line))
    return [each.pattern for each in found if not all(each.fullmatch(unit) for unit in ALL)]


def files(paths):
    for each in paths:
        if not os.path.isdir(each):
            yield each
            continue
        for folder, _, names in os.walk(each):
            yield from (os.path.join(folder, name) for name in names
                        if name.endswith((".c", ".cpp", ".cu", ".test")))


def main():
    found = False
    for path in sorted(files(sys.argv[1:])):
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                for units in partial(line):
                    print(f"{path}:{number}: {units} doesn't take any unit: (ns|µs|ms|s)")
                    found = True
    sys.exit(found)


main()
