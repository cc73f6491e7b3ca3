"""Compares the table of views in docs/report.md with loopscope's own.

usage: loopscope report --help | views-table.py docs/report.md

The names and their lines of help must be the same, in the same order; in the document,
words may be set as code. Exits 1 after printing the differences.
"""
import re
import sys

VIEWS = re.compile(r"^Views:\n((?:  \S+ +\S.*\n)+)", re.M)
TABLE = re.compile(r"^\| `--view` \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", re.M)


def part(pattern, text, name):
    found = pattern.search(text)
    if not found:
        sys.exit(f"{name} has no list of views")
    return found[1].splitlines()


with open(sys.argv[1], encoding="utf-8") as file:
    rows = part(TABLE, file.read(), sys.argv[1])
documented = [tuple(cell.strip().replace("`", "") for cell in row.split("|")[1:3]) for row in rows]
known = [tuple(line.strip().split(None, 1)) for line in part(VIEWS, sys.stdin.read(), "the help")]
for have, want in zip(documented + [None] * len(known), known + [None] * len(documented)):
    if have != want:
        sys.exit(f"{sys.argv[1]} has {have}, the help {want}")
print(f"{len(known)} views")
