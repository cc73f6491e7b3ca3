"""What a page says in words, as values to compare."""
import re

from reports import Disagreement

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
# Names and places have digits, too: they follow a letter, or what joins parts of a name.
QUANTITY = re.compile(r"(?<![\w.:#/\[\]-])(< ?|≈ ?)?([+−]?|(?<= )-)(\d[\d,]*(?:\.\d+)?)"
                      r" ?(samples/s|steps/s|MiB|GiB|ns|µs|ms|s|%|W|[kMGTP]?FLOP/s)?(?![\w/:])")


def quantities(text):
    """[(value, how far off it may be, unit)] of TEXT; times are in seconds."""
    found = []
    for sign, minus, digits, unit in QUANTITY.findall(text):
        scale = UNITS.get(unit, 1.0)
        value = float(digits.replace(",", "")) * scale
        within = 0.5 * 10 ** -len(digits.partition(".")[2]) * scale
        if sign.startswith("<"):
            value, within = value / 2, value / 2
        found.append((-value if minus in "−-" and minus else value, within * (1 + 1e-6), "s" if unit in UNITS else unit))
    return found


def says(text, *expected):
    """TEXT has the EXPECTED figures, (value, unit), in their order, and no others. A value of None may not be there; 0
    has no unit."""
    found = quantities(text)
    wanted = [each for each in expected if each[0] is not None]
    if len(found) != len(wanted) or any(unit != other and value or abs(value - known) > within + 1e-12
                                        for (value, within, unit), (known, other) in zip(found, wanted)):
        raise Disagreement(f"'{text}' is shown, known are {wanted}")


def known(condition, text, what):
    if not condition:
        raise Disagreement(f"'{text}' is shown: {what}")


def without(text, *names):
    """TEXT without names that may have digits."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = text.replace(name, "")
    return text


class Side:
    """A run of a page: its data and its reports."""

    def __init__(self, data, index, reports):
        self.data, self.index, self.reports = data, index, reports
        self.run = data["runs"][index]
        self.nodes = self.run["tree"]["nodes"]
        self.at = {column["key"]: place for place, column in enumerate(self.run["tree"]["columns"])}
        self.meta = reports.run("tree")

    def name(self, node):
        return self.nodes[node][0]

    def cell(self, node, key):
        value = self.nodes[node][5][self.at[key]]
        return value[0] if isinstance(value, list) else value

    def account(self):
        return self.reports.rows("account")

    def loops(self):
        return self.account().get("loops", [])


def leads(link, name, side):
    """A link leads to what it names. Names in parentheses are of what is above."""
    target = link["names"][-1] if link["names"] else None
    if target is None or name.startswith("(") or name in ("train", "valid"):
        return
    known(target == name, link["text"], f"it leads to {link['names']}")


def share(text, percent, more=0.0):
    (value, within, unit), = quantities(text)
    known(unit == "%" and abs(value - percent) <= within + more, text, f"known is {percent:.3f} %")
