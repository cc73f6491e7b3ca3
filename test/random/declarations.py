"""Cases of annotated declarations in C++: types x initialisers x places.

They test the lifetimes of temporaries: types with references, initializer lists and
bases, and all forms of initialisers.
"""
from program import Case
import places


class Type:
    """A type for declarations. TEMPLATE of its declaration; the braced initialiser
    makes new temporaries each time; USE reads the parts of a variable that must be
    alive."""

    def __init__(self, name, text, braces, use, spelled=None, guide=False, pin=False,
                 holds=True, copies=True, std=11):
        self.name, self.text, self.braces, self.use = name, text, braces, use
        self.spelled = spelled or name
        self.guide = guide    # Can be deduced: the name alone is a valid spelling.
        self.pin = pin        # Neither copyable nor movable.
        self.holds = holds    # Has references to temporaries of the initialiser.
        self.copies = copies
        self.std = std


TYPES = [
    Type("Ref$", "struct Ref$ { const T &r; int n; };", "{T(%), %}", ".r.v"),
    Type("RRef$", "struct RRef$ { T &&r; int n; };", "{T(%), %}", ".r.v", copies=False),
    Type("Val$", "struct Val$ { T t; int n; };", "{T(%), %}", ".t.v", holds=False),
    Type("Mix$", "struct Mix$ { T t; const T &r; T u; };", "{T(%), make(%), T(%)}", ".r.v"),
    Type("Nest$", "struct In$ { const T &r; int n; };\nstruct Nest$ { In$ i; T t; };",
         "{{T(%), %}, T(%)}", ".i.r.v"),
    Type("Der$", "struct B$ { const T &r; };\nstruct Der$ : B$ { int z; };",
         "{{T(%)}, %}", ".r.v", std=17),
    Type("Two$", "struct B$ { T t; };\nstruct A$ { const T &q; };\n"
         "struct Two$ : B$, A$ { const T &r; };", "{{T(%)}, {T(%)}, T(%)}", ".r.v", std=17),
    Type("W$", "template <class X> struct W$ { const X &r; int n; };\n"
         "template <class X> W$(const X &, int) -> W$<X>;", "{T(%), %}", ".r.v", "W$<T>",
         guide=True, std=17),
    Type("std::initializer_list<T>", "", "{T(%), T(%)}", ".begin()->v"),
    Type("Pin$", "struct Pin$ { T t; Pin$(const T &x) : t(x.v) {} Pin$(const Pin$ &) = delete; };",
         "{T(%)}", ".t.v", pin=True, holds=False),
    Type("Il$", "struct Il$ { T t; Il$(std::initializer_list<T> l) : t(l.begin()->v) {} };",
         "{T(%), T(%)}", ".t.v", holds=False),
    Type("Arr$", "struct Arr$ { T a[2]; const T &r; };", "{{T(%), T(%)}, T(%)}", ".a[1].v"),
    Type("Def$", "struct Def$ { T t; Def$(int x, const T &d = T(5), T e = T(6)) "
         ": t(x + d.v + e.v) {} };", "{value(%)}", ".t.v", holds=False),
    Type("Own$", "struct Own$ { const T &r; int n = make(3).v; };", "{T(%)}", ".r.v", std=14),
    Type("Deep$", "struct L$ { std::initializer_list<T> l; };\nstruct Deep$ { L$ l; const T &r; };",
         "{{{T(%), T(%)}}, T(%)}", ".l.l.begin()->v"),
    Type("Cv$", "struct Cv$ { T t; operator T() const { return T(t.v + 1); } "
         "explicit operator bool() const { return odd(t.v); } };", "{T(%)}", ".t.v", holds=False),
    Type("Un$", "struct E$ {};\nstruct Un$ : E$ { T t; int n : 4; };", "{{}, T(%), 3}", ".t.v",
         holds=False, std=17),
    Type("T", "", "{%}", ".v", holds=False),
]

