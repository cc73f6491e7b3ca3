"""Reduces a failing program: first the cases, then the annotations of the rest."""
import dataclasses
import re
import time

# A removable statement of a function.
INSIDE = re.compile(r"^\s{2,}(?!return)\S|^#")


def reduce(checker, program, difference, suspects):
    """Returns (the smallest program found with the same difference, the difference
    there)."""
    settings = [difference.setting]
    last = difference

    def fails(candidate):
        nonlocal last
        try:
            found = checker.check(candidate, settings)
        except RuntimeError:
            return False  # No longer a program.
        for each in found:
            if each.what == difference.what:
                last = each
                return True
        return False

    for case in suspects:
        if fails(program.only([case])):
            program = program.only([case])
            break
    else:
        program = program.only(cut(program.cases, lambda kept: fails(program.only(kept))))
    cases = list(program.cases)
    for at, case in enumerate(cases):
        for k, annotation in enumerate(case.annotations):
            fewer = list(cases[at].annotations)
            fewer[k] = dataclasses.replace(annotation, dropped=True)
            candidate = list(cases)
            candidate[at] = dataclasses.replace(cases[at], annotations=fewer)
            if fails(program.only(candidate)):
                cases = candidate
    program = program.only(cases)
    if len(cases) == 1:
        program = shorten(program, fails)
    fails(program)
    return program, last


def shorten(program, fails):
    """Removes lines of the only case, except those that declare or end something."""
    case = program.cases[0]
    lines = [line for each in case.globals for line in each.split("\n")]
    keep = [line for line in lines if not INSIDE.match(line)]

    def with_lines(kept):
        chosen = {id(line) for line in kept}
        return program.only([dataclasses.replace(case, globals=[
            line for line in lines if id(line) in chosen or not INSIDE.match(line)])])

    # Makes equal lines distinct.
    lines = ["".join(list(line)) if line else line for line in lines]
    inside = [line for line in lines if INSIDE.match(line)]
    until = time.monotonic() + 60
    if keep and len(inside) > 2:
        inside = cut(inside, lambda kept: time.monotonic() < until and fails(with_lines(kept)))
    return with_lines(inside)


def cut(items, fails):
    """A small part of ITEMS that still fails: removes pieces while it does."""
    pieces = 2
    items = list(items)
    while len(items) > 1:
        size = max(1, len(items) // pieces)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size:]
            if rest and fails(rest):
                items, pieces = rest, max(2, pieces - 1)
                break
        else:
            if size == 1:
                break
            pieces = min(len(items), pieces * 2)
    return items
