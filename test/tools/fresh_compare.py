"""Compares loopscope's operators and steps with what PyTorch said of the same traces.

usage: fresh_compare.py LOOPSCOPE DIR [--verbose]

DIR is what fresh_traces.py made. Every row of `--view operators`, by name and by shape, must
have the calls, self and total time of key_averages() and the shares of its table. What
key_averages() has beyond that must be ranges of record_function, which docs/report.md says
have no row unless they lie in an operator. Shares are of PyTorch's "Self CPU time total", but for
Lightning's of the time that threads ran events: PyTorch counts it twice where ranges overlap. The
steps must be ProfilerStep's. Prints each difference, then "N traces, M rows agree, D differences", and exits 1 if
there are any.
"""
import csv
import json
import os
import re
import subprocess
import sys

# Of one call: a trace's times are whole nanoseconds, key_averages() adds up doubles.
ROUNDING_US = 0.0011
# What a row is compared by, and how much each may differ for a number of calls.
FIGURES = {"calls": lambda calls: 0, "self": lambda calls: ROUNDING_US * calls, "total": lambda calls: ROUNDING_US * calls,
           "self %": lambda calls: 0.001, "total %": lambda calls: 0.001}


def table(loopscope, trace, view, *options):
    """The rows of a view as dicts; ends the script with loopscope's message if there are none."""
    done = subprocess.run([loopscope, "report", trace, "--view", view, "--format", "csv", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{trace}: {done.stderr}")
    return list(csv.DictReader(done.stdout.splitlines()))


def shapes_of(text):
    """A cell's shapes as key_averages() has them: without those of a list's tensors."""
    return re.sub(r"\[(\[[^\[\]]*\],?)+\]", "[]", text[1:-1].replace(" ", "")) if text else ""


def shown(row):
    """A row of loopscope's table, in PyTorch's units."""
    return {"name": row["name"], "shapes": shapes_of(row.get("input_shapes", "")), "calls": int(row["calls"]),
            "self": float(row["self_cpu_s"]) * 1e6, "total": float(row["cpu_total_s"]) * 1e6,
            "self %": float(row["self_cpu_percent"]), "total %": float(row["cpu_total_percent"])}


def known(row, total, by_shape):
    """A row of key_averages(), with the shares of its table."""
    shapes = json.dumps(row["shapes"], separators=(",", ":"))[1:-1] if by_shape else ""
    return {**row, "shapes": shapes, "self %": row["self"] * 100 / total, "total %": row["total"] * 100 / total}


def keyed(rows):
    """The rows by name and shapes. Equal ones are added up: loopscope tells types apart, too, and PyTorch an
    annotation from an operator of its name."""
    result = {}
    for row in rows:
        sums = result.setdefault((row["name"], row["shapes"]), {**dict.fromkeys(FIGURES, 0), "annotation": True})
        for figure in FIGURES:
            sums[figure] += row[figure]
        sums["annotation"] &= row.get("annotation", False)
    return result


def compare_rows(where, ours, truth, differences):
    """Compares two tables by key; returns the number of rows that agree."""
    agree = 0
    for key, row in ours.items():
        known_row = truth.get(key, dict.fromkeys(FIGURES, 0))
        wrong = [f"{figure} {row[figure]:g} instead of {known_row[figure]:g}" for figure, near in FIGURES.items()
                 if abs(row[figure] - known_row[figure]) > near(row["calls"])]
        if wrong:
            differences.append(f"{where}: {key}: {', '.join(wrong)}")
        agree += not wrong
    differences += [f"{where}: {key}: no row" for key, row in truth.items() if key not in ours and not row["annotation"]]
    return agree


def busy(trace):
    """How long the trace's threads ran operators and ranges, in microseconds. Gloo's threads aren't among them."""
    total, ends = 0, {}
    for thread, start, time in sorted((event["tid"], event["ts"], event["dur"]) for event in trace["traceEvents"]
                                      if event.get("cat") in ("cpu_op", "user_annotation")
                                      and not event["name"].startswith("gloo:")):
        total += max(0, start + time - max(start, ends.get(thread, start)))
        ends[thread] = max(start + time, ends.get(thread, start))
    return total


def compare(loopscope, trace, differences):
    """Compares one trace with its truth; returns the number of rows that agree."""
    with open(trace.replace(".pt.trace.json", ".truth.json"), encoding="utf-8") as file:
        truth = json.load(file)
    with open(trace, encoding="utf-8") as file:
        recorded = json.load(file)
    has_shapes = any("Input Dims" in event.get("args", {}) for event in recorded["traceEvents"])
    whole = busy(recorded) if "lightning" in trace else truth["total"]
    every = ("--rows", "100000")
    agree = 0
    for what, options in (("rows", ()), ("shapes", ("--by", "shape")))[:1 + has_shapes]:
        rows = table(loopscope, trace, "operators", *every, *options)
        agree += compare_rows(f"{trace}: {what}", keyed(map(shown, rows)),
                              keyed(known(row, whole, what == "shapes") for row in truth[what]), differences)
    steps = sorted(float(row["duration_s"]) * 1e6 for row in table(loopscope, trace, "steps", *every))
    if len(steps) != len(truth["steps"]) or any(abs(a - b) > ROUNDING_US for a, b in zip(steps, truth["steps"])):
        differences.append(f"{trace}: steps {steps} instead of {truth['steps']}")
    return agree


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    traces = sorted(os.path.join(folder, name) for folder, _, names in os.walk(sys.argv[2])
                    for name in names if name.endswith(".pt.trace.json"))
    differences = []
    rows = sum(compare(sys.argv[1], trace, differences) for trace in traces)
    print(*differences, sep="\n", end="\n" if differences else "")
    print(f"{len(traces)} traces, {rows} rows agree, {len(differences)} differences")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
