// break, continue and goto out of a phase close it, however deep.
// RUN: %compare %s %t | %trace
#include "work.h"

int main() {
  for (int i = 0; i < 3; ++i)
    [[loopscope::phase("o")]] {
      if (i == 0) continue;
      [[loopscope::phase("i")]] {
        work("a");
        if (i == 1) goto done;
      }
    }
done:
  for (;;)
    [[loopscope::phase("b")]] break;
  for (int i = 0; i < 2; ++i)
    [[loopscope::phase("c")]] continue;
  [[loopscope::phase("g")]] goto end;
end:
  return 0;
}
// TRACE: o()
// TRACE: o(i(a))
// TRACE: b()
// TRACE: c()
// TRACE: c()
// TRACE: g()
