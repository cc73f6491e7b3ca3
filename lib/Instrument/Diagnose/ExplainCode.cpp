// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics of code that can't hold a hook.

#include "Instrument/Diagnose/Explanations.h"

#include <iterator>

namespace loopscope::instrument {
namespace {

constexpr Explanation Table[] = {
    {"constant",
     "'loopscope::%0' can't be instrumented here: this is evaluated by the "
     "compiler; a hook would make it an error",
     "",
     "A constant takes no time at run time. Annotate the code that uses it.",
     R"(constexpr int size = [] {
  [[loopscope::phase("size")]] { return 3; }
}();)",
     R"(constexpr int size = [] { return 3; }();
void use(int n);
void train() {
  [[loopscope::phase("use")]] use(size);
})"},
    {"called-by-compiler",
     "'loopscope::%0' can't be instrumented here: a constant expression calls "
     "this lambda",
     "",
     "With a hook in it, the lambda could no longer be called in a constant "
     "expression.",
     R"(void train() {
  auto size = [] {
    [[loopscope::phase("size")]] return 3;
  };
  static_assert(size() == 3);
})",
     R"(void use(int n);
void train() {
  auto size = [] { return 3; };
  static_assert(size() == 3);
  [[loopscope::phase("use")]] use(size());
})"},
    {"constexpr-function",
     "'loopscope::%0' can't be instrumented here: a constexpr function can't "
     "hold a hook; annotate its call, or drop constexpr",
     "",
     "The compiler may have to evaluate it, and a constant expression can't "
     "read a clock.",
     R"([[loopscope::phase("size")]] constexpr int size() { return 3; })",
     R"(constexpr int size() { return 3; }
void train() {
  [[loopscope::phase("size")]] int n = size();
  (void)n;
})"},
    {"consteval-function",
     "'loopscope::%0' can't be instrumented here: a consteval function is "
     "never executed",
     "", "The compiler evaluates every call of it.",
     R"([[loopscope::phase("size")]] consteval int size() { return 3; })",
     R"(consteval int size() { return 3; }
void use(int n);
void train() {
  [[loopscope::phase("use")]] use(size());
})"},
    {"kernel",
     "'loopscope::%0' can't be instrumented here: hooks run on the host only; "
     "annotate the statement that launches the kernel",
     "", "Time on the GPU is charged to the phase that launched the kernel.",
     R"(#define __global__ __attribute__((global))
[[loopscope::phase("fill")]] __global__ void fill(float *to) { *to = 1; })",
     R"(#define __global__ __attribute__((global))
__global__ void fill(float *to) { *to = 1; }
[[loopscope::phase("fill")]] void launch() {})"},
    {"device-code",
     "'loopscope::%0' can't be instrumented here: hooks run on the host only; "
     "this is device code",
     "", "Annotate the statement on the host that launches the kernel.",
     R"(#define __device__ __attribute__((device))
[[loopscope::phase("one")]] __device__ float one() { return 1; })",
     R"(#define __device__ __attribute__((device))
__device__ float one() { return 1; }
[[loopscope::phase("launch")]] void launch() {})"},
    {"coroutine",
     "'loopscope::%0' can't be instrumented here: a coroutine can be suspended "
     "and resumed on another thread; annotate a function that it calls",
     "",
     "Each thread has its own stack of spans. A span that ended on another "
     "thread than it began on would corrupt both stacks.",
     R"(#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
void step();
[[loopscope::phase("steps")]] Task steps() {
  step();
  co_return;
})",
     R"(#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
[[loopscope::phase("step")]] void step() {}
Task steps() {
  step();
  co_return;
})"},
    {"module", "module units are left alone; annotate code that isn't in one",
     "",
     "The hooks need an #include, which a module unit allows in its global "
     "fragment only. In function mode this is a warning, and the file compiles "
     "as it is.",
     R"(export module network;
void step();
export void train() {
  [[loopscope::phase("forward")]] step();
})",
     R"(void step();
void train() {
  [[loopscope::phase("forward")]] step();
})"},
    {"import",
     "this file needs a module that only the compiler can read (%0), so its "
     "annotations have no effect; annotate code in files that import nothing",
     "",
     "Clang parses the file to find the annotations. It reads modules made by "
     "a clang of its own version that the command names (-fmodule-file=, "
     "-fprebuilt-module-path=), and none of gcc's. In function mode such "
     "functions have no hook.",
     R"(import network;
void train() {
  [[loopscope::phase("forward")]] step();
})",
     R"(void step();
void train() {
  [[loopscope::phase("forward")]] step();
})"},
    {"hides-hooks",
     "a macro called '%0' hides what hooks need; define it only around "
     "what has no annotations, in another file",
     "",
     "Each hook's place is described by a static variable, and in C an "
     "attribute ends the hook. In function mode this is a warning, and the "
     "file compiles as it is.",
     R"(#define static
void step();
void train() {
  [[loopscope::phase("forward")]] step();
})",
     R"(void step();
