// A declaration keeps its scope: the guard goes into its initialiser with a comma.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <string>

static std::string text() { return std::string(static_cast<unsigned>(value("s", 3)), 'x'); }

int main() {
  [[loopscope::phase("int")]] int a = value("a", 1);
  // CHECK: __LOOPSCOPE_SPAN(1, PHASE, "int", [[@LINE-1]], "main"); int a = value("a", 1); __LOOPSCOPE_END(1);
  work("-");
  [[loopscope::phase("auto")]] auto b = text();
  // CHECK: __LOOPSCOPE_SPAN(2, PHASE, "auto", [[@LINE-1]], "main"); auto b = text(); __LOOPSCOPE_END(2);
  work("-");
  [[loopscope::phase("const")]] const std::string c = text() + "y";
  // CHECK: __LOOPSCOPE_SPAN(3, PHASE, "const", [[@LINE-1]], "main"); const std::string c = text() + "y"; __LOOPSCOPE_END(3);
  return a + static_cast<int>(b.size() + c.size());
}
// TRACE: int(a)
// TRACE: -
// TRACE: auto(s)
// TRACE: -
// TRACE: const(s)
// TRACE: exit code 8
