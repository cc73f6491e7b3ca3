"""Shared by the checks of simulated runs of several ranks: their profiles, the ranks
view's figures, and the arithmetic of lateness.
"""
import csv
import io
import json
import os
import subprocess


def reported(made, seed, work):
    """The rows and facts of the ranks view of MADE, whose ranks have descriptions."""
    files = []
    for rank in made.ranks:
        name = os.path.join(work, f"{seed}.{rank.number}")
        with open(name, "w", encoding="utf-8") as out:
            out.write(made.description(rank))
        files.append(name + ".loopscope")
        subprocess.run(["make-profile", name, files[-1]], check=True)
    report = ["loopscope", "report", *files, "--view", "ranks", "--stage", "fit", "--format"]
    rows = subprocess.run(report + ["csv"], check=True, capture_output=True, text=True).stdout
    facts = subprocess.run(report + ["json"], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(rows))), json.loads(facts)["sections"][0]["run"]


def excess(times, of):
    """How far one rank exceeds the upper median of the others."""
    others = sorted(each for n, each in enumerate(times) if n != of)
    return times[of] - others[len(others) // 2]


def near(value, limit):
    """Whether a figure is too near a threshold to be compared."""
    return abs(value - limit) < 0.02 * limit
