"""Checks that advice of all ranks follows from their verdict, on the terminal as on the page of their sum.

usage: check_advice.py OVERVIEW.txt PAGE.html

OVERVIEW.txt has all advice. Rank 1 takes longer in `load`; other processes may have made others late, too.
"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    terminal = file.read()
with open(sys.argv[2], encoding="utf-8") as file:
    run, = json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.S).group(1))["runs"]
# What is outside the loops comes first if that is most, as where MPI_Init takes long.
outside, verdict = re.search(r"^(\S+ of the run is outside its loops: .*\. )?Verdict: (.*)", terminal, re.M).groups("")
print(verdict)
late = re.search(r"^\d+\. (Up to [\d.]+% of the step time is waiting for .*) \(saves at most .*\) \[late_rank\]$",
                 terminal, re.M)
assert run["verdict"]["text"] == (outside + verdict[0].upper() + verdict[1:] if outside else verdict), run["verdict"]
if not late:  # others kept rank 1 from being the late one
    assert not verdict.startswith("load-imbalanced"), verdict
    sys.exit()
advice = late.group(1)
print(advice)
if match := re.search(r"Rank 1 takes .* longer per step than the median rank, which costs up to ([\d.]+%) of the step time: "
                      r"load \(late.c:(\d+)\)", verdict):
    assert advice == (f"Up to {match[1]} of the step time is waiting for rank 1: give it less to do in load "
                      f"(late.c:{match[2]}), or make that faster there.")
elif match := re.search(r"Which rank takes longest changes from step to step, which costs up to ([\d.]+%)", verdict):
    assert advice.startswith(f"Up to {match[1]} of the step time is waiting for the rank that takes longest"), advice
assert advice in [each["text"] for each in run["advice"]], run["advice"]
