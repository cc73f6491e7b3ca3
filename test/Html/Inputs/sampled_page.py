"""Compares the page of a program that was only sampled with its views.

usage: sampled_page.py PROFILE

Prints the page's tabs and the parts of its bar, which must be the parts of the first candidate in view
`loops`; the functions of its icicle must have the samples of that view's hottest functions.
"""
import json
import math
import re
import subprocess
import sys


def report(profile, *options):
    return subprocess.run(["loopscope", "report", profile, *options], check=True, capture_output=True,
                          text=True).stdout


def main():
    profile = sys.argv[1]
    tables = json.loads(report(profile, "--view", "loops", "--format", "json"))["sections"][0]["tables"]
    text = report(profile, "--format", "html", "-o", "-")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
    run = json.loads(data)["runs"][0]
    loop, hottest = tables[0], tables[-1]["rows"]
    samples = loop["samples"]
    assert run["verdict"]["text"].startswith(loop["title"] + " Sampled, not measured: "), run["verdict"]

    alone = [time for *_, time, _, _ in run["frames"]]
    own, whole = {}, 0
    for _, _, above, _, time, _, _ in run["frames"]:
        if above is None:
            whole += time
        else:
            alone[above] -= time
    for (name, *_), time in zip(run["frames"], alone):
        own[name] = own.get(name, 0) + time
    for row in hottest:
        same = sum(each["count"] for each in hottest if each["function"] == row["function"])
        assert math.isclose(own[row["function"]] / whole, same / samples, rel_tol=1e-6), (row, own)

    parts = run["split"]["parts"]
    for part, row in zip(parts, loop["rows"], strict=True):
        assert part["name"] == row["function"] and part["node"] is None, (part, row)
        assert math.isclose(part["ns"] / whole, row["count"] / samples, rel_tol=1e-6), (part, row)
    print("tabs:", ", ".join(each["name"] for each in run["views"]))
    print("bar:", ", ".join(part["name"] for part in parts))
    print("advice:", *[each["text"] for each in run["advice"]])
    print("not here:", *run["missing"])


main()
