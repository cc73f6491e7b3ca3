"""Checks a simple view in CSV of processor-time.c's program."""
import csv
import sys

rows = {row["action"]: row for row in csv.DictReader(sys.stdin)}
launches, waits = rows["launches"], rows["waits"]
# However late a busy machine runs the thread, blocked time is never computing time.
right = (25 <= float(launches["cpu_s"]) * 1e3 <= 40
         and float(waits["off_cpu_s"]) >= float(waits["blocked_s"]) * 0.9 - 0.001
         and float(waits["cpu_s"]) <= 0.02
         and abs(float(launches["gpu_s"]) - 0.2) < 0.001)
print("right" if right else f"{launches}\n{waits}")
sys.exit(not right)
