// Errors outside annotated functions are counted, but stop nothing.
// RUN: loopscope-rewrite %s -o %t.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %text

#include <no/such/header.h>
NoSuchType broken;
int other() { return undeclared_name; }

void g();
int main() {
  [[loopscope::phase("y")]] g();
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "y", [[@LINE-1]], "main"); g();}
}
// WARN: warning: {{.*}}errors-elsewhere.cpp: 2 error(s) of clang outside the annotated code were ignored
