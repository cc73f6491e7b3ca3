// Phases in callbacks belong to the span that is open when they are called.
// RUN: %compare %s %t | %trace
#include "work.h"

static void first(int i) { [[loopscope::phase("f")]] value("p", i); }

template <typename F> static void times(int n, F f) {
  for (int i = 0; i < n; ++i)
    f(i);
}

int main() {
  [[loopscope::phase("pointers")]] times(2, &first);
  [[loopscope::phase("lambdas")]] times(1, [](int) { [[loopscope::phase("l")]] work("q"); });
}
// TRACE: pointers(f(p) f(p))
// TRACE: ~lambdas(l(q))
