"""Figures of the page's first screen and its last lines: who ran, cards, bars, verdict, advice."""
import re
import subprocess
from datetime import datetime, timezone

from reports import Disagreement
from shown_values import known, leads, quantities, says, share, without


def check_head(item, side, state):
    text = " ".join(item["texts"])
    for name in re.findall(r"process (\d+)", text):
        known(int(name) == side.meta.get("pid"), text, f"the process is {side.meta.get('pid')}")
    for name in re.findall(r", rank (\d+)", text) if "process" in text else ():
        known(int(name) == side.meta["rank"], text, f"the rank is {side.meta['rank']}")
    for day, name, year in re.findall(r"(\d+) (\w{3}) (\d{4})", text):
        started = datetime.fromtimestamp(side.meta["start_s"], timezone.utc)
        known((int(day), name, int(year)) == (started.day, started.strftime("%b"), started.year), text, f"it started at {started}")
    for events in re.findall(r"(\d[\d,]*) events", text):
        known(int(events.replace(",", "")) == side.meta["events"], text, f"there are {side.meta['events']} events")


def steady(side):
    """Times of the steady steps' parts of all training loops, by use."""
    times = {}
    for group in side.account()["account"][0]["children"]:
        for part in group["children"] if group["part"].startswith("train") else []:
            if part["use"] not in ("warmup", "excluded", "between"):
                times[part["use"]] = times.get(part["use"], 0) + part["time_s"]
    return times


def step_rows(side, keys):
    """Sums of KEYS over the outermost rows of training steps."""
    sums = dict.fromkeys(keys, 0.0)

    def add(rows, inside):
        for row in rows:
            if row["kind"] == "step" and inside:
                for key in keys:
                    sums[key] += row.get(key) or 0
            else:
                add(row["children"], inside or row["kind"] == "train")

    for rows in side.reports.rows("tree").values():
        add(rows, False)
    return sums


def check_fact(item, side, _):
    """A card of the first screen."""
    label, value, *note = item["texts"]
    note = " ".join(note)
    loop = re.fullmatch(r"(Training|Validation)( step)?(?: \((.*)\))?", label)
    if loop:
        kind = {"Training": "train", "Validation": "valid"}[loop[1]]
        row, = [row for row in side.loops() if row["part"].startswith(kind) and loop[3] in (None, row["place"]) and row["step_s"]]
        if not loop[2]:
            says(value, (row["samples_per_s"], "samples/s"))
            return
        says(value, (row["step_s"], "s"))
        steps = [*([(quantities(note)[0][0], "s")] if note.startswith("p95") else []), (row["steps"], ""), (row["warmup_steps"] or None, "")]
        says(note, *steps)
        p95 = [found for found in side.reports.rows("history").get("steps", []) if found["loop"].startswith(kind) and found["longest_s"]]
        if note.startswith("p95") and p95:
            known(steps[0][0] <= 1.13 * max(each["longest_s"] for each in p95), note, "p95 is above the longest step")
    elif label.startswith("On the CPU"):
        sums = step_rows(side, ("cpu_s", "cpu_measured_s"))
        share(value, 100 * sums["cpu_s"] / sums["cpu_measured_s"], 1.0)  # there, the warm-up is included
    elif label in ("Waiting for data", "In draws"):
        times = steady(side)
        whole = sum(times.values())
        if whole:
            share(value, 100 * times.get("draw", 0) / whole, 100 * times.get("profiler", 0) / whole)
        idle = re.search(r"([\d.]+%) with the GPU idle", note)
        if idle:
            rows = {row["role"]: row["percent"] for row in side.reports.rows("overview")["average"]}
            share(idle[1], rows["DataLoader"] or 0, 0.1)
    elif label == "Useful":
        sums = step_rows(side, ("useful_s", "inclusive_s"))
        share(value, 100 * sums["useful_s"] / sums["inclusive_s"], 1.0)
    elif label == "Wall time":
        says(value, (side.meta["wall_s"], "s"))
    elif label == "GPU runs kernels":
        said = re.search(r"[Kk]ernels run for ([0-9.]+%)", side.reports.run("overview")["verdict"] or "")
        if said:
            known(said[1] == value, value, f"the verdict says {said[1]}")
        else:
            average = {row["role"]: row["percent"] for row in side.reports.rows("overview")["average"]}
            share(value, average["Kernel"] or 0, 0.1)
    elif label in ("Step", "Whole run"):
        says(value, (side.reports.total("overview")["total_s"], "s"))
        says(note, (len(side.reports.rows("overview")["steps"]) if note else None, ""))
    elif label.startswith("GPU "):
        row, = [row for row in side.reports.rows("overview")["gpus"] if row["gpu"].split()[0] == label.split()[1]]
        share(value, row["utilization_percent"])
    elif label == "Peak memory":
        most = max(row.get("process_rss_bytes_max") or 0 for table in side.reports.section("devices")["tables"] for row in [table["total"] or {}, *table["rows"]])
        says(value, (most / 2**20, "MiB"))
    else:
        raise Disagreement(f"no rule for the card {label}")


