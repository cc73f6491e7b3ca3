"""Runs a program that says which spans it opens, by name and key, and compares its counts with the
report's rows.

usage: keys.py LOOPSCOPE PROGRAM PROFILE SETTING...

A setting is the value of LOOPSCOPE, or a number: that of keys.
"""
import collections
import json
import os
import re
import subprocess
import sys


def range_of(number):
    """The row that a number is in if it has none of its own."""
    if number == 0:
        return "0"
    first = 1 << (abs(number).bit_length() - 1)
    if first == 1:
        return "1" if number > 0 else "-1"
    last = 2 * first - 1
    return f"{first}..{last}" if number > 0 else f"-{last}..-{first}"


def rows_of(loopscope, profile):
    """Calls by name and key, and what is wrong with the rows' sums."""
    calls, wrong = collections.Counter(), []

    def walk(row):
        keyed = [child for child in row["children"] if child["key"] is not None]
        if row["key"] is not None:
            name = row["name"][:-len(row["key"]) - 2]
            if row["name"] != f"{name}[{row['key']}]":
                wrong.append(f"the row {row['name']} has the key {row['key']}")
            calls[name, row["key"]] += row["calls"]
        elif keyed:
            for what in ("calls", "inclusive_s"):
                parts = sum(round((child[what] or 0) * 1e9) for child in keyed)
                if parts != round(row[what] * 1e9):
                    wrong.append(f"{row['name']}: {what} {row[what]}, its keys {parts}")
        for child in row["children"]:
            walk(child)

    report = json.loads(subprocess.run(
        [loopscope, "report", profile, "--view", "tree", "--by", "key", "--format", "json"],
        check=True, stdout=subprocess.PIPE).stdout)
    for section in report["sections"]:
        for table in section["tables"]:
            for row in table["rows"]:
                walk(row)
    return calls, wrong


def cut(text):
    return text[:200]


def compare(said, calls):
    wrong = []
    ranges = {(name, key) for name, key in calls if re.search(r"\d\.\.-?\d", key)}
    want = collections.Counter()
    for (name, key), count in said.items():
        if key[0] == "t":
            row = (name, cut(key[1:]))
            if row not in calls:
                row = (name, "(other)")
        else:
            row = (name, range_of(int(key[1:])))
            if row not in ranges:
                row = (name, key[1:])
        want[row] += count
    for row in sorted({*want, *calls}):
        # A text may have a row of its own on one path, and share one on another.
        if want[row] != calls[row] and (row[0], "(other)") not in calls:
            wrong.append(f"{row[0]}[{row[1]}]: ran {want[row]} times, {calls[row]} reported")
    for name in {name for name, _ in said}:
        ran = sum(count for (each, _), count in said.items() if each == name)
        got = sum(count for (each, _), count in calls.items() if each == name)
        if ran != got:
            wrong.append(f"{name}: ran {ran} times, {got} reported")
    return wrong


def main():
    loopscope, program, profile, *settings = sys.argv[1:]
    agree = 0
    for number, setting in enumerate(settings):
        word = f"keys={setting}" if setting.isdigit() else setting
        if os.path.exists(profile):
            os.remove(profile)
        run = subprocess.run(
            [program, str(number)], check=True, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "LOOPSCOPE": f"{word},report=none,output={profile}"})
        said = collections.Counter(tuple(line.split(" ", 1)) for line in run.stdout.splitlines())
        calls, wrong = rows_of(loopscope, profile)
        wrong += compare(said, calls)
        if any(key == "(other)" or ".." in key for _, key in calls) and word == "keys=4096":
            wrong.append("not every key has a row")
        for line in wrong[:10]:
            print(f"{word}: {line}")
        agree += not wrong
    print(f"{agree} runs agree")


main()
