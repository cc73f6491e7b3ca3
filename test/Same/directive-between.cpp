// Preprocessor directives are allowed between an annotation and its target, and inside the annotation.
// RUN: %same --spans %s | FileCheck %s
// CHECK: directive-between.cpp: same
// CHECK-DAG: {{^ +}}1 declaration{{$}}
// CHECK-DAG: {{^ +}}1 macro{{$}}
// CHECK-DAG: {{^ +}}1 statement{{$}}
// CHECK-DAG: {{^ +}}1 comment{{$}}
// CHECK-DAG: {{^ +}}1 else{{$}}
#include <cstdio>
#include <loopscope/annotate.h>

static int f(int n) { return n + 1; }

int main(int argc, char **) {
  [[loopscope::phase("declaration")]]
#ifdef OTHER
  const
#endif
  int a = f(4);
  LOOPSCOPE_PHASE("macro")

#ifndef OTHER
  const
#endif
      int b{f(a)};
  [[loopscope::phase("comment")]] // A comment.
#line 100
  int c(f(b));
  [[loopscope::phase("statement")]]
#ifdef OTHER
  std::puts("other");
#else
  std::printf("%d %d %d\n", a, b, c);
#endif
  [[loopscope::phase("else")]] if (argc > 1) std::puts("1");
#ifdef OTHER
  else std::puts("2");
#else
  else std::puts("3");
#endif
}
