// Steps of a microsecond: the draws are the loop's header, which waits for nothing.
// RUN: %gcc -O1 -Wall -Werror -pthread -I %S/Inputs %runtime_include %s -o %t %runtime_lib
// RUN: rm -f %t.loopscope && env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope --view overview | FileCheck %s --implicit-check-not="waiting for data"
// CHECK: {{^in draws  .*s  .*%}}
#include "truth.h"

int main(void) {
  LOOP();
  volatile int Sum = 0;
  for (int I = 0; I < 600000; ++I) {
    STEP();
    PHASE(3, forward);
    for (int K = 0; K < 300; ++K)
      Sum = Sum + K;
  }
  return finish();
}
