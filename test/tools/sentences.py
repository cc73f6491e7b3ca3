"""Lists every sentence that the programs, the runtime and the page may print, to be read aloud.

usage: sentences.py SOURCE_ROOT [--check]

A line each, FILE:LINE: TEXT: the string literals of lib/, tool/ and runtime/ that have three
words or more, with those that the compiler joins joined. {} stands for a value. Texts of
--help are lines of their own. --check prints those that break a rule of printed English
instead; exits 1 if there are any.
"""
import pathlib
import re
import sys

PLACES = ("lib/**/*.cpp", "lib/**/*.h", "lib/**/*.def", "lib/Report/Html/page/*.js", "tool/*.cpp",
          "tool/*.h", "runtime/src/**/*.cpp", "runtime/src/**/*.h")
# Comments, raw strings, strings, characters (JavaScript's strings), JavaScript's templates, and
# what may stand between joined strings.
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|"""
                   r"""'(?P<single>(?:[^'\\\n]|\\.)+)'|`(?P<template>(?:[^`\\]|\\.)*)`|"""
                   r"""(?P<space>\s+)|[^\s/R"'`]+|.""", re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "0": "", "'": "'", "r": ""}
INCLUDE = re.compile(r'^\s*#\s*include.*$', re.M)

# A rule of printed English, and what to write instead.
RULES = {
    r"(\}|\d) %": "no blank before %",
    r"\bprocessor(?! time clock)s?\b(?! quota)": "CPU",
    r"\bverdict: unknown\b": "say what is known",
    r"^(?!kind: )[^-'][^:;]*\w: [^.:;]*\w: [^.:;]*\w: (?!\d)": "no chains of colons",
    r"\bnot un(?!til|der|less)\w+|\bnever not\b": "no double negation",
    r"\bplease\b|\bsorry\b|\boops\b": "say what to do",
    r"^[^-]*[a-z],  [a-z]": "one blank",
}
# A name of the code: a replacement in all of a file hits sentences, too. Others' names are fine.
NAME_OF_CODE = re.compile(r"""(?<![\w"'`({.%-])(?!cuda|cProfile|kB\b)[a-z]+[A-Z]\w*(?!["'`\w])""")


def unescaped(text):
    return re.sub(r"\\(x[0-9a-fA-F]+|[0-7]{2,3}|.)",
                  lambda match: ESCAPES.get(match[1], match[1] if len(match[1]) == 1 else "?"), text)


def literals(source, is_script):
    """(line, text) of each string of SOURCE, which is JavaScript or C++."""
    kinds = ("raw", "text", "template", *(["single"] if is_script else []))
    source = INCLUDE.sub("", source)
    line, start, parts = 1, 0, []
    for token in TOKEN.finditer(source):
        text = next((token[name] for name in kinds if token[name] is not None), None)
        comment = token[0].startswith(("//", "/*"))
        if text is not None:
            if parts and is_script:
                yield start, "".join(parts)
                parts = []
            start = start if parts else line
            parts.append(text if token["raw"] is not None else unescaped(text))
        elif not comment and token["space"] is None and parts:
            yield start, "".join(parts)
            parts = []
        line += token[0].count("\n")
    if parts:
        yield start, "".join(parts)


def is_sentence(text):
    """Whether people read TEXT: three words, and no code of another language."""
    words = re.findall(r"(?<![\w./%-])[A-Za-z][a-z']*(?![\w/(])", text)
    return len(words) >= 3 and not re.search(r"[;{]\s*$|^\s*[<.#@]|=>|\bSELECT\b|::\w+\(|</", text)


def sentences(root):
    """(file, line, text) of every sentence."""
    for path in sorted({path for pattern in PLACES for path in root.glob(pattern)}):
        name = str(path.relative_to(root))
        for line, text in literals(path.read_text(encoding="utf-8"), name.endswith(".js")):
            for part in text.split("\n"):
                part = re.sub(r"\{[^{}]*\}|\$\{[^}]*\}|%[-\d.*lhz]*[sdufgxc]", "{}", part).strip()
                if is_sentence(part):
                    yield name, line, part


def main():
    found = list(sentences(pathlib.Path(sys.argv[1])))
    if "--check" not in sys.argv:
        for name, line, text in found:
            print(f"{name}:{line}: {text}")
        return 0
    bad = 0
    for name, line, text in found:
        for rule, instead in RULES.items():
            if match := re.search(rule, text, re.I):
                print(f"{name}:{line}: '{match[0].strip()}': {instead}: {text}")
                bad = 1
        if not name.endswith(".js") and (match := NAME_OF_CODE.search(text)):
            print(f"{name}:{line}: '{match[0]}': no names of the code: {text}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
