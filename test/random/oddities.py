"""Cases of fixed text: corners of C and C++ that random statements don't reach. In the
texts % is a number; @P and @N are as in program.py."""
import re

from program import Case

# Language, first standard, whether it needs the GNU dialect, kinds of annotations
# (phase by default), text. The text defines c$.
TEXTS = [
    # --- C: lifetimes ---
    ("c", 99, False, "", """void c$(void) {
  struct T *p; int *q;
  @N0; @P0 p = &(struct T){value(%)};
  @N1; @P1 q = (int[]){value(%), %}, p->v += 1;
  { int other[32]; for (int i = 0; i < 32; ++i) other[i] = value(0); say("o", other[3]); }
  say("u", p->v + q[0] + q[1]);
}"""),
    ("c", 99, False, "", """void c$(void) {
  struct T *p = 0;
  goto in;
in:
  @P0 p = (@N0, &(struct T){value(%)});
  if (odd(1)) @P1 say("l", (@N1, (struct T){value(%)}).v);
  { volatile int other[32]; for (int i = 0; i < 32; ++i) other[i] = -1; }
  say("u", p->v);
}"""),
    ("c", 99, False, "", """void c$(void) {
  int n = value(3);
  @N0; @P0 int vla[n][value(2)];
  @N1; @P1 { for (int i = 0; i < n; ++i) vla[i][1] = i; }
  @N2; @P2 say("z", (long)(sizeof vla / sizeof(int)) + vla[2][1]);
  typedef int row$[n];
  @N3; @P3 row$ r; r[0] = 1; say("r", (long)sizeof r);
}"""),
    ("c", 99, True, "", """static void gone$(int *x) { say("gone", *x); }
void c$(void) {
  @N0; @P0 __attribute__((cleanup(gone$))) int a = value(%);
  @N1; @P1 { __attribute__((cleanup(gone$))) int b = value(%); if (odd(1)) goto out; }
  value(1);
out:
  say("a", a);
}"""),
    # --- C: jumps ---
    ("c", 99, False, "", """static jmp_buf j$;
static void jump$(int x) { @N3; @P3 { if (x) longjmp(j$, x); } }
void c$(void) {
  volatile int tries = 0;
  @N0; @P0 if (setjmp(j$) < 2) {
    ++tries;
    @N1; @P1 { @N2; @P2 jump$(tries); }
  } else
    say("back", tries);
}"""),
    ("c", 99, True, "", """void c$(void) {
  static const void *const to[] = {&&a, &&b};
  @N0; @P0 goto *to[odd(%)];
a:
  @N1; @P1 say("a", %);
b:
  @N2; @P2 say("b", %);
}"""),
    ("c", 99, False, "", """void c$(void) {
  int n = 5;
  @N0; @P0 switch (value(%) % 4) {
  case 0: do { @N1; @P1 value(0);
  case 3: value(3);
  case 2: @P2 say("two", @N2);
  case 1: value(1);
    } while ((n -= 4) > 0);
  }
}"""),
    ("c", 99, False, "", """void c$(void) {
  int n = 0;
again:
  @N0; @P0 { if (n++ < 2) goto again; }
  if (0) { in: @P1 say("in", @N1); }
  @N2; @P2 if (n < 5) { n = 9; goto in; }
  for (;;) { @N3; @P3 break; }
  switch (n) { @P4 case 1: value(1); }
}"""),
    ("c", 99, True, "", """int c$(void) {
  int x = __extension__ ({ @N0; @P0 value(1); if (odd(2)) return 4; @N1; @P1 value(2); value(%); });
  @N2; @P2 x += __extension__ ({ __label__ out; if (odd(1)) goto out; value(9); out: value(3); });
  return x;
}"""),
    ("c", 99, True, "", """void c$(void) {
  switch (value(%)) { case 1 ... 30: @P0 say("low", @N0); break; default: @P1 say("high", @N1); }
  int a[] = {[0 ... 3] = 2};
  @N2; @P2 __auto_type y = a[3]; @N3; @P3 __typeof__(y) z = y; say("z", z);
}"""),
    # --- C: declarations ---
    ("c", 11, False, "", """void c$(void) {
  @N0; @P0 _Alignas(16) int a = value(%); @N1; @P1 register int b = value(%);
  @N2; @P2 volatile int c = value(%), *d = (int *)&b + 0 * a; (void)d;
  say("abc", a + b + c);
}""".replace(", *d = (int *)&b + 0 * a; (void)d;", ";")),
    ("c", 11, False, "draw", """enum e$ { A$, B$ = 7 }; union u$ { int i; char c[4]; };
void c$(void) {
  @N0; @P0 enum e$ e = odd(1) ? B$ : A$;
  @N1; @P1 union u$ u = {.i = value(%)};
  @N2; @P2 struct { unsigned a : 3, b : 5; int c[2]; } s = {.b = 3, .c = {[1] = value(%)}};
  @N3; @P3 const char text[] = "abc" "def", *p = text + value(2);
  @N4; @P4 static const double d[2] = {1.5, 2}; @N5; @P5 double x = d[odd(1)] * value(2);
  _Static_assert(sizeof(text) == 7, "");
  say("s", (long)e + u.i + s.b + s.c[1] + p[0] + (long)x);
}"""),
    ("c", 99, False, "", """int other$ = 3;
void c$(void) {
  @P0 extern int other$; int late$(int);
  @N1; @P1 int (*f)(int) = late$, n = value(%); say("f", f(n) + other$);
}
int late$(int x) { @N2; @P2 return x + other$; }"""),
    # --- C: statements ---
    ("c", 99, False, "", """void c$(void) {
  if (odd(1)) ; else @P0 say("never", @N0);
  if (odd(2)) @P1 ; else { }
  for (struct { int a; char b; } s = {0, 'a'}; s.a < 2; ++s.a) @P2 say("s", (@N2, s.b));
  @N3; @P3 while (odd(2)) ;
  @N4; @P4 do ; while (odd(2));
  @N5; @P5 ;;
}"""),
    ("c", 99, False, "epoch", """#define EACH$(i, n) for (int i = 0; i < (n); ++i)
#define TWICE$(x) do { x; x; } while (0)
#define SEMI$(x) value(x);
void c$(void) {
  @P0 EACH$(e, 2) { @N0; @N1; @P1 TWICE$(say("e", e)); }
  @N2; @P2 SEMI$(%)
  @N3; @P3 SEMI$(%);
  if (odd(1)) @P4 SEMI$(@N4)
}"""),
    ("c", 26, False, "epoch", """void c$(void) {
  @N1; @P1 {
  outer:
    @P0 for (int i = 0; i < 4; ++i) { @N0;
      for (int j = 0; j < 3; ++j) {
        if (odd(i) && @N2) @P2 continue outer;
        if (i == 2 && @N3) @P3 { value(%); break outer; }
      }
    }
  }
way: @N4; @P4 switch (value(2)) { case 1 ... 3: @P5 say("r", @N5); for (;;) { break; } break; default: ; }
  if (odd(2)) goto way;
  @N6; @P6 say("n", (long)_Countof(int[3]) + value(%));
}"""),
    # --- C++ ---
    ("c++", 26, False, "", """template <class... X> @P0 auto pick$(X... xs) { @N0; @P1 return (@N1, xs...[1]); }
struct B$ { int a, b; explicit operator bool() const { return odd(a); } };
void gone$() = delete("never");
void c$() {
  @N2; @P2 if (auto [a, b] = B$(%, 2)) say("ab", a + b); else say("no", 1);
  @N3; @P3 auto _ = make(%); @N4; @P4 auto _ = make(2);
  @N5; @P5 say("p", pick$(1, value(%), 3));
  auto sum = []<class Q>(Q q) { @N6; @P6 auto [...x] = q; @N7; @P7 return (x + ...); };
  say("s", sum(B$(%, 4)));
}"""),
    ("c++", 26, False, "train", """struct P$ { T a; int b; };
constexpr int twice$(int x) { return 2 * x; }
void c$() {
  @N0; @P0 for (auto [t, n] : {P$(make(%), 1), P$(T(2), 2)}) { @S0; @N1; @P1 say("t", t.v + n); }
  @N2; @P2 while (auto [t, n] = std::pair(1, odd(2)); n) say("never", t);
  static_assert(twice$(2) == 4, "a text");
  @N3; @P3 { auto _ = T(1), _ = T(%); say("u", 1); }
}""".replace("while (auto [t, n] = std::pair(1, odd(2)); n)", "if (auto [t, n] = std::pair(1, odd(2)); n)")),
    ("c++", 11, False, "", """struct M$ { T t; M$() : M$(4) { @N0; @P0 say("delegating", 1); }
  explicit M$(int x) try : t(x) { @N1; @P1 { if (x > 3) throw x; } }
  catch (int e) { say("caught", e); }
  @P2 ~M$() { @N2; say("d", 1); } };
void c$() { try { M$ m; } catch (int e) { @N3; @P3 say("outside", e); } }"""),
    ("c++", 11, False, "", """struct V$ { virtual int run() { return 1; } virtual ~V$() = default; };
struct L$ : virtual V$ { @P0 int run() override { @N0; return value(%); } };
struct R$ : virtual V$ { T t; };
struct M$ : L$, R$ { @P1 int run() final { @N1; @P2 return (@N2, L$::run()) + make(%).v; } };
void c$() { M$ m; V$ &v = m; @N3; @P3 say("run", v.run()); }"""),
    ("c++", 11, False, "", """struct M$ { int x;
  @P0 M$ &operator+=(const M$ &o) { @N0; x += o.x; return *this; }
  @P1 friend M$ operator+(M$ a, const M$ &b) { @N1; return a += b; }
  @P2 int operator[](int i) const { @N2; return x + i; }
  @P3 void *operator new(decltype(sizeof 0) n) { @N3; return std::malloc(n); }
  void operator delete(void *p) { std::free(p); }
  @P4 operator int() const { @N4; return x; } };
@P5 M$ operator""_m$(unsigned long long x) { @N5; return M${static_cast<int>(x)}; }
void c$() { M$ a = 3_m$, b{4}; say("sum", (a + b)[2] + int(a)); delete new M$(b); }"""),
    ("c++", 11, False, "", """T global$(%);
@P0 static int early$() { @N0; return value(%); }
int start$ = early$();
auto lambda$ = [] { @N1; @P1 { return value(%); } };
int more$ = lambda$();
struct M$ { static int s; int i = [] { @N2; @P2 value(%); return 2; }(); };
int M$::s = [] { @N3; @P3 return value(%); }();
void c$() { M$ m; say("m", m.i + M$::s + start$ + more$ + global$.v); }"""),
    ("c++", 14, False, "", """@P0 int deflt$(int x = [] { @N1; @P1 return value(%); }(), T t = make(%)) { @N0; return x + t.v; }
template <class... X> @P2 int sum$(X... xs) { @N2; int s = 0;
  @N3; @P3 (void)std::initializer_list<int>{(s += xs.v, 0)...}; return s; }
void c$() { say("d", deflt$()); say("s", sum$(T(1), make(2), T(3))); say("n", sum$()); }"""),
    ("c++", 17, False, "", """template <class... X> void all$(const X &...xs) { @N0; @P0 (say("f", xs.v), ...); }
template <auto N> @P1 int twice$() { @N1; if constexpr (N > 3) { @N2; @P2 return N; } else return 2 * N; }
void c$() { all$(T(1), T(2)); say("t", twice$<2>() + twice$<5>());
  @N3; @P3 if (const T &t = make(%); odd(t.v)) say("odd", 1); else say("even", t.v);
  @N4; @P4 switch (T t(3); t.v) { case 3: @P5 say("three", @N5); break; default:; } }"""),
    ("c++", 17, False, "train", """void c$() {
  @N0; @P0 for (const T &t : std::initializer_list<T>{T(%), make(%)}) { @S0; @N1; @P1 say("t", t.v); }
  @N2; @P2 for (auto &&[a, b] : {std::pair<int, T>(1, T(%))}) { say("b", a + b.v); }
}"""),
    ("c++", 20, False, "", """template <class X> concept C$ = requires(X x) { x.v; };
@P0 void only$(C$ auto const &x) { @N0; say("o", x.v); }
template <class X> requires C$<X> struct M$ { @P1 int run() requires true { @N1; return 1; }
  @P2 friend bool operator==(const M$ &, const M$ &) { @N2; return odd(1); } };
void c$() { only$(T(%)); M$<T> m; say("r", m.run() + (m == m) + (m != m));
  auto f = []<class Z>(Z z) { @N3; @P3 return value(z); }; f(3);
  @N4; @P4 for (T t(2); int i : {1, 2}) { say("i", t.v + i); }
  if (odd(1)) [[likely]] { @N5; @P5 value(4); } }"""),
    ("c++", 17, False, "", """namespace n$ { inline namespace v1 { struct Q { T t; @P0 T get() && { @N0; return std::move(t); }
  @P1 const T &get() const & { @N1; return t; } }; } }
void c$() { n$::Q q{T(%)}; @N2; @P2 T taken = std::move(q).get(); say("t", taken.v);
  @N3; @P3 const T &kept = n$::Q(q).get(); (void)kept; }"""),
    ("c++", 11, False, "", """void boom$(int x) noexcept(false) { T t(x); @N0; @P0 throw x; }
int c$() try { @N1; @P1 { T t(%); boom$(3); } return 1; }
catch (int e) { @N2; @P2 say("e", e); @N3; @P3 try { throw; } catch (...) { @N4; @P4 say("again", 1); }
  return 2; }"""),
    ("c++", 11, False, "", """struct G$ { int n; explicit operator bool() const { return odd(n); } bool operator!() const { return value(n) == 0; } };
void c$() { G$ g{value(%)};
  @N0; @P0 if (g) say("yes", 1); else if (!g) say("no", 2);
  @N1; @P1 int x = g ? 1 : 2, y{x}, z(y), &r = z, *p = &r; say("xyz", x + y + z + *p);
  @N2; @P2 int (&arr)[2] = *new int[1][2]{{3, value(%)}}; say("a", arr[1]); delete[] &arr; }"""),
    ("c++", 11, False, "", """int c$(int n = 3) { @N0; @P0 static T once = make(n); @N1; @P1 thread_local T here(value(%));
  @N2; @P2 static int calls; ++calls; if (n > 0) { @N3; @P3 return c$(n - 1) + once.v + here.v; } return calls; }"""),
    ("c++", 11, False, "", """template <class X> struct B$ { T t; explicit B$(X x) : t(x) {} @P0 X get() const { @N0; return t.v; } };
template <class X> struct M$ : B$<X> { using B$<X>::B$; @P1 X run() { @N1; @P2 X x = (@N2, this->get()); 
  @N3; @P3 typename std::pair<X, X>::first_type y = x, z{y}; return y + z; } };
template struct M$<int>;
void c$() { M$<long> m(%); say("m", m.run()); M$<int> i(%); say("i", i.run()); }"""),
    # --- Both: what warnings and optimizers see ---
    ("c", 99, False, "", """int sign$(int x) { @N0; @P0 if (x > 3) { return 1; } else { @P1 return (@N1, 2); } }
int pick$(int x) { @N2; @P2 switch (x) { case 1: @P3 return 4 + 0 * @N3; default: return 5; } }
int loop$(int x) { @N4; @P4 for (;;) { if (x-- < 0) return x; } }
int either$(int x) { int y; @N5; @P5 if (x) y = value(1); else y = 2; @N6; @P6 { x += y; } return x; }
void c$(void) { say("s", sign$(2) + pick$(1) + loop$(3) + either$(value(1))); }"""),
    ("c", 99, False, "", """void c$(void) {
  @N0; @P0 <% value(1); %>
  @N1; @P1 say("line", __LINE__); say("count", __COUNTER__);
  @N2; @P2 { puts(__FILE__ ":" "x" /* } */); puts(__func__); } // }
  @N3; @P3 say("a\\
b", '}' + '"'); if (odd(1)) @P4 say("c", __COUNTER__ + 0 * @N4);
  @N5; @P5 __asm__ volatile("" : : "r"(value(2)));
}"""),
    ("c", 11, True, "", """void c$(void) {
  switch (value(%) % 2) { case 0: @P0 say("zero", @N0); __attribute__((fallthrough)); case 1: @P1 say("one", @N1); }
  goto used;
used: __attribute__((unused)) ; @N2; @P2 { int x; x = value(3); (void)x; }
  @N3; @P3 say("t", ({ int t = value(2); t + 1; }));
}"""),
    ("c++", 11, False, "", """T named$(int x) { T t(x); @N0; @P0 t.v += 2; @N1; @P1 return t; }
T inner$(int x) { @N2; @P2 { T t(x); if (x > 3) { @N3; @P3 return t; } } @N4; @P4 return T(x + 1); }
T moved$(T t) { @N5; @P5 return t; }
void c$() { @N6; @P6 T a = named$(%), b = inner$(5), c(inner$(1)); T d = moved$(a); say("abcd", a.v + b.v + c.v + d.v); }"""),
    ("c++", 11, False, "train", """void c$() { int n = 2;
  @N0; @P0 while (int k = value(n--)) { @S0; say("k", k); }
  n = 2;
  @N1; @P1 for (T t(1); T u = T(odd(n--) ? 3 : 0); ) { say("u", u.v + t.v); if (n < 0) break; }
}""".replace("T u = T(odd(n--) ? 3 : 0)", "bool u = odd(n--)").replace("u.v + t.v", "u + t.v")),
    ("c++", 17, False, "", """void c$() {
  @N0; @P0 [[maybe_unused]] int x = value(%), y [[maybe_unused]] = 2;
  switch (value(2)) { case 2: @P1 say("two", @N1); [[fallthrough]]; default: @P2 say("d", @N2); }
  @N3; @P3 <% T t(1); if (not odd(2) and odd(1)) @P4 say("and", @N4); %>
  @N5; @P5 puts(R"x(}{ ")x"); }"""),
    ("c++", 11, False, "", """int sign$(int x) { @N0; @P0 if (x > 3) return 1; else { T t(1); @N1; @P1 throw x; } }
[[noreturn]] void stop$(int x) { @N2; @P2 throw x; }
int pick$(int x) { @N3; @P3 switch (x) { case 1: { T t(2); return t.v; } default: stop$(9); } }
int loop$(int x) { @N4; @P4 do { T t(x); if (t.v < 0) return x; } while (x-- + 9); stop$(8); }
int c$() { int y; @N5; @P5 try { y = sign$(5) + pick$(1) + loop$(0); } catch (int e) { y = e; }
  @N6; @P6 { return y; } }"""),
    ("c++", 14, False, "", """auto deduced$(int x) { @N0; @P0 if (x > 2) return T(x); @N1; @P1 return make(1); }
decltype(auto) ref$(T &t) { @N2; @P2 return (t); }
auto lam$ = [](auto &&x) -> decltype(auto) { @N3; @P3 return static_cast<decltype(x)>(x); };
void c$() { T t(%); @N4; @P4 auto &&r = ref$(t); @N5; @P5 decltype(auto) d = deduced$(3);
  @N6; @P6 auto f = [u = T(4), &r] { @N7; @P7 return u.v + r.v; }; say("f", f() + d.v + lam$(t).v); }"""),
]

