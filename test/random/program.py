"""A program made of independent cases, and its text.

A case is a few global lines and a function that main calls twice. All its names end in
the case's number, so any subset of a program's cases is a program. In a case's text

    $      is the number of the case
    @P0    is its annotation 0 (a macro, an attribute, or nothing)
    @N0    counts one execution of it; an expression
    @S0    counts one step of the loop that it stands on; an expression
    @U0    is nothing; the line uses a macro whose text has annotation 0
"""
import dataclasses
import re

CXX_PRELUDE = """#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>
int counts[999];
int count(int k) { return ++counts[k]; }
enum class KeyMode : unsigned char { Train = 200, Valid };
KeyMode keyMode(int n) { return n % 2 ? KeyMode::Valid : KeyMode::Train; }
struct KeyA { virtual ~KeyA() {} };
struct KeyB : KeyA {};
KeyA keyA;
KeyB keyB;
void say(const char *what, long v) { std::printf("%s%ld ", what, v); }
void totals() {
  std::printf("\\n#counts");
  for (int k = 0; k < 999; ++k)
    if (counts[k]) std::printf(" %d=%d", k, counts[k]);
  std::puts("");
}
void begin(int number) { std::printf("\\n#%d: ", number); std::fflush(stdout); }
struct T {
  int v;
  T(int x = 0) : v(x) { say("+", x); }
  T(const T &o) : v(o.v) { say("c", v); }
  T(T &&o) noexcept : v(o.v) { say("m", v); o.v = -v; }
  T &operator=(const T &o) { v = o.v; say("=", v); return *this; }
  ~T() { say("~", v); v = -7777; }
  int get() const { return v; }
};
T make(int x) { return T(x); }
const char *text = "";
char letter;
double real;
#define WORD "word"
int value(int x) { say("v", x); return x; }
bool odd(int x) { say("?", x); return x % 2 != 0; }
"""

