"""Figures of tables, keys, call paths, source and timeline."""
import os
import re

from page_timeline import windows_of
from reports import Disagreement
from shown_values import known, quantities, says, share, without


def check_tree_row(item, side, _):
    """A row of call paths has the cells of the page's data."""
    node = item["node"]
    columns = {column["header"]: column for column in side.run["tree"]["columns"]}
    for header, text in zip(item["header"], item["cells"]):
        column = columns.get(header)
        if column is None or column["style"] == "text":
            continue
        cell = side.nodes[node][5][side.at[column["key"]]]
        if isinstance(cell, list):
            known(text == cell[1], text, f"{header} of {side.name(node)} is {cell}")
        elif text != "–":
            unit, scale = {"time": ("s", 1e9), "percent": ("%", 1)}.get(column["style"], ("", 1))
            says(text, (cell / scale, unit))
        else:
            known(not cell, text, f"{header} of {side.name(node)} is {cell}")


def check_table_row(item, side, state):
    """A row of a view's table has the texts of the page's data, and they are of its values."""
    view = next((view for view in side.run["views"] + side.data["shared"] if view["name"] == item["panel"]), None)
    known(view, str(item["cells"]), "no view has this table")
    tables = view["tables"] if len(view["tables"]) <= 3 else [view["tables"][state.get("table", 0)]]
    table = tables[item["table"]]
    cells = [cell for cell, header in zip(item["cells"], item["header"]) if " to " not in header or header in [each["header"] for each in table["columns"]]]
    for row in table["rows"]:
        if [cell if isinstance(cell, str) else cell[1] for cell in row["cells"]] == cells:
            break
    else:
        raise Disagreement(f"{view['name']}: no row of the data is {cells}")
    for column, cell in zip(table["columns"], row["cells"]):
        if isinstance(cell, list) and isinstance(cell[0], (int, float)) and column["key"].endswith("_s") and "_per_" not in column["key"]:
            for value, within, unit in quantities(cell[1]):
                known(unit != "s" or abs(abs(value) - abs(cell[0])) <= within + 1e-12, cell[1], f"{column['key']} is {cell[0]}")
    if row.get("nodes"):
        check_choice(item, side, table, row)


def check_choice(item, side, table, row):
    """The call paths that a row leads to have its calls and its time together, where it has such."""
    keys = {column["key"]: cell[0] for column, cell in zip(table["columns"], row["cells"]) if isinstance(cell, list)}
    for link in item["links"]:
        known(link["node"] == row["nodes"][0], link["text"], f"it leads to {link['names']}")
    for ours, theirs, scale in (("calls", "calls", 1), ("ncalls", "calls", 1), ("total_s", "total", 1e9), ("inclusive_s", "total", 1e9)):
        if ours in keys and item["panel"] in ("simple", "throughput", "summary"):
            sum_of = sum(side.cell(node, theirs) or 0 for node in row["nodes"]) / scale
            known(abs(sum_of - (keys[ours] or 0)) <= 1e-9 * max(1, len(row["nodes"])) + 1e-9 * abs(sum_of), str(item["cells"]), f"{ours} of its call paths is {sum_of}")


def check_choices(item, side, _):
    """Of many tables one is chosen by its title."""
    view = next(view for view in side.run["views"] + side.data["shared"] if view["name"] == item["panel"])
    titles = [table["title"] or table["id"] for table in view["tables"]]
    known([re.sub(r", \d+$", "", text) for text in item["texts"]] == titles, str(item["texts"]), f"the tables are {titles}")


def check_note(item, side, _):
    """What stands beside a table is the view's, or counts its rows."""
    text = " ".join(item["texts"])
    if item["labels"]:
        text = re.sub(r"^(Table: |Filter rows of )|, \d+$", "", item["labels"][0])
    view = next((view for view in side.run["views"] + side.data["shared"] if view["name"] == item["panel"]), None)
    lines = list(side.run["tree"]["notes"])
    for table in view["tables"] if view else ():
        lines += table["notes"] + table["preamble"] + [table["title"]]
    plain = lambda each: re.sub(r"[`\s,]+", "", each)
    if any(plain(text) == plain(line) for line in lines):
        return
    counts = re.fullmatch(r"Show all ([\d,]+) rows|([\d,]+) tables|([\d,]+) of [\d,]+ rows|([\d,]+) more rows are not on this page.*", text)
    known(counts or "call path" in text, text, "the view has no such line")
    if counts and counts[1]:
        known(any(len(table["rows"]) == int(counts[1].replace(",", "")) for table in view["tables"]), text, "no table has as many")
    if counts and counts[2]:
        known(len(view["tables"]) == int(counts[2]), text, "there are others")


