"""Compares figures of a run on the page with the views that have them, too.

check_page_figures(shown, page) raises Disagreement at the first that differs, of the page's data.
What is left to others: facts and the bar of a step (agree.py), keys (reports.py), the timeline and
sums of bins (files.py), source (source_page.py), comparisons (diff_page.py). What the page shows of
its data, and where its links lead, is in the table SHOWN of shown_figures.py."""
import os
import re

from page_timeline import windows_of
from reports import Disagreement, Refused, equal, ns, walk

# Rows of the tree in json that aren't call paths of the page.
NOT_PATHS = ("unaccounted", "profiler", "gpu")
# Views that the page has as figures of its own, and views of several processes.
ELSEWHERE_ON_PAGE = {"summary", "tree", "history", "timeline", "ranks", "communication", "distributed"}
# A trace's page has its steps as bars by role, and no spans for these views.
OF_PROFILES_ON_PAGE = {"steps", "path"}
# A profile's page has these with GPU data; without, they are the tree and the answer.
OF_TRACES_ON_PAGE = {"operators", "overview"}


def same(what, left, right):
    if left != right:
        raise Disagreement(f"{what}: {left} and {right}")


def flat(rows):
    """Rows of a tree, the row above before the ones below."""
    for row in rows:
        yield row
        yield from flat(row.get("children", []))


def value(cell):
    """A cell of the page: a text, or [value, text]."""
    return cell if isinstance(cell, str) else cell[0]


def alike(left, right):
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return abs(left - right) <= 1e-9 * max(abs(left), abs(right)) + 1e-12
    return left == right


def check_table(view, table, theirs):
    """The cells of a page's table are those of the same table in json."""
    where = f"{view}'s table {table['id']} on the page"
    keys = [column["key"] for column in table["columns"]]
    rows = [row for row in table["rows"] if not row.get("total")]
    known = list(flat(theirs["rows"]))
    if not table.get("hidden"):
        same(f"rows of {where}", len(rows), len(known))
    for row, other in zip(rows, known):
        for key, cell in zip(keys, row["cells"], strict=True):
            if key in other and not alike(value(cell), other[key]):
                raise Disagreement(f"{key} of {where}: {cell} and {other[key]}")
    for row in table["rows"]:
        for key, cell in zip(keys, row["cells"]) if row.get("total") else ():
            if key in theirs["total"] and not alike(value(cell), theirs["total"][key]):
                raise Disagreement(f"{key} of the total of {where}: {cell} and {theirs['total'][key]}")


def check_views(shown, page):
    """Each tab has its view's tables, without what the top of the page has."""
    for view in page["views"]:
        by_id = {}
        for table in shown.section(view["name"] + " --stats")["tables"]:
            by_id.setdefault(table["id"], []).append(table)
        for table in view["tables"]:
            check_table(view["name"], table, by_id[table["id"]].pop(0))


def check_all_views(shown, page):
    """A view that has rows has a tab, but for those that the page has in another form."""
    header = os.path.join(os.path.dirname(__file__), "..", "..", "..", "runtime", "include", "loopscope", "view_names.h")
    with open(header, encoding="utf-8") as file:
        names = re.findall(r'X\("(\w+)", \w+\)', file.read())
    tabs = {view["name"] for view in page["views"]}
    elsewhere = ELSEWHERE_ON_PAGE | (OF_PROFILES_ON_PAGE if "events" in shown.run("account") else OF_TRACES_ON_PAGE)
    for name in names:
        if name in tabs | elsewhere:
            continue
        try:
            tables = shown.section(name)["tables"]
        except Refused:
            continue
        if any(table["rows"] for table in tables):
            raise Disagreement(f"the view {name} has rows, and no tab on the page")


def path_of(nodes, index):
    names = ()
    while nodes[index][1] is not None:
        names, index = (nodes[index][0],) + names, nodes[index][1]
    return ({"main thread": "main", "other threads": "others"}.get(nodes[index][0], nodes[index][0]),) + names


