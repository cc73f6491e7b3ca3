"""Runs whatif-results.c with LOOPSCOPE=whatif and each other word, in the working
directory.

    whatif_pairs.py PROGRAM WORD...

Checks that the results equal the plain program's, that stderr is empty, that the parent
has experiments and the forked child none, and that injected time is in its own row;
whatif=NAME is used alone. Prints what is wrong.
"""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys


def run(program, options):
    return subprocess.run([program], capture_output=True, text=True,
                          env={**os.environ, "LOOPSCOPE": options})


def rows(view, profile):
    report = subprocess.run(["loopscope", "report", "--view", view, "--format", "csv", profile],
                            capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(report.stdout))), report.stderr


def steps_of(profile):
    """The page's steps, and their parts."""
    page = subprocess.run(["loopscope", "report", "--format", "html", "-o", "-", profile],
                          capture_output=True, text=True).stdout
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(data[1])["runs"][0]["steps"]


def main():
    program, *words = sys.argv[1:]
    plain = run(program, "off").stdout
    bad = []
    for number, word in enumerate(words):
        options = word if "whatif" in word else f"whatif,{word}"
        done = run(program, f"{options},report=none,output=./{number}.loopscope")
        if done.stdout != plain or done.returncode != 0 or done.stderr:
            bad.append(f"{word}: {done}")
        parents = {f"./{number}.loopscope"}
        children = set(glob.glob(f"./{number}*.loopscope")) - parents
        if len(children) != 1:
            bad.append(f"{word}: the child's profile: {children}")
        for profile in parents | children:
            simple, errors = rows("simple", profile)
            injected = [row for row in simple if row["action"] == "(what-if)"]
            found, why = rows("whatif", profile)
            if errors or len(injected) != (profile in parents) or \
                    bool(found) != (profile in parents):
                bad.append(f"{word}: {profile}: {injected} {found} {errors} {why}")
        if word == "trace":
            steps, _ = rows("steps", f"./{number}.loopscope")
            if len(steps) != 320:
                bad.append(f"trace: {len(steps)} steps")
            tree, _ = rows("tree", f"./{number}.loopscope")
            listed = sum(float(row["duration_s"]) for row in steps)
            total = sum(float(row["inclusive_s"]) for row in tree if row["kind"] == "step")
            # The last draws of loops aren't steps.
            if not total - 1e-3 <= listed <= total + 1e-6:
                bad.append(f"trace: steps of {listed} s, in the tree {total} s")
            bars = steps_of(f"./{number}.loopscope")
            of = {row["step"]: float(row["duration_s"]) for row in steps}
            parts = [sum(each) / 1e9 for each in zip(*(part["ns"] for part in bars["parts"]))]
            shown = {name: (ns / 1e9, seconds) for (name, _, ns), seconds in zip(bars["steps"], parts)}
            wrong = {step: (seconds, of[step]) for step, seconds in shown.items()
                     if any(abs(each - of[step]) > 1e-6 for each in seconds)}
            if len(shown) != 200 or wrong:
                bad.append(f"trace: the page's steps: {len(shown)}, wrong: {wrong}")
    print("\n".join(bad) or "all true")
    return len(bad) != 0


sys.exit(main())
