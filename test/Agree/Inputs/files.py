"""Compares what several places of a report show of profiles and traces that exist.

usage: files.py LOOPSCOPE DIRECTORY FILE...
       files.py LOOPSCOPE --views view_names.h

The second form prints each view that nothing is compared of.

DIRECTORY is for what is written. A FILE ending in .run describes a profile for
make-profile. Files that the tool refuses are counted; prints each disagreement."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
from page_figures import check_page_figures
from page_timeline import windows_of
from reports import (Disagreement, Refused, Reports, check_account, check_history, check_keys_on_page,
                     check_throughput, equal, ns, seconds_of, walk)


# Views that another one has no figure of, and where they are compared with what is known.
ELSEWHERE = {
    "advanced": "phases by phase, so rows are in several tables: Report/advanced",
    "ranks": "several processes: Mpi, Report/ranks-random",
    "communication": "several processes: Mpi/counts, Report/communication-random",
    "distributed": "TensorBoard's rules: Kineto/distributed-random",
    "functions": "samples: Runtime/stacks-truth",
    "loops": "a guess from samples: Runtime/run-unprepared",
    "ranges": "ranges that need not nest: Nvtx",
    "devices": "samples of devices: Report/devices",
    "hardware": "windows of a GPU's monitors: unit GpuUse, Gpu/hardware",
    "roofline": "the tree's FLOP and the hardware view's DRAM: Report/roofline",
    "memory": "what steps held: Gpu/memory-random; the page's curves: page_figures.py",
    "whatif": "experiments: Runtime/whatif-cpu",
}


def check_views(header):
    """Each view is compared here or named above."""
    with open(header, encoding="utf-8") as file:
        views = set(re.findall(r'X\("(\w+)"', file.read()))
    with open(__file__, encoding="utf-8") as file:
        compared = set(re.findall(r'(?:rows|section|total|run|csv)\("(\w+)"\)', file.read()))
    for view in sorted(views - compared - ELSEWHERE.keys()):
        print(f"{view}: no figure of it is compared; add a check, or say in ELSEWHERE where it is")
    for view in sorted(ELSEWHERE.keys() - views | ELSEWHERE.keys() & compared):
        print(f"{view}: ELSEWHERE has it for nothing")


def steady(loops):
    """The time of the finished steps that a verdict is about, and how many there are."""
    outer = [row for row in loops if "nested" not in row["part"]]
    chosen = [row for row in outer if row["part"].startswith("train")] or outer
    return sum(ns(row["step_total_s"]) for row in chosen), sum(row["steps"] for row in chosen)


class Checks:
    """All that can be compared for one file."""

    def __init__(self, shown, output):
        self.shown, self.output = shown, output
        self.account = shown.rows("account")
        self.whole = self.account["account"][0]
        self.loops = self.account.get("loops", [])
        self.is_trace = "events" in shown.run("account")
        self.done = 0

    def parts_add_up(self):
        check_account(self.whole)

    def wall(self):
        if not self.is_trace or self.shown.section("tree")["tables"][0]["total"] is None:
            return
        equal("run in account and tree", ns(self.whole["time_s"]),
              ns(self.shown.total("tree")["inclusive_s"]))

    def throughput(self):
        if self.loops:
            check_throughput(self.account, self.shown.rows("throughput"))

    def history(self):
        check_history(self.account, self.shown.rows("tree"), self.shown.rows("history"))

    def overview(self):
        rows = self.shown.rows("overview")
        if "average" not in rows:
            return
        notes = " ".join(note for table in self.shown.section("overview")["tables"]
                         for note in table["notes"])
        steps = rows["steps"]
        total = sum(ns(row["total_s"]) for row in steps)
        equal("roles of the average step", 100, sum(row["percent"] or 0 for row in rows["average"]
                                                    if row["role"] != "Step"), 1e-6)
        if "left out: the trace lacks" in notes or "The timeline holds" in notes:
            return
        if "has no ProfilerStep marks" in notes:
            if ns(self.whole["time_s"]) != 0:
                equal("run in overview and account", total, ns(self.whole["time_s"]))
            return
        time, count = steady(self.loops)
        equal("steps in overview and account", len(steps), count)
        equal("step time in overview and account", total, time)

    def verdict(self):
        found = re.search(r"([0-9.]+)% waiting for data|waiting for data takes ([0-9.]+)%",
                          self.shown.run("overview")["verdict"] or "")
        notes = " ".join(note for table in self.shown.section("overview")["tables"]
                         for note in table["notes"])
        loops = [group for group in self.whole["children"] if group["use"] == "loop"]
        chosen = [group for group in loops if group["part"].startswith("train")] or loops
        if not found or not chosen or "left out: the trace lacks" in notes:
            return
        use = {}
        for group in chosen:
            for part in group["children"]:
                use[part["use"]] = use.get(part["use"], 0) + part["time_s"]
        whole = sum(time for key, time in use.items() if key not in ("warmup", "excluded", "between"))
        if whole > 0:
            equal("waiting for data in verdict and account", float(found[1] or found[2]),
                  100 * use.get("draw", 0) / whole, 0.06 + 100 * use.get("profiler", 0) / whole)

    def page(self):
        try:
            page = self.shown.page(self.output)
        except Refused as why:
            raise Disagreement(f"there are views, and no page: {why}") from why
        check_page_figures(self.shown, page)
        rows = self.shown.rows("overview")
        facts = {fact["label"]: fact["value"] for fact in page["facts"]}
        if "average" in rows and self.is_trace:
            mean = self.shown.section("overview")["tables"][0]["total"]["total_s"]
            label = "Step" if "Step" in facts else "Whole run"
            equal("a step on the page and in overview", seconds_of(facts[label]), mean,
                  0.006 * mean + 1e-9)
            equal("the page's steps", page["steps"]["mean"] if page["steps"] else ns(mean),
                  ns(mean), 1)
        if page["steps"]:
            equal("the page's steps and their parts", page["steps"]["mean"],
                  sum(part["mean"] for part in page["steps"]["parts"]),
                  len(page["steps"]["parts"]))
        check_keys_on_page(self.shown, page)
        self.page_timeline(page)
        self.page_history(page["history"])

    def page_history(self, history):
        """The page's bins are wider than the view's, and have the same sums."""
        if not history:
            return
        view = self.shown.rows("history")
        for loop in history["loops"]:
            rows = [row for row in view["steps"] if row["loop"] == loop["name"]]
            where = f"{loop['name']} in the page's bins and history"
            equal(f"steps of {where}", sum(loop["steps"]), sum(row["steps"] for row in rows))
            equal(f"samples of {where}", sum(loop["samples"]), sum(row["samples"] or 0 for row in rows))
            equal(f"time of {where}", sum(loop["ns"]), sum(ns(row["step_total_s"]) for row in rows))
            in_parts = sum(sum(part["ns"]) for part in history["parts"]
                           if part["use"] != "inner_waits" and part["loop"] is not None
                           and history["loops"][part["loop"]] is loop)
            equal(f"parts of {loop['name']} in the page's bins", in_parts, sum(loop["ns"]))

    def page_timeline(self, page):
        """What the page's timeline has of a call path is the tree's."""
        timeline, tree = page["timeline"], page["tree"]
        if not timeline:
            return
        at = {column["key"]: index for index, column in enumerate(tree["columns"])}
        found = {}
        for track in timeline["tracks"]:
            single = {}
            for _, _, spans in windows_of(track):
                for _, length, path, _ in spans:
                    single[path] = single.get(path, 0) + length
            for index, (name, _, _, node, time, spans) in enumerate(track["paths"]):
                if not track["columns"]:
                    equal("single spans of a path and their sum", single.get(index, 0), time)
                # Calls of the runtime are their operator's.
                if node is not None and timeline["names"][name] == tree["nodes"][node][0]:
                    calls, before = found.get(node, (0, 0))
                    found[node] = calls + spans, before + time
        for node, (calls, time) in found.items():
            name, _, kind, _, _, cells, _ = tree["nodes"][node]
            if self.is_trace and kind == "function":
                equal(f"calls of {name} in the page's timeline and tree", calls, cells[at["calls"]])
                equal(f"time of {name} in the page's timeline and tree", time, cells[at["total"]])

    def operators(self):
        """A name's time in operators is the tree's, on all threads."""
        if not self.is_trace:
            return
        found = {}
        for row in self.shown.rows("operators").get("operators", []):
            found[row["name"]] = (row["calls"], ns(row["cpu_total_s"]))
        in_tree = {}
        for rows in self.shown.rows("tree").values():
            for row in walk(rows):
                if row["kind"] == "function":
                    calls, time = in_tree.get(row["name"], (0, 0))
                    in_tree[row["name"]] = calls + row["calls"], time + ns(row["inclusive_s"])
        for name in sorted(found.keys() & in_tree.keys()):
            equal(f"calls of {name} in operators and tree", found[name][0], in_tree[name][0])
            equal(f"time of {name} in operators and tree", found[name][1], in_tree[name][1])

    def kernels(self):
        """Kernels' time is the operators' that launched them, where all are theirs."""
        section = self.shown.section("operators")["tables"][0]
        if not self.is_trace or "outside these rows" in " ".join(section["notes"]):
            return
        # A trace's copies are operators' time, too, and no view has their sum.
        if any(row["time_s"] for row in self.shown.rows("overview").get("average", [])
               if row["role"] in ("Memcpy", "Memset")):
            return
        rows = self.shown.rows("kernels").get("kernels", [])
        equal("device time in kernels and operators", sum(ns(row["total_s"]) for row in rows),
              sum(ns(row["self_cuda_s"] or 0) for row in section["rows"]))

    def steps(self):
        """Single steps, where the file has all of them."""
        time, count = steady(self.loops)
        warmup = sum(row["warmup_steps"] for row in self.loops)
        rows = [row for table in self.shown.rows("steps").values() for row in table]
        if warmup != 0 or len(self.loops) != 1 or len(rows) != count:
            return
        equal("time in steps and account", sum(ns(row["duration_s"]) for row in rows), time)
        draws = sum(part["time_s"] for group in self.whole["children"]
                    for part in group["children"] if part["use"] == "draw")
        if self.is_trace:
            equal("draws in steps and account", sum(ns(row["draw_s"] or 0) for row in rows), ns(draws))

    def timeline(self):
        """What the steps' thread did in a step is the step."""
        rows = self.shown.rows("timeline").get("steps", [])
        steps = {(row["loop"], row["step"]): ns(row["duration_s"])
                 for table in self.shown.rows("steps").values() for row in table}
        sums = {}
        for row in rows:
            if row["track"] == "main":
                key = row["loop"], row["step"]
                sums[key] = sums.get(key, 0) + ns(row["duration_s"])
        for key in sums.keys() & steps.keys():
            equal(f"{key} in timeline and steps", sums[key], steps[key])

    def path(self):
        for rows in self.shown.rows("path").values():
            time, count = steady(self.loops)
            tables = self.shown.section("path")["tables"]
            if len(tables) == 1 and tables[0].get("steps") == count:
                equal("steps in path and account", sum(ns(row["on_path_s"]) for row in rows), time)

    def simple(self):
        """The phases' totals are the tree's."""
        in_tree = {}
        for rows in self.shown.rows("tree").values():
            for row in walk(rows):
                if row["kind"] == "phase":
                    calls, time = in_tree.get(row["name"], (0, 0))
                    in_tree[row["name"]] = calls + row["calls"], time + ns(row["inclusive_s"])
        for row in self.shown.rows("simple").get("fit", []):
            if row["action"] in in_tree:
                equal(f"calls of {row['action']} in simple and tree", row["calls"],
                      in_tree[row["action"]][0])
                equal(f"time of {row['action']} in simple and tree", ns(row["total_s"]),
                      in_tree[row["action"]][1])

    def summary(self):
        """Every figure of the summary is another view's, and text has no others."""
        tables = self.shown.rows("summary")
        parts = list(walk(tables["parts"]))
        groups = self.whole["children"]
        whole = groups + [part for group in groups for part in group["children"]] if self.loops \
            else groups[0]["children"]
        for key in ("time_s", "percent"):
            if sorted(str(row[key]) for row in parts) != sorted(str(row[key]) for row in whole):
                raise Disagreement(f"{key} of summary and account")
        keys = ("name", "inclusive_s", "self_s", "calls")
        phases = [[row[key] for key in keys] for row in walk(tables["phases"])]
        trees = [[[row[key] for key in keys] for row in walk(rows)
                  if row["kind"] not in ("unaccounted", "profiler", "gpu")]
                 for rows in self.shown.rows("tree").values()]
        if phases not in trees:
            raise Disagreement("phases of summary and tree")
        simple = {row["action"]: row for row in self.shown.rows("simple").get("fit", [])}
        for row in walk(tables["phases"]):
            other = simple.get(row["name"], {"calls": None})
            if row["calls"] and other["calls"] == row["calls"]:
                equal(f"mean of {row['name']} in summary and simple", row["mean_s"], other["mean_s"],
                      1e-6 * row["mean_s"] + 1e-9)
        text = self.shown.read("--view", "summary")
        shown = set(re.findall(r"(?m)^.* ([0-9]+\.[0-9]%)  +[0-9.]+ [mµn]?s(?: |$)", text))
        roles = self.shown.rows("overview").get("average", [])
        if not shown <= {f"{row['percent']:.1f}%" for row in parts + roles if row["percent"] is not None}:
            raise Disagreement(f"the summary's text has shares of its own: {sorted(shown)}")
        verdict = self.shown.run("overview")["verdict"]
        said = re.search(r"Verdict: .*", text.split("\n\n")[0])
        if verdict and said and not verdict.startswith(said[0][:-1]):
            raise Disagreement(f"summary: {said[0]}\noverview: {verdict}")

    def run(self):
        for check in (self.parts_add_up, self.wall, self.throughput, self.history, self.overview, self.verdict,
                      self.page, self.operators, self.kernels, self.steps, self.timeline, self.path, self.simple,
                      self.summary):
            try:
                check()
                self.done += 1
            except Refused:
                pass


def main():
    loopscope, directory = sys.argv[1:3]
    if directory == "--views":
        check_views(sys.argv[3])
        return
    os.makedirs(directory, exist_ok=True)
    agree = refused = 0
    for number, path in enumerate(sys.argv[3:]):
        file = path
        if path.endswith(".run"):
            file = os.path.join(directory, f"{number}.loopscope")
            subprocess.run(["make-profile", path, file], check=True)
        try:
            Checks(Reports(loopscope, file), os.path.join(directory, "page.html")).run()
            agree += 1
        except Refused:
            refused += 1
        except Disagreement as problem:
            print(f"{path}: {problem}")
    print(f"{agree} files agree, {refused} refused")


main()
