// abort() ends the program as usual, by SIGABRT, and the profile is complete.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=END
// CHECK-DAG: {{^}}work,1000{{$}}
// END: The run did not end by exit(): it was killed, a signal ended it, or it called _exit();
// END-NEXT: {{^}}1 span was not finished; totals include the time so far: last.
#include "survive.h"
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
  }
  PHASE(2, "last");
  abort();
}
