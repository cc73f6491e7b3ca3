// abort() ends the program as ever, by SIGABRT, and the report says so.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=END
// CHECK-DAG: {{^}}work,1000
// END: {{SIGABRT|signal 6}}
#include "survive.h"
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  PHASE(2, "last");
  abort();
}
