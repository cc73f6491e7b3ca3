// Lines in source_location and __builtin_LINE are the source's; so are columns if no
// hook precedes them on the same line.
// RUN: %same --spans %s -- -std=c++20 | FileCheck %s
// CHECK: source-location.cpp: same
// CHECK: {{^ +}}1 own line
#include <cstdio>
#include <source_location>

static void show(std::source_location l = std::source_location::current()) {
  std::printf("%u:%u %s %s\n", l.line(), l.column(), l.function_name(), l.file_name());
}

int main() {
  [[loopscope::phase("own line")]] {
    show();
  }
  show(), std::printf("%d\n", __builtin_LINE());
}
