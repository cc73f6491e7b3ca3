"""Places for statements: functions, methods, lambdas, templates, blocks."""

# In these, @A is the place for the function's annotation.
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
# Head, tail, call, name in the profile.
FUNCTIONS = [
    ("@Avoid c$() {", "}", "", "c$"),
    ("@Astatic void c$() {", "}", "", "c$"),
    ("@A[[gnu::noinline]] void c$() {", "}", "", "c$"),
    ("@Aauto c$() -> void {", "}", "", "c$"),
    ("void c$();\n@Avoid c$() noexcept(false) {", "}", "", "c$"),
    ("struct M$ { @Avoid run() {", "} };", "M$().run()", "M$::run"),
    ("struct M$ { int m = 3; @Avoid run() const & {", "} };", "M$().run()", "M$::run"),
    ("struct M$ { void run() &&; };\n@Avoid M$::run() && {", "}", "M$().run()", "M$::run"),
    ("struct M$ { @Astatic void run() {", "} };", "M$::run()", "M$::run"),
    ("struct M$ { int m; @AM$() : m(value(2)) {", "} };", "M$()", "M$::M$"),
    ("struct M$ { int m; M$(); };\n@AM$::M$() : m(value(2)) {", "}", "M$()", "M$::M$"),
    ("struct M$ { @A~M$() noexcept(false) {", "} };", "M$()", "M$::~M$"),
    ("struct M$ { @Avoid operator()(int) {", "} };", "M$()(1)", "M$::operator()"),
    ("struct M$ { @Aoperator bool() const {", "return true; } };", "(void)bool(M$())",
     "M$::operator bool"),
    ("struct V$ { virtual ~V$() {} virtual void run() = 0; };\n"
     "struct M$ final : V$ { @Avoid run() override {", "} };",
     "static_cast<V$ &&>(M$()).run()", "M$::run"),
    ("struct M$ { friend void c$(M$) {", "} };", "c$(M$())", "c$"),
    ("namespace n$ { namespace { @Avoid run() {", "} } }", "n$::run()",
     "n$::(anonymous namespace)::run"),
    ("inline namespace n$ { @Avoid c$() {", "} }", "c$()", "n$::c$"),
    ("extern \"C\" @Avoid c$() {", "}", "", "c$"),
    ("auto l$ = [] @A(int y) {  (void)y;", "};", "l$(1)", ""),
    ("void c$() { int o = 1; auto f = [&] @A() { (void)o;", "}; f(); }", "", ""),
    ("void c$() { auto f = [=] @A(auto y) mutable { (void)y;", "}; f(1); }", "", ""),
    ("@Avoid c$() try {", "} catch (short) { say(\"never\", 2); }", "", "c$"),
    ("void c$() { struct Local { @Avoid run() {", "} }; Local().run(); }", "", ""),
    ("@Ainline int c$(T t = T(8), int d = value(2)) { (void)d;", "return t.v; }", "(void)c$()", "c$"),
    ("@AT c$() {", "return T(3); }", "(void)c$()", "c$"),
]
TEMPLATES = [
    ("template <class Q> @Avoid c$() {", "}", "c$<A>()", "c$"),
    ("template <class Q, int I = 3> @Avoid c$() {", "}", "c$<A>()", "c$"),
    ("template <class Q> struct M$ { @Avoid run() {", "} };", "M$<A>().run()", "M$::run"),
    ("template <class Q> struct M$ { void run(); };\ntemplate <class Q> @Avoid M$<Q>::run() {", "}",
     "M$<A>().run()", "M$::run"),
    ("template <class Q> struct M$ { template <class Z> @Astatic void run(Z) {", "} };",
     "M$<A>::run(1)", ""),
    ("template <class Q> void c$() { auto f = [] @A(auto y) { (void)y;", "}; f(1); }", "c$<A>()", ""),
    ("template <class Q> void c$() { if constexpr (sizeof(Q) > 0) { ", "} }", "c$<A>()", ""),
    ("template <class Q> @Avoid c$();\ntemplate <> void c$<int>() {}\n"
     "template <class Q> void c$() {", "}", "c$<A>()", ""),
]
C_FUNCTIONS = [
    ("@Avoid c$(void) {", "}", "", "c$"),
    ("@Astatic void c$(void) {", "}", "", "c$"),
    ("static void c$(void);\n@Astatic void c$(void) {", "}", "", "c$"),
    ("@Avoid c$(int x, ...) { (void)x;", "}", "c$(1)", "c$"),
    ("@Astatic inline int c$(void) {", "return 1; }", "(void)c$()", "c$"),
    ("@Astruct T c$(struct T t) { (void)t;", "return t; }", "(void)c$(make(3))", "c$"),
    ("@Avoid c$(int n, int a[n]) { (void)a;", "}", "c$(1, (int[]){2})", "c$"),
    ("@A__attribute__((noinline)) void c$(void)\n{", "}", "", "c$"),
    ("@Aint c$(a, b) int a; long b; { (void)a, (void)b;", "return a; }", "(void)c$(1, 2L)", "c$"),
    ("_Noreturn void never$(void) { abort(); }\n@Avoid c$(void) {", "}", "", "c$"),
]


def function(case, rng, head, tail, call, name, inside):
    """The function's lines, annotated or not."""
    # A stage is identified by its line, which is that of the definition.
    stage = rng.random() < 0.1 and "template <>" not in head
    if "@A" in head and rng.random() < 0.2:
        rule = f'function: "{name}"' if name and "template <>" not in head else ""
        k, mark = case.marked(rng.choice(["fit", "validate"] if stage else ["phase", "phase", "wait"]),
                              rule=rule)
        head = head.replace("@A", mark)
        inside = [f"@N{k};"] + inside
    head = head.replace("@A", "")
    if name and "template <>" not in head:
        case.functions[name] = 0
        inside = ["@F0;"] + inside
    case.globals += head.split("\n") + ["  " + line for line in inside] + [tail]
    case.call = call


def put(case, rng, lines, std, template=None, argument=None, blocks=True):
    """Makes LINES the body of the case's function. ARGUMENT: in a template, its value
    for the parameter Q."""
    open_block, close_block = rng.choice(BLOCKS) if blocks else ("", "")
    if argument or rng.random() < 0.1:
        head, tail, call, name = rng.choice(TEMPLATES)
        call = call.replace("A", argument or "int")
    else:
        head, tail, call, name = rng.choice(FUNCTIONS)
    if std < 14:
        head = head.replace("auto y", "int y")
    if std < 17:
        head = head.replace("if constexpr", "if")
    inside = ["  " + line if open_block else line for line in lines]
    if open_block:
        inside = [open_block, *inside, close_block]
    if "void" not in head.split("\n")[-1] and "goto out;" in "\n".join(lines) or \
            "return true" in tail or "return t" in tail:
        # A value is returned, so no plain return inside.
        inside = [line.replace("return;", "goto out;") for line in inside]
    function(case, rng, head, tail, call, name, inside)


def put_c(case, rng, lines):
    head, tail, call, name = rng.choice(C_FUNCTIONS)
    if "return" in tail:
        lines = [line.replace("return;", "goto out;") for line in lines]
    function(case, rng, head, tail, call, name, list(lines))
