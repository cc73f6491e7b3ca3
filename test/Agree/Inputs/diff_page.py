"""Compares the page of a comparison with the json of the same comparison.

usage: diff_page.py LOOPSCOPE FOLDER (BEFORE AFTER)...

Each BEFORE and AFTER is a profile or trace, or a description of a profile (.run), which is made in FOLDER. For each pair: the
waterfall and the call paths have the figures of the tables "step" and "paths"; the parts add up to the mean steps; the steps by duration
are those of "step_times" and "step_quantiles"; the curves are "step_curves" and "step_curves_by_step" and have all steps of both histories; a coloured change
of a row of the stages' tables is significant there; and the tables of the page are those of json. Prints what isn't so, and last
the number of pairs that agree.
"""
import json
import math
import os
import re
import subprocess
import sys

LOOPSCOPE, FOLDER = sys.argv[1:3]
UNIT = 1e9


def run(*arguments):
    return subprocess.run([LOOPSCOPE, *arguments], capture_output=True, text=True, check=True).stdout


def made(path):
    if not path.endswith(".run"):
        return path
    profile = os.path.join(FOLDER, os.path.basename(path)[:-4])
    subprocess.run(["make-profile", path, profile], check=True)
    return profile


def page_of(before, after):
    path = os.path.join(FOLDER, "diff.html")
    run("diff", before, after, "--format", "html", "-o", path)
    with open(path, encoding="utf-8") as file:
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S)
    return json.loads(data.group(1))


def same(a, b):
    if a is None or b is None or isinstance(a, str):
        return a == b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-3)


def flat(rows):
    """Rows of a tree, the row above before the ones below."""
    for row in rows:
        yield row
        yield from flat(row.get("children", []))


def wrong_of_changes(what, page, table):
    """What of PAGE, [(name, before ns, after ns, spans, basis)], isn't as in the rows of TABLE."""
    rows = [(row.get("part", row.get("path")), row["before_s"] * UNIT, row["after_s"] * UNIT, row["before_spans"], row["after_spans"],
             row["basis"]) for row in table]
    if len(rows) != len(page):
        yield f"{what}: {len(page)} on the page, {len(rows)} in json"
    for ours, theirs in zip(page, rows):
        if not all(map(same, ours, theirs)):
            yield f"{what}: {ours} on the page, {theirs} in json"


def wrong_of_step(step, tables):
    json_step = tables["step"]
    parts = [(each["name"], each["before"], each["after"], *each["spans"], each["basis"]) for each in step["parts"]]
    if not any(each["name"].endswith("other parts)") for each in step["parts"]):
        yield from wrong_of_changes("part", parts, json_step["rows"])
    total = json_step["total"]
    for side in ("before", "after"):
        if not same(step[side]["ns"], total[side + "_s"] * UNIT) or step[side]["count"] != total[side + "_spans"]:
            yield f"mean step {side}: {step[side]} on the page, {total} in json"
        if not math.isclose(sum(each[side] for each in step["parts"]), step[side]["ns"], rel_tol=1e-9):
            yield f"mean step {side}: its parts don't add up to it"
    test = step["test"] or {"percent": None, "low": None, "high": None}
    if not all(same(test[ours], total[theirs]) for ours, theirs in (
            ("percent", "change_percent"), ("low", "low_percent"), ("high", "high_percent"))):
        yield f"test of the step: {test} on the page, {total} in json"


def wrong_of_spread(spread, tables):
    if (spread is None) != ("step_times" not in tables):
        yield "the durations of steps are only in one of them"
    if spread is None:
        return
    rows = tables["step_times"]["rows"]
    edges = [row["from_s"] * UNIT for row in rows] + [rows[-1]["to_s"] * UNIT]
    for side in ("before", "after"):
        ours = spread[side]["percent"] + [spread[side]["p50"], spread[side]["p95"]] + spread["edges"]
        theirs = [row[side + "_percent"] for row in rows] + [row[side + "_s"] * UNIT for row in tables["step_quantiles"]["rows"]] + edges
        if len(ours) != len(theirs) or not all(map(same, ours, theirs)):
            yield f"durations of steps {side}: {ours} on the page, {theirs} in json"
        if not math.isclose(sum(spread[side]["percent"]), 100):
            yield f"durations of steps {side}: they don't add up to 100%"


