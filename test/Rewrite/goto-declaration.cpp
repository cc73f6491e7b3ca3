// Jumps past a comma guard are allowed exactly where the original declaration allows them.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  for (int n = 0; n < 2; ++n)
    switch (n) {
    case 0: {
      [[loopscope::phase("a")]] int a = value("a", 1);
      if (a) break;
      [[fallthrough]];
    }
    case 1:
      [[loopscope::phase("b")]] { work("b"); }
    }
}
// TRACE: a(a)
// TRACE: b(b)
