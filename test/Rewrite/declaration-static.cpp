// A static local is timed at every pass; its initialiser still runs once.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
#include "work.h"

static int f() {
  [[loopscope::phase("static")]] static int once = value("init", 2);
  return once++;
}

int main() { return f() + f(); }
// TRACE: static(init)
// TRACE: static()
// TRACE: exit code 5
