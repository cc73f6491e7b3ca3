"""Where statements stand: functions, methods, lambdas, templates, blocks."""

BLOCKS = [
    ("", ""), ("", ""), ("", ""),
    ("{", "}"),
    ("for (int i = 0; i < 2; ++i) {", "}"),
    ("if (odd(3)) {", "}"),
    ("if (odd(2)) say(\"never\", 0); else {", "}"),
    ("switch (value(1)) { case 1: {", "} }"),
    ("try {", "} catch (char) { say(\"never\", 1); }"),
    ("do {", "} while (odd(2));"),
    ("for (int i : {1, 2}) { (void)i;", "}"),
]
FUNCTIONS = [
    ("void c$() {", "}", ""),
    ("static void c$() {", "}", ""),
    ("void c$() noexcept(false) {", "}", ""),
    ("struct M$ { void run() {", "} };", "M$().run()"),
    ("struct M$ { int m = 3; void run() const {", "} };", "M$().run()"),
    ("struct M$ { static void run() {", "} };", "M$::run()"),
    ("struct M$ { M$() {", "} };", "M$()"),
    ("struct M$ { ~M$() noexcept(false) {", "} };", "M$()"),
    ("struct M$ { void operator()(int) {", "} };", "M$()(1)"),
    ("namespace n$ { namespace { void run() {", "} } }", "n$::run()"),
    ("auto l$ = [](int y) { (void)y;", "};", "l$(1)"),
    ("void c$() { int o = 1; auto f = [&] { (void)o;", "}; f(); }", ""),
    ("void c$() { auto f = [=](auto y) mutable { (void)y;", "}; f(1); }", ""),
    ("void c$() try {", "} catch (short) { say(\"never\", 2); }", ""),
    ("void c$() { struct Local { void run() {", "} }; Local().run(); }", ""),
    ("inline int c$() {", "return 1; }", "(void)c$()"),
]
TEMPLATES = [
    ("template <class Q> void c$() {", "}", "c$<A>()"),
    ("template <class Q, int I = 3> void c$() {", "}", "c$<A>()"),
    ("template <class Q> struct M$ { void run() {", "} };", "M$<A>().run()"),
    ("template <class Q> struct M$ { template <class Z> static void run(Z) {", "} };",
     "M$<A>::run(1)"),
    ("template <class Q> void c$() { auto f = [](auto y) { (void)y;", "}; f(1); }", "c$<A>()"),
    ("template <class Q> void c$() { if constexpr (sizeof(Q) > 0) {", "} }", "c$<A>()"),
]


def put(case, rng, lines, std, template=None, argument=None):
    """Makes LINES the body of the case's function. ARGUMENT: in a template, whose
    parameter Q stands for it."""
    open_block, close_block = rng.choice(BLOCKS)
    if argument or rng.random() < 0.1:
        head, tail, call = rng.choice(TEMPLATES)
        call = call.replace("A", argument or "int")
    else:
        head, tail, call = rng.choice(FUNCTIONS)
        if std < 14 and "auto y" in head:
            head = head.replace("auto y", "int y")
    if std < 17:
        head = head.replace("if constexpr", "if")
    text = [head]
    if open_block:
        text.append("  " + open_block)
    text += ["  " + line for line in lines]
    if close_block:
        text.append("  " + close_block)
    text.append(tail)
    case.globals += text
    case.call = call
