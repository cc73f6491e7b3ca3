"""Cases of annotations in the program's own macros: in their texts, in their arguments, and
in a header that is included. In the texts % is a number; @P and @N are as in program.py,
and @U marks the use of a macro whose text has the annotation."""
import re

from oddities import NUMBER
from program import Case

# Language ("" for both), first standard, text, and the rewriter's documented answer to each
# annotation that isn't timed. The text defines c$; VOID is an empty list of parameters.
# What stands before "----" may also be in the header.
TEXTS = [
    # --- An annotation alone ---
    ("", 99, """#define MARK$ @P0
----
void c$(VOID) {
  @U0 @N0; MARK$ say("a", value(%));
  @U0 @N0; MARK$ { value(%); if (odd(2)) say("b", 1); }
  if (odd(%)) @U0 MARK$ say("c", (@N0, value(%)));
}""", {}),
    ("", 99, """#define MARK$ @P0
#define AGAIN$ MARK$
----
@U0 AGAIN$ int f$(int x) { @N0; return value(x); }
void c$(VOID) { @U0 @N0; AGAIN$ int x = f$(%); say("x", x); }""", {}),
    # --- An annotated statement or function in the macro's text ---
    ("", 99, """#define WORK$(x) @P0 say("w", x)
----
void c$(VOID) {
  @U0 WORK$(value(%));
  if (odd(%)) @U0 WORK$(2);
  value(@N0);
}""", {0: "in-macro"}),
    ("", 99, """#define BLOCK$(x) { @P0 say("w", x); @P1 { value(2); } }
----
void c$(VOID) { @U0 @U1 BLOCK$(value(%)) value(@N0 + @N1); }""", {0: "in-macro", 1: "in-macro"}),
    ("", 99, """#define DEFINE$(name) @P0 static void name(int x) { say("d", x); }
----
@U0 DEFINE$(d$)
void c$(VOID) { @N0; d$(%); }""", {0: "in-macro"}),
    ("", 99, """#define EACH$(i, n) @P0 for (int i = 0; i < (n); ++i)
----
void c$(VOID) { @U0 @N0; EACH$(i, 3) { value(i); } }""", {}),
    # --- A macro's use is annotated ---
    ("", 99, """#define CHECK$(x) do { if ((x) < -1) say("never", 1); } while (0)
#define LOOP$(i, n) for (int i = 0; i < (n); ++i)
----
void c$(VOID) {
  @N0; @P0 CHECK$(value(%));
  if (odd(%)) @P1 CHECK$((@N1, value(%))); else @P2 CHECK$((@N2, value(%)));
  @N3; @P3 LOOP$(i, 3) { @N4; @P4 CHECK$(value(i)); }
}""", {}),
    ("", 99, """#define HEAD$ if (odd(3)) {
#define TAIL$ value(2); }
----
void c$(VOID) { @N0; @P0 { HEAD$ @N1; @P1 say("h", %); TAIL$ } }""", {}),
    # --- Annotations in arguments ---
    ("", 99, """#define ONCE$(x) { x }
#define HAND$(x) x
#define DEEP$(x) { HAND$(HAND$(x)) }
#define ALL$(...) { __VA_ARGS__ }
----
void c$(VOID) {
  ONCE$(@N0; @P0 say("o", value(%));)
  DEEP$(@N1; @P1 { value(%); value(2); })
  ALL$(int a = 1, b = value(%); @N2; @P2 say("ab", a + b);)
  ONCE$(if (odd(%)) @P3 say("i", (@N3, 1)); else @P4 say("e", (@N4, 2));)
}""", {}),
    ("", 99, """#define TWICE$(x) { x } { x }
----
void c$(VOID) { TWICE$(@N0; @P0 say("t", value(%));) }""", {}),
    ("", 99, """#define TEXT$(x) { puts(#x); x }
----
void c$(VOID) { TEXT$(@P0 say("t", value(%));) value(@N0); }""", {0: "made-text"}),
    ("", 99, """#define PICK$(a, b) { a }
#define NOTHING$(x) { value(1); }
----
void c$(VOID) { PICK$(@N0; @P0 say("p", value(%));, value(1);) NOTHING$(say("n", 2);) }""", {}),
    ("c++", 11, """#define VALUE$(x) (x)
----
void c$() {
  say("l", VALUE$([&] { @N0; @P0 value(%); return value(2); }()));
  @N1; @P1 say("m", VALUE$(VALUE$([](int y) { @N2; @P2 return value(y); }(%))));
}""", {}),
    ("", 99, """#define REST$(x) x
----
void c$(VOID) { @N0; @P0 REST$(say("r", value(%)));
  REST$(@N1; @P1 while (odd(2)) break;) REST$(REST$(@N2; @P2) say("s", 1);) }""", {}),
    # --- Functions in a header ---
    ("", 99, """@P0 static inline int twice$(int x) { @N0; @P1 say("h", (@N1, x)); return 2 * value(x); }
#define CALL$(x) say("c", twice$(x))
----
void c$(VOID) { @N2; @P2 CALL$(%); if (odd(%)) @P3 CALL$((@N3, 3)); }""", {}),
    ("c++", 11, """template <class X> struct H$ { X x; @P0 X get() const { @N0; @P1 return (@N1, x); }
  @P2 explicit H$(X y) : x(y) { @N2; say("h", 1); } };
----
void c$() { @N3; @P3 H$<int> h(%); say("g", h.get()); say("l", H$<long>(2).get()); }""", {}),
]


def macro(rng, language, std):
    """A case of one of the texts, half of them in a header."""
    fit = [each for each in TEXTS if each[0] in ("", language) and each[1] % 99 <= std % 99]
    _, _, text, answers = rng.choice(fit)
    text = text.replace("VOID", "" if language == "c++" else "void")
    text = NUMBER.sub(lambda _: str(rng.randrange(1, 60)), text)
    shared, own = text.split("----\n")
    case = Case(kind="macros", shape=text.split("\n")[0][:60], answers=answers)
    for _ in range(max(int(k) for k in re.findall(r"@P(\d)", text)) + 1):
        case.mark(rng.choice(["phase", "phase", "wait"]))
    shared = shared.rstrip("\n").split("\n")
    if rng.random() < 0.5:
        case.header += shared
    else:
        case.globals += shared
    case.globals += own.split("\n")
    return case
