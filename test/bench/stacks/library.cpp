// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work done by the C and C++ libraries: sorting, copying, formatting.
#include "common.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

APART static bool less(const int &a, const int &b) { return a < b; }

int main() {
  std::vector<int> values(20000);
  std::vector<char> from(1 << 20, 1), to(1 << 20);
  char text[64];
  for (int i = 0; i < 120 * TIMES; ++i) {
    {
      PHASE(1, "sort");
      unsigned state = 1;
      for (int k = 0; k < 2; ++k) {
        for (int &each : values)
          each = static_cast<int>(state = state * 1664525 + 1013904223);
        std::sort(values.begin(), values.end(), less);
      }
    }
    {
      PHASE(2, "copy");
      for (int k = 0; k < 80; ++k)
        std::memcpy(to.data(), from.data(), from.size());
    }
    PHASE(3, "format");
    for (int k = 0; k < 40000; ++k)
      std::snprintf(text, sizeof(text), "%d %.6f", k, std::sin(k));
    sink = text[0];
  }
}
