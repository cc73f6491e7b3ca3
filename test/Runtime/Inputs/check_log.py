"""Checks the lines of log=FILE for steps.c."""
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1])]
assert lines, "no line"
done = 0
for line in lines:
    assert line["loop"] == "train", line
    assert line["step"] > done, line
    done = line["step"]
    assert line["steps"] >= 10, line
    assert line["samples"] == 32 * line["steps"], line
    assert 0.001 <= line["duration/step"] < 1, line
    whole = line["duration/draw"] + line["duration/batch"]
    assert abs(line["duration/step"] - whole) < 2e-9, line
    rate = 32 / line["duration/step"]
    assert abs(line["throughput/step"] - rate) < 0.01 * rate, line
    assert line["duration/say \"work\""] <= line["duration/batch"], line