# Neither the operator nor half of a digraph.
NUMBER = re.compile(r"(?<!<)%(?! \d|>)")

# Ways in which a program ends inside phases; the last thing that it does.
ENDS = [
    ("c", "void c$(void) { @N0; @P0 { T_ value(1); @N1; @P1 exit(value(3)); } }"),
    ("c", "void c$(void) { @N0; @P0 for (;;) { @N1; @P1 if (value(2)) exit(4); } }"),
    ("c", "void c$(void) { @N0; @P0 { fflush(stdout); @N1; @P1 abort(); } }"),
    ("c", "void c$(void) { @N0; @P0 { fflush(stdout); @N1; @P1 _Exit(7); } }"),
    ("c", "static void late$(void) { @N2; @P2 say(\"late\", 1); }\n"
     "void c$(void) { @N0; @P0 atexit(late$); @N1; @P1 value(1); }"),
    ("c++", "struct M$ { @P0 ~M$() { @N0; @P1 (@N1, value(2)); } };\n"
     "void c$() { static M$ m; @N2; @P2 std::exit(value(5)); }"),
    ("c++", "void c$() { T t(1); @N0; @P0 throw \'c\'; }"),
    ("c++", "void deep$() noexcept { T t(1); @N0; @P0 throw 3; }\n"
     "void c$() { @N1; @P1 { T t(2); deep$(); } }"),
    ("c++", "struct M$ { ~M$() { @N0; @P0 value(3); } };\nM$ global$;\n"
     "void c$() { @N1; @P1 static M$ m; }".replace("@N0; ", "")),
]


def end(rng, language):
    """A case that ends the program."""
    text = rng.choice([text for each, text in ENDS if each == language])
    text = text.replace("T_", "struct T t = make(2); (void)t;")
    case = Case(kind="end", shape=text.split("\n")[-1][:60], last=True, globals=text.split("\n"))
    for _ in range(max(int(k) for k in re.findall(r"@P(\d)", text)) + 1):
        case.mark()
    return case


def oddity(rng, language, std, gnu):
    """A case of one of the texts, or None if none fits."""
    found = [each for each in TEXTS if each[0] == language and each[1] % 99 <= std % 99
             and (gnu or not each[2])]
    at = rng.randrange(len(found))
    _, _, _, kinds, text = found[at]
    case = Case(kind="oddity", shape=text.split("\n")[0][:60])
    kinds = kinds.split()
    used = [int(k) for k in re.findall(r"@P(\d)", text)]
    for k in range(max(used) + 1):
        case.mark(kinds[k] if k < len(kinds) else "phase")
    text = NUMBER.sub(lambda _: str(rng.randrange(1, 60)), text)
    case.globals += text.split("\n")
    head = re.search(r"\bint c\$\(", text)
    case.call = "(void)c$()" if head else ""
    return case
