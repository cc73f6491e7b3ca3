"""Compares the hardware view's csv with what the kernels of a program use.

usage: pm_sampling.py CSV ROW SM TENSOR DRAM [ROW SM TENSOR DRAM]...

Prints a row's name and "as it is" where its means are within a point of these; else its means.
Of a step, whose means depend on the machine, the integrals must be those of the batch.
"""
import csv
import sys

KEYS = ("sm.active", "tensor.active", "dram.active")
with open(sys.argv[1], encoding="utf-8") as stream:
    rows = {row["name"]: row for row in csv.DictReader(stream)}


def means(name):
    return [float(rows[name][key]) for key in KEYS]


arguments = sys.argv[2:]
for i in range(0, len(arguments), 4):
    name, *truth = arguments[i:i + 4]
    if name not in rows:
        print(f"{name}: no figures")
        continue
    found = means(name)
    near = all(abs(a - float(b)) <= 1 for a, b in zip(found, truth))
    print(f"{name}: {'as it is' if near else found}")
step, batch = ([value * float(rows[name]["measured_s"]) for value in means(name)]
               for name in ("step", "batch"))
same = all(abs(a - b) <= 0.001 * b for a, b in zip(step, batch))
print(f"step: {'all of its work' if same else (step, batch)}")
