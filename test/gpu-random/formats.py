"""Compares a profile's views in JSON and on the page with those in CSV (whose figures
check.py compares with the truth), and the page's timeline with the truth."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))
from page_timeline import windows_of

RATE, ROUNDING = 1e-4, 3e-9  # as in check.py; starts and lengths are rounded separately
NO_PAGE = "npm"  # in the error message of a build without the page


def report(loopscope, path, *options):
    result = subprocess.run([loopscope, "report", path, *options], check=False,
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(options)}: {result.stderr.strip()}")
    return result.stdout


def with_children(rows):
    for row in rows:
        yield {key: value for key, value in row.items() if key != "children"}
        yield from with_children(row.get("children", []))


def rows_of_tables(tables):
    for table in tables:
        total = [table["total"]] if "total" in table else []
        is_last = table["id"] in ("steps", "average")  # in CSV and on the page
        yield from with_children([] if is_last else total)
        yield from with_children(table["rows"] + (total if is_last else []))


def json_rows(loopscope, path, view):
    """All rows of a view, in CSV's form."""
    text = report(loopscope, path, "--view", view, "--format", "json")
    return [row for section in json.loads(text)["sections"]
            for row in rows_of_tables(section["tables"])]


def same(text, value):
    """Whether a CSV cell and a JSON value are equal."""
    if value is None:
        return text == ""
    return text == value if isinstance(value, str) else text != "" and float(text) == value


def check_json(c, view, csv_rows, rows):
    c.equal(f"{view} in json, rows", len(rows), len(csv_rows))
    for number, (row, cells) in enumerate(zip(rows, csv_rows)):
        for key, value in row.items():
            text = cells.get(key)
            # In CSV, a table's first column is empty in rows of the other table.
            c.equal(f"{view} in json, row {number}, {key}: {value}, csv has {text}",
                    text is not None and same(text, value), True)


def is_part(values, of):
    """Whether OF contains the values in their order."""
    rest = iter(of)
    return all(any(value == other for other in rest) for value in values)


def check_page_view(c, view, rows):
    """The page omits columns meant for programs; recommendations are a list."""
    rows = [row for row in rows if "rule" not in row]
    shown = [row for table in view["tables"] for row in table["rows"]]
    c.equal(f"{view['name']} on the page, rows", len(shown), len(rows))
    for number, (cells, row) in enumerate(zip(shown, rows)):
        values = [cell if isinstance(cell, str) else cell[0] for cell in cells["cells"]]
        c.equal(f"{view['name']} on the page, row {number}: {values} of {list(row.values())}",
                is_part(values, row.values()), True)


def check_page_tree(c, tree, rows):
    """The page's call paths, without the roots of threads, are the tree's rows, in
    nanoseconds."""
    keys = [column["key"] for column in tree["columns"]]
    shown = [(name, dict(zip(keys, cells)))
             for name, parent, _, _, _, cells, _ in tree["nodes"] if parent is not None]
    rows = [row for row in rows if not row["name"].startswith("(") and row["kind"] not in ("total", "gpu")]
    c.equal("call paths of the page", [name for name, _ in shown], [row["name"] for row in rows])
    for (name, cells), row in zip(shown, rows):
        for page, view in (("total", "inclusive_s"), ("self", "self_s"), ("gpu_s", "gpu_s")):
            if page in cells:
                c.near(f"{name} on the page, {view}", plain(cells[page]) * 1e-9, row[view] or 0, ROUNDING)


def plain(cell):
    """A cell's value; some cells have a text as well."""
    return (cell[0] if isinstance(cell, list) else cell) or 0


def check_timeline(c, timeline):
    """The pieces of work of each stream; the page has nanoseconds."""
    true = {}
    for w in c.truth.timed:
        true.setdefault(f"GPU {w.device} stream {w.stream}", []).append(w)
    found = {}
    for track in timeline["tracks"]:
        if track["name"].startswith("GPU "):
            found[track["name"]] = [(start, length, timeline["names"][track["paths"][path][0]])
                                    for _, _, spans in windows_of(track)
                                    for start, length, path, _ in spans]
    c.equal("streams of the page", sorted(found), sorted(true))
    if not true or sorted(found) != sorted(true):
        return
    began = min(w.start for works in true.values() for w in works)
    begin = min(span[0] for spans in found.values() for span in spans)
    for name, works in true.items():
        spans = sorted(found[name])
        c.equal(f"{name}, pieces", len(spans), len(works))
        for span, w in zip(spans, sorted(works, key=lambda w: w.start)):
            at = (w.start - began) * 1e-9
            c.near(f"{name}, start", (span[0] - begin) * 1e-9, at, RATE * at + ROUNDING)
            length = (w.end - w.start) * 1e-9
            c.near(f"{name}, length", span[1] * 1e-9, length, RATE * length + ROUNDING)
            if w.name != "-":
                c.equal(f"{name}, kernel", span[2], w.name)


def check_page(c, loopscope, path, rows):
    """Compares ROWS of views, in JSON's form. Does nothing if this build has no page."""
    try:
        page = report(loopscope, path, "--format", "html", "-o", "-")
    except RuntimeError as error:
        if NO_PAGE in str(error):
            return
        raise
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
    if "tree" in rows:
        check_page_tree(c, data["runs"][0]["tree"], rows["tree"])
    for view in data["runs"][0]["views"]:
        if view["name"] in rows:
            check_page_view(c, view, rows[view["name"]])
    if data["runs"][0]["timeline"] and not data["runs"][0]["timeline"]["more"]:
        check_timeline(c, data["runs"][0]["timeline"])
