"""Saves all of loopscope's output, to show what a change in the sources changes.

usage: frozen.py save DIR [--bin build/bin/loopscope] [--inputs INPUTS] [--extra PATH...]
       frozen.py compare DIR_A DIR_B [--cap LINES]

save writes to DIR what loopscope prints for each profile and trace of the tests: every
view in every format, every export, a diff of each file with the next one, the files of
a test merged, and each command of the tests themselves. Each file in DIR has the
command, the exit code, the messages and the output. INPUTS (default: "inputs" next to
DIR) is made once, from the tests of the build that --bin belongs to; use the same one
for both states. --extra adds profiles and traces, or folders of them.

compare lists the differences between two states, cell by cell: files with the same
difference together, up to LINES (40) lines for each difference. The last line is "N
outputs, M changed". Exits 1 if any changed.

Output is kept unchanged, with two exceptions: of an HTML page, the data and a hash of
the rest; binary formats are converted to text.
"""
import argparse
import concurrent.futures
import csv
import difflib
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

import frozen_inputs
import protobuf



def named(pattern, path):
    """The names that the rows of a source have."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return re.findall(pattern, file.read())


VIEWS = named(r'X\("(\w+)",', "runtime/include/loopscope/view_names.h")
FORMATS = ("text", "markdown", "csv", "json")
EXPORTS = named(r'\{"(\w+)", "\.', "lib/Report/Commands/ExportCommand.cpp")
PAGE_DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.S)
# CSV columns that identify a row.
FRONT_COLUMNS = ("stage", "table", "threads", "input", "file", "rank", "thread")
FORMAT_OF = {"chrome": "json", "speedscope": "json", "cpuprofile": "json", "html": "json", "tensorboard-json": "json",
             "csv": "csv", "json": "json", "markdown": "markdown"}


def inputs_of(store):
    """Names of all inputs, relative to the store. Follows links, so that files from
    elsewhere can be linked in."""
    found = []
    for folder, _, names in os.walk(store, followlinks=True):
        found += [os.path.relpath(os.path.join(folder, name), store) for name in names
                  if name != frozen_inputs.COMMANDS]
    return sorted(found)


def link_extra(store, paths):
    """Links the profiles and traces among the paths into the store."""
    extra = os.path.join(store, "extra")
    shutil.rmtree(extra, ignore_errors=True)
    for path in paths:
        found = [path] if os.path.isfile(path) else [
            os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
            if name.endswith((".loopscope", ".pt.trace.json", ".pt.trace.json.gz"))]
        for each in found:
            os.makedirs(extra, exist_ok=True)
            os.symlink(os.path.abspath(each), os.path.join(extra, os.path.basename(each)))


def jobs(store):
    """All outputs to make: (file, arguments, columns)."""
    names = inputs_of(store)
    distinct = {}
    for name in names:
        with open(os.path.join(store, name), "rb") as file:
            distinct.setdefault(hashlib.sha256(file.read()).digest(), name)
    names = sorted(distinct.values())
    tests = {}
    for name in names:
        tests.setdefault(os.path.dirname(name), []).append(name)
    for folder, inputs in itertools.chain(
            ((name, [name]) for name in names),
            ((f"{folder}/merged", [*group, "--merge"])
             for folder, group in tests.items() if 1 < len(group) < 9)):
        for view in VIEWS:
            for form in FORMATS:
                yield f"{folder}/{view}.{form}", ["report", *inputs, "--view", view,
                                                  "--format", form], "120"
        for view in ("overview", "operators", "kernels"):
            yield f"{folder}/{view}.tensorboard-json", [
                "report", *inputs, "--view", view, "--format", "tensorboard-json"], "120"
        yield f"{folder}/page.html", ["report", *inputs, "--format", "html"], "120"
    for name, after in zip(names, names[1:] + names[:1]):
        for form in EXPORTS:
            yield f"{name}/export.{form}", ["export", name, "--to", form], "120"
        for form in FORMATS:
            yield f"{name}/diff.{form}", ["diff", name, after, "--format", form], "120"
    with open(os.path.join(store, frozen_inputs.COMMANDS), encoding="utf-8") as file:
        for line in file:
            command = json.loads(line)
            words = " ".join(command["arguments"])
            label = re.sub(r"[^\w.=-]+", "_", words)[:120]
            digest = hashlib.sha256(line.encode()).hexdigest()[:8]
            form = next((each for each in ("html", *EXPORTS, *FORMATS, "tensorboard-json")
                         if each in command["arguments"]), "text")
            yield f"commands/{label}-{digest}.{form}", command["arguments"], command["columns"]


def records(data):
    """The payloads of TensorBoard's records."""
    at = 0
    while at < len(data):
        size, = struct.unpack_from("<Q", data, at)
        yield data[at + 12:at + 12 + size]
        at += 16 + size