# Forms of a declaration of x: X is the type's name, B a braced initialiser. Flags: r
# reads x afterwards; p needs no copy even before C++17; c copies or moves; h only for
# types without references; d only for types that can be deduced; a number is the first
# standard.
FORMS = [
    ("X x = XB;", "r17"), ("auto x = XB;", "r17"), ("X x = B;", "rp"), ("X xB;", "rp"),
    ("const X x = XB;", "r17"), ("const auto x = XB;", "r17"), ("auto const x = XB;", "r17"),
    ("const X &x = XB;", "rp"), ("X &&x = XB;", "rp"), ("auto &&x = XB;", "rp"),
    ("const auto &x = XB;", "rp"), ("const X &x = B;", "rp"), ("X &&x{XB};", "p17"),
    ("auto x = (XB);", "17"), ("X x = ((XB));", "17"), ("X x(XB);", "17"),
    ("auto x(XB);", "17"), ("auto x{XB};", "17"), ("auto x = ::XB;", "17"),
    ("auto x = odd(%) ? XB : XB;", "17"), ("auto x = (value(%), XB);", "17"),
    ("auto x = odd(%) && odd(%) ? XB : throw %;", "17"),
    ("static X x = XB;", "r17"), ("static auto x = XB;", "r17"), ("static X xB;", "rp"),
    ("static const X &x = XB;", "rp"), ("static thread_local X x = XB;", "r17"),
    ("thread_local X xB;", "rp"), ("static const X x = B;", "rp"),
    ("auto x = XB, y = XB;", "17"), ("X x = XB, &y = x;", "17"), ("X xB, y = XB;", "17"),
    ("X x = XB, *y = &x, z = B;", "17"), ("const X xB, &y = XB;", "rp"),
    ("X x[2] = {XB, XB};", "17"), ("X x[] = {B, B};", "p"), ("const X x[2] = {B, XB};", "17"),
    ("X x[1][2] = {{B, B}};", "p"), ("const X (&x)[1] = {XB};", "17"),
    ("decltype(auto) x = XB;", "r17"), ("decltype(auto) x = (XB);", "17"),
    ("[[maybe_unused]] auto x = XB;", "17"), ("alignas(32) X x = XB;", "17"),
    ("__attribute__((unused)) X x = XB;", "17"),
    ("auto x = static_cast<X>(XB);", "17"), ("X x = X(XB);", "17"), ("auto x = id(XB);", "ch17"),
    ("auto x = [&] { return XB; }();", "h17"), ("auto x = [](X &&y) { return y; }(XB);", "ch17"),
    ("auto x = [z = XB] { return 1; };", "17"), ("const auto x = [&]() -> X { return B; }();", "h17"),
    ("auto *x = new X B; delete x;", "p"), ("X *x = new X[2]{B, B}; delete[] x;", "p"),
    ("const int x = XBU;", "p"), ("auto x = XBU + XBU;", "p"), ("long x = value(%) + XBU, y = %;", "p"),
    ("int x{XBU};", "p"), ("int x(XBU);", "p"), ("bool x = XBU > 3 || XBU < 2;", "p"),
    ("const int &x = XBU;", "p"), ("int &&x = XBU + 1;", "p"), ("static int x = XBU;", "p"),
    ("T x = make(XBU);", "p17"), ("const T &x = make(0 + XBU);", "p"), ("auto x = T(XBU).get();", "p"),
    ("const T &x = (XB, T(4));", "p"), ("const char *x = XBU > 2 ? \"a\" : \"b\";", "p"),
    ("auto x = D{T(%), %};", "d17"), ("D x{T(%), %};", "d17"), ("D x = {T(%), %};", "d17"),
    ("const D x(T(%), %);", "d20"), ("auto x = D(T(%), %);", "d20"), ("const auto &x = D{T(%), %};", "d17"),
    ("X x = XB; (void)x;", "17"), ("auto x = /* B */ XB // XB\n    ;", "17"),
    ("auto\n  x\n  =\n  X\n  B\n  ;", "17"), ("X x\n    B;", "p"),
    ("std::initializer_list<X> x = {XB, XB};", "17"), ("auto x = {XB, XB};", "17"),
    ("std::initializer_list<X> x{B, B};", "p"), ("auto x = std::initializer_list<X>{B};", "17"),
    ("const auto &x = std::pair<int, T>(1, XBU);", "p"),
]
# Types whose members can be named.
DESIGNATED = {"Ref$": "{.r = T(%), .n = %}", "RRef$": "{.r = T(%), .n = value(%)}",
              "Val$": "{.t = T(%), .n = %}", "Mix$": "{.t = T(%), .r = T(%)}|",
              "Nest$": "{.i = {.r = T(%), .n = %}, .t = T(%)}", "W$": "{.r = T(%), .n = %}"}
