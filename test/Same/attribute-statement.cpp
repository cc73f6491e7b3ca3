// Other attributes that bind to the same statement stay on it; an empty statement with one is

// RUN: %same --spans %s -- -std=c++20 | FileCheck %s
// CHECK: attribute-statement.cpp: refused [empty-statement]
// CHECK-DAG: {{^ +}}1 case{{$}}
// CHECK-DAG: {{^ +}}1 noinline{{$}}
// CHECK-DAG: {{^ +}}1 behind{{$}}
// CHECK-DAG: {{^ +}}1 likely{{$}}
#include <cstdio>

__attribute__((noinline)) static int f(int n) { return n + 1; }

int main() {
  int n = 1;
  switch (n) {
  case 1:
    [[loopscope::phase("case")]] { n = f(n); }
    [[loopscope::phase("fall")]] [[fallthrough]];
  case 2:
    [[fallthrough, loopscope::phase("fall")]];
  default:;
  }
  [[clang::noinline, loopscope::phase("noinline")]] n = f(n);
  [[loopscope::phase("behind")]] [[clang::nomerge]] f(n);
  [[loopscope::phase("assume")]] [[clang::assume(true)]];
  if (n > 1) [[likely, loopscope::phase("likely")]] n = f(n);
  std::printf("%d\n", n);
}
