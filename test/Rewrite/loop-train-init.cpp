// The initialiser of a C++20 range-for runs before the first draw ends.
// RUN: %compare %s %t --std=c++20 | %trace
#include "work.h"
#include <initializer_list>
#include <initializer_list>

int main() {
  [[loopscope::train("x")]] for (int n = value("init", 1); int x : {n, n + 1}) value("body", x);
}
// TRACE: train(init step(samples=1 body) step(samples=2 body))
