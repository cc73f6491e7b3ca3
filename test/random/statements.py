"""Cases of annotated statements, blocks, branches, loops and jumps, in C and C++: small
functions with randomly nested statements."""
import places
from program import Case

STAGES = ["fit", "validate", "test", "predict"]


class Soup:
    """Random statements for one case."""

    def __init__(self, rng, language, std, case, chance=0.5):
        self.rng, self.cxx, self.std, self.case = rng, language == "c++", std, case
        self.chance = chance
        self.fresh = 0
        self.lines = []
        self.names = [[]]       # readable ints, by scope
        self.loops = 0
        self.breakable = []     # "loop" or "switch", innermost last
        self.tries = 0
        self.uses_out = False
        self.depth_limit = rng.choice([2, 3, 3, 4])
        self.gnu = False

    # --- Words ---

    def n(self, limit=99):
        return self.rng.randrange(1, limit)

    def name(self, letter="x"):
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def any(self):
        names = [name for scope in self.names for name in scope]
        return self.rng.choice(names) if names and self.rng.random() < 0.7 else str(self.n(9))

    def expression(self):
        forms = [f"value({self.any()})", f"value({self.n()}) + {self.any()}",
                 f"odd({self.any()}) ? value({self.n()}) : {self.any()}",
                 f"value({self.n()}) * 2 - value({self.any()})",
                 f"(value({self.n()}), value({self.any()}))"]
        if self.cxx:
            forms += [f"make({self.n()}).v", f"T({self.n()}).get() + make({self.any()}).get()",
                      f"[=] {{ return value({self.n()}); }}()",
                      f"T(T({self.n()})).v", f"static_cast<int>(sizeof(int)) + value({self.n()})"]
            if self.tries:
                forms.append(f"risky$({self.n(9)})")
        else:
            forms += [f"make({self.n()}).v", f"((struct T){{value({self.n()})}}).v",
                      f"(int)sizeof(int) + value({self.any()})"]
        return self.rng.choice(forms)

    def condition(self):
        return self.rng.choice([f"odd({self.n()})", f"value({self.n()}) > {self.any()}",
                                f"!odd({self.any()})", f"odd({self.n()}) && odd({self.n()})",
                                f"odd({self.n()}) || value({self.any()}) < 50"])

    # --- Annotations ---

    def mark(self, kinds=("phase",) * 5 + ("draw", "wait")):
        """(index, text) of an annotation, or (None, "")."""
        if self.rng.random() > self.chance:
            return None, ""
        kind = self.rng.choice(kinds + (self.rng.choice(STAGES),))
        return self.case.marked(kind)

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def counted(self, depth, in_block, plain=False):
        """(text before a statement, its count as an expression or "")."""
        k, mark = self.mark()
        if k is None:
            return "", ""
        if in_block:
            self.put(depth, f"@N{k};")
            return mark, ""
        return mark, f"@N{k}"

    # --- Statements ---

    def block(self, depth, head, tail="", first="", count=None):
        self.put(depth, head + "{" + (" " + first if first else ""))
        self.names.append([])
        for _ in range(count or self.rng.choice([1, 1, 2, 2, 3])):
            self.statement(depth + 1, True)
        self.names.pop()
        self.put(depth, "}" + tail)

    def body(self, depth, head, tail="", first=""):
        """HEAD and a block, or one statement without braces."""
        if first or self.rng.random() < 0.6:
            self.block(depth, head, tail, first)
        else:
            self.put(depth, head.rstrip())
            self.statement(depth + 1, False)
            if tail:
                self.put(depth, tail)

    def statement(self, depth, in_block):
        kinds = ["call"] * 3 + ["assign"] * 2 + ["null", "macro"]
        if depth < self.depth_limit:
            kinds += ["block"] * 2 + ["branch"] * 3 + ["loop"] * 5 + ["switch"] * 2
            kinds += ["attempt"] * 2 if self.cxx else []
        kinds += ["leave"] * 2
        if in_block:
            kinds += ["declare"] * 3 + ["pragma", "preprocessor"]
            kinds += ["gnu"] if self.gnu else []
            kinds += ["local"] if self.cxx else []
        getattr(self, "do_" + self.rng.choice(kinds))(depth, in_block)

    def do_call(self, depth, in_block):
        mark, count = self.counted(depth, in_block)
        say = f'say("s", {self.expression()})'
        forms = [f"{say};", f'{say}, say("t", {self.n()});', f"(void)({self.expression()});",
                 f'say("a"\n{"  " * depth}    "b", // )\n{"  " * depth}    {self.n()});',
                 f'{say} /* ; */ ;', 'text = "t;";', 'letter = \'"\';', 'text = "a" WORD;',
                 "text = WORD ;", "real = 1.5e3f;", "real = .5;", "text = &WORD[1];"]
        if self.cxx:
            forms += [f"T({self.n()}), T({self.n()});", f"make({self.n()}).get();",
                      f"T{{{self.n()}}};", f"delete new T({self.n()});",
                      f'[&](int y) {{ say("l", y); }}({self.n()});',
                      f"::say(\"q\", {self.n()});"]
        text = self.rng.choice(forms)
        if count:
            text = f"{count}, {text}" if not text.startswith(("(void)", "delete", "[", "text", "real", "letter")) else \
                f'say("k", {count});'
        self.put(depth, mark + text)

    def do_assign(self, depth, in_block):
        names = [name for scope in self.names for name in scope if name.startswith("x")]
        if not names:
            self.do_call(depth, in_block)
            return
        mark, count = self.counted(depth, in_block)
        x, operator = self.rng.choice(names), self.rng.choice(["=", "=", "+=", "^=", "|="])
        right = self.expression()
        if "x" not in operator and "*" in right:
            right = f"({right}) % 100"
        if count:
            right = f"({count}, {right})"
        end = self.rng.choice(["", "", " | 1", " + 'c'", f" + {x}", ' + *"s"'])
        self.put(depth, f"{mark}{x} {operator} (({right}) & 63){end};")

    def do_null(self, depth, in_block):
        if not in_block:
            self.do_call(depth, in_block)
            return
        mark, _ = self.counted(depth, in_block)
        self.put(depth, mark + self.rng.choice([";", "{}", "{ ; }", "{\n}"]))

    def do_macro(self, depth, in_block):
        """Uses of the program's own macros."""
        mark, count = self.counted(depth, in_block)
        call = f"({count}, value({self.n()}))" if count else f"value({self.n()})"
        inner = self.mark()
        if count or inner[0] is None or not in_block:
            forms = [f"CHECK({call});", f"BLOCK(say(\"b\", {call}); value({self.n()});)",
                     f"FORWARD(say(\"b\", {call}); value({self.n()});)",
                     f"STATEMENT({call});", f"if (odd({self.n()})) CHECK({call}); "
                     f"else CHECK(value({self.n()}));" if not count else f"CHECK({call});"]
        else:
            # An annotation inside the macro's argument.
            argument = f"@N{inner[0]}; {inner[1]}say(\"b\", {self.n()}); value({self.n()});"
            forms = [f"BLOCK({argument})", f"FORWARD({argument})"]
        self.put(depth, mark + self.rng.choice(forms))

    def do_block(self, depth, in_block):
        if not in_block:
            self.do_call(depth, in_block)
            return
        mark, _ = self.counted(depth, in_block)
        self.block(depth, mark)

    def do_branch(self, depth, in_block):
        mark, count = self.counted(depth, in_block)
        condition = self.condition()
        head, before = "if ", ""
        if self.cxx and self.std >= 17 and self.rng.random() < 0.2:
            before = f"int i = {self.expression()}; "
            condition = f"i > {self.n()} || {condition}"
        elif self.cxx and self.rng.random() < 0.15 and not count:
            condition = f"bool b = {condition}"
        elif self.cxx and self.std >= 17 and self.rng.random() < 0.1 and not count:
            head, condition = "if constexpr ", "sizeof(int) > 2"
        # The whole condition may end at an ||, so the count comes first.
        condition = before + (f"({count}, {condition})" if count else condition)
        if self.rng.random() < 0.5:
            self.block(depth, f"{mark}{head}({condition}) ")
            chain = self.rng.random()
            if chain < 0.3:
                self.block(depth, f"else if ({self.condition()}) ")
            if chain < 0.7:
                k, inner = self.mark()
                if k is None:
                    self.body(depth, "else ")
                else:
                    self.block(depth, f"else {inner}", first=f"@N{k};")
        else:
            self.put(depth, f"{mark}{head}({condition})")
            self.statement(depth + 1, False)

    def loop_marks(self, depth, in_block, samples):
        """(text before the loop, first statements in its body)"""
        mark, first = "", ""
        if in_block and self.rng.random() < 0.3:
            mark, _ = self.counted(depth, True)
        if self.rng.random() > self.chance:
            return mark, first
        kind = self.rng.choice(["epoch", "train", "train", "valid"])
        if kind == "epoch":
            k, text = self.case.marked("epoch")
            return mark + text, f"@N{k};"
        if not in_block:
            return mark, first
        k, text = self.case.marked(kind, samples=samples)
        self.put(depth, f"@N{k};")
        return mark + text, f"@S{k};"

    def do_loop(self, depth, in_block):
        i = self.name("i")
        samples = self.rng.choice(["", "", "4", f"{self.any()} + 1", "counts[0] % 7"])
        form = self.rng.choice(["for", "for", "while", "do", "range", "forever"])
        if form == "range" and not self.cxx:
            form = "for"
        if form in ("for", "range") and self.rng.random() < 0.3:
            samples = f"{i} * 2"
        if form in ("while", "do", "forever"):
            if not in_block:
                self.do_call(depth, in_block)
                return
            self.put(depth, f"int {i} = {self.rng.randrange(1, 4)};")
            self.names[-1].append(i)
        mark, first = self.loop_marks(depth, in_block, samples)
        self.loops += 1
        self.breakable.append("loop")
        self.names.append([i])
        if form == "for":
            head = self.rng.choice([
                f"for (int {i} = 0; {i} < {self.rng.randrange(1, 4)}; ++{i}) ",
                f"for (int {i} = value(0), e{i} = 2; {i} < e{i}; {i}++) ",
                f"for (int {i} = 3; {i}-- > value(1);) "])
            self.body(depth, mark + head, first=first)
        elif form == "range":
            head = self.rng.choice([
                f"for (int {i} : {{1, {self.n()}}}) ", f"for (auto {i} : {{value(1), value(2)}}) ",
                f"for (const int &{i} : Range$(2)) ", f"for (auto &&{i} : Range$(3)) "])
            self.body(depth, mark + head, first=f"{first or ''}(void){i};")
        elif form == "while":
            self.body(depth, f"{mark}while ({i}-- > value(0)) ", first=first)
        elif form == "do":
            # No `continue` in a body whose own condition ends the loop.
            self.body(depth, f"{mark}do ", f" while (--{i} > value(0));", first=first)
        else:
            head = self.rng.choice(["for (;;) ", "while (1) ", "for (; value(1);) "])
            self.block(depth, mark + head, first=first + f" if ({i}-- < 1) break;")
        self.names.pop()
        self.breakable.pop()
        self.loops -= 1

    def do_switch(self, depth, in_block):
        mark, count = self.counted(depth, in_block)
        value = f"value({self.n()}) % 3"
        self.put(depth, f"{mark}switch ({f'({count}, {value})' if count else value}) {{")
        self.breakable.append("switch")
        for number in range(self.rng.randrange(1, 4)):
            k, inner = self.mark()
            self.block(depth, f"case {number}: {inner}", first=f"@N{k};" if k is not None else "",
                       tail=" break;")
        if self.rng.random() < 0.5:
            self.put(depth, "default:")
            self.statement(depth + 1, False)
        self.breakable.pop()
        self.put(depth, "}")

    def do_attempt(self, depth, in_block):
        mark, count = self.counted(depth, in_block)
        self.tries += 1
        self.block(depth, f"{mark}try ", first=f"{count};" if count else "")
        self.tries -= 1
        k, inner = self.mark()
        handler = self.rng.choice(["int e", "const int &e", "int"])
        read = 'say("e", e);' if handler.endswith("e") else ""
        if k is not None:
            read = f"@N{k}; {inner}say(\"h\", 1); " + read
        self.block(depth, f" catch ({handler}) ", first=read)
        if self.rng.random() < 0.3:
            self.lines[-1] += ' catch (...) { say("never", 3); }'

    def do_leave(self, depth, in_block):
        forms = []
        if self.loops:
            forms += ["break;", "continue;"] if self.breakable[-1] == "loop" else ["break;"]
        elif self.breakable:
            forms += ["break;"]
        if not self.in_value_function:
            forms.append("return;")
        forms.append("goto out;")
        if self.tries:
            forms.append(f"throw {self.n()};")
        form = self.rng.choice(forms)
        if "out" in form:
            self.uses_out = True
        condition = self.condition()
        k, mark = self.mark()
        if k is not None:
            condition = f"({condition}) && @N{k}"
        self.put(depth, f"if ({condition}) {mark}{form}")

    in_value_function = False

    def do_declare(self, depth, in_block):
        x = self.name()
        k, mark = self.mark(kinds=("phase",) * 4 + ("draw",))
        if k is not None:
            self.put(depth, f"@N{k};")
        e = self.expression()
        forms = [f"int {x} = {e};", f"int {x} = {e};", f"const int c{x} = {e}; int {x} = c{x};",
                 f"int {x} = {e}, y{x} = {self.n()}; (void)y{x};", f"int y{x}[2] = {{{e}, 2}}, {x} = 1;"
                 f" (void)y{x};", f"static int s{x} = 3; int {x} = s{x}++;",
                 f"struct T t{x} = make({self.n()}); int {x} = t{x}.v;", f"int {x}; {x} = {e};"]
        if not self.cxx:
            forms += [f"struct T t{x} = {{.v = {e}}}; int {x} = t{x}.v;",
                      f"int y{x}[] = {{[1] = {e}, 4}}; int {x} = y{x}[1];",
                      f"struct T *t{x} = &(struct T){{{e}}}; int {x} = t{x}->v;",
                      f"int y{x}[value(3)]; y{x}[0] = 2; int {x} = y{x}[0];",
                      f"const char *y{x} = odd(3) ? \"a\" : \"bc\"; int {x} = y{x}[0];",
                      f"enum {{ E{x} = 4 }} y{x} = E{x}; int {x} = (int)y{x};",
                      f"int {x} = _Generic({self.n()}, int: {e}, default: 2);"]
        self.put(depth, mark + self.rng.choice(forms))
        self.put(depth, f"(void){x};")
        self.names[-1].append(x)

    def do_pragma(self, depth, in_block):
        k, mark = self.mark()
        if k is not None:
            self.put(depth, f"@N{k};")
        i = self.name("i")
        self.put(depth, mark + "{")
        self.put(0, self.rng.choice(["#pragma GCC unroll 2", "#pragma GCC ivdep"])
                 if not self.rng.random() < 0.0 else "")
        self.put(depth + 1, f"for (int {i} = 0; {i} < 2; ++{i}) value({i});")
        self.put(depth, "}")

    def do_preprocessor(self, depth, in_block):
        """Directives between and around statements."""
        k, mark = self.mark()
        if k is not None:
            self.put(depth, f"@N{k};")
        on = self.rng.choice(["#if 1", "#ifdef __GNUC__", "#ifndef NOTHING$"])
        form = self.rng.randrange(4)
        if form == 0:
            self.put(0, f"{on}\n  {mark}say(\"i\", {self.n()});\n#else\n  nonsense +;\n#endif")
        elif form == 1:
            self.put(0, f"  {mark}{{\n{on}\n  value({self.n()});\n#endif\n  value({self.n()});\n  }}")
        elif form == 2:
            self.put(0, f"  {mark}\n{on}\n  say(\"i\", {self.n()});\n#else\n  other;\n#endif")
        else:
            self.put(0, f"  {mark}say(\"i\",\n{on}\n  value({self.n()})\n#else\n  2\n#endif\n  );")

    def do_local(self, depth, in_block):
        """A local class or lambda with its own body."""
        k, mark = self.mark(kinds=("phase",) * 4)
        name = self.name("f")
        inside = f"@N{k}; " if k is not None else ""
        form = self.rng.randrange(4)
        if form == 0:
            self.put(depth, f"struct {name} {{ {mark}int run(int y) const {{ {inside}"
                            f"return value(y); }} }};")
            self.put(depth, f"{name}().run({self.n()});")
        elif form == 1:
            self.put(depth, f"auto {name} = [&](int y) {{ {inside}{mark}{{ value(y); }} "
                            f"return y; }};")
            self.put(depth, f"{name}({self.n()});")
        elif form == 2 and self.std >= 14:
            self.put(depth, f"auto {name} = [](auto y) {{ {inside}{mark}return value(y); }};")
            self.put(depth, f"{name}({self.n()}); {name}(2u);")
        else:
            self.put(depth, f"auto {name} = [&]() mutable noexcept -> int {{ {inside}{mark}"
                            f"return make({self.n()}).v; }};")
            self.put(depth, f"{name}(); {name}();")

    def do_gnu(self, depth, in_block):
        """GNU statement expressions and computed goto."""
        x = self.name()
        k, mark = self.mark()
        if k is not None:
            self.put(depth, f"@N{k};")
        k2, mark2 = self.mark()
        inner = f"@N{k2}; {mark2}" if k2 is not None else ""
        self.put(depth, f"{mark}int {x} = __extension__ ({{ {inner}value({self.n()}); "
                        f"int z = {self.expression()}; z; }});")
        self.put(depth, f"(void){x};")
        self.names[-1].append(x)

    def whole(self):
        """The lines of a function's body; it returns nothing."""
        self.block(1, "", count=self.rng.choice([2, 3, 4]))
        self.lines += ["  goto out;", "out:", '  say("out", 0);']
        return self.lines


