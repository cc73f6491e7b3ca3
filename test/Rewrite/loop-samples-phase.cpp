// A samples variable may be declared by an annotated declaration or a binding.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <utility>

static std::pair<int, int> load() { return {value("load", 5), 6}; }

int main() {
  [[loopscope::train("n + m")]] for (int i = 0; i < 2; ++i) {
    [[loopscope::draw]] auto [n, m] = load();
    if (i) continue;
    [[loopscope::phase("f")]] value("f", n + m);
  }
}
// TRACE: train(step(draw(load) samples=11 f(f)) step(draw(load) samples=11))
