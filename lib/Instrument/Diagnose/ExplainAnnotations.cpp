// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics of an attribute's arguments and place.

#include "Instrument/Diagnose/Explanations.h"

#include <iterator>

namespace loopscope::instrument {
namespace {

constexpr Explanation Table[] = {
    {"unknown-attribute",
     "unknown attribute 'loopscope::%0'; %select{known are phase, fit, "
     "validate, test, predict, epoch, train, valid, draw, wait, collective, "
     "ignore, flops and iterations|did you mean 'loopscope::%2'?}1",
     "unknown attribute 'loopscope::NAME'; did you mean 'loopscope::OTHER'?",
     "A misspelt annotation would silently measure nothing, so it is an error. "
     "The nearest name is offered as a fix-it.",
     R"(void step();
void train() {
  [[loopscope::phaze("forward")]] step();
})",
     R"(void step();
void train() {
  [[loopscope::phase("forward")]] step();
})"},
    {"argument-unwanted", "'loopscope::%0' takes no argument", "",
     "Only 'phase', 'wait' and 'collective' have a name, and only 'train' and "
     "'valid' have a number of samples. The other kinds have fixed names.",
     R"([[loopscope::fit("mnist")]] void train() {})",
     R"([[loopscope::fit]] void train() {})"},
    {"argument-many",
     "'loopscope::%0' takes %select{one argument, a string literal|at most two "
     "arguments, string literals}1",
     "'loopscope::NAME' takes one argument, a string literal",
     "One annotation is one span. A second phase around the same code is an "
     "attribute of its own.",
     R"([[loopscope::phase("forward", "loss")]] void train() {})",
     R"([[loopscope::phase("forward"), loopscope::phase("loss")]] void train() {})"},
    {"argument-literal",
     "the argument of 'loopscope::%0' must be a string literal", "",
     "Names are fixed when the program is compiled, so a span handles no "
     "string at run time. A samples expression is written in quotes, too.",
     R"([[loopscope::phase(forward)]] void train() {})",
     R"([[loopscope::phase("forward")]] void train() {})"},
    {"name-missing",
     "'loopscope::phase' needs a name: [[loopscope::phase(\"forward\")]]", "",
     "Tables show phases by name.", R"([[loopscope::phase]] void train() {})",
     R"([[loopscope::phase("forward")]] void train() {})"},
    {"name-empty", "the name of a %0 is empty", "the name of a phase is empty",
     "Tables show phases by name.",
     R"([[loopscope::phase(" ")]] void train() {})",
     R"([[loopscope::phase("forward")]] void train() {})"},
    {"name-line-break", "the name of a %0 holds a line break",
     "the name of a phase holds a line break", "A name is one cell of a table.",
     R"([[loopscope::phase("for\nward")]] void train() {})",
     R"([[loopscope::phase("forward")]] void train() {})"},
    {"samples-empty",
     "the %1 expression of 'loopscope::%0' is empty; leave %select{the "
     "argument|it}2 out when the number of %1 is not known",
     "the samples expression of 'loopscope::NAME' is empty; leave the argument "
     "out when the number of samples is not known",
     "Without samples, the report leaves out the column of samples per second.",
     R"(void step();
void train() {
  [[loopscope::train("")]] for (int i = 0; i < 9; ++i) step();
})",
     R"(void step();
void train() {
  [[loopscope::train]] for (int i = 0; i < 9; ++i) step();
})"},
    {"samples-expression",
     "the %2 expression of 'loopscope::%0' can't be used: %1",
     "the samples expression of 'loopscope::NAME' can't be used: ...",
     "It is put into the source as one argument on one line, so it must "
     "be a single expression with matching brackets and without comments or a "
     "semicolon. Compute anything longer in a variable first.",
     R"(void step();
void train(int n) {
  [[loopscope::train("n * (2")]] for (int i = 0; i < n; ++i) step();
})",
     R"(void step();
void train(int n) {
  [[loopscope::train("n * 2")]] for (int i = 0; i < n; ++i) step();
})"},
    {"samples-macro",
     "the %1 expression of 'loopscope::%0' uses a variable that a macro "
     "declares",
     "the samples expression of 'loopscope::NAME' uses a variable that a macro "
     "declares",
     "The expression is evaluated after the last declaration that it uses, and "
     "a macro has no room for it there.",
     R"(int next();
#define BATCH int size = next(); int rest = 0
void train(int n) {
  [[loopscope::train("size")]] for (int i = 0; i < n; ++i) {
    BATCH;
    (void)(size + rest);
  }
})",
     R"(int next();
void train(int n) {
  [[loopscope::train("size")]] for (int i = 0; i < n; ++i) {
    int size = next();
    (void)size;
  }
})"},
    {"flops-place",
     "'loopscope::flops' belongs to the one phase, train or valid beside it; "
     "%select{there is none|there are several|it has one already}0",
     "'loopscope::flops' belongs to the one phase, train or valid beside it; "
     "there is none",
     "The number of floating-point operations belongs to one span: of a phase, "
     "or of each step of a loop.",
     R"([[loopscope::fit, loopscope::flops("2e9")]] void train() {})",
     R"([[loopscope::phase("train"), loopscope::flops("2e9")]] void train() {})"},
    {"iterations-place",
     "'loopscope::iterations' belongs to the one epoch, train or valid loop "
     "beside it; %select{there is none|there are several|it has one already}0",
     "'loopscope::iterations' belongs to the one epoch, train or valid loop "
     "beside it; there is none",
     "The number belongs to a loop that is marked.",
     R"(void step();
void train(int n) {
  [[loopscope::iterations("n")]] for (int i = 0; i < n; ++i) step();
})",
     R"(void step();