def dump_sqlite(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with sqlite3.connect(file.name) as base:
            return "\n".join(base.iterdump())


def readable(output, form):
    """The output as text. Binary output, and the parts that aren't ours, are rewritten."""
    if form == "perfetto" and output:
        return "\n".join(protobuf.lines(output))
    if form == "tensorboard" and output:
        return "\n".join(line for record in records(output) for line in protobuf.lines(record))
    if form == "sqlite" and output:
        return dump_sqlite(output)
    text = output.decode("utf-8", "surrogateescape")
    if form == "html":
        data = PAGE_DATA.search(text)
        if data:
            rest = PAGE_DATA.sub(r"\1\3", text).encode("utf-8", "surrogateescape")
            return json.dumps({"page": hashlib.sha256(rest).hexdigest(),
                               "data": json.loads(data[2])}, indent=0, ensure_ascii=False)
    return text


def save_one(program, store, folder, job):
    name, arguments, columns = job
    environment = dict(os.environ, COLUMNS=columns, NO_COLOR="1", LC_ALL="C.UTF-8", TZ="UTC")
    command = [program, *arguments]
    if arguments[0] == "export":
        command += ["-o", "-"]
    try:
        done = subprocess.run(command, cwd=store, env=environment, capture_output=True,
                              check=False, stdin=subprocess.DEVNULL, timeout=60)
        code, output, messages = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, output, messages = "timeout", b"", b""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    width = f"COLUMNS={columns} " if columns != "120" else ""
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(f"$ {width}loopscope {' '.join(arguments)}\nexit {code}\n")
        for line in messages.decode("utf-8", "surrogateescape").splitlines():
            file.write(f"! {line}\n")
        file.write("\n")
        file.write(readable(output, name.rsplit(".", 1)[1]))


def save(options):
    folder = os.path.abspath(options.dir)
    program = os.path.abspath(options.bin)
    store = os.path.abspath(options.inputs or os.path.join(os.path.dirname(folder), "inputs"))
    if os.path.exists(folder):
        sys.exit(f"frozen.py: {options.dir} is there already")
    if not os.path.exists(store):
        frozen_inputs.make(store, program)
    link_extra(store, options.extra)
    # From here on, commands contain no absolute path.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        count = sum(1 for _ in pool.map(
            lambda job: save_one(program, store, folder, job), list(jobs(store))))
    print(f"{options.dir}: inputs: {len(inputs_of(store))}, outputs: {count}")
    return 0


def leaves(value, place=""):
    """A JSON value's cells. Elements of an array are identified by their names if they
    have any."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, f"{place}.{key}")
    elif isinstance(value, list) and value:
        for at, each in enumerate(value):
            keys = each if isinstance(each, dict) else {}
            name = keys.get("name", keys.get("action", at))
            yield from leaves(each, f"{place}[{name}]")
    else:
        yield f"{place} = {json.dumps(value, ensure_ascii=False)}"


def csv_cells(text):
    """Cells of a table. Identifying columns aren't cells of their own."""
    header = None
    for row in csv.reader(io.StringIO(text)):
        if header is None:
            header = row
            yield "columns: " + ", ".join(row)
        else:
            pairs = list(itertools.zip_longest(header, row, fillvalue="?"))
            name = next((value for key, value in pairs
                         if key not in FRONT_COLUMNS and value), "")
            yield from (f"{name}: {key} = {value}" for key, value in pairs)


def text_cells(text):
    """Cells separated by two spaces or a table's bars; ruled lines are only layout."""
    for line in text.splitlines():
        cells = [each.strip() for each in re.split(r"\s{2,}|(?<!\\)\|", line) if each.strip(" -:")]
        yield cells[0] if len(cells) == 1 else ""
        if len(cells) > 1:
            yield from (f"{cells[0]} | {at}: {each}" for at, each in enumerate(cells[1:], 1))


def cells(path):
    """The contents of a saved file: command, exit code and messages, and cells."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        head, _, body = file.read().partition("\n\n")
    form = FORMAT_OF.get(path.rsplit(".", 1)[1], "text")
    try:
        if form == "json" and body:
            found = list(leaves(json.loads(body)))
        elif form == "csv":
            found = list(csv_cells(body))
        else:
            found = list(text_cells(body))
    except (ValueError, csv.Error):
        found = body.splitlines()
    return head.splitlines() + found, body.splitlines()


def difference(before, after):
    """The changed lines, with - and +."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before, after = before[start:len(before) - end], after[start:len(after) - end]
    if len(before) * len(after) > 4_000_000:
        return [f"- {len(before)} cells", f"+ {len(after)} cells"]
    return [line for line in difflib.unified_diff(before, after, n=0, lineterm="")
            if not line.startswith(("---", "+++", "@@"))]


def changes(before, after):
    first, second = cells(before), cells(after)
    found = difference(first[0], second[0])
    if not found:
        found = ["(layout)", *difference(first[1], second[1])]
    return found


def compare(options):
    names = {each: set(inputs_of(each)) for each in (options.before, options.after)}
    every = sorted(set.union(*names.values()))
    changed, groups = 0, {}
    for name in every:
        paths = [os.path.join(each, name) for each in names]
        if not all(name in each for each in names.values()):
            text = ("only in " + next(each for each in names if name in names[each]),)
        else:
            contents = []
            for path in paths:
                with open(path, "rb") as file:
                    contents.append(file.read())
            if contents[0] == contents[1]:
                continue
            text = tuple(changes(*paths))
        changed += 1
        groups.setdefault(text, []).append(name)
    for text, members in groups.items():
        print(*members, sep="\n")
        for line in text[:options.cap]:
            print("    " + line.encode("utf-8", "replace").decode())
        if len(text) > options.cap:
            print(f"    ... {len(text) - options.cap} more lines")
    print(f"{len(every)} outputs, {changed} changed")
    return 1 if changed else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("save")
    one.add_argument("dir")
    one.add_argument("--bin", default="build/bin/loopscope")
    one.add_argument("--inputs")
    one.add_argument("--extra", action="append", default=[])
    one.set_defaults(run=save)
    two = commands.add_parser("compare")
    two.add_argument("before")
    two.add_argument("after")
    two.add_argument("--cap", type=int, default=40)
    two.set_defaults(run=compare)
    options = parser.parse_args()
    sys.exit(options.run(options))


if __name__ == "__main__":
    main()
