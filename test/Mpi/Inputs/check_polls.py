"""Checks that polls which follow each other at once are one wait, and work between them is own time.

usage: check_polls.py FUNCTION TIGHT.sqlite BUSY.sqlite BUSY.csv BUSY.truth

TIGHT and BUSY are traces of a rank that asks in an empty loop, and in one with work of some
microseconds between two questions. Processes of other tests may come between two of the former.
"""
import csv
import sqlite3
import sys


def adjacent(path, name):
    with sqlite3.connect(path) as profile:
        polls = profile.execute("select span.start_ns, span.end_ns from span join node on node.id = span.node join site "
                                "on site.id = node.site where site.name = ? order by span.start_ns", (name,)).fetchall()
    at_once = sum(end == after for (_, end), (after, _) in zip(polls, polls[1:]))
    print(path, len(polls), "polls,", at_once, "at once")
    return len(polls), at_once


def useful(path):
    with open(path, encoding="utf-8") as file:
        return next(float(row["useful_s"]) for row in csv.DictReader(file) if row["name"] == "await")


function, tight, busy, busy_tree, truth = sys.argv[1:]
polls, at_once = adjacent(tight, "MPI_" + function)
assert polls >= 50 and at_once > 0.8 * polls
polls, at_once = adjacent(busy, "MPI_" + function)
assert polls >= 50 and at_once == 0
with open(truth, encoding="utf-8") as file:
    worked = max(float(line.split()[1]) for line in file)
print("useful", useful(busy_tree), "worked", worked)
assert useful(busy_tree) >= 0.99 * worked > 0
