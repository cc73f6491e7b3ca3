// A null statement and a label's statement can be phases.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  [[loopscope::phase("nothing")]];
  work("-");
  goto there;
there:
  [[loopscope::phase("label")]] work("a");
}
// TRACE: nothing()
// TRACE: -
// TRACE: label(a)
