"""Checks that docs/tour.md shows what there is.

usage: tour.py SOURCE-DIRECTORY

Every step of a walk begins with a file that exists; a name in brackets, `(`name`)`, occurs in it.
Prints each violation; exits 1 if there are any, or if there is no step.
"""
import os
import re
import sys

STEP = re.compile(r"^\d+\. `([^`]+)`")
NAME = re.compile(r"\(`(\w+)`\)")
FILE = re.compile(r"`((?:lib|runtime|tool|test|docs)/[^`]+)`")


def main():
    source = sys.argv[1]
    wrong, steps = [], 0
    with open(os.path.join(source, "docs/tour.md"), encoding="utf-8") as tour:
        for number, line in enumerate(tour, 1):
            wrong += [f"docs/tour.md:{number}: no {path}" for path in FILE.findall(line)
                      if not os.path.exists(os.path.join(source, path))]
            step = STEP.match(line)
            if not step:
                continue
            steps += 1
            path = os.path.join(source, step[1])
            if not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            wrong += [f"docs/tour.md:{number}: {step[1]} has no {name}"
                      for name in NAME.findall(line) if not re.search(rf"\b{name}\b", text)]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong or not steps else 0)


main()
