/* Points on three interleaved spiral arms; see spiral.h. */
#include "spiral.h"

#include <math.h>

/* Distance of a point from its arm, and how far an arm winds, in radians. */
static const float Noise = 0.6F;
static const float Turn = 6.0F;

float spiral_uniform(spiral_random *state) {
  /* xorshift64*: the top 24 bits of the product are the mantissa. */
  spiral_random x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return (float)((x * 2685821657736338717ULL) >> 40) / 16777216.0F;
}

void spiral_make(float *points, int *labels, int count, spiral_random seed) {
  for (int i = 0; i < count; ++i) {
    const int arm = i % SPIRAL_CLASSES;
    const float radius = 0.05F + 0.95F * spiral_uniform(&seed);
    const float noise = Noise * (spiral_uniform(&seed) - 0.5F);
    const float angle = Turn * radius + 2.0943951F * (float)arm + noise;
    points[SPIRAL_FEATURES * i] = radius * cosf(angle);
    points[SPIRAL_FEATURES * i + 1] = radius * sinf(angle);
    labels[i] = arm;
  }
}

void spiral_shuffle(int *order, int count, spiral_random *state) {
  for (int i = count - 1; i > 0; --i) {
    const int j = (int)(spiral_uniform(state) * (float)(i + 1));
    const int held = order[i];
    order[i] = order[j];
    order[j] = held;
  }
}
