// Each call of a recursive function is a span of its own.
// RUN: %compare %s %t | %trace
#include "work.h"

[[loopscope::phase("r")]] static int fac(int n) {
  work("w");
  return n < 2 ? 1 : n * fac(n - 1);
}

int main() { return fac(3); }

// TRACE: r(w r(w r(w)))
// TRACE: exit code 6
