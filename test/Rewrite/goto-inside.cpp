// Jumps that stay inside a phase are unchanged.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  int n = 0;
  [[loopscope::phase("retry")]] {
  again:
    work("a");
    if (++n < 3)
      goto again;
  }
  [[loopscope::phase("fn")]] switch (n) {
  case 3: work("b");
  }
  goto over;
over:
  [[loopscope::phase("behind")]] work("c");
}
// TRACE: retry(a a a)
// TRACE: ~fn(b)
// TRACE: behind(c)
