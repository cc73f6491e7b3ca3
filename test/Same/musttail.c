// clang: C's spelling of musttail is left alone, too.
// RUN: %same --only=clang %s | FileCheck %s
// CHECK: musttail.c: same
#include <stdio.h>

static int down(int n, int sum);
static int up(int n, int sum) {
  if (n == 0) return sum;
  __attribute__((musttail)) return down(n - 1, sum + n);
}
static int down(int n, int sum) {
  if (n == 0) return sum;
  __attribute__((musttail)) return up(n - 1, sum * 2);
}

int main(void) {
  printf("%d\n", up(1000000, 1));
  return 0;
}
