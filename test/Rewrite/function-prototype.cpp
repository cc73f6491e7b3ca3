// An attribute on a prototype applies to the definition that follows it.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

[[loopscope::phase("late")]] static int late(int);

int main() { return late(3); }

static int late(int x) { return value("a", x); }
// CHECK: static int late(int x) {__LOOPSCOPE_SPAN(1, PHASE, "late", [[@LINE-1]], "late"); return value("a", x); }

// TRACE: late(a)
// TRACE: exit code 3
