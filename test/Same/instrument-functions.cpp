// -finstrument-functions counts the program's functions, but no hooks.
// RUN: %same --spans --modes=phases %s -- -finstrument-functions | FileCheck %s
// CHECK: instrument-functions.cpp: same
// CHECK: {{^ +}}1 function
#include <cstdio>

static int count;
extern "C" __attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *, void *) {
  ++count;
}
extern "C" __attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *, void *) {}

[[loopscope::phase("function")]] static int f(int n) { return n + 1; }

int main() {
  [[loopscope::train("n")]] for (int n = 0; n < 2; ++n) [[loopscope::phase("step")]] std::puts("s");
  int n = f(2);
  std::printf("%d %d\n", n, count);
}
