// Batch loops in templates and lambdas, with samples that depend on a parameter.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <vector>

template <typename Loader> static void run(const Loader &loader) {
  [[loopscope::train("batch.size()")]] for (const auto &batch : loader)
    [[loopscope::phase("f")]] value("f", static_cast<int>(batch.size()));
}

int main() {
  run(std::vector<std::vector<int>>{{1, 2}, {3}});
  auto each = [](auto n) {
    [[loopscope::valid("n")]] for (int i = 0; i < n; ++i) work("v");
  };
  each(1);
  each(2L);
}
// TRACE: train(step(samples=2 ~f(f)) step(samples=1 ~f(f)))
// TRACE: valid(step(samples=1 v))
// TRACE: valid(step(samples=2 v) step(samples=2 v))