def check_whole(item, side, _):
    says(" ".join(item["texts"]), (side.account()["account"][0]["time_s"], "s"))


def check_part(item, side, _):
    """A part of a bar, in whole and by link; the bars' data are compared with the account (agree.py, page_figures.py)."""
    text = (item["titles"] or [" ".join(item["texts"])])[0]
    bars = [(split, part) for split in (side.run["account"], side.run["split"]) if split for part in split["parts"]]
    small = re.match(r"\d[\d,]* smaller part", text)
    fitting = [(split, part) for split, part in bars if text.startswith(part["name"] + " ")]
    for split, part in fitting:
        whole = sum(each["ns"] for each in split["parts"])
        try:
            says(without(text, part["name"]), (100 * part["ns"] / whole, "%"), (part["ns"] / 1e9, "s"))
        except Disagreement:
            # Shares that add up to 100 % are off by a tenth where the last digit is rounded.
            (value, _, _), time = quantities(without(text, part["name"]))[0], quantities(without(text, part["name"]))[1]
            if abs(value - 100 * part["ns"] / whole) > 0.1 or abs(time[0] - part["ns"] / 1e9) > time[1]:
                continue
        for link in item["links"]:
            leads(link, part["name"], side)
        return
    rest = re.fullmatch(r"(\d+) more", text)
    if rest:
        return known(int(rest[1]) < max(len(split["parts"]) for split, _ in bars), text, "no bar has as many parts")
    known(small, text, f"no part of a bar has these figures: {[(part['name'], part['ns']) for _, part in fitting]}")


def check_verdict(item, side, _):
    text = item["texts"][0]
    said = [side.reports.run("overview")["verdict"] or ""] + [
        line for view in side.data["shared"] for table in view["tables"] for line in table["preamble"]]
    words = re.sub(r"^Rank \d+ alone:", "", " ".join(each for each in item["texts"] if each != "show")).strip().lower()
    words = re.sub(r"\s+", " ", words).replace(" :", ":").replace(",", "")
    known(any(re.sub(r"^verdict: ", "", re.sub("[`,]", "", each).lower()) in words for each in said if each), text, "no view says so")
    for link in item["links"]:
        if link["names"] and side.meta.get("verdict_phase"):
            known(link["names"][-1] == side.meta["verdict_phase"], text, f"it leads to {link['names']}")
        elif link["tab"] != "tree":
            known(any(view["name"] == link["tab"] for view in side.data["shared"] + side.run["views"]), text, f"there is no tab {link['tab']}")


def check_advice(item, side, _):
    text = " ".join(item["texts"])
    notes = [note for table in side.reports.section("overview")["tables"] if table["id"] == "recommendations" for note in table["notes"]]
    rows = side.reports.rows("overview").get("recommendations", [])
    for note, row in zip(notes, rows):
        words = note.partition(": ")[2].replace("`", "")
        plain = lambda each: re.sub(r"[\s,`]+", " ", each)
        if not plain(text).startswith(plain(words)[:60]):
            continue
        saved = re.search(r"saves up to (.*?)(?: show)?$", text)
        if saved:
            says(saved[1], (row["saves_s"], "s"))
        for link in item["links"]:
            if link["names"]:
                known(row["rows"].startswith(link["names"][-1]), text, f"it leads to {link['names']}, and rests on {row['rows']}")
        return
    known(any(text.replace("`", "").startswith(each["text"].replace("`", "")[:60]) and each.get("saves") is None
              for each in side.run["advice"]), text, "the overview has no such advice")


def check_footer(item, side, _):
    text = " ".join(item["texts"])
    said = " ".join(side.reports.read("--view", "overview", "--width", "10000").split()).replace(",", "")
    version = subprocess.run([side.reports.loopscope, "--version"], capture_output=True, text=True, check=True).stdout
    plain = " ".join(text.replace(",", "").split())
    known(plain in said or plain.startswith("Not on this page:") or plain.removeprefix("Made by ").rstrip(".") in version.strip(), text, "no report says so")


HELP = {}


def check_commands(item, side):
    """A command that the page names has its options."""
    for code in item["code"]:
        words = code.split()
        if words[:1] != ["loopscope"] or len(words) < 2:
            continue
        if words[1] not in HELP:
            HELP[words[1]] = subprocess.run([side.reports.loopscope, words[1], "--help"], capture_output=True, text=True, check=False).stdout
        for option in re.findall(r"--[a-z][a-z-]*", code.partition(" -- ")[0]):
            known(option in HELP[words[1]], code, f"there is no {option}")


def check_any(*_):
    """Nothing but names."""
