// exit in a phase leaves it open; everything else runs as in the original.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <cstdio>
#include <cstdlib>

struct Global {
  ~Global() { [[loopscope::phase("late")]] std::puts("destroyed"); }
} global;

int main() {
  [[loopscope::phase("outer")]] {
    std::atexit([] { std::puts("atexit"); });
    [[loopscope::phase("inner")]] std::exit(value("a", 4));
  }
}
// TRACE: outer(inner(a late() <open
// TRACE: exit code 4
