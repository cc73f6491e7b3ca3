// A phase that is left by an exception ends there, at every depth.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}outer,50{{$}}
// CHECK-DAG: {{^}}inner,100{{$}}
#include "survive.h"
#include <cstdio>

static void inner(int I) {
  PHASE(1, "inner");
  if (I % 2)
    throw I;
}

int main() {
  int Caught = 0;
  for (int I = 0; I < 50; ++I)
    try {
      PHASE(2, "outer");
      inner(0);
      inner(1);
    } catch (int) {
      ++Caught;
    }
  std::printf("%d\n", Caught);
}
