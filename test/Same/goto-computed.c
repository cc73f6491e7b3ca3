// A computed goto or an asm goto that may leave or enter a phase is refused; one inside is accepted.
// RUN: %same --spans %s -- -Wno-pedantic | FileCheck %s
// CHECK: goto-computed.c: refused [jumped-into] [jumps-out]
// CHECK-DAG: {{^ +}}3 inside{{$}}
// CHECK-DAG: {{^ +}}2 main/beside/beside{{$}}
#include <loopscope/annotate.h>
#include <stdio.h>

static int leaves(int n) {
  static const void *const to[] = {&&a, &&b, &&c};
  int i = 0;
  LOOPSCOPE_PHASE("leaves") { puts("leaves"); goto *to[n]; }
a: i += 1;
b: i += 2;
c: return i;
}

static int enters(int n) {
  static const void *const to[] = {&&a, &&b, &&c};
  int i = 0;
  goto *to[n];
  LOOPSCOPE_PHASE("enters") { a: i += 1; b: i += 2; c: i += 4; }
  return i;
}

static int inside(int n) {
  int i = 0;
  LOOPSCOPE_PHASE("inside") {
    static const void *const to[] = {&&a, &&b, &&c};
    goto *to[n];
  a: i += 1;
  b: i += 2;
  c: i += 4;
  }
  return i;
}

static int beside(int n) {
  static const void *const to[] = {&&a, &&b, &&c};
  int i = 0;
  LOOPSCOPE_PHASE("beside") i += 8;
  goto *to[n];
a: i += 1;
b: i += 2;
c: return i;
}

static int declaration(int n) {
  static const void *const to[] = {&&a, &&b};
  int i = 0;
a:;
  LOOPSCOPE_PHASE("declaration") int more = beside(n);
  if (i++ < 2) goto *to[0];
b: return i + more;
}

static int assembly(int n) {
  LOOPSCOPE_PHASE("assembly") { __asm__ goto("" : : : : out); n += 1; }
out: return n;
}

int main(void) {
  for (int n = 0; n < 3; ++n)
    printf("%d %d %d %d\n", leaves(n), enters(n), inside(n), n == 2 ? declaration(1) : beside(n));
  printf("%d\n", assembly(1));
  return 0;
}
