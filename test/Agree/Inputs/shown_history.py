"""Figures of the run over time, of a chosen part of it, and of steps."""
import re

from reports import Disagreement, ns
from shown_values import known, leads, quantities, says, without


def figure_lines(side, name):
    """[(name, values by bin, unit)] of a figure that is chosen by click, from the page's data."""
    history = side.run["history"]
    found = {}
    for index, loop in enumerate(history["loops"]):
        prefix = loop["name"] + ": " if len(history["loops"]) > 1 else ""
        found[prefix + loop["unit"]] = [(loop["name"], loop["rates"], loop["unit"])]
        found[prefix + "step time"] = [(key, [None if each is None else each / 1e9 for each in loop[key]], "s") for key in ("longest", "p95", "p50")]
        found[prefix + "by phase"] = [(part["name"], part["shares"], "%") for part in history["parts"] if part["loop"] == index and part["use"] != "inner_waits"]
    rest = [(part["name"], part["shares"], "%") for part in history["parts"] if part["loop"] is None and part["use"] != "inner_waits"]
    found["outside the loops" if history["loops"] else "phases"] = rest
    for gauge in history["gauges"]:
        found[gauge["name"]] = [(gauge["name"], gauge["values"], gauge["unit"])]
    return found[name]


def near(text, value, unit):
    """A figure of a curve: three digits, or whole numbers."""
    if value is None:
        return known("not known" in text, text, "the value is not known")
    found = quantities(text)
    known(len(found) == 1, text, "one figure is expected")
    within = max(found[0][1], 0.005 * abs(value), 0.05 if unit == "%" else 0)
    known(abs(found[0][0] - value) <= within, text, f"known is {value} {unit}")


def check_curve(item, side, state):
    """The curve in words: of each line minimum and maximum; the axes are of the drawing."""
    figure = state.get("figure") or next(iter(
        name for name in (button["name"] for button in figures_of(side))))
    label = item["labels"][0]
    history = side.run["history"]
    known(label.startswith(figure + " over the run, "), label, f"the figure is {figure}")
    rest = label[len(figure) + len(" over the run, "):]
    end, _, ranges = rest.partition(": ")
    says(end, (history["ends"][-1] / 1e9, "s"))
    lines = [(name, [each for each in values if each is not None], unit) for name, values, unit in figure_lines(side, figure)][:4]
    for (name, values, unit), text in zip([line for line in lines if line[1]], ranges.split("; "), strict=True):
        low, _, high = without(text, name + " from ").partition(" to ")
        near(low, min(values), unit)
        near(high, max(values), unit)
    top = max((value for _, values, _ in lines for value in values), default=0)
    axis = [value for text in item["texts"] for value, _, _ in quantities(text)]
    known(figure.endswith("by phase") or max(axis) * 1.001 >= top or "%" in label, label, f"the axes {axis} end below {top}")


def figures_of(side):
    history = side.run["history"]
    for loop in history["loops"]:
        prefix = loop["name"] + ": " if len(history["loops"]) > 1 else ""
        if any(value is not None for value in loop["rates"]):
            yield {"name": prefix + loop["unit"]}
        yield {"name": prefix + "step time"}
    for name in ("outside the loops", "phases", *(gauge["name"] for gauge in history["gauges"])):
        yield {"name": name}


def check_legend(item, side, _):
    for link in item["links"]:
        leads(link, link["text"], side)


