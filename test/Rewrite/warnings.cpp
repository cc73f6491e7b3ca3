// A guard causes no warnings, whatever names and shadowing the code has.
// RUN: %compare %s %t --std=c++17 -Wconversion -Wunused -Wimplicit-fallthrough -Wswitch -Wreturn-type -Wunreachable-code | %trace
#include "work.h"

enum class Mode { A, B };

static int f(Mode m) {
  switch (m) {
  case Mode::A:
    [[loopscope::phase("a")]] return value("a", 1);
  case Mode::B:
    [[loopscope::phase("b")]] { return value("b", 2); }
  }
  [[loopscope::phase("c")]] return 0;
}

int main() {
  int span = 1, site = 2, step = 3;
  [[loopscope::phase("x")]] {
    [[loopscope::phase("x")]] {
      [[loopscope::phase("x")]] span += site + step;
    }
  }
  return f(Mode::A) + f(Mode::B) + span;
}
// TRACE: x(~x(~x()))
// TRACE: a(a)
// TRACE: b(b)
// TRACE: exit code 9
