// C23: labels in front of declarations and at the end of blocks, and samples that such a declaration gives.
// RUN: %same --spans %s -- -std=c2x | FileCheck %s
// CHECK: label-declaration.c: same
// CHECK-DAG: {{^ +}}2 declaration{{$}}
// CHECK-DAG: {{^ +}}2 train/step{{$}}
#include <loopscope/annotate.h>
#include <stdio.h>

static int f(int n) { return n + 1; }

int main(void) {
  int n = 0;
  LOOPSCOPE_PHASE("block") { n = f(n); if (n) goto end; n = 4; end: }
again: LOOPSCOPE_PHASE("declaration") int z = f(n);
  if (z < 3) { n++; goto again; }
  LOOPSCOPE_TRAIN("w") for (int i = 0; i < 2; ++i) { l: int w = f(i); if (w == 100) goto l; n += w; }
  printf("%d\n", n);
}