C_PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
int counts[999];
int count(int k) { return ++counts[k]; }
void say(const char *what, long v) { printf("%s%ld ", what, v); }
void totals(void) {
  printf("\\n#counts");
  for (int k = 0; k < 999; ++k)
    if (counts[k]) printf(" %d=%d", k, counts[k]);
  puts("");
}
void begin(int number) { printf("\\n#%d: ", number); fflush(stdout); }
struct T { int v; };
struct T make(int x) { struct T t = {x}; say("+", x); return t; }
const char *text = "";
char letter;
double real;
#define WORD "word"
int value(int x) { say("v", x); return x; }
int odd(int x) { say("?", x); return x % 2 != 0; }
"""

# What keys may be, in both languages.
KEY_PRELUDE = """enum KeyEnum { KeyBelow = -3, KeyZero = 0, KeyOne, KeyAlso = 1 };
typedef enum { KeyFirst = 2147483000, KeyLast } KeyLarge;
struct KeyHolder { enum KeyEnum keyKind; KeyLarge keyWide; };
struct KeyHolder keyHolders[3] = {{KeyOne, KeyLast}, {KeyBelow, KeyFirst}, {KeyZero, (KeyLarge)7}};
char keyWords[2][6] = {"left", "right"};
const char *keyTexts[3] = {"", "a (b) \\xc3\\xa9", "#"};
enum KeyEnum keyEnum(int n) { return n % 2 ? KeyOne : KeyZero; }
const struct KeyHolder *keyHolder(int n) { return keyHolders + n % 3; }
char keyChar(int n) { return (char)(120 + n % 2); }
signed char keyByte(int n) { return (signed char)(n % 2 ? -128 : 127); }
unsigned char keyOctet(int n) { return (unsigned char)(n % 2 ? 255 : 0); }
short keyShort(int n) { return (short)(n % 2 ? -32768 : 32767); }
unsigned short keyWord(int n) { return (unsigned short)(n % 2 ? 65535 : 1); }
int keyInt(int n) { return n % 2 ? -2147483647 - 1 : 2147483647; }
unsigned keyUnsigned(int n) { return n % 2 ? 4294967295u : 2147483648u; }
long keyLong(int n) { return n % 2 ? -9223372036854775807L - 1 : 9223372036854775807L; }
unsigned long keySize(int n) { return n % 2 ? 18446744073709551615ul : 9223372036854775808ul; }
const char *keyText(int n) { return n % 2 ? "odd" : "even"; }
"""

MACROS = {"draw": "LOOPSCOPE_DRAW", "fit": "LOOPSCOPE_FIT",
          "validate": "LOOPSCOPE_VALIDATE", "test": "LOOPSCOPE_TEST",
          "predict": "LOOPSCOPE_PREDICT", "epoch": "LOOPSCOPE_EPOCH",
          "ignore": "LOOPSCOPE_IGNORE"}
NAMED = {"phase": "LOOPSCOPE_PHASE", "wait": "LOOPSCOPE_WAIT"}
WORKS = {"phase", "train", "valid"}  # kinds that may give their floating-point operations
# Kinds whose spans may have a key.
KEYED = {"phase", "wait", "epoch", "fit", "validate", "test", "predict"}
LOOPS = {"epoch", "train", "valid"}  # kinds that may give their number of iterations
# The lines of a program's header are numbered from here on.
HEADER_LINES = 100000
# Expressions for keys, where # is the number of executions so far, and the keys in turn.
KEYS = [("# % 3", ["0", "1", "2"]),
        ("-(long)(# % 2)", ["0", "-1"]),
        ('# % 2 ? "odd" : "even"', ["even", "odd"]),
        ("# % 4 >> 1", ["0", "0", "1", "1"]),
        ("0xfffffffffffffff0UL + # % 2", ["18446744073709551600", "18446744073709551601"]),
        ("keyEnum(#)", ["KeyZero", "KeyOne"]),
        ("keyHolders[# % 3].keyKind", ["KeyOne", "KeyBelow", "KeyZero"]),
        ("keyHolder(#)->keyWide", ["KeyLast", "KeyFirst", "7"]),
        ("(enum KeyEnum)(# % 3 - 1)", ["-1", "KeyZero", "KeyOne"]),
        ("keyEnum(#) + 0", ["0", "1"]),
        ("keyByte(#)", ["127", "-128"]),
        ("keyOctet(#)", ["0", "255"]),
        ("keyShort(#)", ["32767", "-32768"]),
        ("keyWord(#)", ["1", "65535"]),
        ("keyInt(#)", ["2147483647", "-2147483648"]),
        ("keyUnsigned(#)", ["2147483648", "4294967295"]),
        ("keyLong(#)", ["9223372036854775807", "-9223372036854775808"]),
        ("keySize(#)", ["9223372036854775808", "18446744073709551615"]),
        ("keyText(#)", ["even", "odd"]),
        ("keyWords[# % 2]", ["left", "right"]),
        ("keyTexts[# % 3]", ["", "a (b) \u00e9", "#"])]
# In C, a bool and a character are numbers.
C_KEYS = KEYS + [
    ("# % 2 == 0", ["1", "0"]),
    ("keyChar(#)", ["120", "121"])]
# And in C++: a bool, a character, a scoped enumeration, an object's class. Without C++'s own words, which may be macros.
CXX_KEYS = KEYS + [
    ("# % 2 == 0", ["true", "false"]),
    ("keyChar(#)", ["'x'", "'y'"]),
    ("keyMode(#)", ["KeyMode::Train", "KeyMode::Valid"]),
    ("type(# % 2 ? keyB : keyA)", ["KeyA", "KeyB"])]
STEP_LOOPS = {"train": "LOOPSCOPE_TRAIN", "valid": "LOOPSCOPE_VALID"}


@dataclasses.dataclass
class Annotation:
    kind: str
    samples: str = ""      # for train and valid
    rule: str = ""         # the selection rule for it, if any
    dropped: bool = False  # removed while a failure is reduced


@dataclasses.dataclass
class Case:
    kind: str = ""         # its subject in a word: failures are grouped by it
    shape: str = ""        # the same in more detail
    globals: list = dataclasses.field(default_factory=list)
    annotations: list = dataclasses.field(default_factory=list)
    functions: dict = dataclasses.field(default_factory=dict)  # name: its count's index
    header: list = dataclasses.field(default_factory=list)     # lines of the program's header
    answers: dict = dataclasses.field(default_factory=dict)    # annotation: why it is refused
    call: str = ""         # how main calls it; c$() by default
    last: bool = False     # ends the program
    flags: list = dataclasses.field(default_factory=list)  # for the compiler
    number: int = 0

    def mark(self, kind="phase", **details):
        """The text of a new annotation."""
        self.annotations.append(Annotation(kind, **details))
        return f"@P{len(self.annotations) - 1} "

    def marked(self, kind="phase", **details):
        """The number and the text of a new annotation."""
        text = self.mark(kind, **details)
        return len(self.annotations) - 1, text


@dataclasses.dataclass
class Text:
    """A rendered program."""
    source: str
    rules: str             # of the selection file; "" without one
    header: str            # of the file program.h; "" without one
    owner: dict            # the case by line, also of the header
    expected: dict         # (case's number, annotation): keys in the profile, and counts
    lines: dict            # line: (case's number, annotation) on it
    functions: dict = dataclasses.field(default_factory=dict)

    def cases(self, lines):
        """The numbers of the cases that these lines belong to."""
        return {self.owner[line].number for line in lines if line in self.owner}


@dataclasses.dataclass
class Program:
    language: str          # "c" or "c++"
    std: str
    cases: list
    style: str = "macro"   # or "attribute", or "select" if cases have rules
    flags: list = dataclasses.field(default_factory=list)
    name: str = ""
    refusable: bool = True # whether a refused annotation counts as a difference

    def suffix(self):
        return ".c" if self.language == "c" else ".cpp"

    def all_flags(self):
        return self.flags + [flag for case in self.cases for flag in case.flags]

    def only(self, cases):
        return dataclasses.replace(self, cases=list(cases))

    def spelled(self, annotation, name, flops, iterations=0, key=""):
        if annotation.dropped or (self.style == "select" and annotation.rule):
            return ""
        kind = annotation.kind
        if key:
            alone = self.spelled(annotation, name, flops, iterations)
            if not alone:
                return ""
            if self.style != "attribute":
                named = f'LOOPSCOPE_KEY_NAMED("of {name}", "{key}")'
                return f"{named} {alone}" if len(name) % 2 else f'{alone} LOOPSCOPE_KEY("{key}")'
            return f'{alone[:-2]}, loopscope::key("of {name}", "{key}")]]'
        if flops or iterations:
            # In any order, in one list or several.
            alone = self.spelled(annotation, name, flops if iterations else 0)
            word, number = ("iterations", iterations) if iterations else ("flops", flops)
            if self.style != "attribute":
                said = f'LOOPSCOPE_{word.upper()}("{number}")'
                return f"{said} {alone}" if number % 2 else f"{alone} {said}"
            said = f'loopscope::{word}("{number}")'
            return f"{alone[:-2]}, {said}]]" if number % 3 else f"[[{said}]] {alone}"
        if self.style == "attribute":
            argument = f'("{name}")' if kind in NAMED else \
                f'("{annotation.samples}")' if annotation.samples else ""
            return f"[[loopscope::{kind}{argument}]]"
        if kind in NAMED:
            return f'{NAMED[kind]}("{name}")'
        if kind in STEP_LOOPS:
            macro = STEP_LOOPS[kind]
            return f'{macro}("{annotation.samples}")' if annotation.samples else macro + "_LOOP"
        return MACROS[kind]

    def render(self, annotated=True):
        """The text, with or without its annotations."""
        lines = [("#include <loopscope/annotate.h>", None)] if self.style != "attribute" else []
        prelude = C_PRELUDE if self.language == "c" else CXX_PRELUDE
        lines += [(line, None) for line in (prelude + KEY_PRELUDE).splitlines()]
        header = [(line, case) for case in self.cases for line in case.header]
        if header:
            lines.append(('#include "program.h"', None))
        for case in self.cases:
            lines += [(line, case) for each in case.globals for line in each.split("\n")]
        lines.append(("int main() {" if self.language == "c++" else "int main(void) {", None))
        lines.append(("  atexit(totals);", None))
        for case in sorted(self.cases, key=lambda each: each.last):
            call = case.call or "c$()"
            text = f"{call}; {call};" if not case.last else f"{call};"
            if self.language == "c++":
                text = f'try {{ {text} }} catch (int e) {{ say("caught", e); }}'
            lines.append((f"  begin($); {text}", case))
        lines += [("  begin(0);", None), ("  return 0;", None), ("}", None)]

        index, expected, places, rules = {}, {}, {}, []
        written, owner = [], {}
        numbered = [*enumerate(lines, 1), *enumerate(header, HEADER_LINES)]
        # Annotations of macros are in several places, which may be inside each other.
        in_macros = {(case.number, int(k)) for _, (line, case) in numbered if case
                     for k in re.findall(r"@U(\d)", line)}
        for number, (line, case) in numbered:
            if case is None:
                written.append(line)
                continue
            owner[number] = case

            def replace(match):
                which, k = match[1], int(match[2])
                annotation = case.annotations[k]
                name = f"p{case.number}_{k}"
                if which == "P":
                    if annotation.dropped:
                        return ""
                    places.setdefault(number, []).append((case.number, k))
                    # If the owner is clear, some annotations give work or iterations.
                    alone = len(re.findall(r"@P\d", line)) == 1
                    flops = 1 + (case.number + k) % 7 if alone and \
                        annotation.kind in WORKS and (case.number + 3 * k) % 4 == 0 else 0
                    iterations = 1 + (case.number + k) % 5 if alone and \
                        annotation.kind in LOOPS and (case.number + 2 * k) % 3 == 0 else 0
                    # Its key is how often it ran before, by a known pattern.
                    at = index.setdefault((case.number, "N", k), len(index)) \
                        if alone and annotation.kind in KEYED and (case.number + k) % 3 == 0 \
                        and (case.number, k) not in in_macros else None
                    known = C_KEYS if self.language == "c" else CXX_KEYS
                    pattern = known[(case.number + k) % len(known)]
                    said = "" if at is None else pattern[0].replace("#", f"counts[{at}]")
                    if annotation.rule and self.style == "select":
                        named = f", name: {name}" if annotation.kind in NAMED else \
                            f', samples: "{annotation.samples}"' if annotation.samples else ""
                        named += f', flops: "{flops}"' if flops else ""
                        named += f', iterations: "{iterations}"' if iterations else ""
                        named += f", key: '{said}', key-name: \"of {name}\"" if said else ""
                        rules.append(f"  - {{ kind: {annotation.kind}{named}, "
                                     + annotation.rule.replace("$", str(case.number)) + " }")
                    key = (annotation.kind, name) if annotation.kind in NAMED else \
                        (annotation.kind, number)
                    expected.setdefault((case.number, k), {})["key"] = key
                    expected[case.number, k]["answer"] = case.answers.get(k)
                    expected[case.number, k]["line"] = number
                    expected[case.number, k]["flops"] = flops
                    expected[case.number, k]["keys"] = pattern[1] if said else None
                    said = said.replace("\\", "\\\\").replace('"', '\\"')
                    return self.spelled(annotation, name, flops, iterations, said) \
                        if annotated else ""
                if which == "U":
                    if not annotation.dropped:
                        places.setdefault(number, []).append((case.number, k))
                        expected.setdefault((case.number, k), {}).setdefault(
                            "uses", []).append(number)
                    return ""
                at = index.setdefault((case.number, which, k), len(index))
                expected.setdefault((case.number, k), {})[which] = at
                return f"count({at})"

            line = re.sub(r"@([PNSU])(\d+)", replace, line)
            line = re.sub(r"@F(\d+)", lambda match: "count(%d)" % index.setdefault(
                (case.number, "F", int(match[1])), len(index)), line)
            written.append(line.replace("$", str(case.number)).rstrip())
        functions = {}
        for case in self.cases:
            for name, k in case.functions.items():
                if (case.number, "F", k) in index:
                    functions[name.replace("$", str(case.number))] = \
                        (index[case.number, "F", k], case.number)
        return Text("\n".join(written[:len(lines)]) + "\n",
                    "rules:\n" + "\n".join(rules) + "\n" if rules else "",
                    "\n".join(written[len(lines):]), owner, expected, places, functions)