def wrong_of_curves(data, tables):
    """What of the curves isn't in json, and not in the histories of both sides."""
    curves = data["comparison"]["curves"]
    for axis, name, key, end in (("share", "step_curves", "percent", 100), ("step", "step_curves_by_step", "step", curves and curves["steps"])):
        if (curves is None) != (name not in tables):
            yield f"{name} is only in one of them"
        rows = tables[name]["rows"] if curves else ()
        for side in ("before", "after") if curves else ():
            ours = [each for pair in zip(curves[side][axis]["mean"], curves[side][axis]["steps"], strict=True) for each in pair]
            theirs = [each for row in rows for each in (row[side + "_s"] and row[side + "_s"] * UNIT, row[side + "_steps"])]
            if len(ours) != len(theirs) or not all(map(same, ours, theirs)):
                yield f"{name} {side}: {ours} on the page, {theirs} in json"
        places = [place for row in rows for place in (row["from_" + key], row["to_" + key])]
        wanted = [end * (index + more) / len(rows) for index in range(len(rows)) for more in (0, 1)]
        if not all(map(same, places, wanted)):
            yield f"{name}: bins are {places}"
    for side, of_run in zip(("before", "after"), data["runs"] if curves else ()):
        loops = [(sum(loop["steps"]), sum(loop["ns"])) for loop in of_run["history"]["loops"]]
        for axis in ("share", "step"):
            line = curves[side][axis]
            steps = sum(line["steps"])
            ns = sum(mean * count for mean, count in zip(line["mean"], line["steps"]) if mean is not None)
            if not any(math.isclose(steps, all_steps, rel_tol=1e-9) and math.isclose(ns, all_ns, rel_tol=1e-3) for all_steps, all_ns in loops):
                yield f"curve {side} by {axis}: {steps} steps in {ns} ns, and {loops} in the history"


def wrong_of_basis(data, tables):
    """Where the waterfall's colour contradicts the stages' tables."""
    judged = {}
    for identity, table in tables.items():
        for row in table["rows"] if identity not in ("step", "paths") else ():
            if "significant" in row:
                judged.setdefault(row["action"], set()).add(row["significant"])
    words = {"mean": "yes", "chance": "no", "small": "small", "unknown": "unknown", "numbers": "yes"}
    for part in data["step"]["parts"]:
        word = words.get(part["basis"])
        if part["row"] and word and word not in judged[part["row"]]:
            yield f"{part['name']}: {part['basis']} in the waterfall, {judged[part['row']]} in the table"


def wrong_of_tables(data, tables):
    for view in data["shared"]:
        if view["name"] != "changes":
            continue
        for table in view["tables"]:
            rows = list(flat(tables[table["id"]]["rows"]))
            keys = [column["key"] for column in table["columns"]]
            for cells, row in zip((each["cells"] for each in table["rows"]), rows):
                for key, cell in zip(keys, cells):
                    if not same(cell if isinstance(cell, str) else cell[0], row[key]):
                        yield f"table {table['id']}, {key}: {cell} on the page, {row[key]} in json"


def wrong(before, after):
    data = page_of(before, after)
    section = json.loads(run("diff", before, after, "--format", "json"))["sections"][0]
    tables = {table["id"]: table for table in section["tables"]}
    yield from wrong_of_tables(data, tables)
    comparison = data["comparison"]
    if (comparison["step"] is None) != ("step" not in tables):
        yield "the step is only in one of them"
    if comparison["step"] is None:
        if not comparison["missing"]:
            yield "there is no reason why steps are not compared"
        return
    yield from wrong_of_step(comparison["step"], tables)
    yield from wrong_of_basis(comparison, tables)
    yield from wrong_of_spread(comparison["spread"], tables)
    yield from wrong_of_curves(data, tables)
    paths = [(name, before, after, *spans, basis) for name, _, _, before, after, _, *spans, basis in comparison["tree"]["paths"]]
    if not comparison["tree"]["hidden"]:
        yield from wrong_of_changes("path", paths, list(flat(tables["paths"]["rows"])))


def main():
    files = [made(each) for each in sys.argv[3:]]
    agreeing = 0
    for before, after in zip(files[::2], files[1::2]):
        found = list(wrong(before, after))
        for line in found:
            print(f"{os.path.basename(before)}, {os.path.basename(after)}: {line}")
        agreeing += not found
    print(f"{agreeing} of {len(files) // 2} pairs agree")


main()