def family_of(side, state):
    return next(each for each in side.run["tree"]["families"] if each["node"] == state["node"])


def key_figures(side, family, index):
    whole = next(each for each in family["measures"] if each["key"] == "total")["ns"]
    share_of = 100 * whole[index] / side.cell(family["node"], "total")
    return [(each["ns"][index] / 1e9 if each["ns"][index] else None, "s") for each in family["measures"]] + [(family["keys"][index][1], ""), (share_of, "%")]


def check_key_row(item, side, state):
    family = family_of(side, state)
    text, calls, *figures = item["cells"]
    index = [key[0] for key in family["keys"]].index(text)
    known(item["links"][0]["key"] == text, text, f"its link leads to {item['links'][0]['key']}")
    says(calls, (family["keys"][index][1], ""))
    *measures, _, of_phase = key_figures(side, family, index)
    for cell, measure in zip(figures, measures):
        says(cell, measure)
    says(figures[len(measures)], of_phase)
    for cell, value in zip(figures[len(measures) + 1:], family["keys"][index][2:4]):
        says(cell, (value / 1e9 if value else None, "s"))


def check_key_text(item, side, state):
    """Sentences about keys: each time in them is a measure or the median of one, a quantile, or of the timeline."""
    family = family_of(side, state) if "node" in state else None
    families = [family] if family else side.run["tree"]["families"]
    name = [side.name(each["node"]) for each in families]
    keys = [key[0] for each in families for key in each["keys"]]
    times = [value / 1e9 for each in families for measure in each["measures"] for value in [*measure["ns"], measure["median"]] if value is not None]
    cells = [cell for each in families if each["times"] for key in each["times"]["keys"] for cell in key]
    times += [value / 1e9 for cell in cells for value in (cell[2] / cell[1], cell[3])]
    counts = [len(each["keys"]) for each in families] + [key[1] for each in families for key in each["keys"]] + [cell[1] for cell in cells]
    counts += [sum(cell[1] for cell in key) for each in families if each["times"] for key in each["times"]["keys"]]
    counts += [each["times"]["cells"] for each in families if each["times"]]
    counts += [count for each in families for _, count, _ in each["strip"]]
    grid = [part["times"] for part in families if part["times"]]
    edges = [(each["from"] + cell * (each["to"] - each["from"]) / each["cells"]) / 1e9 for each in grid for cell in range(each["cells"] + 1)]
    notes = " ".join(each["note"] for each in families if each["note"])
    for text in item["texts"] + item["titles"] + item["labels"]:
        if "viewBox" in text or text in keys or text in notes:
            continue
        for value, within, unit in quantities(without(re.sub(r"\[[^\]]*\]", "", text), *name, notes)):
            known(unit == "%" or unit == "s" and any(abs(value - each) <= within + 1e-12 for each in times + edges) or
                  unit == "" and value in counts or is_axis(item, text), text, f"{value} {unit} is no figure of a key")


def is_axis(item, text):
    return text in item["texts"] and re.fullmatch(r"[\d.,]+ ?(ns|µs|ms|s)?|0", text)


def check_detail(item, side, state):
    text = " ".join(item["texts"])
    node = state.get("node") or 0
    if item["links"]:
        for link in item["links"]:
            known(link["names"][-1].endswith(link["text"].split("…")[-1][-8:]) or link["text"] in link["names"][-1], link["text"], f"it leads to {link['names']}")
        return
    place = re.search(r"[^ /]+:\d+", text)
    figures = without(text, side.name(node), place[0] if place else None)
    calls = side.cell(node, "calls")
    if quantities(figures):
        says(figures, (side.cell(node, "total") / 1e9, "s"), (calls, ""), ((side.cell(node, "self") or 0) / 1e9, "s"))


def check_sum(item, side, state):
    """What a search finds: times in the tree with and without what is called."""
    text, wanted = " ".join(item["texts"]), state["search"]
    if not quantities(text):
        return
    found = [node for node in range(len(side.nodes)) if wanted in side.name(node).lower()]

    def inside(node):
        above = side.nodes[node][1]
        return above is not None and (above in found or inside(above))

    whole = sum(side.cell(node, "total") for node in range(len(side.nodes)) if side.nodes[node][1] is None)
    says(text, (len({side.name(node) for node in found}), ""), (len(found), ""),
         (100 * sum(side.cell(node, "total") for node in found if not inside(node)) / whole, "%"),
         (100 * sum(side.cell(node, "self") or 0 for node in found) / whole, "%"))