HELPERS = {
    "CHECK(": "#define CHECK(...) do { if ((__VA_ARGS__) < -1000) say(\"never\", 9); } while (0)",
    "BLOCK(": "#define BLOCK(...) { __VA_ARGS__ }",
    "FORWARD(": "#define HAND_FORWARD(x) x\n#define GIVE_FORWARD(x) HAND_FORWARD(x)\n"
                "#define FORWARD(x) { GIVE_FORWARD(x) }",
    "STATEMENT(": "#define STATEMENT(...) say(\"m\", __VA_ARGS__)",
    "Range$": "struct Range$ { T t; int a[3] = {4, 5, 6}; Range$(int n) : t(n) {}\n"
              "  const int *begin() const { return a; }\n"
              "  const int *end() const { return a + 2; } };",
    "risky$": "int risky$(int x) { T t(x); if (x % 2) throw x; return x; }",
}


def statement(rng, language, std, gnu):
    """A case: a function of random statements."""
    case = Case(kind="statements")
    soup = Soup(rng, language, std, case, rng.choice([0.3, 0.5, 0.8]))
    soup.gnu = gnu
    lines = soup.whole()
    text = "\n".join(lines)
    for word, helper in HELPERS.items():
        if word in text:
            if word.endswith("("):
                name = word[:-1]
                case.globals.append(helper.replace(name, f"{name}$"))
                lines = [line.replace(word, f"{name}$(") for line in lines]
            else:
                case.globals.append(helper)
    case.shape = f"{len(case.annotations)} annotations"
    if language == "c++":
        places.put(case, rng, lines, std, blocks=False)
    else:
        places.put_c(case, rng, lines)
    return case


