"""Checks that the tree view's times add up, and prints its names and calls,
sorted by name.

usage: loopscope report PROFILE --view tree --format json | check_tree.py

In whole nanoseconds: a node is its self time plus its children, and a thread
is the sum of its roots, "(unaccounted)" and "(profiler)" among them.
"""
import json
import sys


def nanoseconds(seconds):
    """A time of the report as an integer, which a double holds exactly up to
    three months; complains if it isn't one."""
    scaled = seconds * 1e9
    if abs(scaled - round(scaled)) > 1e-4:
        sys.exit(f"{seconds} s is no whole number of nanoseconds")
    return round(scaled)


def by_name(node):
    """Sorts nodes in a way that doesn't hang on how long they took."""
    return node["name"], node["file"] or "", node["line"] or 0


def check(node, depth):
    """Checks a node and what is below it; prints them; returns its time."""
    name, children = node["name"], node["children"]
    total = nanoseconds(node["inclusive_s"])
    if not name.startswith("("):
        print("  " * depth + f"{name} {node['calls']}")
        below = sum(check(child, depth + 1) for child in sorted(children, key=by_name))
        own = nanoseconds(node["self_s"])
        if own < 0 or own + below != total:
            sys.exit(f"{name}: self {own} + children {below} != {total} ns")
    return total


def main():
    report = json.load(sys.stdin)
    for section in report["sections"]:
        for table in section["tables"]:
            print(table["id"])
            parts = sum(check(row, 1) for row in sorted(table["rows"], key=by_name))
            whole = nanoseconds(table["total"]["inclusive_s"])
            if parts != whole:
                sys.exit(f"{table['id']}: the parts are {parts}, the whole is {whole} ns")
            if table["id"] == "main" and nanoseconds(section["run"]["wall_s"]) != whole:
                sys.exit("the main thread's time is not the run's wall time")


if __name__ == "__main__":
    main()