def check_source_row(item, side, _):
    """A line's figures are the page's data (source_page.py compares them with annotate), its link leads to it."""
    place = item["cells"][0]
    files = side.run["sources"]["files"]
    for link in item["links"]:
        name = os.path.basename(files[link["line"][0]][0])
        known(place in (f"{name}:{link['line'][1]}", str(link["line"][1])), place, f"it leads to {name}:{link['line'][1]}")
        if link["place"] and link["names"]:
            known(link["place"].endswith(f"{name}:{link['line'][1]}"), place, f"its call path is at {link['place']}")
    lines = [(os.path.basename(files[file][0]), line) for file, listed in side.run["sources"]["excerpts"] for line in listed if len(line) > 2]
    fitting = [line for name, line in lines if place in (f"{name}:{line[0]}", str(line[0]))]
    cells = dict(zip(item["header"], item["cells"]))
    if not any(quantities(cells.get(key, "")) for key in ("Share", "Self", "Total", "Calls")):
        return

    def agrees(line):
        _, _, calls, total, own, gpu, samples, heat, *_ = [*line, None, None]
        try:
            for key, value in (("Share", (100 * (heat or 0), "%")), ("Self", ((own or 0) / 1e9, "s")), ("Total", ((total or 0) / 1e9, "s")), ("Calls", (calls, ""))):
                if cells.get(key):
                    says(cells[key], value)
            return True
        except Disagreement:
            return False
    known(any(map(agrees, fitting)), str(item["cells"][:5]), f"the lines are {fitting}")


def check_source_note(item, side, _):
    text = " ".join(item["texts"])
    known(any(re.sub(r"[`\s]+", "", note) == re.sub(r"\s+", "", text) for note in side.run["sources"]["notes"]) or "without figures" in text or
          "more with figures" in text or re.search(r":\d+", text) or any(why and why in text for _, why in side.run["sources"]["files"]), text, "no note says so")


def check_timeline_note(item, side, _):
    text, timeline = " ".join(item["texts"]), side.run["timeline"]
    known(text.replace(",", "").startswith(timeline["note"].replace(",", "")) or "Bins are hatched" in text or
          re.sub(r"[`\s]+", "", text) in re.sub(r"[`\s]+", "", timeline["more"] or ""), text, "no note says so")
    spans = sum(track["count"] for track in timeline["tracks"]) if "count" in timeline["tracks"][0] else None
    if spans is not None:
        known(quantities(text)[0][0] == spans, text, f"the tracks have {spans}")


def check_track(item, side, _):
    for text in item["texts"]:
        known(text in ("↑", "×") or any(track["name"] == text for track in side.run["timeline"]["tracks"]), text, "no track is called that")


def check_sum_row(item, side, state):
    """Sums of a range are those of the single spans in it, each cut to it."""
    if "range" not in state or not item["cells"]:
        return
    name, track_name, time, share_of, spans = item["cells"]
    low, high = state["range"]
    timeline = side.run["timeline"]
    total = count = 0
    for track in timeline["tracks"]:
        if track["name"] != track_name or track["columns"]:
            continue
        seen = set()
        for _, _, found in windows_of(track):
            for start, length, path, _ in found:
                inside = min(start + length, high) - max(start, low)
                if timeline["names"][track["paths"][path][0]] == name and inside > 0 and (start, length, path) not in seen:
                    seen.add((start, length, path))
                    total += inside
                    count += 1
    if count:
        says(time, (total / 1e9, "s"))
        says(share_of, (100 * total / (high - low), "%"))
        says(spans, (count, ""))


def check_range(item, side, state):
    low, high = state["range"]
    text = " ".join(item["texts"])
    if "selected" in text:
        says(text, ((high - low) / 1e9, "s"))


def check_roofline(item, side, _):
    """Points are the view's rows (page_figures.py); a link leads to the phase it names."""
    points = side.run["roofline"]["points"]
    for link in item["links"]:
        known(any(point["name"] == link["names"][-1] == link["text"] for point in points), link["text"], f"it leads to {link['names']}")
    text = " ".join(item["texts"])
    for point in points if item["links"] else ():
        if text.startswith(point["name"]):
            share(re.search(r"[\d.]+%", text)[0], 100 * point["share"])
