// An uncaught exception ends the program as usual, and the phases around it are open in
// the profile.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=END
// RUN: FileCheck %s --check-prefix=TERMINATE --input-file=%t.err
// CHECK-DAG: {{^}}work,4{{$}}
// END: The run did not end by exit(): it was killed, a signal ended it, or it called _exit();
// END-NEXT: {{^}}1 span was not finished; totals include the time so far: work.
// TERMINATE: terminate called after throwing
#include "survive.h"
#include <stdexcept>

int main() {
  for (int I = 0;; ++I) {
    PHASE(1, "work");
    if (I == 4)
      throw std::runtime_error("no more data");
  }
}
