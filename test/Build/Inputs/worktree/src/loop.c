#include "loop.h"
#include <loopscope/annotate.h>

int loop(int n) {
  int i, sum = 0;
  LOOPSCOPE_PHASE("loop")
  for (i = 0; i < n; ++i)
    sum += times(i);
  return sum;
}
