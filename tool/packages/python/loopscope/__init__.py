# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loopscope's tables in Python: what `loopscope report` shows, as rows or pandas' data frames.

    import loopscope
    tree = loopscope.table("run.loopscope", "tree")     # a DataFrame; needs pandas
    rows = loopscope.rows("run.loopscope", "steps")     # dictionaries; needs nothing

The figures are the tool's own: this module runs it and reads its json.
"""
import json
import os
import shutil
import subprocess
import sys

__all__ = ["tool", "tables", "rows", "table", "literal", "graphframe"]


def tool():
    """The path of the program loopscope: beside this Python, else the one that PATH finds.
    FileNotFoundError if there is none."""
    beside = os.path.join(os.path.dirname(sys.executable), "loopscope")
    here = os.path.dirname(os.path.abspath(__file__))
    # PREFIX/lib/pythonX.Y/site-packages/loopscope
    prefix = os.path.join(here, *[os.pardir] * 4, "bin", "loopscope")
    for path in (os.path.normpath(prefix), beside, shutil.which("loopscope")):
        if path and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the program loopscope isn't installed beside Python nor in PATH")


def tables(profile, view="tree", *options):
    """The tables of VIEW of PROFILE, a path, as the tool's json has them; OPTIONS are further words of
    `loopscope report`. ValueError with the tool's own message if it can't make them."""
    command = [tool(), "report", "--view", view, "--format", "json", *options, os.fspath(profile)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return [table_ for section in json.loads(done.stdout)["sections"] for table_ in section["tables"]]


def _flat(row, above):
    path = (*above, row["name"]) if "name" in row else above
    values = {key: value for key, value in row.items() if key != "children"}
    if "children" in row:
        values["path"] = " > ".join(path)
    yield values
    for child in row.get("children", ()):
        yield from _flat(child, path)


def rows(profile, view="tree", *options):
    """All rows of the tables of VIEW as dictionaries, with the table's id as `table`. Rows of a tree come
    parents first, with the names from the root on as `path`. Empty cells are None."""
    return [{"table": each["id"], **values}
            for each in tables(profile, view, *options)
            for row in each["rows"]
            for values in _flat(row, ())]


def _type(values):
    """pandas' type for a column, by the cells that aren't empty."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int}:
        return "Int64"
    if kinds and kinds <= {int, float}:
        return "float64"
    return "string" if kinds == {str} else "boolean" if kinds == {bool} else "object"


def table(profile, view="tree", *options):
    """rows() as a pandas.DataFrame: whole numbers as Int64, others as float64, texts as strings. Missing
    cells are missing values, never zeros."""
    import pandas  # pylint: disable=import-outside-toplevel
    all_rows = rows(profile, view, *options)
    names = list(dict.fromkeys(name for row in all_rows for name in row))
    return pandas.DataFrame({name: pandas.Series(values, dtype=_type(values))
                             for name in names
                             for values in [[row.get(name) for row in all_rows]]})


def literal(profile):
    """The call paths of all threads in the form that Hatchet's GraphFrame.from_literal() takes, with times
    in seconds: `time` is a call path's own, `time (inc)` that with its callees."""
    def node(row):
        result = {"frame": {"name": row["name"], "type": row["kind"]},
                  "metrics": {"time": row["self_s"] or 0.0, "time (inc)": row["inclusive_s"] or 0.0,
                              "calls": row["calls"] or 0}}
        children = [node(child) for child in row.get("children", ())]
        return {**result, "children": children} if children else result
    return [node(row) for each in tables(profile) for row in each["rows"]]


def graphframe(profile):
    """literal() as a hatchet.GraphFrame; needs hatchet."""
    import hatchet  # pylint: disable=import-outside-toplevel
    return hatchet.GraphFrame.from_literal(literal(profile))
