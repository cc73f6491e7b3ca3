"""Runs PROGRAM with RUNS seeds, and compares what several places of its reports show.

usage: agree.py LOOPSCOPE PROGRAM PROFILE RUNS [SEED [resets]]

resets: the program begins parts (loopscope_reset), and all are compared."""
import glob
import os
import re
import subprocess
import sys

from reports import (Disagreement, Refused, Reports, check_account, check_history, check_keys_on_page,
                     check_throughput, equal,
                     ns, seconds_of)

LOOPSCOPE, PROGRAM, PROFILE, RUNS = sys.argv[1:4] + [int(sys.argv[4])]


def check_sums(account, in_csv):
    run = account["account"][0]
    check_account(run)
    flat = [ns(group["time_s"]) for group in run["children"]]
    in_csv = [ns(float(row["time_s"])) for row in in_csv if row["use"] in ("loop", "outside")]
    if sorted(flat) != sorted(in_csv):
        raise Disagreement(f"csv has {in_csv}, json {flat}")


def outermost_loops(rows):
    for row in rows:
        if row["kind"] in ("train", "valid"):
            yield ns(row["inclusive_s"])
        else:
            yield from outermost_loops(row["children"])


def check_tree(account, tree):
    in_tree = sum(sum(outermost_loops(rows)) for rows in tree.values())
    loops = sum(ns(group["time_s"]) for group in account["account"][0]["children"][1:])
    equal("loops in tree and account", in_tree, loops)


def check_simple(simple, tree):
    def epochs(rows):
        return sum(row["calls"] if row["kind"] == "epoch" else epochs(row["children"]) for row in rows)
    row = next(row for row in simple["fit"] if row["action"] == "run_training_epoch")
    equal("epochs", row["calls"], sum(epochs(rows) for rows in tree.values()))


def same(what, left, right):
    if left != right:
        raise Disagreement(f"{what}: {left} and {right}")


def check_keys(shown):
    """Keys add up to their phase, and their phases are those of the views without keys."""
    together, apart = {}, {}

    def add(rows, to):
        for row in rows:
            keyed = [child for child in row["children"] if child.get("key") is not None]
            for what in ("calls", "inclusive_s") if keyed else ():
                equal(f"{row['name']}'s keys, {what}", sum(ns(child[what]) for child in keyed),
                      ns(row[what]))
            if row.get("key") is None:
                calls, time = to.get(row["name"], (0, 0))
                to[row["name"]] = (calls + (row["calls"] or 0), time + ns(row["inclusive_s"]))
            add(row["children"], to)

    for rows, to in ((shown.rows("tree"), together), (shown.rows("tree --by key"), apart)):
        for each in rows.values():
            add(each, to)
    # How much of a row is the profiler's differs with the rows.
    for name in {*together, *apart} - {"(profiler)", "(unaccounted)"}:
        same(f"{name} in the tree with keys and without", apart.get(name), together.get(name))
    for table, rows in shown.rows("simple").items():
        keyed = {}
        for row in shown.rows("simple --by key")[table]:
            name = row["action"].split("[")[0]
            calls, time = keyed.get(name, (0, 0))
            keyed[name] = (calls + (row["calls"] or 0), time + ns(row["total_s"]))
        for row in rows:
            same(f"{row['action']} in simple with keys and without", keyed[row["action"]],
                 (row["calls"] or 0, ns(row["total_s"])))


def check_page(account, overview, run, shown, text):
    facts = {fact["label"]: fact["value"] for fact in shown["facts"]}
    kinds = {"train": "Training", "valid": "Validation"}
    for row in account["loops"]:
        kind = kinds[row["part"]]
        place = "" if sum(other["part"] == row["part"] for other in account["loops"]) == 1 else f" ({row['place']})"
        if not row["step_s"] or [other["place"] for other in account["loops"]].count(row["place"]) > 1:
            continue
        if row["samples_per_s"]:
            rate = float(facts[kind + place].split()[0])
            equal(f"page's {kind}{place}", rate, row["samples_per_s"], 0.006 * rate + 0.5)
        mean = seconds_of(facts[f"{kind} step{place}"])
        equal(f"page's {kind} step{place}", mean, row["step_s"], 0.006 * mean)
    draws = facts.get("Waiting for data", facts.get("In draws"))
    if all(row["steps"] == 0 for row in account["loops"] if row["part"] == "train"):
        return
    waiting = float(draws.rstrip("%"))
    verdict = re.search(r"([0-9.]+)% waiting for data|waiting for data takes ([0-9.]+)%", run["verdict"] or "")
    if verdict:
        equal("waiting for data: page and verdict", waiting, float(verdict[1] or verdict[2]), 0.11)
    # A part's timeline has no steps that began before it; then the overview says so, as where
    # steps haven't ended.
    if "average" in overview and "the verdict uses the sums" not in text:
        role = next(row for row in overview["average"] if row["role"] == "DataLoader")
        equal("waiting for data: page and overview", waiting, role["percent"] or 0, 0.06)
    if shown["steps"]:
        equal("the page's steps and their parts", shown["steps"]["mean"],
              sum(part["mean"] for part in shown["steps"]["parts"]), len(shown["steps"]["parts"]))
    # Of all training loops; the hooks' own cost is a part of its own in the account alone.
    use = {}
    for group in account["account"][0]["children"][1:]:
        for part in group["children"] if group["part"].startswith("train") else []:
            use[part["use"]] = use.get(part["use"], 0) + part["time_s"]
    steady = sum(seconds for key, seconds in use.items() if key not in ("warmup", "excluded", "between"))
    equal("waiting for data: page and account", waiting, 100 * use.get("draw", 0) / steady,
          0.06 + 100 * use.get("profiler", 0) / steady)
    # The bar is of the longest training loop's steps.
    loop = next(group for group in account["account"][0]["children"][1:] if group["part"].startswith("train"))
    steady = [part for part in loop["children"] if part["use"] not in ("warmup", "excluded", "between")]
    equal("page's bar", sum(part["ns"] for part in shown["split"]["parts"]),
          sum(ns(part["time_s"]) for part in steady))
    for part in steady:
        if part["use"] in ("draw", "phase"):
            bar = [each["ns"] for each in shown["split"]["parts"] if each["name"] == part["part"]]
            equal(f"page's bar of {part['part']}", sum(bar), ns(part["time_s"]))


