"""Compares a simple view in CSV with the readings of processor-time.c's program: processor_time.py
OWN < CSV."""
import csv
import sys

rows = {row["action"]: row for row in csv.DictReader(sys.stdin)}
launches, waits = rows["launches"], rows["waits"]
with open(sys.argv[1], encoding="utf-8") as file:
    within, around, waiting = map(float, file.read().split())
# However late a busy machine runs the thread, blocked time is never computing time: but for what
# the thread is charged with while it falls asleep and wakes up.
right = (within - 1e-6 <= float(launches["cpu_s"]) <= around + 1e-6
         and float(waits["cpu_s"]) <= waiting + 1e-6
         and float(waits["off_cpu_s"]) >= float(waits["blocked_s"]) - waiting - 1e-3
         and abs(float(launches["gpu_s"]) - 0.2) < 0.001)
print("right" if right else f"{launches}\n{waits}\nown {within} {around} {waiting}")
sys.exit(not right)
