// __LINE__, __FILE__, __func__, assert and std::source_location have their original values.
// RUN: %compare %s %t --std=c++20 | %trace
#include "work.h"
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <source_location>

[[loopscope::phase("f")]] static int f(std::source_location l = std::source_location::current()) {
  return std::printf("%s:%u %s\n", l.file_name(), l.line(), l.function_name());
}

static void quit(int) { std::_Exit(3); }

int main() {
  [[loopscope::phase("a")]] std::printf("%s:%d %s\n", __FILE__, __LINE__, __func__);
  [[loopscope::phase("b")]] int n = f();
  std::signal(SIGABRT, quit);
  std::fflush(stdout);
  [[loopscope::phase("c")]] {
    [[loopscope::phase("d")]] assert(n < 0 && "the text of the assert");
  }
}
// TRACE: a()
// TRACE: ~b(f())
// TRACE: exit code 3