def check_tree(shown, page):
    """Call paths have the tree's calls and times; a distribution has all calls that ended."""
    tree = page["tree"]
    at = {column["key"]: index for index, column in enumerate(tree["columns"])}
    ours, theirs, rows_of = {}, {}, {}

    def add(to, path, figures):
        to[path] = tuple(map(sum, zip(to.get(path, (0, 0, 0)), figures)))

    def add_rows(rows, path):
        for row in rows:
            if row["kind"] not in NOT_PATHS:
                rows_of.setdefault(path + (row["name"],), []).append(row)
                add(theirs, path + (row["name"],), (row["calls"] or 0, ns(row["inclusive_s"]), ns(row["self_s"] or 0)))
                add_rows(row.get("children", []), path + (row["name"],))

    for index, (_, parent, _, _, _, cells, _) in enumerate(tree["nodes"]):
        if parent is not None:
            add(ours, path_of(tree["nodes"], index), tuple(cells[at[key]] or 0 for key in ("calls", "total", "self")))
    for table, rows in shown.rows("tree").items():
        add_rows(rows, (table,))
    if not any("are not on this page" in note for note in tree["notes"]):
        same("call paths of page and tree", sorted(ours.items() ^ theirs.items()), [])
    paths = [path_of(tree["nodes"], index) for index in range(len(tree["nodes"]))]
    for path, (_, parent, _, _, line, cells, buckets) in zip(paths, tree["nodes"]):
        check_distribution(path, at, cells, buckets)
        if parent is not None and paths.count(path) == len(rows_of.get(path, [])) == 1:
            check_cells(path, at, cells, rows_of[path][0])
            same(f"line of {path}", line, rows_of[path][0]["line"] or 0)


def check_cells(path, at, cells, row):
    """The other figures of a call path are those of its row."""
    known = {key: row[key] for key in at.keys() & row.keys()} | {"percent": row["percent_wall"]}
    for key, other in known.items():
        cell = cells[at[key]]
        ours = cell[0] if isinstance(cell, list) else cell
        if key.endswith("_s") and other is not None:
            other = ns(other)
        if (ours or 0) != (other or 0) and not alike(ours, other):
            raise Disagreement(f"{key} of {path} on the page and in tree: {ours} and {other}")


def check_distribution(path, at, cells, buckets):
    """A distribution has all calls, and its quantiles are the row's, to a bucket."""
    if not buckets:
        return
    calls = cells[at["calls"]]
    same(f"spans of {path} by duration", sum(count for _, count in buckets), calls)
    for key, fraction in (("p50", 0.5), ("p95", 0.95)):
        upto = 0
        for duration, count in buckets:
            upto += count
            if upto >= fraction * calls:
                equal(f"{key} of {path} and its distribution", cells[at[key]], duration, 0.125 * duration + 1)
                break


def check_bar(shown, page):
    """The bar of the run has the account's parts, which sum to the run."""
    if not page["account"]:
        return
    whole = shown.rows("account")["account"][0]
    equal("the page's bar of the run and the account", sum(part["ns"] for part in page["account"]["parts"]), ns(whole["time_s"]))
    ours, theirs = {}, {}
    for part in page["account"]["parts"]:
        ours[part["name"]] = ours.get(part["name"], 0) + part["ns"]
    # Of the first loop it has the parts, of each other one the whole.
    others = [group for group in whole["children"] if group["use"] == "loop"][1:]
    for group in whole["children"]:
        is_whole = group in others
        for part in [group] if is_whole else group["children"] or [group]:
            is_rest = part["use"] == "no_phase" and group["use"] == "outside" and len(whole["children"]) > 1
            name = "(outside the loops)" if is_rest else part["part"]
            theirs[name] = theirs.get(name, 0) + ns(part["time_s"])
    same("the page's bar and the account", sorted(ours.items() ^ {item for item in theirs.items() if item[1]}), [])


def check_steps(shown, page):
    """Single steps are those of the view; what is said of a slow one is what its part took."""
    steps = page["steps"]
    if not steps:
        return
    rows = [row for table in shown.rows("steps").values() for row in table]
    theirs = sorted((str(row["step"]), ns(row["duration_s"])) for row in rows)
    ours = [(str(name), length) for name, _, length in steps["steps"]]
    if len(rows) == steps["hidden"] + len(ours):
        left = theirs.copy()
        for step in ours:
            if step not in left:
                raise Disagreement(f"step {step} of the page isn't in the view steps")
            left.remove(step)
    for index, (name, _, length) in enumerate(steps["steps"]):
        equal(f"the parts of step {name}", sum(part["ns"][index] for part in steps["parts"]), length, len(steps["parts"]))
    numbers = {(name, start): index for index, (name, start, _) in enumerate(steps["steps"])}
    check_starts(page)
    for slow in steps["slowest"]:
        name, start, length = slow["step"]
        number = numbers.get((name, start))
        if number is None:
            continue
        equal(f"slow step {name}", length, steps["steps"][number][2])
        # Several loops may have parts of that name.
        more = [part["ns"][number] - part["mean"] for part in steps["parts"] if part["name"] == slow["part"]]
        if slow["above"] > 0 and more and all(abs(each - slow["above"]) > 1 for each in more):
            raise Disagreement(f"what {slow['part']} took more in step {name}: {slow['above']} and {more}")


