"""Compares the facts that a run reads from random JSON files with what Python's reader finds.

usage: facts.py FILES SEED
"""
import json
import os
import random
import re
import subprocess
import sys

PLAIN = 'ab z09_-.,:{}[]"\\/\t\n\x08é漢😀'
WORDS = ["1", "-", "0", "01", "1.", ".5", "1e5", "1E+2", "-0", "-0.0", "2.50", "1e400", "9" * 25, "1e-400", "tru", "true",
         "false", "null", '"', "\\", "\\u12", "\\ud800", "{", "}", "[", "]", ",", ":", " ", "\n", "é", "NaN", "\x01"]


def text(random_):
    return "".join(random_.choice(PLAIN) for _ in range(random_.randrange(12)))


def value(random_, depth):
    kind = random_.randrange(8 if depth < 3 else 6)
    if kind == 0:
        return random_.choice([True, False, None])
    if kind in (1, 2):
        return random_.randrange(-2**random_.randrange(1, 70), 2**random_.randrange(1, 70))
    if kind == 3:
        return random_.uniform(-1, 1) * 10**random_.randrange(-20, 20)
    if kind in (4, 5):
        return text(random_)
    if kind == 6:
        return [value(random_, depth + 1) for _ in range(random_.randrange(4))]
    return {text(random_): value(random_, depth + 1) for _ in range(random_.randrange(4))}


def damaged(random_, document):
    for _ in range(random_.randrange(3)):
        at = random_.randrange(len(document) + 1)
        document = document[:at] + random_.choice(WORDS) + document[at + random_.randrange(3):]
    return document


def clean(string):
    """As the runtime keeps it, and as reports print it."""
    string = re.sub("[\ud800-\udfff\0]", "\ufffd", string)
    return re.sub("[\0-\x1f\x7f]", "?", string)


def refuse(constant):
    raise ValueError(constant)


def expected(document):
    """The facts in DOCUMENT; none if it isn't an object."""
    try:
        found = json.loads(document, parse_constant=refuse, parse_float=lambda digits: ("number", digits),
                           parse_int=lambda digits: ("number", digits))
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    facts = {}
    for name, each in found.items():
        if isinstance(each, bool):
            facts[clean(name)] = "true" if each else "false"
        elif isinstance(each, str):
            facts[clean(name)] = clean(each)
        elif isinstance(each, tuple):
            facts[clean(name)] = each
    return {name: each for name, each in facts.items() if 0 < len(name.encode()) < 48}


def is_same(given, want):
    if not isinstance(want, tuple):
        return given == want
    digits = want[1]
    if isinstance(given, str):  # more than a double or an int64_t holds
        return given == digits or int(digits) == int(given)
    return (int(digits) if isinstance(given, int) and digits.lstrip("-").isdigit() else float(digits)) == given


def facts_of(document):
    with open("facts.json", "w", encoding="utf-8", newline="") as file:
        file.write(document)
    if os.path.exists("p.loopscope"):
        os.remove("p.loopscope")
    environment = dict(os.environ, LOOPSCOPE="report=none,commit=off,facts=facts.json,output=p.loopscope")
    done = subprocess.run(["./work"], env=environment, capture_output=True, text=True, check=False)
    report = json.loads(subprocess.run(["loopscope", "report", "--view", "simple", "--format", "json", "p.loopscope"],
                                       capture_output=True, text=True, check=True).stdout)
    is_refused = "its facts are left out" in done.stderr
    return is_refused, report["sections"][0]["run"].get("facts", {})


def main():
    random_ = random.Random(int(sys.argv[2]))
    refused = differences = 0
    for _ in range(int(sys.argv[1])):
        members = {text(random_): value(random_, 0) for _ in range(random_.randrange(8))}
        document = json.dumps(members, ensure_ascii=random_.random() < 0.5, indent=random_.choice([None, 1]))
        document = damaged(random_, document)
        want = expected(document)
        is_refused, given = facts_of(document)
        refused += is_refused
        same = is_refused == (want is None) and set(given) == set(want or {}) and all(
            is_same(given[name], each) for name, each in (want or {}).items())
        if not same:
            differences += 1
            print("differs:", repr(document), "gives", given, "and not", want)
    print(f"{sys.argv[1]} files, {refused} refused, {differences} differences")


main()
