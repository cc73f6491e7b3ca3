"""Outputs in documents have the columns and the words that the tools print today.

usage: doc_outputs.py SOURCE_ROOT PRINTED...
       doc_outputs.py tree DOCUMENT PRINTED

PRINTED are files with what the tools print, such as docs/reports.md, which a test
compares with them. Of views that these don't have, the sources say the columns.

A document's table is a line with a rule of dashes below it; its columns must be those of
a printed one, in their order; it may have fewer, as on a narrow terminal.

Other lines of output are those of blocks of code that are no commands, of the documents
with commands. Numbers and names may vary in them, words may not: a word beside another
one must stand beside it in PRINTED or in a text of the sources, too, unless it is a whole
text there or has capitals within.

Prints FILE:LINE of others; exits 1 if there are any.

tree: the rows of DOCUMENT's tree are among those of PRINTED, in depth, name and calls.
"""
import pathlib
import re
import sys

import doc_commands

DOCUMENTS = ("README.md", "docs/*.md", "docs/examples/README.md", "docs/examples/*/README.md")
SOURCES = ("lib/**/*.cpp", "lib/**/*.h", "tool/*.cpp", "runtime/**/*.cpp", "runtime/**/*.h")
RULE = re.compile(r"\s*-{20,}")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# What a value stands for in a text of the sources; the ends of lines; columns.
GAP = re.compile(r"\\[nt]|%\w*|[{}|]| {2,}")


def headers(text):
    """Line number and columns of each table of TEXT."""
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):
        # A row of totals has one above it, too.
        if line.strip() and RULE.fullmatch(lines[number]) and not RULE.fullmatch(lines[number - 2]):
            # A column's name may have the run's time, for which the sources have a place.
            yield number, re.split(r" {2,}|\t", re.sub(r"[0-9.]+ [mµn]?s ", "{} ", line.strip()))


def is_within(few, many):
    """Whether FEW are in MANY, in the same order; the first one first."""
    rest = iter(many)
    return few[0] == many[0] and all(column in rest for column in few)


def words_of(text):
    """The words of TEXT in lower case; None for numbers, and for names with capitals or other signs in them."""
    for word in text.replace("`", "").split(" "):
        word = re.sub(r"^[(\"'\[]+|[.,;:)\"'\]!?]+$", "", word)
        yield word.lower() if re.fullmatch(r"[A-Z]?[a-z]+(?:'[a-z]+)?|[A-Z]+", word) else None


def pairs_of(text):
    """Pairs of words with nothing but a blank between them."""
    tokens = text.replace("`", "").split(" ")
    words = list(words_of(text))
    for i in range(len(words) - 1):
        # A comma or a colon ends a part of a sentence, which may be a text of its own.
        if words[i] and words[i + 1] and tokens[i][-1].isalpha() and tokens[i + 1][0].isalpha():
            yield words[i], words[i + 1]


class Printed:
    """What the tools print: words beside each other, words in the place of a value, and words around such a place."""

    def __init__(self):
        self.pairs, self.values, self.around = set(), set(), set()

    def add(self, text):
        for part in GAP.split(text):
            self.pairs.update(pairs_of(part))
            if len(words := [word for word in words_of(part) if word]) == 1:
                (self.values if part == text == text.strip() else self.around).update(words)

    def strange(self, text):
        """The words of TEXT that aren't beside one that they are beside in what is printed."""
        known = set(self.values)
        pairs = list(pairs_of(text))
        for first, second in pairs:
            if (first, second) in self.pairs:
                known.update((first, second))
            known.update({first} & self.around if second in self.values else ())
            known.update({second} & self.around if first in self.values else ())
        return [word for pair in pairs for word in pair if word not in known]


def texts_of(source):
    """The texts of SOURCE; literals that follow each other are one."""
    return [found[1] for found in LITERAL.finditer(re.sub(r'"\s*\n\s*"', "", source))]


def output_lines(text):
    """Line number and parts of each line of output in TEXT that is of no table."""
    rest = enumerate(text.split("\n"), 1)
    for block in doc_commands.blocks(text):
        is_output = any(RULE.fullmatch(line) or line.startswith("$ ") for line in block)
        for line in block:
            number = next(number for number, content in rest if content.endswith(line))
            line = line.strip()
            if not line or doc_commands.PROGRAM.match(line.removeprefix("$ ")):
                continue
            # Elsewhere, such a line is one of a list or of a picture.
            if is_output or not re.search(r"\S {2,}\S", line):
                yield number, re.split(r" {2,}", line)


def tree_rows(text):
    """Depth, name and calls of each row of the first tree in TEXT."""
    rows, end = [], None
    for line in text.split("\n"):
        if end is None:
            if re.match(r"(?:Phase|Heaviest phases) +Total .* Calls ", line):
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


def check_tables(root, outputs, sources):
    printed = [columns for text in outputs for _, columns in headers(text)]
    columns_of_sources = [texts_of(text) for path, text in sources if "lib/Report/Views/" in path]
    count = wrong = 0
    for path in sorted(path for pattern in DOCUMENTS for path in root.glob(pattern)):
        for number, columns in headers(path.read_text(encoding="utf-8")):
            count += 1
            if not any(is_within(columns, other) for other in printed) and not any(
                    all(column in texts for column in columns) for texts in columns_of_sources):
                print(f"{path.relative_to(root)}:{number}: no tool prints: {'  '.join(columns)}")
                wrong += 1
    print(f"{count} tables, {wrong} of them wrong")
    return not wrong


def check_words(root, outputs, sources):
    printed = Printed()
    for text in outputs:
        for line in text.split("\n"):
            printed.add(line)
    for _, text in sources:
        for literal in texts_of(text):
            printed.add(literal)
    count = wrong = 0
    for name in doc_commands.DOCUMENTS:
        path = root / name
        for number, parts in output_lines(path.read_text(encoding="utf-8")) if path.exists() else ():
            count += 1
            strange = dict.fromkeys(word for part in parts for word in printed.strange(part))
            if strange:
                print(f"{name}:{number}: no tool prints: {', '.join(strange)}")
                wrong += 1
    print(f"{count} lines, {wrong} of them wrong")
    return not wrong


def main():
    if sys.argv[1] == "tree":
        sys.exit(not check_tree(*sys.argv[2:]))
    root = pathlib.Path(sys.argv[1])
    outputs = [pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[2:]]
    # The tools' own sources, whichever tree the documents are in.
    ours = pathlib.Path(__file__).resolve().parents[2]
    sources = [(path.relative_to(ours).as_posix(), path.read_text(encoding="utf-8", errors="replace"))
               for pattern in SOURCES for path in ours.glob(pattern)]
    results = [check(root, outputs, sources) for check in (check_tables, check_words)]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