def check_starts(page):
    """Steps of the page are spans of its timeline, where that has all."""
    timeline = page["timeline"]
    # A trace without marks of steps is one step, which is no span.
    if not timeline or any(track["columns"] for track in timeline["tracks"]) or len(page["steps"]["steps"]) == 1:
        return
    spans = {(start, length) for track in timeline["tracks"] for _, _, spans in windows_of(track) for start, length, *_ in spans}
    for name, start, length in page["steps"]["steps"] + [slow["step"] for slow in page["steps"]["slowest"]]:
        if start is not None and (start, length) not in spans:
            raise Disagreement(f"step {name} at {start} isn't in the page's timeline")


def check_curves(shown, page):
    """The figures of a bin of the page are those of the view's bins in it."""
    history = page["history"]
    if not history:
        return
    view = shown.rows("history")
    starts = [0] + history["ends"][:-1]

    def inside(rows, start, end):
        return [row for row in rows if ns(row["from_s"]) >= start and ns(row["to_s"]) <= end]

    rates = [rates_of(loop, starts, history["ends"]) for loop in history["loops"]]
    check_told(history, view)
    check_held(history, shown)
    check_gauges(history, view["bins"], [inside(view["bins"], *bin) for bin in zip(starts, history["ends"])])
    for index, (start, end) in enumerate(zip(starts, history["ends"])):
        for number, loop in enumerate(history["loops"]):
            rows = inside([row for row in view["steps"] if row["loop"] == loop["name"]], start, end)
            where = f"{loop['name']} from {start} to {end} on the page and in history"
            equal(f"steps of {where}", loop["steps"][index], sum(row["steps"] for row in rows))
            equal(f"time of {where}", loop["ns"][index], sum(ns(row["step_total_s"]) for row in rows))
            longest = [ns(row["longest_s"]) for row in rows if row["longest_s"] is not None]
            if loop["longest"][index] is not None:
                equal(f"longest of {where}", loop["longest"][index], max(longest, default=None), 1)
            if len(rows) == 1:
                for key in ("p50", "p95"):
                    same(f"{key} of {where}", loop[key][index] is None, rows[0][key + "_s"] is None)
                    if loop[key][index] is not None:
                        equal(f"{key} of {where}", loop[key][index], ns(rows[0][key + "_s"]), 1)
            if loop["rates"][index] is not None and rows:
                rate = rates[number][index]
                equal(f"rate of {where}", loop["rates"][index], rate, 1e-5 * rate)
            in_parts = [part for part in history["parts"] if part["loop"] == number and part["use"] != "inner_waits"]
            for part in in_parts if loop["ns"][index] > 0 else ():
                share = max(0, 100 * part["ns"][index] / loop["ns"][index])
                equal(f"share of {part['name']} in {where}", part["shares"][index], share, 1e-5 * share)


def check_gauges(history, bins, inside):
    """What was measured beside the program has the view's means, by one unit."""
    keys = [key for key in bins[0] if key.endswith("_mean") and any(row[key] is not None for row in bins)]
    for key, gauge in zip(keys, history["gauges"]):
        scale = None
        for value, rows in zip(gauge["values"], inside, strict=True):
            if len(rows) != 1:
                continue
            mean = rows[0][key]
            same(f"{key} is known on the page and in history", value is None, mean is None)
            if mean:
                scale = scale or mean / value
                equal(f"{key} on the page, in {gauge['unit']}, and in history", value * scale, mean, 1e-5 * mean)


def rates_of(loop, starts, ends):
    """A loop's rate by bin. With fewer than two steps a bin, bins up to one in which a step ends have one rate."""
    amount = loop["samples"] if loop["unit"] == "samples/s" else loop["steps"]
    rates = [count / (end - start) * 1e9 for count, start, end in zip(amount, starts, ends)]
    if sum(loop["steps"]) >= 2 * sum(rate is not None for rate in loop["rates"]):
        return rates
    group = []
    for index, steps in enumerate(loop["steps"]):
        group = group + [index] if loop["rates"][index] is not None else []
        if steps and group:
            for each in group:
                rates[each] = amount[index] / (ends[index] - starts[group[0]]) * 1e9
            group = []
    return rates


