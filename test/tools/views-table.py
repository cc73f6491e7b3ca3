"""Compares the table of views in docs/report.md with loopscope's own, or writes it.

usage: loopscope report --help | views-table.py [--write] docs/report.md

The names and their lines of help must be the same, in the same order; in the document,
words may be set as code. Exits 1 after printing the differences.

--write gives each view its row. Rows that are right stay as they are, and so do the
details of the others.
"""
import re
import sys

VIEWS = re.compile(r"^Views:\n((?:  \S+ +\S.*\n)+)", re.M)
TABLE = re.compile(r"(^\| `--view` \|.*\n\|[-|]+\|\n)((?:\|.*\n)+)", re.M)


def match(pattern, text, name):
    found = pattern.search(text)
    if not found:
        sys.exit(f"{name} has no list of views")
    return found


def told(row):
    """The name and line of a row, without marks of code."""
    return tuple(cell.strip().replace("`", "") for cell in re.split(r"(?<!\\)\|", row)[1:3])


def rewritten(rows, known):
    """A row for each of the known views."""
    old = {told(row)[0]: row for row in rows}
    for name, line in known:
        row = old.get(name, "| | | |")
        details = re.split(r"(?<!\\)\|", row)[3]
        yield row if told(row) == (name, line) else f"| `{name}` | {line} |{details}|"


def main():
    path = sys.argv[-1]
    with open(path, encoding="utf-8") as file:
        document = file.read()
    table = match(TABLE, document, path)
    rows = table[2].splitlines()
    known = [tuple(line.strip().split(None, 1))
             for line in match(VIEWS, sys.stdin.read(), "the help")[1].splitlines()]
    if sys.argv[1] == "--write":
        text = "".join(row + "\n" for row in rewritten(rows, known))
        with open(path, "w", encoding="utf-8") as file:
            file.write(document[:table.start(2)] + text + document[table.end(2):])
        return
    documented = [told(row) for row in rows]
    for have, want in zip(documented + [None] * len(known), known + [None] * len(documented)):
        if have != want:
            sys.exit(f"{path} has {have}, the help {want}")
    print(f"{len(known)} views")


if __name__ == "__main__":
    main()
