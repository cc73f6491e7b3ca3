"""Prints the tree of a profile without times, siblings sorted by name: tree.py PROFILE.
Omits rows that aren't spans."""
import csv
import subprocess
import sys

report = subprocess.run(["loopscope", "report", "--view", "tree", "--format", "csv", sys.argv[1]],
                        stdout=subprocess.PIPE, text=True, check=True)
children = {(): []}
path = []
for row in csv.DictReader(report.stdout.splitlines()):
    if row["kind"] not in ("phase", "operator"):
        continue
    depth = int(row["depth"])
    path[depth:] = [(row["threads"], row["name"], row["kind"], row["calls"])]
    children[tuple(path)] = []
    children[tuple(path[:depth])].append(tuple(path))


def show(node):
    for child in sorted(children[node], key=lambda each: (each[-1][0] != "main", each[-1])):
        print(len(child), *child[-1][1:], sep=",")
        show(child)


show(())
