"""Writes a random annotated C++17 program that terminates and has no undefined
behaviour.

usage: generate.py SEED FUNCTIONS

The same seed gives the same program. It has all kinds of statements that can be
annotated, nested and left in all ways; about half of them are annotated.
"""
import random
import sys

HEAD = """#include "work.h"
#include <utility>
#include <vector>
#define CHECKED(CALL) do { if ((CALL) < -1000) work("never"); } while (false)
#define BLOCK(...) { __VA_ARGS__ }
struct Fixed {
  Fixed(const char *w, int x) : v(value(w, x)) {}
  Fixed(const Fixed &) = delete;
  ~Fixed() { work("gone"); }
  int get(const char *w) const { return value(w, v); }
  int v;
};
static Fixed fixed(const char *w, int x) { return Fixed(w, x); }
static std::pair<int, int> two(const char *w, int x) { return {value(w, x), x + 1}; }
static std::vector<int> some(const char *w, int x) { return {value(w, x), 2}; }
template <typename F> static int apply(F f, int x) { return f(x); }
"""


class Function:
    """One function; NUMBER is its name, and it may call lower ones."""

    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.count = 0
        self.lines = []
        self.loops = 0        # Loops around the current statement.
        self.switches = []    # For each breakable: whether it is a switch.
        self.in_lambda = 0
        self.names = [["x"]]  # Variables by scope.

    def word(self):
        self.count += 1
        return f'"w{self.number}_{self.count}"'

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def any(self):
        return self.rng.choice([n for scope in self.names for n in scope])

    def expression(self):
        form = self.rng.randrange(6)
        if form == 0 and self.number and not self.in_lambda and self.loops < 2:
            return f"f{self.rng.randrange(self.number)}({self.any()} % 5)"
        if form == 1:
            return f"fixed({self.word()}, {self.any()} % 7).get({self.word()})"
        return f"value({self.word()}, ({self.any()} + {self.rng.randrange(9)}) % 11)"

    def mark(self, loop=False, chance=0.55):
        if self.rng.random() > chance:
            return ""
        choices = [f'phase("p{self.rng.randrange(9)}")'] * 4 + ["draw", "validate", "predict"]
        if loop:
            choices += ["epoch", "train", f'train("{self.any()} % 3 + 1")', 'valid("4")'] * 3
        found = ["loopscope::" + self.rng.choice(choices)]
        if self.rng.random() < 0.15:
            found.append('loopscope::phase("q")')
        return "[[" + ", ".join(found) + "]] "

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def block(self, depth, head, tail=""):
        """HEAD { statements } TAIL"""
        self.put(depth, head + "{")
        self.names.append([])
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth + 1, in_block=True)
        self.names.pop()
        self.put(depth, "}" + tail)

    def body(self, depth, head, tail=""):
        """HEAD and a block or a single statement."""
        if self.rng.random() < 0.5:
            self.block(depth, head, tail)
            return
        self.put(depth, head)
        self.statement(depth + 1, in_block=False)
        if tail:
            self.put(depth, tail)

    def statement(self, depth, in_block):
        kinds = ["work", "set", "macro", "block", "lambda"]
        if depth < 5:
            kinds += ["if", "loop", "loop", "switch", "try"]
        kinds += ["leave"] if depth > 2 else []
        kinds += ["declare"] * 5 if in_block else []
        getattr(self, "do_" + self.rng.choice(kinds))(depth)

    def do_work(self, depth):
        self.put(depth, f"{self.mark()}work({self.word()});")

    def do_set(self, depth):
        operator = self.rng.choice(["=", "^="])
        self.put(depth, f"{self.mark()}x {operator} {self.expression()} & 15;")

    def do_macro(self, depth):
        form = self.rng.randrange(2)
        text = f"CHECKED({self.expression()});" if form else \
            f"BLOCK({self.mark()}work({self.word()}); work({self.word()});)"
        self.put(depth, (self.mark() if form else "") + text)

    def do_block(self, depth):
        self.block(depth, self.mark())

    def do_lambda(self, depth):
        self.in_lambda += 1
        self.put(depth, f"{self.mark()}x = apply([&](auto y) {{ "
                        f"{self.mark()}work({self.word()}); {self.mark()}return "
                        f"value({self.word()}, static_cast<int>(y) + 1); }}, x) & 15;")
        self.in_lambda -= 1

    def do_if(self, depth):
        self.body(depth, f"{self.mark()}if ({self.expression()} % 2) {{".rstrip("{"))
        if self.lines[-1].strip() == "}" and self.rng.random() < 0.6:
            self.body(depth, "else ")

    def do_loop(self, depth):
        i, mark = self.fresh("i"), self.mark(loop=True)
        self.loops += 1
        self.switches.append(False)
        self.names.append([i])
        form = self.rng.randrange(4)
        if form == 0:
            self.body(depth, f"{mark}for (int {i} = value({self.word()}, 0); {i} < 2; ++{i}) ")
        elif form == 1:
            self.body(depth, f"{mark}for (int {i} : some({self.word()}, x % 4)) ")
        else:
            self.names.pop()
            self.names.append([])
            self.put(depth, "{")
            self.put(depth, f"int {i} = 2;")
            if form == 2:
                self.body(depth, f"{mark.replace(i, 'x')}while ({i}-- > value({self.word()}, 0)) ")
            else:
                self.body(depth, f"{mark.replace(i, 'x')}do ",
                          f" while (--{i} > value({self.word()}, 0));")
            self.put(depth, "}")
        self.names.pop()
        self.switches.pop()
        self.loops -= 1

    def do_switch(self, depth):
        self.put(depth, f"{self.mark()}switch ({self.expression()} % 3) {{")
        self.switches.append(True)
        for number in range(2):
            self.block(depth, f"case {number}: {self.mark()}", " break;")
        self.put(depth, "default:")
        self.statement(depth + 1, in_block=False)
        self.switches.pop()
        self.put(depth, "}")

    def do_try(self, depth):
        self.block(depth, f"{self.mark()}try ", f" catch (int) {{ {self.mark()}work({self.word()}); }}")

    def do_leave(self, depth):
        forms = [f"return {self.expression()};", f"throw {self.expression()};", "goto out;"]
        if self.switches:
            forms += ["break;"] * 2
        if self.loops:
            forms += ["continue;"] * 2
        self.put(depth, f"if (value({self.word()}, x) % 3 == 0) {self.mark()}{self.rng.choice(forms)}")

    def do_declare(self, depth):
        v, mark, e = self.fresh("v"), self.mark(), self.expression()
        w, n = self.word(), self.any()
        self.put(depth, mark + self.rng.choice([
            f"int {v} = {e};", f"const int {v} = {e};", f"auto {v} = {e};", f"auto &&{v} = {e};",
            f"int {v}{{{e}}};", f"int {v}({e}), {v}b = {e}; (void){v}b;",
            f"auto {v}f = fixed({w}, {n}); int {v} = {v}f.v;",
            f"const Fixed &{v}f = fixed({w}, {n}); int {v} = {v}f.v;",
            f"Fixed {v}f({w}, {n}); int {v} = {v}f.v;",
            f"auto [{v}, {v}b] = two({w}, {n}); (void){v}b;",
            f"const auto &[{v}, {v}b] = two({w}, {n}); (void){v}b;",
            f"long {v} = {e};", f"std::vector<int> {v}v = {{{e}, 1}}; int {v} = {v}v[0];"]))
        self.names[-1].append(v)

    def text(self):
        mark = self.mark()
        head = self.rng.choice([f"static int f{self.number}(int x) ",
                                f"template <typename T = int> static int f{self.number}(T x) "])
        if head.startswith("template"):
            head = head.replace("static", mark + "static")
        else:
            head = mark + head
        # After every variable, so that a goto may leave from anywhere.
        self.put(0, head.replace("loopscope::draw", "loopscope::fit") + "{")
        self.block(1, "")
        self.put(1, f"goto out;\nout:\n  return (x & 15) + value({self.word()}, 1);")
        self.put(0, "}")
        return "\n".join(self.lines)


def main():
    seed, functions = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(HEAD)
    for number in range(functions):
        print(Function(rng, number).text())
    print("int main() {\n  int sum = 0;")
    for number in range(functions):
        for x in range(3):
            print(f'  try {{ sum += f{number}({x}); }} catch (int) {{ work("caught"); }}')
    print("  return sum & 63;\n}")


main()
