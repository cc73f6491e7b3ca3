#pragma once
#include <cstdio>

inline int shape() {
  std::printf("%s\n", __FILE__);
  return 4;
}