void train(int n) {
  [[loopscope::train, loopscope::iterations("n")]]
  for (int i = 0; i < n; ++i) step();
})"},
    {"not-a-loop",
     "'loopscope::%0' goes before a loop: for, range-for, while or do; this "
     "is not a loop",
     "",
     "Epochs and steps are the iterations of a loop. For code that isn't one "
     "use 'phase', or 'fit' around the whole training.",
     R"(void step();
void train() {
  [[loopscope::epoch]] step();
})",
     R"(void step();
void train() {
  [[loopscope::epoch]] for (int i = 0; i < 9; ++i) step();
})"},
    {"two-loop-kinds",
     "a loop is either an epoch loop or a loop over batches: 'loopscope::%0' "
     "and 'loopscope::%1' can't stand on the same loop",
     "",
     "An iteration is one epoch, or one step of training or of validation. If "
     "one loop counts both epochs and batches, annotate its steps.",
     R"(void step();
void train() {
  [[loopscope::epoch, loopscope::train]] for (int i = 0; i < 9; ++i) step();
})",
     R"(void step();
void train() {
  [[loopscope::epoch]] for (int epoch = 0; epoch < 2; ++epoch)
    [[loopscope::train]] for (int i = 0; i < 9; ++i) step();
})"},
    {"draw-function",
     "'loopscope::draw' goes before a statement inside a step, not on a "
     "function; annotate the call",
     "",
     "A draw moves time from the batch of the step around it, and a function "
     "may be called outside a step.",
     R"([[loopscope::draw]] int next() { return 1; })",
     R"(int next();
void train() {
  [[loopscope::train]] for (int i = 0; i < 9; ++i) {
    [[loopscope::draw]] int batch = next();
    (void)batch;
  }
})"},
    {"ignore-place", "'loopscope::ignore' goes on a function", "",
     "It keeps function mode from instrumenting that function.",
     R"(void step();
void train() {
  [[loopscope::ignore]] step();
})",
     R"([[loopscope::ignore]] void step() {}
void train() { step(); })"},
    {"wrong-place",
     "'loopscope::%0' means nothing on %1; it goes on a function definition, a "
     "statement or a local declaration",
     "",
     "A span times an execution, and this is never executed. Annotate the "
     "functions or statements that do the work.",
     R"(struct [[loopscope::phase("net")]] Net {
  void forward() {}
};)",
     R"(struct Net {
  [[loopscope::phase("net")]] void forward() {}
};)"},
    {"on-label",
     "'loopscope::%0' means nothing on a label; put it after the colon", "",
     "The attribute belongs to the label, not to the statement after it.",
     R"(void step();
void train(int n) {
  switch (n) {
  [[loopscope::phase("one")]] case 1: step();
  }
})",
     R"(void step();
void train(int n) {
  switch (n) {
  case 1: [[loopscope::phase("one")]] step();
  }
})"},
    {"no-effect",
     "this annotation stands where it has no effect; put it before a "
     "statement, a local declaration or a function definition, or after the "
     "[] of a lambda",
     "",
     "C++ allows attributes in many places. Here, this one belongs to no "
     "function, statement or variable.",
     R"(int step();
void train() {
  int [[loopscope::phase("forward")]] loss = step();
  (void)loss;
})",
     R"(int step();
void train() {
  [[loopscope::phase("forward")]] int loss = step();
  (void)loss;
})"},
    {"outside-function",
     "'loopscope::%0' can't be instrumented here: it stands outside a function",
     "",
     "Hooks belong to functions. A block literal (-fblocks) that initialises a "
     "variable outside functions isn't one.",
     R"(int load();
int (^images)() = ^{ [[loopscope::phase("load")]] load(); return 0; };)",
     R"(int load();
static int loadImages() {
  [[loopscope::phase("load")]] return load();
}
int (^images)() = ^{ return loadImages(); };)"},
    {"declaration-in-head",
     "'loopscope::%0' on a declaration that isn't a statement of its own; put "
     "it before the whole statement",
     "", "The head of a for, if, while or switch has no place for a hook.",
     R"(int next();
void train() {
  for ([[loopscope::phase("load")]] int n = next(); n > 0; --n) next();
})",
     R"(int next();
void train() {
  [[loopscope::phase("load")]] for (int n = next(); n > 0; --n) next();
})"},
    {"no-body",
     "'loopscope::%0' needs a function with a body; this one %select{has none "
     "in this file|is defaulted|is deleted|is pure}1: annotate %select{the "
     "definition|a statement that uses it|the function that is used instead|"
     "the overriding functions}1",
     "'loopscope::NAME' needs a function with a body; this one has none in "
     "this file: annotate the definition",
     "The hook is the first statement of the body.",
     R"([[loopscope::phase("forward")]] void forward();)",
     R"([[loopscope::phase("forward")]] void forward() {})"},
};
static_assert(std::size(Table) ==
                  countOf(Diag::UnknownAttribute, Diag::FirstOfCode),
              "every diagnostic has an explanation");

} // namespace

llvm::ArrayRef<Explanation> annotationExplanations() { return Table; }

} // namespace loopscope::instrument