# Structured bindings: the names by type.
BINDINGS = {"Ref$": "a, b", "RRef$": "a, b", "Val$": "a, b", "Mix$": "a, b, c", "Nest$": "a, b",
            "Arr$": "a, b", "Own$": "a, b", "Deep$": "a, b", "W$": "a, b"}
BINDING_FORMS = ["auto [N] = XB;", "const auto &[N] = XB;", "auto &&[N] = XB;", "auto [N]{XB};",
                 "const auto [N](XB);", "auto [N] = (XB);", "static auto [N] = XB;|20",
                 "auto [N] = std::pair<T, T>(T(%), T(%));|2", "auto &&[N] = std::pair<const T &, int>(T(%), %);|2",
                 "const auto &[N] = pair$;|2a", "[[maybe_unused]] auto [N] = XB;"]


def numbers(text, rng):
    """Each % becomes a number."""
    while "%" in text:
        text = text.replace("%", str(rng.randrange(1, 99)), 1)
    return text


def allowed(flags, std):
    digits = "".join(c for c in flags if c.isdigit())
    return not digits or int(digits) <= std


def choose(rng, std):
    """(type, declaration, what to read after it, shape)"""
    types = [each for each in TYPES if each.std <= std]
    kind = rng.choice(types)
    roll = rng.random()
    if roll < 0.15 and std >= 17 and kind.name in BINDINGS:
        form = rng.choice(BINDING_FORMS)
        form, _, flags = form.partition("|")
        if flags.isdigit() and int(flags) > std:
            form = BINDING_FORMS[0]
        names = "a, b" if flags.startswith("2") and flags != "20" else BINDINGS[kind.name]
        extra = "const std::pair<int, T> pair$(1, 2);" if "a" in flags else ""
        return kind, form.replace("N", names), "", form, extra
    forms = [(form, flags) for form, flags in FORMS
             if allowed(flags, std)
             and not ("h" in flags and kind.holds)
             and not ("c" in flags and (kind.pin or not kind.copies))
             and ("d" in flags) <= kind.guide]
    form, flags = rng.choice(forms)
    # clang doesn't extend all lifetimes of temporaries in static variables.
    readable = "r" in flags and not (kind.holds and form.startswith(("static", "thread_local")))
    use = f'say("u", x{kind.use}); ' if readable else ""
    return kind, form, use, form, ""


def declaration(rng, std):
    """A case: one or two annotated declarations, somewhere."""
    case = Case(kind="declaration")
    kind, form, use, shape, extra = choose(rng, std)
    braces = kind.braces
    if std >= 20 and kind.name in DESIGNATED and rng.random() < 0.25:
        designated, _, _ = DESIGNATED[kind.name].partition("|")
        if DESIGNATED[kind.name].endswith("|"):
            designated = designated[:-1] + ", .u = T(%)}"
        braces, shape = designated, shape + " designated"
    spelled = kind.spelled
    # A dependent type.
    dependent = rng.random() < 0.2 and kind.name != "std::initializer_list<T>" and "::X" not in form
    if dependent:
        spelled = "Q"
    text = form
    use_of = f"{kind.use}"
    # XBU: what one member of a temporary holds.
    text = text.replace("XBU", f"\1\2{use_of}").replace("X", "\1").replace("B", "\2")
    text = text.replace("\1", spelled).replace("\2", braces)
    if kind.guide:
        text = text.replace("D", "W$")
    if spelled.startswith("std::") or spelled == "T":
        text = text.replace("::std::", "std::") if "x = ::std" in text else text
    text, use = numbers(text, rng), use
    what = rng.choice(["draw", "draw", "wait"] + ["phase"] * 7)
    k, mark = case.marked(what)
    case.shape = f"{what}, {kind.name.rstrip('$')}, {shape}" + (", dependent" if dependent else "")
    lines = [f"@N{k};", f"{mark}{text}"]
    if rng.random() < 0.3 and "throw" not in text:
        k2, mark2 = case.marked()
        lines.insert(0, f"@N{k2};")
        lines.append(f'{mark2}say("next", {rng.randrange(9)});')
    lines.append(use + 'say("|", 0);')
    if kind.text:
        case.globals.append(kind.text)
    if extra:
        case.globals.append(extra)
    if "id(" in form:
        case.globals.append("template <class I> I id$(I &&x) { return static_cast<I &&>(x); }")
        lines = [line.replace("id(", "id$(") for line in lines]
    places.put(case, rng, lines, std, template=spelled if not dependent else None,
               argument=kind.spelled if dependent else None)
    return case
