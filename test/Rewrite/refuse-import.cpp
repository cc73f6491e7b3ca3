// Code that needs a module which can't be read is unchanged, with one diagnostic and none of the
// errors that follow; function mode warns.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
import network;
// CHECK: {{.*}}:[[@LINE-1]]:8: error: this file needs a module that only the compiler can read (module 'network' not found), so its annotations have no effect; annotate code in files that import nothing [import]
// CHECK-NOT: error:
void g() {
  [[loopscope::phase("x")]] step();
  [[loopscope::phase("y")]] other(step());
}
// RUN: sed '/^\/\//d; s/\[\[.*\]\]/while (true)/' %s > %t.cpp
// RUN: loopscope-rewrite --functions %t.cpp -o %t.o.cpp -- -std=c++20 2>&1 | FileCheck %s --check-prefix=MODE --implicit-check-not=not-parsed
// MODE: warning: {{.*}} error(s) of clang outside the annotated code were ignored
// RUN: cmp %t.cpp %t.o.cpp
