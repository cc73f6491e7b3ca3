// Hooks use no keyword that a program may have defined away. flags: -Delse=
// RUN: %same --spans --modes=phases %s | FileCheck %s
// CHECK: keyword-macro.c: same
// CHECK-DAG: {{^ +}}3 train/step{{$}}
// CHECK-DAG: {{^ +}}1 phase{{$}}
#include <loopscope/annotate.h>

int puts(const char *);

int main(void) {
  LOOPSCOPE_TRAIN_LOOP for (int i = 0; i < 3; i++) puts("step");
  LOOPSCOPE_PHASE("phase") puts("phase");
  return 0;
}