def selected(rng, language, std):
    """A case whose annotations can come from a selection file: loops and calls."""
    case = Case(kind="selection")
    soup = Soup(rng, language, std, case, 0.5)
    say = "static_cast<void>" if language == "c++" else "(void)"
    lines, loops, calls = [], 0, []
    in_c = 'in: "c$", '
    for _ in range(rng.randrange(1, 4)):
        i, limit = soup.name("i"), rng.randrange(1, 4)
        loops += 1
        kind = rng.choice(["epoch", "train", "valid", "phase"])
        loop = rng.choice([f"for (int {i} = 0; {i} < {limit}; ++{i})", f"while ({i}-- > value(0))",
                           f"for (int {i} : {{1, {soup.n()}}})" if language == "c++" else
                           f"for (int {i} = {limit}; {i} > 0; --{i})"])
        if loop.startswith("while"):
            lines.append(f"int {i} = {limit};")
        how = i if loop.startswith(f"for (int {i} =") and rng.random() < 0.6 else str(loops)
        samples = rng.choice(["", "5"]) if kind in ("train", "valid") else ""
        k, mark = case.marked(kind, samples=samples, rule=in_c + f"loop: {how}")
        inside = f"@S{k};" if kind in ("train", "valid") else f"@N{k};" if kind == "epoch" else ""
        if kind != "epoch":
            lines.append(f"@N{k};")
        lines.append(f"{mark}{loop} {{ {inside}" + ("(void)" + i + ";" if " : " in loop else ""))
        for _ in range(rng.randrange(1, 3)):
            name = soup.name("t") + "_$"
            calls.append(name)
            k, mark = case.marked(rng.choice(["phase", "phase", "draw", "fit"]),
                                  rule=rng.choice(["", in_c]) + f"call: {name}")
            form = rng.choice([f"{name}({soup.n()});", f"int {name}x = {name}({soup.n()}); "
                               f"(void){name}x;", f"{say}({name}({soup.n()}));",
                               f"say(\"r\", {name}(3) + 1);"])
            lines += [f"  @N{k};", f"  {mark}{form}"]
        lines.append("}")
    case.globals += [f"int {name}(int x) {{ say(\"f\", x); return x; }}" for name in calls]
    case.globals += [f"void c$({'' if language == 'c++' else 'void'}) {{",
                     *("  " + line for line in lines), "}"]
    case.shape = f"{loops} loops"
    return case
