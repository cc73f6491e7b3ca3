"""What loopscope shows of a profile or trace, as values to compare."""
import csv
import io
import json
import re
import subprocess

NS = 1_000_000_000
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


class Disagreement(Exception):
    """Two places of a report differ."""


class Refused(Exception):
    """The tool has no such view of this file."""


def ns(seconds):
    return round(seconds * NS)


def seconds_of(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def equal(what, left, right, within=0.0):
    differ = left != right if within == 0 else abs(left - right) > within
    if left is None or right is None or differ:
        raise Disagreement(f"{what}: {left} and {right}")


USES = ("computing_s", "faulting_s", "starved_s", "own_threads_s", "waiting_s", "device_s",
        "communicating_s", "profiler_s", "unknown_s")


def walk(rows):
    """The rows of a tree, from above."""
    for row in rows:
        yield row
        yield from walk(row.get("children", []))


def check_account(run):
    """The parts of an account are disjoint and add up, to the nanosecond, and so do their
    uses."""
    for group in run["children"]:
        if group["children"]:
            equal(group["part"], ns(group["time_s"]), sum(ns(part["time_s"]) for part in group["children"]))
        if any(ns(part["time_s"]) < 0 for part in group["children"]):
            raise Disagreement(f"{group['part']}: a part is negative")
    equal("the run", ns(run["time_s"]), sum(ns(group["time_s"]) for group in run["children"]))
    for row in walk([run]) if USES[0] in run else ():
        equal(f"uses of {row['part']}", ns(row["time_s"]), sum(ns(row[use]) for use in USES))
        if any(row[use] < 0 for use in USES):
            raise Disagreement(f"{row['part']}: a use is negative")


def by_loop(rows, name, keys):
    """Sums of KEYS by loop, "train (p.c:9)"; and how many rows there are of each."""
    found = {}
    for row in rows:
        sums = found.setdefault(name(row), dict.fromkeys(keys, 0) | {"rows": 0})
        sums["rows"] += 1
        for key in keys:
            sums[key] += row[key] or 0
    return found


def check_throughput(account, throughput):
    loops = by_loop(account["loops"], lambda row: f"{row['part']} ({row['place']})",
                    ("steps", "step_total_s", "samples_per_s"))
    steps = [row for row in throughput.get("fit", []) if row["action"] == "step"]
    for row in steps:
        phase = row["phase"]
        if " " not in phase:
            phase = next(name for name in loops if name.startswith(phase))
        loop = loops.pop(phase)
        equal(f"steps of {phase}", loop["steps"], row["calls"])
        equal(f"time of {phase}", ns(loop["step_total_s"]), ns(row["total_s"]), 1)
        rate = row["samples_per_s"] or 0
        if loop["rows"] == 1:
            equal(f"rate of {phase}", loop["samples_per_s"], rate, 1e-6 * rate)
    rest = [name for name, loop in loops.items() if loop["steps"] != 0]
    if rest:
        raise Disagreement(f"throughput lacks {rest}")


def outermost(rows, kind):
    """The rows of KIND that are in no other one."""
    for row in rows:
        if row["kind"] == kind:
            yield row
        else:
            yield from outermost(row.get("children", []), kind)


def check_history(account, tree, history):
    """Bins have no gaps and cover the run; they add up to the loops' steps and the tree's times."""
    bins, steps, parts = (history.get(name, []) for name in ("bins", "steps", "parts"))
    ends = [0] + [ns(row["to_s"]) for row in bins]
    equal("gaps between bins", [ns(row["from_s"]) for row in bins] == ends[:-1], True)
    loops = by_loop(steps, lambda row: row["loop"].split(" ")[0], ("steps", "samples", "step_total_s"))
    for kind in ("train", "valid"):
        counted = sum(row["steps"] + row["warmup_steps"] for row in account.get("loops", [])
                      if row["part"].split(" ")[0] == kind)
        if counted or kind in loops:
            equal(f"steps of {kind} in history and account", loops[kind]["steps"], counted)
    whole = sum(ns(row["inclusive_s"]) for rows in tree.values() for row in outermost(rows, "step"))
    equal("steps' time in history and tree", sum(ns(row["step_total_s"]) for row in steps), whole)
    in_parts = by_loop([row for row in parts if row["use"] != "inner_waits" and row["loop"]],
                       lambda row: (row["from_s"], row["loop"]), ("time_s",))
    for row in steps:
        found = in_parts.get((row["from_s"], row["loop"]), {"time_s": 0})
        equal(f"parts of {row['loop']} at {row['from_s']}", ns(found["time_s"]), ns(row["step_total_s"]), 2)


def add_keys(rows, path, found):
    """Calls and time by path, label and key, of a tree with --by key."""
    for row in rows:
        if row.get("key") is None:
            add_keys(row.get("children", []), path + (row["name"],), found)
            continue
        at = path, row["label"], row["key"]
        calls, time = found.get(at, (0, 0))
        found[at] = calls + row["calls"], time + ns(row["inclusive_s"])
        add_keys(row.get("children", []), path, found)


def page_keys(page):
    """The same of the page."""
    nodes, found = page["tree"]["nodes"], {}
    for family in page["tree"]["families"]:
        path, at = (), family["node"]
        while nodes[at][1] is not None:
            path, at = (nodes[at][0],) + path, nodes[at][1]
        path = ({"main thread": "main", "other threads": "others"}[nodes[at][0]],) + path
        total = next(measure for measure in family["measures"] if measure["key"] == "total")
        for (text, calls, *_), time in zip(family["keys"], total["ns"], strict=True):
            at = path, family["label"], text
            before = found.get(at, (0, 0))
            found[at] = before[0] + calls, before[1] + time
    return found


def check_keys_on_page(shown, page):
    """The keys of the page are those of the tree and of csv, and its strips and means theirs."""
    in_tree, on_page, in_csv, flat = {}, page_keys(page), {}, {}
    for table, rows in shown.rows("tree --by key").items():
        add_keys(rows, (table,), in_tree)
    if in_tree != on_page:
        raise Disagreement(f"keys in tree and page: {sorted(in_tree.items() ^ on_page.items())}")
    for row in shown.csv("tree --by key"):
        if row.get("key"):
            at = row["threads"], row["label"], row["key"]
            calls, time = in_csv.get(at, (0, 0))
            in_csv[at] = calls + int(row["calls"]), time + ns(float(row["inclusive_s"]))
    for (path, label, key), (calls, time) in on_page.items():
        before = flat.get((path[0], label, key), (0, 0))
        flat[path[0], label, key] = before[0] + calls, before[1] + time
    if flat != in_csv:
        raise Disagreement(f"keys in csv and page: {sorted(flat.items() ^ in_csv.items())}")
    means = {row["action"]: row for rows in (shown.rows("simple --by key") if flat else {}).values()
             for row in rows}
    for family in page["tree"]["families"]:
        node = page["tree"]["nodes"][family["node"]]
        check_family(node, family, means)
        if family["times"]:
            check_times(node[0], family, in_timeline(page, family),
                        shown.section("tree")["integrity"].get("spans_open", 0) != 0)


def check_family(node, family, means):
    """The figures of one phase's keys, by those of its row and by MEANS, the rows of simple."""
    name = node[0]
    figures = {measure["key"]: measure for measure in family["measures"]}
    equal(f"time of {name} and its keys", sum(figures["total"]["ns"]), node[5][0])
    for (text, calls, *_), mean in zip(family["keys"], figures["mean"]["ns"], strict=True):
        row = means.get(f"{name}[{text}]", {"calls": None})
        if calls and row["calls"] == calls:
            equal(f"mean of {name}[{text}] in simple and page", ns(row["mean_s"]), mean, 1)
        equal(f"whether {name}[{text}] has a mean", mean is None, calls == 0)
    for measure in family["measures"]:
        known = sorted(value for value in measure["ns"] if value is not None)
        # In a part of a run, all spans of a phase may still be open.
        median = known[(len(known) - 1) // 2] if known else None
        if measure["median"] != median:
            raise Disagreement(f"median of {name}: {measure['median']} and {median}")
    strip, values = family["strip"], [value or -1 for value in family["measures"][0]["ns"]]
    equal(f"keys in the strip of {name}", [first for first, *_ in strip] + [len(values)],
          [0] + [first + count for first, count, _ in strip])
    for first, count, most in strip:
        equal(f"the highest of a bar of {name}", values[most], max(values[first:first + count]))


def check_times(name, family, in_timeline, has_open):
    """A key's times by cell are no more than its calls, those of all keys their sum, and that is
    what the page's timeline has; there, also spans that haven't ended."""
    times, whole = family["times"], {}
    for (text, calls, *_), cells in zip(family["keys"], times["keys"], strict=True):
        # A copy may have another thread's span without its call, which is open then.
        if sum(cell[1] for cell in cells) > calls and not has_open:
            raise Disagreement(f"{name}[{text}]: more calls over time than in all")
        for cell, spans, time, longest in cells:
            before = whole.get(cell, (0, 0, 0))
            whole[cell] = before[0] + spans, before[1] + time, max(before[2], longest)
    equal(f"times of {name} and its keys", {cell: tuple(rest) for cell, *rest in times["all"]}, whole)
    over_time = tuple(sum(cell[at] for cell in times["all"]) for at in (1, 2))
    if not has_open or any(shown < ended for shown, ended in zip(in_timeline, over_time)):
        equal(f"{name} over time and in the timeline", in_timeline, over_time)


def in_timeline(page, family):
    """How often the page's timeline has a phase with keys, and for how long. A trace has the
    names that became keys."""
    node = family["node"]
    name = page["tree"]["nodes"][node][0]
    names = {name} | {f"{name}.{key[0]}" for key in family["keys"]}
    timeline = page["timeline"]
    found = [(spans, time) for track in timeline["tracks"]
             for path, _, _, of, time, spans in track["paths"]
             if of == node and timeline["names"][path] in names]
    return sum(spans for spans, _ in found), sum(time for _, time in found)


class Reports:
    """The reports of one file, or of several together, by the tool LOOPSCOPE."""

    def __init__(self, loopscope, path, *more):
        self.loopscope, self.path, self.more, self.known = loopscope, path, more, {}

    def read(self, *arguments):
        done = subprocess.run([self.loopscope, "report", self.path, *self.more, *arguments], check=False,
                              text=True, capture_output=True)
        if done.returncode != 0:
            raise Refused(done.stderr.strip())
        return done.stdout

    def section(self, view):
        """The first process's tables of a view, perhaps with options, in json."""
        if view not in self.known:
            text = self.read("--view", *view.split(), "--format", "json")
            self.known[view] = json.loads(text)["sections"][0]
        return self.known[view]

    def run(self, view):
        return self.section(view)["run"]

    def rows(self, view):
        """The rows of a view, by the table's id."""
        return {table["id"]: table["rows"] for table in self.section(view)["tables"]}

    def total(self, view):
        """The last row of a view's first table."""
        return self.section(view)["tables"][0]["total"]

    def csv(self, view):
        return list(csv.DictReader(io.StringIO(
            self.read("--view", *view.split(), "--format", "csv", "--bare"))))

    def folded(self):
        """The lines of the export for flame graphs."""
        return subprocess.run([self.loopscope, "export", self.path, "--to", "folded", "-o", "-"], check=True,
                              text=True, capture_output=True).stdout.splitlines()

    def page(self, output):
        """The data of the first run of the page, which is written to OUTPUT."""
        self.read("--format", "html", "-o", output)
        with open(output, encoding="utf-8") as file:
            text = file.read()
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
        return json.loads(data.group(1))["runs"][0]
