// A statement whose semicolon doesn't directly follow it is refused.
// RUN: %same --spans %s | FileCheck %s
// CHECK: semicolon-macro.cpp: refused [in-macro]
// CHECK-NEXT: {{^}}  1 declaration{{$}}
// CHECK-NEXT: {{^}}  1 whole{{$}}
#include <cstdio>

#define DO(x) do { x; } while (0)
#define END ;
#define ITSELF std::puts("itself");

int main() {
  DO([[loopscope::phase("argument")]] std::puts("argument"));
  [[loopscope::phase("do")]] do std::puts("do"); while (0) END
  [[loopscope::phase("call")]] std::puts("call") END
  [[loopscope::phase("whole")]] ITSELF
  DO([[loopscope::phase("declaration")]] int n = std::puts("declaration"); (void)n);
}
