// A forked child that doesn't exec gets its own profile; the parent's has only the
// parent's spans.
// RUN: %survive_c
// RUN: %calls | FileCheck %s
// RUN: ls %t.*loopscope* | count 2
// RUN: %keyed | FileCheck %s --check-prefix=KEYS
// KEYS-DAG: {{^}}work[odd],4{{$}}
// KEYS-DAG: {{^}}work[even],3{{$}}
// RUN: mv %t.loopscope %t.parent; mv %t.*loopscope* %t.loopscope
// RUN: %calls | FileCheck %s --check-prefix=CHILD
// RUN: %keyed | FileCheck %s --check-prefix=CHILD-KEYS
// CHILD-KEYS-DAG: {{^}}work[odd],1{{$}}
// CHILD-KEYS-DAG: {{^}}work[even],1{{$}}
// CHECK-NOT: in child
// CHECK-DAG: {{^}}work,7{{$}}
// CHILD-DAG: {{^}}work,2{{$}}
// CHILD-DAG: {{^}}in child,5{{$}}
#include "survive.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void) {
  static int calls;
  ++calls;
  KEYED(1, "work", calls % 2 ? "odd" : "even");
}

int main(void) {
  for (int i = 0; i < 3; ++i)
    work();
  pid_t child = fork();
  for (int i = 0; child == 0 && i < 5; ++i) {
    PHASE(2, "in child");
  }
  for (int i = 0; i < (child ? 4 : 2); ++i)
    work();
  if (child)
    wait(NULL);
}