def check_told(history, view):
    """Numbers that the program told have the view's means, those in the middle of the page's bin."""
    told = {}
    for row in view.get("values", []):
        told.setdefault(row["name"] + (f" ({row['process']})" if row["process"] else ""), []).append(row)
    shown = {gauge["name"]: gauge["values"] for gauge in history["gauges"] if gauge["name"] in told}
    # The drawing begins at 0.
    positive = {name for name, rows in told.items() if min(row["min"] for row in rows if row["count"]) >= 0}
    same("curves of what the program told", sorted(shown), sorted(positive))
    starts = [0] + history["ends"][:-1]
    for name, values in shown.items():
        for start, end, value in zip(starts, history["ends"], values, strict=True):
            rows = [row for row in told[name] if row["count"] and start < (ns(row["from_s"]) + ns(row["to_s"])) // 2 <= end]
            count = sum(row["count"] for row in rows)
            same(f"{name} until {end} is known on the page and in history", value is None, count == 0)
            if count:
                mean = sum(row["count"] * row["mean"] for row in rows) / count
                equal(f"{name} until {end} on the page and in history", value, mean, 1e-5 * abs(mean))


def check_held(history, shown):
    """What was held of memory: a curve's highest bin is no lower than any step's peak, and a step in one bin no higher."""
    curves = {gauge["name"].removeprefix("memory held: "): gauge["values"] for gauge in history["gauges"]
              if gauge["name"].startswith("memory held: ")}
    if not curves:
        return
    lanes = {}
    for row in shown.rows("memory")["memory"]:
        lanes.setdefault(row["memory"], []).append(row["peak_bytes"])
    same("memory with a curve", sorted(curves), sorted(lanes))
    for lane, peaks in lanes.items():
        highest = max(value for value in curves[lane] if value is not None) * 2**20
        if highest < max(peaks) * (1 - 1e-5):
            raise Disagreement(f"{lane} held at most {highest} on the page, and {max(peaks)} in a step")


def check_shared(shown, data):
    """Tables that the runs of a page share, as those of ranks, are the views' of all files together."""
    for view in data["shared"]:
        tables = {table["id"]: table for table in shown.section(view["name"])["tables"]}
        same(f"tables of {view['name']}", sorted(tables), sorted(table["id"] for table in view["tables"]))
        for table in view["tables"]:
            check_table(view["name"], table, tables[table["id"]])


def check_verdict(shown, page):
    """The page's verdict is the overview's, perhaps after what is outside the loops."""
    said = (shown.run("overview")["verdict"] or "").removeprefix("Verdict: ")
    if said.lower() not in page["verdict"]["text"].lower():
        raise Disagreement(f"verdict of page and overview: {page['verdict']['text']} and {said}")


def check_advice(shown, page):
    """Advice that saves time is the overview's, with its savings and the rows that it rests on."""
    ours = [(each["saves"], each.get("rows", "")) for each in page["advice"] if each.get("saves") is not None]
    theirs = [(ns(row["saves_s"]), row["rows"] or "") for row in shown.rows("overview").get("recommendations", [])
              if row["saves_s"] is not None]
    same("savings and rows of advice on the page and in overview", ours, theirs)


def check_footer(shown, page):
    """What the page says of the file's integrity, a report says, too."""
    said = " ".join(shown.read("--view", "overview", "--width", "10000").split())
    for line in page["footer"]:
        if " ".join(line.split()) not in said:
            raise Disagreement(f"the overview doesn't say what the page says: {line}")


def check_frames(shown, page):
    """A function's part of its phase's samples, without what it calls, is that of the view."""
    frames, ours, theirs = page["frames"], {}, {}
    alone = [time for *_, time, _, _ in frames]
    for _, _, above, _, time, _, _ in frames:
        if above is not None:
            alone[above] -= time
    for (name, node, *_), time in zip(frames, alone):
        by_name = ours.setdefault(page["tree"]["nodes"][node][0], {})
        by_name[name] = by_name.get(name, 0) + time
    for table in shown.section("functions")["tables"] if frames else ():
        for row in table["rows"]:
            by_name = theirs.setdefault(row["phase"], {})
            by_name[row["function"]] = by_name.get(row["function"], 0) + row["count"]
    same("phases with functions", sorted(ours), sorted(theirs))
    for phase, counts in theirs.items():
        for name, count in counts.items():
            share = ours[phase].get(name, 0) / sum(ours[phase].values())
            equal(f"{name}'s part of {phase}'s samples", share, count / sum(counts.values()), 1e-6)


def check_roofline(shown, page):
    """Points of the roofline are the view's rows."""
    if not page["roofline"]:
        return
    rows = [(row["name"], row["flop_per_byte"], row["flop_per_gpu_s"], row["roof_percent"])
            for table in shown.rows("roofline").values() for row in walk(table)]
    for point in page["roofline"]["points"]:
        known = (point["name"], point["intensity"], point["flop"], 100 * point["share"])
        if not any(all(map(alike, known, row)) for row in rows):
            raise Disagreement(f"a point of the page's roofline isn't a row of the view: {known}")


def check_page_figures(shown, page):
    for check in (check_views, check_all_views, check_tree, check_bar, check_steps, check_curves, check_verdict, check_advice, check_footer, check_frames, check_roofline):
        try:
            check(shown, page)
        except Refused:
            pass
