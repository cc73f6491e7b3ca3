// Hooks leave errno as it was, at first visits and later, also where the profile can't grow.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: env SURVIVE_RUN='ulimit -f 64; "$1"' %survive_c
// CHECK-DAG: {{^}}work,600{{$}}
#include "survive.h"
#include <errno.h>
#include <stdio.h>

static int changed;

static void down(int levels) {
  errno = 12345;
  PHASE(1, "work");
  changed += errno != 12345;
  if (levels > 0)
    down(levels - 1);
  errno = 12345;
  END(1);
  changed += errno != 12345;
}

int main(void) {
  for (int i = 0; i < 3; ++i)
    down(199);
  printf("%d\n", changed);
}