def check_bin(item, side, state):
    """A bin's figures in words; without one, how many bins there are."""
    text, history = " ".join(item["texts"]), side.run["history"]
    if state.get("bin") is None:
        processes = history["processes"]
        return says(text, (len(history["ends"]), ""), (processes if processes > 1 else None, ""))
    index = state["bin"]
    start = history["ends"][index - 1] if index else 0
    times, _, figures = text.partition(": ")
    says(times, (start / 1e9, "s"), (history["ends"][index] / 1e9, "s"))
    lines = figure_lines(side, state["figure"])
    is_stacked = state["figure"].endswith("by phase") or state["figure"] in ("outside the loops", "phases")
    shown = [(name, values[index], unit) for name, values, unit in lines
             if values[index] is not None and (values[index] >= 0.05 or not is_stacked)]
    if not shown:
        below = [values[index] for _, values, _ in lines if values[index] is not None]
        return known(figures == ("nothing is known" if not below else "each phase below 0.1%" if max(below) > 0 else "no phase ran"), text, f"known are {below}")
    for (name, value, unit), part in zip(shown, re.split(r", (?=\D)", figures), strict=True):
        near(without(part, name) if len(lines) > 1 else part, value, unit)


def part_of(side, state):
    ends = side.run["history"]["ends"]
    first, last = state.get("first", 0), state.get("last", len(ends) - 1)
    return first, last + 1


def check_part_row(item, side, state):
    """The chosen part's loops, from the view's bins in it."""
    first, end = part_of(side, state)
    ends = side.run["history"]["ends"]
    start, stop = ends[first - 1] if first else 0, ends[end - 1]
    name, steps, rate, time, mean, p50, p95, longest = item["cells"]
    if name == "Loop":
        return  # the names of the columns
    rows = [row for row in side.reports.rows("history")["steps"] if row["loop"] == name and ns(row["from_s"]) >= start and ns(row["to_s"]) <= stop]
    count, whole = sum(row["steps"] for row in rows), sum(row["step_total_s"] for row in rows)
    says(steps, (count, ""))
    says(time, (whole or None, "s"))
    says(mean, (whole / count if count else None, "s"))
    most = max((row["longest_s"] or 0 for row in rows), default=0)
    says(longest, (most or None, "s"))
    loop, = [each for each in side.run["history"]["loops"] if each["name"] == name]
    ran = sum(ends[i] - (ends[i - 1] if i else 0) for i in range(first, end) if loop["rates"][i] is not None) / 1e9
    amount = sum(row["samples"] or 0 for row in rows) if loop["unit"] == "samples/s" else count
    if ran:
        near(rate, amount / ran, loop["unit"])
    for text, key in ((p50, "p50_s"), (p95, "p95_s")):
        if quantities(text) and len(rows) == 1 and rows[0][key] is not None:
            says(text, (rows[0][key], "s"))
        for value, within, _ in quantities(text):
            known(value <= most * 1.13 + within and value >= 0, text, f"the longest step is {most}")


def check_distribution(item, side, state):
    """The steps by duration: their number is the view's; p50 and p95 are those beside."""
    first, end = part_of(side, state)
    ends = side.run["history"]["ends"]
    start, stop = ends[first - 1] if first else 0, ends[end - 1]
    label = item["labels"][0]
    name = re.match(r"Step times of (.*), [\d,]+ steps from", label)[1]
    rows = [row for row in side.reports.rows("history")["steps"] if row["loop"] == name and ns(row["from_s"]) >= start and ns(row["to_s"]) <= stop]
    bars = [quantities(title) for title in item["titles"]]
    steps = quantities(without(label, name))[0][0]
    known(sum(bar[2][0] for bar in bars) == steps <= sum(row["steps"] for row in rows), label, f"bars have {bars}")
    quantiles = dict(re.findall(r"(p50|p95) (\S+ [nµm]?s)", label))
    of_loop = [node for node, (_, above, kind, *_) in enumerate(side.nodes) if kind == "step" and side.nodes[above][2] == name.split()[0]]
    if start == 0 and stop == ends[-1] and len(of_loop) == 1:
        for key, text in quantiles.items():
            says(text, (side.cell(of_loop[0], key) / 1e9, "s"))


def check_part_title(item, side, state):
    first, end = part_of(side, state)
    ends = side.run["history"]["ends"]
    says(" ".join(item["texts"]), ((ends[first - 1] if first else 0) / 1e9, "s"), (ends[end - 1] / 1e9, "s"))