WORDS = {"on the CPU": ("computing_s",), "in page faults": ("faulting_s",),
         "without a CPU": ("starved_s",), "waiting": ("own_threads_s", "waiting_s")}


def check_uses(account, verdict):
    """What the verdict says of the whole step time, the account says of its parts. Hooks and
    time of unknown use are parts of their own in the account alone."""
    said = re.search(r"The whole step time is (.*?)\.(?: |$)", verdict or "")
    parts = [part for group in account["account"][0]["children"][1:]
             for part in group["children"] if group["part"].startswith("train")
             and part["use"] not in ("warmup", "excluded", "between")]
    whole = sum(part["time_s"] for part in parts)
    if not said or whole == 0 or "unknown_s" not in parts[0]:
        return
    rest = sum(part["time_s"] if part["use"] == "profiler" else part["unknown_s"] for part in parts)
    for share, words in re.findall(r"([0-9.]+)% ([a-z ]+)", said[1]):
        if words in WORDS:
            ours = sum(part[use] for part in parts for use in WORDS[words]
                       if part["use"] not in ("draw", "profiler"))
            equal(f"{words}: verdict and account", float(share), 100 * ours / whole,
                  0.11 + 100 * rest / whole)


def check_folded(shown, tree):
    """What flame graphs get is the tree's time, a thread's whole one."""
    equal("folded stacks", sum(int(line.rsplit(" ", 1)[1]) for line in shown.folded()),
          sum(ns(row["inclusive_s"]) for rows in tree.values() for row in rows))


def check(profile):
    shown = Reports(LOOPSCOPE, profile)
    account, tree = shown.rows("account"), shown.rows("tree")
    check_sums(account, shown.csv("account"))
    check_throughput(account, shown.rows("throughput"))
    check_tree(account, tree)
    check_history(account, tree, shown.rows("history"))
    check_simple(shown.rows("simple"), tree)
    check_keys(shown)
    check_uses(account, shown.run("account")["verdict"])
    page = shown.page(profile + ".html")
    check_page(account, shown.rows("overview"), shown.run("account"), page,
               shown.read("--view", "overview"))
    check_keys_on_page(shown, page)
    check_folded(shown, tree)


def has_loops(profile):
    """Whether any part of a loop fell into this part of the run."""
    try:
        Reports(LOOPSCOPE, profile).rows("throughput")
    except Refused:
        return False
    return True


def main():
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    resets = int(len(sys.argv) > 6)
    agree = earlier = 0
    of_parts = PROFILE.replace(".loopscope", ".part*.loopscope")
    for seed in range(first, first + RUNS):
        words = ["", "trace,", "cpu=off,", "trace,warmup=0,", "cpu=on,", "warmup=3,"][seed % 6]
        threads = seed % 5
        for left in [*glob.glob(of_parts), *glob.glob(PROFILE)]:
            os.unlink(left)
        environment = dict(os.environ, LOOPSCOPE=f"{words}report=none,output={PROFILE}")
        subprocess.run([PROGRAM, str(seed), str(threads), str(resets)], env=environment, check=True)
        parts = glob.glob(of_parts)
        try:
            for profile in [*parts, PROFILE]:
                if resets and not has_loops(profile):
                    continue
                check(profile)
                earlier += profile != PROFILE
            agree += 1
        except Disagreement as problem:
            print(f"seed {seed}, {threads} threads, LOOPSCOPE={words}, {profile}: {problem}")
    print(f"{agree} runs" + (f" and {earlier} earlier parts" if resets else "") + " agree")


main()
