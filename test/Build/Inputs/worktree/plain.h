#pragma once
#include <cstdio>

inline int plain(int x) {
  std::printf("%s:%d\n", __FILE__, __LINE__);
  return x;
}