void train() {
  [[loopscope::phase("forward")]] step();
})"},
    {"old-standard",
     "hooks need C++11, and this file is compiled as C++98 or C++03: it is "
     "left unchanged; compile it with -std=c++11 or newer",
     "",
     "Hooks are objects with deleted copies and noexcept functions. In "
     "function "
     "mode this is a warning, the file compiles as it is, and the report names "
     "it.",
     R"(#if __cplusplus < 201103L
[[loopscope::phase("forward")]]
#endif
void train() {})",
     R"(#if __cplusplus >= 201103L
[[loopscope::phase("forward")]]
#endif
void train() {})"},
    {"in-macro",
     "'loopscope::%0' covers code that begins or ends inside a macro; annotate "
     "the macro's use as a whole, or a block around it",
     "",
     "Hooks are inserted into a file's text, and a macro's body is shared by "
     "all of its uses.",
     R"(void step();
#define STEPS step(); step()
void train(int n) {
  [[loopscope::phase("steps")]] STEPS;
})",
     R"(void step();
#define STEPS step(); step()
void train(int n) {
  [[loopscope::phase("steps")]] { STEPS; }
})"},
    {"made-text",
     "'loopscope::%0' stands in an argument that a macro turns into a string "
     "or "
     "a part of a name; move the code out of the argument, or annotate the "
     "statement around the macro",
     "",
     "The hooks would be part of the string: an assertion, for example, would "
     "print another text than in the plain build.",
     R"(void fail(const char *text);
bool load();
#define CHECK(CALL) if (!(CALL)) fail(#CALL)
void train() {
  CHECK([] { [[loopscope::phase("load")]] return load(); }());
})",
     R"(void fail(const char *text);
bool load();
#define CHECK(CALL) if (!(CALL)) fail(#CALL)
void train() {
  [[loopscope::phase("load")]] CHECK(load());
})"},
    {"jumped-into",
     "a goto or case label jumps into the code that 'loopscope::%0' covers, "
     "past its start; annotate a statement that isn't jumped into",
     "", "A jump past the start would end a span that never began.",
     R"(void step();
void train(int n) {
  if (n > 3) goto inside;
  [[loopscope::phase("steps")]] {
    step();
  inside:
    step();
  }
})",
     R"(void step();
void train(int n) {
  if (n > 3) goto inside;
  [[loopscope::phase("first")]] step();
inside:
  [[loopscope::phase("second")]] step();
})"},
    {"named-loop",
     "a 'break' or 'continue' in the code that 'loopscope::%0' covers names "
     "its label; annotate a block around the label",
     "",
     "A label names the loop or switch that it stands before, and a hook would "
     "stand between them. An epoch's hook doesn't: it is in the loop's body.",
     R"(int step(void);
void train(void) {
outer:
  [[loopscope::phase("steps")]] for (;;)
    while (step())
      if (step())
        break outer;
})",
     R"(int step(void);
void train(void) {
  [[loopscope::phase("steps")]] {
  outer:
    for (;;)
      while (step())
        if (step())
          break outer;
  }
})"},
    {"repeated-inclusion",
     "'loopscope::%0' stands in a file that is included more than once here, "
     "and its hooks can't be the same each time; put it where the file is "
     "included",
     "",
     "A file is rewritten once, however often it is included. Macros must not "
     "change what is timed. A declaration is timed by a guard beside it, and a "
     "block can declare that guard only once; other statements can be included "
     "anywhere.",
     R"(#ifdef PIECE
[[loopscope::phase("step")]] int PIECE = step();
#else
int step();
int train() {
#define PIECE a
#include __FILE__
#undef PIECE
#define PIECE b
#include __FILE__
  return a + b;
}
#endif)",
     R"(#ifdef PIECE
int PIECE = step();
#else
int step();
int train() {
  [[loopscope::phase("step")]] {
#define PIECE a
#include __FILE__
  }
  [[loopscope::phase("step")]] {
#undef PIECE
#define PIECE b
#include __FILE__
  }
  return 0;
}
#endif)"},
    {"jumps-out",
     "a computed goto may leave the code that 'loopscope::%0' covers; annotate "
     "code that it doesn't leave",
     "",
     "When a jump goes to an address, compilers destroy no local objects, or "
     "refuse the jump: the span would never end. An 'asm goto' is such a jump.",
     R"(void step();
void train(int n) {
  static void *const targets[] = {&&again, &&done};
again:
  [[loopscope::phase("steps")]] {
    step();
    goto *targets[n];
  }
done:
  return;
})",
     R"(void step();
void train(int n) {
  static void *const targets[] = {&&again, &&done};
again:
  [[loopscope::phase("steps")]] step();
  goto *targets[n];
done:
  return;
})"},
    {"must-tail",
     "'loopscope::%0' covers a return that must be a tail call; annotate the "
     "function that it calls",
     "",
     "A span would end after the call, and nothing can run after a tail call. "
     "Function mode leaves out such functions.",
     R"(void step(int n);
[[loopscope::phase("steps")]] void train(int n) {
  [[clang::musttail]] return step(n);
})",
     R"([[loopscope::phase("step")]] void step(int n) {}
