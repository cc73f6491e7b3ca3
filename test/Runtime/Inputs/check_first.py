"""Compares an account's first steps with first-draws.c's own measurement.

usage: check_first.py ACCOUNT.csv OWN EXECUTIONS [USUAL]

Of OWN's lines, a first draw each, the last EXECUTIONS ones count. Says "even" if they took about USUAL seconds each.
"""
import csv
import sys

# The hooks around a draw, and interruptions between them and the program's clock. A first draw that
# doesn't count has four times of it.
SLACK = 0.1

with open(sys.argv[2], encoding="utf-8") as file:
    own = sum([float(line) for line in file][-int(sys.argv[3]):])
with open(sys.argv[1], encoding="utf-8") as file:
    row = next(row for row in csv.DictReader(file) if row.get("first_draws_s"))
draws, steps = float(row["first_draws_s"]), float(row["first_steps_s"])
bad = []
if not own <= draws + 1e-6 or draws > own + SLACK * int(sys.argv[3]):
    bad.append(f"first draws take {draws} s, the program measured {own} s")
if not draws + 0.001 * int(sys.argv[3]) <= steps + 1e-6:
    bad.append(f"first steps take {steps} s, their draws {draws} s")
if len(sys.argv) > 4 and own < 1.2 * float(sys.argv[4]) * int(sys.argv[3]):
    print("even")
print("\n".join(bad) or "right")
sys.exit(bool(bad))
