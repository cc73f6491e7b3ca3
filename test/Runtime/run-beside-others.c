// Profiles that other programs write into the folder meanwhile aren't the run's, if output= names its file.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O1 -Wall -Werror %runtime_include %s -o train %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=old ./train
// RUN: loopscope run -e output=own.loopscope --view simple -- sh -c 'cp old another.loopscope && ./train' | FileCheck %s --implicit-check-not=another
// CHECK: {{^}}work {{.*[^0-9]3 .*$}}
#include "loopscope/hooks.h"

int main(void) {
  for (int i = 0; i < 3; ++i) {
    __LOOPSCOPE_SPAN(1, PHASE, "work", __LINE__, "main");
  }
  return 0;
}
