"""Checks that tables in documents have the columns that the tools print.

usage: doc_outputs.py SOURCE_ROOT PRINTED...
       doc_outputs.py tree DOCUMENT PRINTED

PRINTED are files of the tools' output, such as docs/reports.md, which a test keeps up
to date. Columns of other views are taken from the sources. A table in a document is a
line with a rule of dashes below it. Its columns must be those of a printed table, in
the same order; some may be missing, as on a narrow terminal. Prints FILE:LINE of each
wrong table; exits 1 if there are any.

tree: checks that PRINTED has all rows of DOCUMENT's tree, with the same depth, name and
calls.
"""
import pathlib
import re
import sys

DOCUMENTS = ("README.md", "docs/*.md", "docs/examples/README.md", "docs/examples/*/README.md")


def headers(text):
    """Line number and columns of each table of TEXT."""
    lines = text.split("\n")
    rule = re.compile(r"\s*-{20,}")
    for number, line in enumerate(lines[:-1], 1):
        # A row of totals has a rule above it, too.
        if line.strip() and rule.fullmatch(lines[number]) and not rule.fullmatch(lines[number - 2]):
            yield number, re.split(r" {2,}|\t", line.strip())


def is_within(few, many):
    """Whether MANY contains FEW in the same order, with the same first element."""
    rest = iter(many)
    return few[0] == many[0] and all(column in rest for column in few)


def tree_rows(text):
    """Depth, name and calls of each row of the first tree in TEXT."""
    rows, end = [], None
    for line in text.split("\n"):
        if end is None:
            if re.match(r"Phase +Total .* Calls ", line):
                end = line.index("Calls") + len("Calls")
        elif not line.strip():
            break
        elif not line.startswith("-"):
            name = re.split(r" {2,}", line.lstrip())[0]
            rows.append((len(line) - len(line.lstrip()), name, line[:end].split(" ")[-1]))
    return rows


def check_tree(document, printed):
    rows = tree_rows(pathlib.Path(document).read_text(encoding="utf-8"))
    known = tree_rows(pathlib.Path(printed).read_text(encoding="utf-8"))
    wrong = [row for row in rows if row not in known]
    for depth, name, calls in wrong:
        print(f"no such row: {' ' * depth}{name}, {calls} calls")
    print(f"{len(rows)} rows, {len(wrong)} of them wrong")
    return not wrong


def main():
    if sys.argv[1] == "tree":
        sys.exit(not check_tree(*sys.argv[2:]))
    root = pathlib.Path(sys.argv[1])
    printed = [columns for path in sys.argv[2:]
               for _, columns in headers(pathlib.Path(path).read_text(encoding="utf-8"))]
    sources = [re.findall(r'"([^"\n]+)"', path.read_text(encoding="utf-8"))
               for path in (root / "lib/Report/Views").glob("*.cpp")]
    count = wrong = 0
    for path in sorted(path for pattern in DOCUMENTS for path in root.glob(pattern)):
        for number, columns in headers(path.read_text(encoding="utf-8")):
            count += 1
            if not any(is_within(columns, other) for other in printed) and not any(
                    all(column in texts for column in columns) for texts in sources):
                print(f"{path.relative_to(root)}:{number}: no tool prints: {'  '.join(columns)}")
                wrong += 1
    print(f"{count} tables, {wrong} of them wrong")
    sys.exit(bool(wrong))


main()
