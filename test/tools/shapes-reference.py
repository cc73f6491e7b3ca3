"""Checks `--view operators --by shape` of PyTorch traces.

usage: shapes-reference.py random SEED...   random traces of known times
       shapes-reference.py TRACE            a trace with shapes, plain or gzipped

For random traces, each row's calls, self time and total must be what the trace was made
of. For others, the rows of each name must add up to the name's row in the view without
--by, and each row has at most as many calls as the JSON has such events: an operator
within one of its name, alone, isn't a call of its own. Exits 1 at the first difference.
"""
import collections
import csv
import gzip
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

COLUMNS = "name,calls,self_cpu_s,cpu_total_s,input_shapes,input_types"
TYPES = ["float", "c10::Half", "long int", "Scalar", "", "GenericList", 'a"b', "TensorList"]


def rows(path, *options):
    wanted = COLUMNS if options else COLUMNS.removesuffix(",input_shapes,input_types")
    out = subprocess.run(["loopscope", "report", path, "--view", "operators", "--rows", "all",
                          "--format", "csv", "--columns", wanted, *options],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(out)))


def shown(value):
    """A list as the view prints it: without quotes, one blank after each comma."""
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


def by_key(of):
    return {(row["name"], row["input_shapes"], row["input_types"]):
            (int(row["calls"]), round(float(row["self_cpu_s"]) * 1e6),
             round(float(row["cpu_total_s"]) * 1e6)) for row in of}


class RandomTrace:
    """Operators that nest, on two threads, and what they add up to (us)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inputs = [self.some_inputs() for _ in range(6)]
        self.events = []
        self.truth = collections.defaultdict(lambda: [0, 0, 0])
        for thread in (1, 2):
            now = 0
            while now < 5000:
                now = self.operator(thread, now, 0) + self.random.randrange(5)

    def some_inputs(self):
        if self.random.random() < 0.2:
            return None, None
        count = self.random.randrange(4)
        shape = lambda: [self.random.randrange(100) for _ in range(self.random.randrange(4))]
        shapes = [[shape(), shape()] if self.random.random() < 0.2 else shape()
                  for _ in range(count)]
        return shapes, [self.random.choice(TYPES) for _ in range(count)]

    def operator(self, thread, start, depth):
        """Adds an operator that begins at START; returns its end."""
        name = self.random.choice(["aten::mm", "aten::add_", "aten::linear"]) + "x" * depth
        shapes, types = self.random.choice(self.inputs)
        event = {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": thread, "ts": start}
        if shapes is not None:
            event["args"] = {"Input Dims": shapes, "Input type": types}
        self.events.append(event)
        own = now = 0
        for _ in range(self.random.randrange(3) if depth < 3 else 0):
            gap = self.random.randrange(1, 9)
            own += gap
            now = self.operator(thread, start + now + gap, depth + 1) - start
        own += 3
        event["dur"] = now + 3
        key = name, *(("", "") if shapes is None else (shown(shapes), shown(types)))
        for index, value in enumerate((1, own, event["dur"])):
            self.truth[key][index] += value
        return start + event["dur"]

    def write(self, path):
        layout = self.random.choice([{"separators": (",", ":")}, {"indent": 1}, {}])
        with open(path, "w", encoding="utf-8") as stream:
            json.dump({"traceEvents": self.events}, stream, **layout)


def check_random(seed):
    trace = RandomTrace(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.pt.trace.json")
        trace.write(path)
        expect(seed, by_key(rows(path, "--by", "shape")),
               {key: tuple(value) for key, value in trace.truth.items()})
        copy = os.path.join(folder, "copy.pt.trace.json")
        shutil.copy(path, copy)
        both = by_key(rows(path, copy, "--merge", "--by", "shape"))
        expect(f"{seed} twice", both,
               {key: tuple(2 * each for each in value) for key, value in trace.truth.items()})


def check_trace(path):
    with (gzip.open if path.endswith(".gz") else open)(path) as stream:
        events = json.load(stream)["traceEvents"]
    counted = collections.Counter()
    for event in events:
        name, args = event.get("name", ""), event.get("args", {})
        if (event.get("ph") == "X" and event.get("cat") in ("cpu_op", "Operator")
                and not name.startswith(("enumerate(DataLoader)", "Optimizer.", "ProfilerStep"))):
            counted[name, shown(args.get("Input Dims", args.get("Input dims", "")))] += 1
    split = rows(path, "--by", "shape")
    sums = collections.defaultdict(lambda: [0, 0])
    for row in split:
        calls = int(row["calls"])
        counted[row["name"], row["input_shapes"]] -= calls
        sums[row["name"]][0] += calls
        sums[row["name"]][1] += round(float(row["self_cpu_s"]) * 1e9)
    for key, left in counted.items():
        if left < 0:
            sys.exit(f"{path}: {key}: {-left} calls too many")
    expect(path, {name: tuple(both) for name, both in sums.items()},
           {row["name"]: (int(row["calls"]), round(float(row["self_cpu_s"]) * 1e9))
            for row in rows(path)})
    print(f"{len(split)} rows, {sum(calls for calls, _ in sums.values())} calls, "
          f"{sum(counted.values())} within calls of their name")


def expect(what, found, wanted):
    for key in sorted(set(found) | set(wanted)):
        if found.get(key) != wanted.get(key):
            sys.exit(f"{what}: {key}: {found.get(key)}, not {wanted.get(key)}")


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "random":
        for seed in sys.argv[2:]:
            check_random(int(seed))
        print(f"{len(sys.argv) - 2} random traces")
    else:
        check_trace(sys.argv[1])


main()
