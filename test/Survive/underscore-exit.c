// _exit() runs none of our destructors, but the profile is complete.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}work,1000{{$}}
#include "survive.h"
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  _exit(4);
}
