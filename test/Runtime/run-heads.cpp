// What a loop's head counts or tests tells whether its passes are steps, where the calls in it don't.
// REQUIRES: x86, libdw
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g -fopenmp -I%S/Inputs %s -o heads
// A tree of a boosted model, though what builds it is a loop over nodes, over features and over their values.
// RUN: loopscope run --no-counts -- ./heads trees | FileCheck %s --check-prefix=TREES
// TREES: {{^}}Likely main loop: the loop in boost(), run-heads.cpp:57 (
// Layers that are trained one after the other, each for some epochs: most of the time is there, not in the tuning afterwards.
// RUN: loopscope run --no-counts -- ./heads layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: {{^}}Likely main loop: the loop in pretrain(), run-heads.cpp:64 (
// LAYERS: {{^}}Another candidate: the loop in tune(), run-heads.cpp:70 (
// A search that is started again until there is a result.
// RUN: loopscope run --no-counts -- ./heads search | FileCheck %s --check-prefix=SEARCH
// SEARCH: {{^}}Likely main loop: the loop in search(), run-heads.cpp:77 (
// SEARCH: {{^}}Another candidate: the loop in solve(), run-heads.cpp:85 (
// A game is played to learn from it. It repeats some of the work, and is no validation.
// RUN: loopscope run --no-counts -- ./heads games | FileCheck %s --check-prefix=GAMES
// GAMES: {{^}}Likely main loop: the loop in games(), run-heads.cpp:106, by the calls in game() (
// GAMES: {{^}}Another candidate: the loop in learn(), run-heads.cpp:91 (
// A parallel loop over points in each pass of a method that ends when it has converged.
// RUN: loopscope run --no-counts -- env OMP_NUM_THREADS=2 ./heads means | FileCheck %s --check-prefix=MEANS
// MEANS: {{^}}Likely main loop: the loop in means(), run-heads.cpp:115 (
// MEANS: {{^}}Another candidate: the loop in means(), run-heads.cpp:118 (
// Parallel regions in another one share out whole methods, each with iterations of its own.
// RUN: loopscope run --no-counts -- env OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=2 ./heads nested | FileCheck %s --check-prefix=NESTED
// NESTED: {{^}}Likely main loop: the loop in chains(), run-heads.cpp:130 (
// A step that is trained in three calls of one function, which says so.
// RUN: loopscope run --no-counts -- ./heads calls | FileCheck %s --check-prefix=CALLS
// CALLS: {{^}}Likely main loop: the loop in three_nets(), run-heads.cpp:150 (
// CALLS: {{^}}Another candidate: the loop in train_pair(), run-heads.cpp:142 (
// CALLS-NOT: {{^}}Another candidate
// What counts updates has a step in each pass, however often an episode is played for one.
// RUN: loopscope run --no-counts -- ./heads updates | FileCheck %s --check-prefix=UPDATES
// UPDATES: {{^}}Likely main loop: the loop in policy(), run-heads.cpp:172 (
#include "known-loop.h"
#include <cstring>

#define NOINLINE __attribute__((noinline)) static void

NOINLINE best() {
  for (int value = 0; value < 5; ++value) {
    forward();
    backward();
  }
  sink = sink + 1;
}
NOINLINE split() {
  for (int feature = 0; feature < 3; ++feature)
    best();
  sink = sink + 1;
}
NOINLINE train_tree() {
  for (int node = 0; node < 3; ++node)
    split();
  sink = sink + 1;
}
NOINLINE boost(int tree_number) {
  for (int i = 0; i < tree_number; ++i) // TREES
    train_tree();
}

NOINLINE pretrain(int n_layers, int epochs) {
  for (int l = 0; l < n_layers; ++l)
    for (int epoch = 0; epoch < epochs; ++epoch) // EPOCHS
      for (int n = 0; n < 6; ++n) {              // LAYERS
        forward();
        backward();
      }
}
NOINLINE tune(int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (int n = 0; n < 6; ++n) {
      forward();
      load_batch();
    }
}
NOINLINE search(int conflicts) {
  for (int i = 0; i < conflicts; ++i) { // SEARCH
    forward();
    backward();
  }
  sink = sink + 1;
}
NOINLINE solve(int starts) {
  int status = 0;
  for (int made = 1; status == 0; ++made) { // STARTS
    search(10);
    status = made == starts;
  }
}
NOINLINE learn() {
  for (int move = 0; move < 4; ++move) { // LEARN
    forward();
    backward();
  }
  sink = sink + 1;
}
NOINLINE game() {
  for (int move = 0; move < 4; ++move) {
    forward();
    sink = sink + 1;
  }
  learn();
  sink = sink + 1;
}
NOINLINE games(int count) {
  for (int i = 0; i < count; ++i) // GAMES
    game();
}

PART(nearest, 580)
PART(add_point, 280)
NOINLINE means(int most) {
  double delta = 0;
  int pass = 0;
  do { // MEANS
    delta = ++pass < most;
#pragma omp parallel for
    for (int point = 0; point < 8; ++point) { // POINTS
      nearest();
      add_point();
    }
  } while (delta > 0.5);
}

PART(sample, 200)
NOINLINE chains(int n_iters, int n_samplers) {
  for (int model = 1; model < 3; ++model)
#pragma omp parallel for
    for (int chain = 0; chain < n_samplers; ++chain) // CHAINS
      for (int j = 0; j < n_iters; ++j) { // ITERS
        sample();
        forward();
      }
}
NOINLINE directions(int n_iters) {
#pragma omp parallel for
  for (int reverse = 0; reverse < 2; ++reverse)
    chains(n_iters, 2);
}

NOINLINE train_pair(volatile double *net) {
  for (int target = 0; target < 6; ++target) {
    forward();
    *net = *net + 1;
  }
}
NOINLINE three_nets(int limit) {
  static volatile double words, documents, labels;
  int edges = 0;
  while (true) { // CALLS
    if (edges > limit)
      break;
    train_pair(&words);
    train_pair(&documents);
    train_pair(&labels);
    edges += 3;
  }
}

NOINLINE play_episode() {
  for (int at = 0; at < 5; ++at) {
    forward();
    load_batch();
  }
}
NOINLINE change_policy(int episodes) {
  for (int i = 0; i < episodes; ++i)
    play_episode();
  sink = sink + 1;
}
NOINLINE policy(int updates) {
  for (int i = 0; i < updates; ++i) { // UPDATES
    change_policy(10);
    play_episode();
  }
}

int main(int, char **argv) {
  const char *what = argv[1];
  if (strcmp(what, "trees") == 0)
    boost(10);
  else if (strcmp(what, "layers") == 0) {
    pretrain(2, 25);
    tune(45);
  } else if (strcmp(what, "search") == 0)
    solve(30);
  else if (strcmp(what, "games") == 0)
    games(70);
  else if (strcmp(what, "means") == 0)
    means(60);
  else if (strcmp(what, "calls") == 0)
    three_nets(250);
  else if (strcmp(what, "updates") == 0)
    policy(15);
  else
    directions(60);
}
