// An annotated header used by two sources; it includes a header without annotations.
#pragma once
#include "util.h"
#include <loopscope/annotate.h>

inline int forward(int x) {
  LOOPSCOPE_PHASE("forward") { x = increment(x); }
  return x;
}
