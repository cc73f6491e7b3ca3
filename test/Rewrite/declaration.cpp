// A declaration keeps its scope: the guard goes into its initialiser with a comma.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"
#include <string>

static std::string text() { return std::string(static_cast<unsigned>(value("s", 3)), 'x'); }

int main() {
  [[loopscope::phase("int")]] int a = value("a", 1);
  // CHECK: LOOPSCOPE_SITE_(1, PHASE, "int", [[@LINE-1]], "main"); int a = (LOOPSCOPE_COMMA_(1), value("a", 1));
  work("-");
  [[loopscope::phase("auto")]] auto b = text();
  // CHECK: LOOPSCOPE_SITE_(2, PHASE, "auto", [[@LINE-1]], "main"); auto b = (LOOPSCOPE_COMMA_(2), text());
  work("-");
  [[loopscope::phase("const")]] const std::string c = text() + "y";
  // CHECK: LOOPSCOPE_SITE_(3, PHASE, "const", [[@LINE-1]], "main"); const std::string c = (LOOPSCOPE_COMMA_(3), text() + "y");
  return a + static_cast<int>(b.size() + c.size());
}
// TRACE: int(a)
// TRACE: -
// TRACE: auto(s)
// TRACE: -
// TRACE: const(s)
// TRACE: exit code 8
