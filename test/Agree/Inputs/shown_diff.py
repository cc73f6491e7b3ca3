"""Figures of the page of a comparison; diff_page.py compares its data with json."""
import re

from shown_values import known, quantities, says, without

SIDES = ("before", "after")


def comparison(side):
    return side.data["comparison"]


def check_fall(item, side, _):
    """A row of the waterfall, and the row of the table that it leads to."""
    name, _, time, note = item["cells"]
    step = comparison(side)["step"]
    if name in ("Before", "After"):
        whole = step[name.lower()]
        says(time, (whole["ns"] / 1e9, "s"))
        return says(note, (whole["count"] if "mean" in note else None, ""))
    part, = [part for part in step["parts"] if part["name"] == name]
    says(time.replace("±", ""), ((part["after"] - part["before"]) / 1e9, "s"))
    said = [value for value, _, _ in quantities(note)]
    known(not said or said == [round(each, 2) for each in part["spans"]], note, f"the spans are {part['spans']}")
    for link in item["links"]:
        known(link["tab"] == "changes" and link["filter"] == part["row"], name, f"it leads to {link['filter']}")


def check_falls_title(item, side, _):
    text, step = " ".join(item["texts"]), comparison(side)["step"]
    known(all(step[name]["place"] in text for name in SIDES), text, f"the places are {[step[name]['place'] for name in SIDES]}")


def check_falls_note(item, side, _):
    step = comparison(side)["step"]
    start = re.search(r"Bars begin at ([^.]+(?:\.\d+)? [nµm]?s)", " ".join(item["texts"]))
    known(not start or quantities(start[1])[0][0] <= min(step["before"]["ns"], step["after"]["ns"]) / 1e9, str(item["texts"]), "a bar begins before")


def ends_of(curve):
    means = [mean for mean in curve["mean"] if mean is not None]
    return (min(means) / 1e9, "s"), (max(means) / 1e9, "s")


def check_means(item, side, state):
    """Minimum and maximum of the mean step along the runs."""
    curves, axis = comparison(side)["curves"], state.get("axis", "share")
    text = item["labels"][0] if item["labels"] else " ".join(item["texts"])
    if text.startswith("Mean step by"):
        says(text.partition(": ")[2], *[end for name in SIDES for end in ends_of(curves[name][axis])])
    elif ": " in text:
        says(text, *ends_of(curves[text.partition(":")[0]][axis]))
    else:
        processes = curves["processes"]
        says(text, (curves["bins"], ""), (processes if processes > 1 else None, ""), (5, ""))


def check_spread(item, side, _):
    """How many steps there are, their quantiles, and the change of the mean."""
    spread, step = comparison(side)["spread"], comparison(side)["step"]
    text = item["labels"][0] if item["labels"] else " ".join(item["texts"])
    quantiles = lambda name: [(spread[name][key] / 1e9, "s") for key in ("p50", "p95")]
    if text.startswith("Steps by duration: "):
        says(text.partition(": ")[2], *[each for name in SIDES for each in [(spread[name]["steps"], ""), *quantiles(name)]])
    elif "p50" in text:
        says(text, *quantiles(text.partition(":")[0]))
    elif "changed by" in text:
        test = step["test"]
        says(without(text, "95% interval"), *[(test[key], "%") for key in ("percent", "low", "high")])


def check_paths(item, side, _):
    """Each box, and the path that is chosen: before, after, and the change between."""
    paths = comparison(side)["tree"]["paths"]

    def full(index):
        name, above, *_ = paths[index]
        return name if above is None else full(above) + " › " + name

    figures = {full(index): path for index, path in enumerate(paths)}
    said = item["titles"] or [" ".join(item["texts"])]
    for text in said:
        name, _, rest = text.partition(": ")
        if name not in figures:
            known("+ " in text or not quantities(text) or "before alone" in text or "The paths above" in text, text, "no path is called that")
            continue
        _, _, _, before, after, *_ = figures[name]
        rest = re.sub(r", from .*", "", rest).rstrip(".").replace("±", "")
        says(rest, (before / 1e9, "s"), (after / 1e9, "s"), ((after - before) / 1e9, "s"))


def check_differing(item, side, _):
    rows = [[cell if isinstance(cell, str) else cell[1] for cell in row["cells"]] for table in comparison(side)["facts"] for row in table["rows"]]
    known(item["cells"] in rows, str(item["cells"]), f"the facts that differ are {rows}")


def check_side(item, side, _):
    """A side's verdict, and what isn't compared."""
    text = " ".join(" ".join(item["texts"]).split())
    plain = lambda each: re.sub(r"[`\s]+", "", each).lower()
    said = [run["verdict"]["text"] for run in side.data["runs"]] + [run["title"] for run in side.data["runs"]] + comparison(side)["missing"]
    known(any(plain(text) in plain(each) or plain(each) and plain(each) in plain(text) for each in said), text, "no side says so")
