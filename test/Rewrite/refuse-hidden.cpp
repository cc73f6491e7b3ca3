// If `static` is a macro, sites wouldn't be static variables: nothing is done; function mode warns.
// RUN: %refuse %s %t | %diagnostics
#define static
// CHECK: {{.*}}:[[@LINE-1]]:9: error: a macro called 'static' hides what hooks need; define it only around what has no annotations, in another file [hides-hooks]
// CHECK-NOT: error:
void g();
static void f() { [[loopscope::phase("x")]] g(); }
// RUN: sed '/^\/\//d; s/\[\[.*\]\]/while (true)/' %s > %t.cpp
// RUN: loopscope-rewrite --functions %t.cpp -o %t.o.cpp -- 2>&1 | FileCheck %s --check-prefix=MODE --implicit-check-not=error
// MODE: warning: a macro called 'static' hides what hooks need
// RUN: cmp %t.cpp %t.o.cpp
// RUN: loopscope-rewrite --functions %t.cpp --mirror %t.d --manifest %t.json -- 2>/dev/null
// RUN: grep '"status": "unchanged"' %t.json
