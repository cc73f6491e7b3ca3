// continue ends a step; break, return, goto and throw end the loop as well.
// RUN: %compare %s %t | %trace
#include "work.h"

static int f(int how) {
  [[loopscope::train]] for (int i = 0; i < 2; ++i) {
    [[loopscope::phase("p")]] {
      if (how == 0) continue;
      if (how == 1) break;
      if (how == 2) return value("r", 0);
      if (how == 3) goto out;
    }
    throw 1;
  }
out:
  return value("end", 1);
}

int main() {
  for (int how = 0; how < 5; ++how)
    try {
      f(how);
    } catch (int) {
      work("caught");
    }
}
// TRACE: train(step(~p()) step(~p()))
// TRACE: end
// TRACE: train(step(~p()))
// TRACE: end
// TRACE: train(step(~p(r)))
// TRACE: train(step(~p()))
// TRACE: end
// TRACE: train(step(~p()))
// TRACE: caught