void train(int n) {
  [[clang::musttail]] return step(n);
})"},
    {"empty-statement",
     "'loopscope::%0' covers an empty statement that is the body of an if or a "
     "loop, or that carries another attribute; annotate a statement that does "
     "something",
     "",
     "'fallthrough' and 'assume' only mean something on an empty statement, "
     "and compilers warn about empty bodies. Neither takes any time.",
     R"(void step(int n);
void train(int n) {
  switch (n) {
  case 0:
    step(1);
    [[loopscope::phase("next")]] [[fallthrough]];
  default:
    step(0);
  }
})",
     R"(void step(int n);
void train(int n) {
  switch (n) {
  case 0:
    [[loopscope::phase("first")]] step(1);
    [[fallthrough]];
  default:
    step(0);
  }
})"},
    {"pragma-loop",
     "'loopscope::%0' stands between a pragma and its loop; put it on a block "
     "around both: [[loopscope::phase(\"name\")]] { #pragma ... }",
     "",
     "A pragma needs its loop right after it; there is no place for a "
     "brace. In a __host__ __device__ function, a macro before the loop counts "
     "as one: it may be a pragma where the device's code is compiled.",
     R"(void step();
void train(int n) {
#pragma unroll
  [[loopscope::phase("steps")]] for (int i = 0; i < n; ++i) step();
})",
     R"(void step();
void train(int n) {
  [[loopscope::phase("steps")]] {
#pragma unroll
    for (int i = 0; i < n; ++i) step();
  }
})"},
    {"directive-part",
     "'loopscope::%0' stands among the statements that an OpenMP pragma takes "
     "as one; annotate a block around the pragma, or the code inside its "
     "innermost loop",
     "",
     "The loops of 'collapse', the statement of 'atomic', the block of "
     "'sections' and a block that 'scan' divides must have exactly the form "
     "that OpenMP prescribes.",
     R"(void step();
void train(int n) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    [[loopscope::phase("steps")]] for (int j = 0; j < n; ++j) {
      step();
    }
})",
     R"(void step();
void train(int n) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      [[loopscope::phase("step")]] step();
    }
})"},
    {"next-to-pragma",
     "an annotation can't stand next to the pragma of a statement; put it on a "
     "block around both: [[loopscope::phase(\"name\")]] { #pragma ... }",
     "",
     "Compilers disagree on whether a pragma may follow an attribute, and on "
     "what the attribute then belongs to.",
     R"(void step();
void train(int n) {
  [[loopscope::phase("steps")]]
#pragma unroll
  for (int i = 0; i < n; ++i) step();
})",
     R"(void step();
void train(int n) {
  [[loopscope::phase("steps")]] {
#pragma unroll
    for (int i = 0; i < n; ++i) step();
  }
})"},
    {"statement-value",
     "'loopscope::%0' covers the value of a statement expression; put the "
     "value in a variable first",
     "",
     "The last statement of a statement expression gives its value only if it "
     "is an expression.",
     R"(int next();
void train() {
  int n = ({ [[loopscope::phase("load")]] next(); });
  (void)n;
})",
     R"(int next();
void train() {
  int n = ({
    [[loopscope::phase("load")]] int value = next();
    value;
  });
  (void)n;
})"},
    {"broken-code", "this annotation stands in code that clang can't parse", "",
     "Clang's error follows it. Clang must accept annotated functions, even if "
     "another compiler builds them.",
     R"(int load();
struct Images {
  int count = ({ [[loopscope::phase("load")]] load(); 0; });
};)",
     R"(int load();
struct Images {
  int count = [] { [[loopscope::phase("load")]] return load(); }();
};)"},
    {"not-parsed", "",
     "FILE can't be instrumented: its annotated code doesn't parse; nothing "
     "was written",
     "Clang's errors in annotated functions precede it. With "
     "--on-error=passthrough the file is compiled as it is, and the report "
     "names it.",
     R"([[loopscope::phase("forward")]] void train() {
  step();
})",
     R"(void step();
[[loopscope::phase("forward")]] void train() {
  step();
})"},
    {"foreign-errors", "",
     "FILE: N error(s) of clang outside the annotated code were ignored",
     "The real compiler accepts what clang rejects. Outside annotations that "
     "is harmless; function mode leaves out such functions.",
     R"(Undeclared other;
void step();
[[loopscope::phase("forward")]] void train() { step(); })",
     R"(struct Declared {} other;
void step();
[[loopscope::phase("forward")]] void train() { step(); })"},
    {"header-annotated", "",
     "header 'net.h' holds annotations too; use --mirror DIR, which writes it "
     "beside the rewritten FILE",
     "One rewritten file would include the header without hooks. The launcher "
     "and CMake's loopscope_instrument use --mirror automatically.",
     R"(loopscope-rewrite train.cpp -o out.cpp)",
     R"(loopscope-rewrite train.cpp --mirror out)"},
};
static_assert(std::size(Table) ==
                  countOf(Diag::FirstOfCode, Diag::FirstOfSelection),
              "every diagnostic has an explanation");

} // namespace

llvm::ArrayRef<Explanation> codeExplanations() { return Table; }

} // namespace loopscope::instrument
