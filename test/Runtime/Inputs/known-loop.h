/* Work in units whose times have a known ratio. */
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

__attribute__((noinline, unused)) static void burn(long units) {
  double x = 1;
  for (long i = 0; i < units * 1000; ++i)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}
#ifndef LENGTH
#define LENGTH 100
#endif
/* Not a tail call, which would leave no frame. */
#define PART(NAME, UNITS)                                                      \
  __attribute__((noinline, unused)) static void NAME(void) {                   \
    burn((UNITS) * LENGTH / 100);                                              \
    sink = sink + 1;                                                           \
  }
PART(load_batch, 100)
PART(forward, 300)
PART(backward, 600)
PART(setup, 60000)
