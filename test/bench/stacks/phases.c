// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two phases that share functions, with shares from two to fifty percent.
#include "common.h"

APART static void a(void) { TURNS(500000); }
APART static void b(void) { TURNS(300000); }
APART static void c(void) { TURNS(120000); }
APART static void d(void) { TURNS(60000); }
APART static void e(void) { TURNS(20000); }

int main(void) {
  for (int i = 0; i < 1500 * TIMES; ++i) {
    {
      PHASE(1, "forward");
      a();
      b();
      c();
      d();
      e();
    }
    PHASE(2, "backward");
    for (int k = 0; k < 10; ++k)
      e();
    c();
    d();
    b();
  }
}
