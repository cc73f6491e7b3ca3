// Profiles that other programs write into the folder meanwhile aren't the run's, if output= names its file: with a name that is
// free or taken, a rank's, one with a pattern, one without our extension.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O1 -Wall -Werror %runtime_include %s -o train %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=old ./train
// RUN: for name in own.loopscope own.loopscope r%r.loopscope own-%%p.loopscope x%%%%y.loopscope bare; do loopscope run -e output=$name --view simple -- sh -c 'cp old another.loopscope && cp old owner.loopscope && ./train' || exit 1; done > all
// RUN: env RANK=3 WORLD_SIZE=4 loopscope run -e output=ranked.loopscope --view simple -- ./train >> all
// Of two names, the last one counts.
// RUN: loopscope run -e output=first.loopscope,output=last.loopscope --view simple -- ./train >> all && test -e last.loopscope && test ! -e first.loopscope
// RUN: FileCheck %s --input-file=all
// CHECK-COUNT-8: {{^}}work {{.*[^0-9]3 .*$}}
// CHECK-NOT: {{^}}work{{ }}
// RUN: ls | FileCheck %s --check-prefix=NAMES
// NAMES-DAG: {{^}}own.2.loopscope{{$}}
// NAMES-DAG: {{^}}ranked.rank3.loopscope{{$}}
// NAMES-DAG: {{^}}x%y.loopscope{{$}}
#include "loopscope/hooks.h"

int main(void) {
  for (int i = 0; i < 3; ++i) {
    __LOOPSCOPE_SPAN(1, PHASE, "work", __LINE__, "main");
  }
  return 0;
}
