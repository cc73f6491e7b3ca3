"""Prints the hardware view's csv in a few words, with what differs from run to run rounded.

usage: hardware.py CSV
"""
import csv
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    rows = {row["name"]: row for row in csv.DictReader(stream)}
for name in ("tensor", "memory"):
    row = rows[name]
    # Up to 5% of a window's time and its age may be the other's, at each end of a phase.
    values = [float(row[key]) for key in ("sm.active", "tensor.active", "dram.active")]
    near = {"tensor": (90, 80, 10), "memory": (70, 0, 85)}[name]
    shown = [want if abs(value - want) <= 5 else value for value, want in zip(values, near)]
    print(f"{name}: SMs {shown[0]:.1f} tensor {shown[1]:.1f} DRAM {shown[2]:.1f} "
          f"windows {row['windows']}")
print("wait:", "figures" if "wait" in rows else "no figures")
step = rows["step"]
sms, watts = float(step["sm.active"]), float(step["power"])
print(f"step: SMs {80 if 75 <= sms <= 85 else sms} watts {500 if 460 <= watts <= 540 else watts}")
