// Text that only looks like an annotation is left alone.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <cstring>

// [[loopscope::phase("comment")]] work("no");
/* [[loopscope::phase("comment")]] LOOPSCOPE_PHASE("no") */
#if 0
[[loopscope::phase("off")]] work("no");
#endif

int main() {
  const char *s = "[[loopscope::phase(\"string\")]]";
  const char *r = R"x([[loopscope::phase("raw")]] LOOPSCOPE_PHASE("x"))x";
  // CHECK: const char *r = R"x({{\[\[}}loopscope::phase("raw"){{\]\]}} LOOPSCOPE_PHASE("x"))x";
  [[loopscope::phase("real")]] work("a");
  return static_cast<int>(std::strlen(s) + std::strlen(r));
}
// TRACE: real(a)
// TRACE: exit code 78