def check_part_split(item, side, state):
    """A part's bar, from the view's bins."""
    first, end = part_of(side, state)
    ends = side.run["history"]["ends"]
    start, stop = ends[first - 1] if first else 0, ends[end - 1]
    text = item["titles"][0]
    rows = [row for row in side.reports.rows("history")["parts"] if row["loop"] and row["use"] != "inner_waits" and
            ns(row["from_s"]) >= start and ns(row["to_s"]) <= stop]
    for loop in {row["loop"] for row in rows}:
        whole = sum(row["time_s"] for row in rows if row["loop"] == loop) or 1
        for name in {row["part"] for row in rows if row["loop"] == loop and text.startswith(row["part"] + " ")}:
            time = sum(row["time_s"] for row in rows if row["loop"] == loop and row["part"] == name)
            found = quantities(without(text, name))
            if abs(found[0][0] - 100 * time / whole) <= found[0][1] + 0.1 and abs(found[1][0] - time) <= found[1][1]:
                for link in item["links"]:
                    leads(link, name, side)
                return
    raise Disagreement(f"'{text}' is shown, and no part in the history has it")


def check_part_note(item, side, state):
    first, end = part_of(side, state)
    history = side.run["history"]
    said = quantities(" ".join(item["texts"]))
    for loop in history["loops"]:
        steps = sum(loop["steps"][first:end])
        kept = sum(count for bin in loop["buckets"][first:end] for _, count in bin)
        if [value for value, _, _ in said] == [kept, steps]:
            return
    raise Disagreement(f"{item['texts']}: the loops' steps are others")


def check_step_count(item, side, state):
    text, steps = " ".join(item["texts"]), side.run["steps"]
    numbers = [value for value, _, unit in quantities(text) if unit == ""]
    if state.get("first") is None:
        shown, read = len(steps["steps"]), steps["hidden"] + len(steps["steps"])
        wanted = [shown, steps["unread"] + read, read] if steps["unread"] else [shown, read] if steps["hidden"] else [shown] if shown > 1 else []
        known(numbers == wanted, text, f"known are {wanted}")
        return
    first, end = part_of(side, state)
    ends = side.run["history"]["ends"]
    start, stop = ends[first - 1] if first else 0, ends[end - 1]
    count = sum(1 for _, at, _ in steps["steps"] if at is not None and start <= at < stop)
    known("whole run" in text or numbers in ([count], []) and (numbers or not count), text, f"the view has {count} steps there")


def check_step_part(item, side, state):
    """A part's mean over all steps is its time in them."""
    text = " ".join(item["texts"])
    if state.get("first") is not None:
        return
    for part in side.run["steps"]["parts"]:
        if text == f"{part['name']} {text.rpartition(part['name'])[2].strip()}":
            try:
                says(without(text, part["name"]), (part["mean"] / 1e9, "s"))
            except Disagreement:
                continue
            for link in item["links"]:
                leads(link, part["name"], side)
            return
    raise Disagreement(f"'{text}' is shown, and no part has that mean")


def check_slow(item, side, _):
    """A slow step is a step of the view, its link leads to its time and to its part."""
    text = " ".join(item["texts"])
    for slow in side.run["steps"]["slowest"]:
        name, start, length = slow["step"]
        if not text.startswith(f"step {name}, ") or abs(quantities(text)[1][0] - length / 1e9) > quantities(text)[1][1]:
            continue
        says(without(text, *([slow["part"]] if slow["above"] > 0 else [])), (float(name), ""), (length / 1e9, "s"),
             (slow["above"] / 1e9 if slow["above"] > 0 else None, "s"))
        for link in item["links"]:
            if link["range"]:
                known(link["range"][0] <= start and link["range"][1] >= start + length, text, f"it leads to {link['range']}")
            else:
                leads(link, slow["part"], side)
        return
    raise Disagreement(f"'{text}' is shown, and is no slow step")
