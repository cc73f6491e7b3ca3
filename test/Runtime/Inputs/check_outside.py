"""Checks the loops view of a program that was sampled from outside against what it is known to do.

usage: check_outside.py REPORT.json FUNCTION LINE CALL=PERCENT... [--threads N] [--same OTHER.json] [--guessed]

The first candidate must be FUNCTION's loop at LINE (- if no line is known). Of its samples, each CALL's
part must be its PERCENT, and with --same that in OTHER, but for four standard deviations of a binomial
distribution and a point. 99% of all stacks must be whole, at most 1% guessed (unless that is --guessed), and
of so many threads.
"""
import argparse
import json
import math

DEVIATIONS = 4
POINTS = 1


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["sections"][0]["tables"][0]


def counts(table):
    found = {}
    for row in table["rows"]:
        found[row["function"]] = found.get(row["function"], 0) + row["count"]
    return found


def allowed(percent, samples):
    part = percent / 100
    return 100 * DEVIATIONS * math.sqrt(part * (1 - part) / samples) + POINTS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument("function")
    parser.add_argument("line")
    parser.add_argument("calls", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--same")
    parser.add_argument("--guessed", action="store_true")
    given = parser.parse_args()
    first = read(given.report)
    assert first["whole_samples"] >= 0.99 * first["samples"], first["whole_samples"]
    assert given.guessed or first["guessed_samples"] <= 0.01 * first["samples"], first["guessed_samples"]
    assert first["threads"] == given.threads, first["threads"]
    assert f"{given.function}()" in first["title"], first["title"]
    assert given.line == "-" or f":{given.line} (" in first["title"] or f":{given.line}," in first["title"], first["title"]
    found = counts(first)
    total = sum(found.values())
    assert total >= 200, total
    for word in given.calls:
        call, percent = word.split("=")
        share = 100 * found[call] / total
        assert abs(share - float(percent)) <= allowed(float(percent), total), (call, share, total)
        if given.same:
            other = counts(read(given.same))
            others = sum(other.values())
            apart = allowed(float(percent), total) + allowed(float(percent), others)
            assert abs(share - 100 * other[call] / others) <= apart, (call, share, other)


main()
