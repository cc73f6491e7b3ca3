// A function in a separate library.
#ifndef NAME
#define NAME eighty
#endif
static volatile double sink;

void NAME(long n) {
  double x = 1;
  for (long i = 0; i < n; ++i)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}
