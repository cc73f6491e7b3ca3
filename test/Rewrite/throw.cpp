// An exception that leaves phases closes them; a phase may be the throw itself.
// RUN: %compare %s %t | %trace
#include "work.h"

[[loopscope::phase("deep")]] static void deep() {
  work("a");
  throw 1;
}

int main() {
  try {
    [[loopscope::phase("outer")]] {
      [[loopscope::phase("inner")]] deep();
      work("no");
    }
  } catch (int) {
    work("caught");
  }
  try {
    [[loopscope::phase("throw")]] throw value("b", 1);
  } catch (int) {
  }
  try {
    [[loopscope::phase("declare")]] int x = (deep(), 1);
    return x;
  } catch (int) {
  }
}
// TRACE: outer(~inner(deep(a)))
// TRACE: caught
// TRACE: throw(b)
// TRACE: declare(deep(a))
