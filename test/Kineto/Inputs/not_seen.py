"""Whether a zero stands for what a file doesn't have, in any view.

usage: not_seen.py LOOPSCOPE VIEW_NAMES_H FILE...

Prints each column that has a zero in csv or json, and each zero percentage in text, with its
view and file, unless it is known to be zero in all of these files."""
import csv
import io
import json
import re
import subprocess
import sys

LOOPSCOPE, NAMES = sys.argv[1:3]
# What is zero in these files as a fact: places in tables, times and bins since the start, parts of
# bins in which something doesn't run, time in no part of its own and the rest, deviations of equal
# spans, counts of what is recorded in any case, and numbers of ranks, devices and steps.
KNOWN = {"depth", "from_s", "start_s", "self_s", "stddev_s", "warmup_steps", "rank", "gpu", "step", "distorted", "slack_s",
         "other_s"}
KNOWN_IN = {"history": {"steps", "time_s", "step_total_s"},
            # Time outside the loops and the steps.
            "account": {"time_s", "percent"}, "summary": {"time_s", "percent"},
            # Device work that the host never awaits.
            "path": {"on_path_s", "on_path_percent", "steps_percent"},
            # A step without calls of the runtime, in a run that has some.
            "overview": {"runtime_s", "kernel_s", "memcpy_s", "communication_s"}}
# Lines of text: the account's time outside the loop, bins, and work off the path.
KNOWN_LINES = re.compile(r"outside all loops|[▁█]|\(GPU\)")


def run(*arguments):
    done = subprocess.run([LOOPSCOPE, "report", "--stats", *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def zeros_of(rows):
    """The columns of rows, and of those below, that are zero."""
    for row in rows:
        if row.get("role") == "Other":
            continue
        yield from (key for key, value in row.items()
                    if value == 0 and isinstance(value, (int, float)) and not isinstance(value, bool))
        yield from zeros_of(row.get("children", []))


with open(NAMES, encoding="utf-8") as header:
    views = re.findall(r'X\("([a-z]+)", ', header.read())
shown = 0
for file in sys.argv[3:]:
    for view in views:
        found = run("--view", view, "--format", "json", *file.split(","))
        if found is None:
            continue
        shown += 1
        known = KNOWN | KNOWN_IN.get(view, set())
        tables = [table for section in json.loads(found)["sections"] for table in section["tables"]]
        zeros = {key for table in tables
                 for key in zeros_of(table["rows"] + ([table["total"]] if table.get("total") else []))}
        for row in csv.DictReader(io.StringIO(run("--view", view, "--format", "csv", *file.split(",")) or "")):
            zeros |= {key for key, value in row.items() if value in ("0", "0.0") and row.get("role") != "Other"}
        for key in sorted(zeros - known):
            print(f"{file}: {view}: {key} is 0")
        for line in run("--view", view, *file.split(",")).splitlines():
            if re.search(r"(?<![0-9.])0(\.0+)? ?%", line) and not KNOWN_LINES.search(line):
                print(f"{file}: {view}: {line.strip()}")
print(f"{shown > 60}: many views were looked through")
