// A module unit is unchanged, with one diagnostic; function mode warns and leaves it unchanged.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
export module network;
// CHECK: {{.*}}:[[@LINE-1]]:1: error: module units are left alone; annotate code that isn't in one [module]
// CHECK-NOT: error:
void g();
export void f() { [[loopscope::phase("x")]] g(); }
// RUN: sed '/^\/\//d; s/\[\[.*\]\]/while (true)/' %s > %t.cpp
// RUN: loopscope-rewrite --functions %t.cpp -o %t.o.cpp -- -std=c++20 2>&1 | FileCheck %s --check-prefix=MODE --implicit-check-not=error
// MODE: warning: module units are left alone; annotate code that isn't in one [module]
// RUN: cmp %t.cpp %t.o.cpp
// RUN: loopscope-rewrite --functions %t.cpp --mirror %t.d --manifest %t.json -- -std=c++20 2>/dev/null
// RUN: grep '"status": "unchanged"' %t.json
