// C++: a computed goto out of a phase is refused.
// RUN: %same %s -- -Wno-pedantic | FileCheck %s
// CHECK: goto-computed.cpp: refused [jumps-out]
#include <cstdio>

static int f(int n) {
  static void *const to[] = {&&a, &&b, &&c};
  int i = 0;
  [[loopscope::phase("leaves")]] { std::puts("leaves"); goto *to[n]; }
a: i += 1;
b: i += 2;
c: return i;
}

int main() { std::printf("%d %d %d\n", f(0), f(1), f(2)); }
