// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics of a selection.

#include "Instrument/Diagnose/Explanations.h"

#include <iterator>

namespace loopscope::instrument {
namespace {

constexpr Explanation Table[] = {
    {"select-yaml", "", "unknown key 'nmae'",
     "The selection isn't YAML, or a key is misspelt or has the wrong kind of "
     "value. Nothing is written.",
     R"(rules:
  - { kind: phase, nmae: forward, function: step })",
     R"(rules:
  - { kind: phase, name: forward, function: step })"},
    {"select-kind", "", "unknown kind 'phaze'; did you mean 'phase'?",
     "The kinds are those of the attributes.",
     R"(rules:
  - { kind: phaze, name: forward, function: step })",
     R"(rules:
  - { kind: phase, name: forward, function: step })"},
    {"select-target", "", "a rule has one target: 'function', 'loop' or 'call'",
     "Write a rule for each target; a rule without one does nothing.",
     R"(rules:
  - { kind: phase, name: forward })",
     R"(rules:
  - { kind: phase, name: forward, function: step })"},
    {"select-loop", "", "'epoch' needs a loop; add 'loop' and 'in'",
     "Epochs and steps are the iterations of a loop.",
     R"(rules:
  - { kind: epoch, function: train })",
     R"(rules:
  - { kind: epoch, in: train, loop: i })"},
    {"select-draw", "", "'draw' needs a call in a step; add 'call' and 'in'",
     "A draw is a statement inside a step that waits for data.",
     R"(rules:
  - { kind: draw, function: step })",
     R"(rules:
  - { kind: draw, in: train, call: step })"},
    {"select-ignore", "", "'ignore' needs a function; add 'function'",
     "It takes a function out of function mode.",
     R"(rules:
  - { kind: ignore, in: train, call: step })",
     R"(rules:
  - { kind: ignore, function: step })"},
    {"select-in", "", "add 'in': the function that holds the loop",
     "Loops are found by their variable, range or number, which only identify "
     "a loop within a function.",
     R"(rules:
  - { kind: epoch, loop: i })",
     R"(rules:
  - { kind: epoch, in: train, loop: i })"},
    {"select-name", "", "a phase needs a 'name'", "Tables show phases by name.",
     R"(rules:
  - { kind: phase, function: step })",
     R"(rules:
  - { kind: phase, name: forward, function: step })"},
    {"select-name-unwanted", "",
     "only a phase, a wait and a collective have a 'name'",
     "The other kinds have fixed names.",
     R"(rules:
  - { kind: fit, name: mnist, function: train })",
     R"(rules:
  - { kind: fit, function: train })"},
    {"select-samples", "", "only 'train' and 'valid' have 'samples'",
     "Samples are counted per step.",
     R"(rules:
  - { kind: epoch, in: train, loop: i, samples: "32" })",
     R"(rules:
  - { kind: train, in: train, loop: i, samples: "32" })"},
    {"select-bytes", "", "only a collective has 'bytes'",
     "The bytes are those that a collective moves.",
     R"(rules:
  - { kind: phase, name: reduce, function: step, bytes: "4 * n" })",
     R"(rules:
  - { kind: collective, name: reduce, function: step, bytes: "4 * n" })"},
    {"select-flops", "", "only 'phase', 'train' and 'valid' have 'flops'",
     "Floating-point operations are counted per phase and per step.",
     R"(rules:
  - { kind: wait, name: pop, function: pop, flops: "2 * n" })",
     R"(rules:
  - { kind: phase, name: product, function: multiply, flops: "2 * n" })"},
    {"select-iterations", "",
     "only 'epoch', 'train' and 'valid' have 'iterations'",
     "Only these loops have a length that reports use.",
     R"(rules:
  - { kind: phase, name: product, function: multiply, iterations: "n" })",
     R"(rules:
  - { kind: train, loop: 1, in: train, iterations: "9" })"},
    {"select-pattern", "",
     "'/Net(/' is not a pattern: parentheses not balanced",
     "Names between slashes are regular expressions.",
     R"(rules:
  - { kind: phase, name: forward, function: "/step(/" })",
     R"(rules:
  - { kind: phase, name: forward, function: "/st.p/" })"},
    {"rule-nothing", "", "this rule matches nothing: function 'stepp'",
     "Such a rule is mistaken, or was written for an older version of the "
     "program. The other rules still apply.",
     R"(rules:
  - { kind: phase, name: forward, function: stepp })",
     R"(rules:
  - { kind: phase, name: forward, function: step })"},
    {"rule-many", "",
     "this rule matches 2 places (a.cpp:4, a.cpp:9): call 'step'; add 'all: "
     "true' or narrow it with 'in', 'signature' or 'file'",
     "A plain name selects one place. To select several, write 'all: true' or "
     "a pattern.",
     R"(rules:
  - { kind: phase, name: forward, in: "*", call: step })",
     R"(rules:
  - { kind: phase, name: forward, in: "*", call: step, all: true })"},
};
static_assert(std::size(Table) == countOf(Diag::FirstOfSelection, Diag::Count),
              "every diagnostic has an explanation");

} // namespace

llvm::ArrayRef<Explanation> selectionExplanations() { return Table; }

} // namespace loopscope::instrument
