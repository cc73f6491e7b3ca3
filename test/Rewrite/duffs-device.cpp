// A switch that jumps into its own loop is one statement: timed as a whole.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  int n = 3;
  [[loopscope::phase("duff")]] switch (n % 2) {
  case 0:
    do {
      work("a");
      [[fallthrough]];
  case 1:
      work("b");
    } while ((n -= 2) > 0);
  }
}
// TRACE: duff(b a b)
