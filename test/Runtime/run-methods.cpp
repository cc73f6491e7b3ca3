// Steps of methods that aren't over data: a solver that calls another one, a Markov chain with moves called through pointers,
// games with a set-up each, methods that take all data in each iteration, and a search whose parts are virtual.
// REQUIRES: x86, libdw, long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g -I%S/Inputs %s -o methods
// RUN: loopscope run --no-counts -- ./methods solver | FileCheck %s --check-prefix=SOLVER
// SOLVER: {{^}}Likely main loop: the loop in solve(), run-methods.cpp:48 (
// RUN: loopscope run --no-counts -- ./methods chain | FileCheck %s --check-prefix=CHAIN
// CHAIN: {{^}}Likely main loop: the loop in chain(), run-methods.cpp:74 (
// RUN: loopscope run --no-counts -- ./methods games | FileCheck %s --check-prefix=GAMES
// GAMES: {{^}}Likely main loop: the loop in training_game(), run-methods.cpp:83 (
// RUN: loopscope run --no-counts -- ./methods means | FileCheck %s --check-prefix=MEANS
// MEANS: {{^}}Likely main loop: the loop in kmeans(), run-methods.cpp:103 (
// MEANS: {{^}}Another candidate: the loop in assign(), run-methods.cpp:96 (
// RUN: loopscope run --no-counts -- ./methods chains | FileCheck %s --check-prefix=CHAINS
// CHAINS: {{^}}Likely main loop: the loop in fit_chains(), run-methods.cpp:120 (
// By the same loops, another method takes one sample at a time.
// RUN: loopscope run --no-counts -- ./methods samples | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: {{^}}Likely main loop: the loop in refine(), run-methods.cpp:125 (
// A rule doesn't name a function that the source calls by another name, and a small share isn't worth one for all of its calls.
// RUN: rm *.loopscope && loopscope run --no-counts -- ./methods search | FileCheck %s --check-prefix=SEARCH
// SEARCH: {{^}}Likely main loop: the loop in search(), run-methods.cpp:165 (
// RUN: loopscope suggest methods.*.loopscope -o rules.yaml && FileCheck %s --check-prefix=RULES --implicit-check-not=_look < rules.yaml
// RULES-DAG: { kind: phase, name: "Words::_value", function: "Words::_value" }
// RULES-DAG: { kind: phase, name: "Words::change", function: "Words::change", all: true }
// RUN: loopscope-launch --record=$PWD/record --select=$PWD/rules.yaml %gxx -O2 -g -I%S/Inputs %s -o marked
// RUN: loopscope-launch --summary=$PWD/record --rules 2>&1 | FileCheck %s --check-prefix=ALL --allow-empty --implicit-check-not=warning
// ALL-NOT: matches nothing
#include "known-loop.h"
#include <cstring>

#define NOINLINE __attribute__((noinline)) static void

struct Settings {
  int max_iters = 40;
};

NOINLINE solve_linear() {
  for (int i = 0; i < 30; ++i) {
    burn(300);
    forward();
  }
}
NOINLINE project() {
  solve_linear();
  sink = sink + 1;
}
NOINLINE solve(const Settings *s) {
  for (int i = 0; i < s->max_iters; ++i) { // SOLVER
    project();
    load_batch();
    burn(200);
  }
}

// Of different lengths, so that they aren't folded into one function.
PART(grow, 560)
PART(prune, 590)
PART(swap, 610)
PART(scale, 640)
NOINLINE nodes() {
  for (int i = 0; i < 4; ++i) {
    load_batch();
    forward();
  }
}
NOINLINE likelihood() {
  for (int d = 0; d < 2; ++d) {
    nodes();
    burn(100);
  }
}
static void (*const Moves[])() = {grow, prune, swap, scale};
NOINLINE chain(int n) {
  for (int i = 0; i < n; ++i) { // CHAIN
    Moves[rand() % 4]();
    likelihood();
  }
}

NOINLINE reset() { burn(800); }
NOINLINE training_game() {
  reset();
  for (int at = 0; at < 5; ++at) { // GAMES
    forward();
    backward();
  }
}
NOINLINE play() {
  for (int episode = 0; episode < 150; ++episode) {
    training_game();
    sink = sink + 1;
  }
}

NOINLINE assign(int num_data) {
  for (int i = 0; i < num_data; ++i) { // ASSIGN
    forward();
    burn(50);
    load_batch();
  }
}
NOINLINE kmeans(int max_iterations) {
  for (int iteration = 0; iteration < max_iterations; ++iteration) { // MEANS
    assign(6);
    burn(60);
  }
}

struct BaumWelch {
  __attribute__((noinline)) void train(int num_samples) {
    for (int i = 0; i < num_samples; ++i) { // SEQUENCES
      forward();
      backward();
    }
    burn(50);
  }
};
NOINLINE fit_chains(int iterations) {
  BaumWelch trainer;
  for (int iter = 0; iter < iterations; ++iter) // CHAINS
    trainer.train(4);
}

NOINLINE refine(int num_samples) {
  for (int i = 0; i < num_samples; ++i) { // REFINE
    forward();
    backward();
    sink = sink + 1;
  }
}
NOINLINE improve(int iterations) {
  for (int iter = 0; iter < iterations; ++iter) {
    refine(4);
    burn(50);
  }
}

struct Problem {
  virtual void value() = 0;
  virtual void change() = 0;
  virtual void look() = 0;
};
struct Words : Problem {
  __attribute__((noipa)) void _value() {
    burn(300);
    sink = sink + 1;
  }
  void value() override { _value(); }
  __attribute__((noipa)) void _look() { // 3%
    burn(30);
    sink = sink + 1;
  }
  void look() override { _look(); }
  __attribute__((noinline)) void change() override {
    burn(600);
    sink = sink + 1;
  }
};
struct Numbers : Problem { // a second one, so that no call is resolved
  void value() override { burn(100); }
  void change() override { burn(200); }
  void look() override { burn(10); }
};
NOINLINE search(Problem &of, int n) {
  for (int i = 0; i < n; ++i) { // SEARCH
    of.change();
    of.value();
    of.look();
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  Settings settings;
  Words words;
  Numbers numbers;
  if (strcmp(what, "solver") == 0)
    solve(&settings);
  else if (strcmp(what, "chain") == 0)
    chain(200);
  else if (strcmp(what, "games") == 0)
    play();
  else if (strcmp(what, "means") == 0)
    kmeans(120);
  else if (strcmp(what, "chains") == 0)
    fit_chains(80);
  else if (strcmp(what, "samples") == 0)
    improve(80);
  else
    search(argc > 2 ? static_cast<Problem &>(numbers) : words, 800);
}
