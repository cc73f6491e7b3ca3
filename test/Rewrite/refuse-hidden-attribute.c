// A program whose macros leave no spelling of __attribute__ is unchanged: no guard would end.
// RUN: %refuse %s %t | %diagnostics
#define __attribute__(x)
#define __attribute(x)
// CHECK: {{.*}}:[[@LINE-1]]:9: error: a macro called '__attribute' hides what hooks need; define it only around what has no annotations, in another file [hides-hooks]
// CHECK-NOT: error:
void g(void);
void f(void) { [[loopscope::phase("x")]] g(); }
