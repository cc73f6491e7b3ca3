"""Names and rankings of functions, for ranking.py. No files, no processes.

A measure is {function: [its share of the program in round 1, in round 2, ...]}.
"""
import collections
import itertools
import re

# Operators whose names contain characters that open templates or parameters.
OPERATOR = re.compile(r"\boperator *(<=>|<<=?|>>=?|->\*?|<=|>=|<|>|\(\))")


def qualified(name):
    """The qualified name in NAME, which perf, callgrind or our report wrote: without
    return type, parameters, template arguments, unnamed namespaces, and compilers'
    suffixes for copies of a function. A function inside another one, such as a lambda,
    gets both names."""
    name = re.sub(r"'\d+$", "", name)  # callgrind's recursion levels
    name = re.sub(r" ?\[clone [^]]*\]", "", name)
    name = re.sub(r"(\.(constprop|isra|part|cold|lto_priv)(\.\d+)?)+$", "", name)
    name = re.sub(r"(\(anonymous namespace\)|\{anonymous\})(::)?|\[abi:\w+\]", "", name)
    name = OPERATOR.sub(lambda found: "operator" + found[1].translate(
        {ord(each): word for each, word in zip("<>=-*()", ("lt", "gt", "eq", "minus", "star",
                                                           "call", ""))}), name)
    for brackets in (r"<[^<>]*>", r"\([^()]*\)( const| volatile| noexcept| &&?)*"):
        previous = None
        while previous != name:
            previous, name = name, re.sub(brackets, "", name)
    name = name.strip()
    before, operator, after = name.partition("operator ")
    return before.rpartition(" ")[2] + operator + after


def shares(costs):
    """{function: its share of the sum} for {function: cost}."""
    whole = sum(costs.values())
    return {name: cost / whole for name, cost in costs.items()} if whole else {}


def measure(rounds):
    """A measure from the shares of each round."""
    names = {name for each in rounds for name in each}
    return {name: [each.get(name, 0.0) for each in rounds] for name in names}


def mean(values):
    return sum(values) / len(values)


def heaviest(of, count):
    """The COUNT functions with the largest mean shares, in order."""
    return sorted(of, key=lambda name: (-mean(of[name]), name))[:count]


def ahead(of, first, second, tie):
    """1 if the measure ranks FIRST before SECOND, -1 if after, 0 if it doesn't
    distinguish them: their mean shares differ by at most TIE, or neither is larger in
    every round."""
    absent = [0.0] * len(next(iter(of.values())))
    one, other = of.get(first, absent), of.get(second, absent)
    if abs(mean(one) - mean(other)) <= tie:
        return 0
    signs = {(a > b) - (a < b) for a, b in zip(one, other)}
    return signs.pop() if len(signs) == 1 else 0


Agreement = collections.namedtuple("Agreement", "pairs same tied opposite")


def agreement(theirs, ours, names, tie):
    """Compares two measures over all pairs of NAMES: the number of pairs, of pairs in
    the same order, of pairs that one of them doesn't distinguish, and the pairs in
    opposite order, as (first by theirs, second)."""
    same, tied, opposite = 0, 0, []
    pairs = list(itertools.combinations(names, 2))
    for first, second in pairs:
        theirs_say, ours_say = ahead(theirs, first, second, tie), ahead(ours, first, second, tie)
        if theirs_say * ours_say > 0:
            same += 1
        elif theirs_say * ours_say == 0:
            tied += 1
        else:
            opposite.append((first, second) if theirs_say > 0 else (second, first))
    return Agreement(len(pairs), same, tied, opposite)


def table(references, report, names, marked):
    """The functions NAMES in Markdown: their mean, smallest and largest shares, by each
    of REFERENCES, {label: measure}, and by the report."""
    place = {name: number for number, name in enumerate(heaviest(report, len(report)), 1)}

    def cell(of, name):
        values = [100 * value for value in of.get(name, [0.0])]
        between = f" ({min(values):.1f} to {max(values):.1f})" if len(values) > 1 else ""
        return f"{mean(values):.1f}%{between}"

    heads = ["", "function", *references, "advanced report", "its place there"]
    lines = ["| " + " | ".join(heads) + " |", "|---:|---|" + "---:|" * (len(heads) - 2)]
    for number, name in enumerate(names, 1):
        cells = [str(number), f"{'~' if name in marked else ''}`{name}`",
                 *(cell(of, name) for of in [*references.values(), report]),
                 str(place.get(name, ""))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
