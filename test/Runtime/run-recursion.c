// A function that calls itself, as one that grows a tree does, is one candidate.
// REQUIRES: x86
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gcc -O2 -DLENGTH=300 %s -o grow
// RUN: loopscope run --no-counts -- ./grow | FileCheck %s --implicit-check-not="The time splits"
// CHECK: {{^}}The time splits in grow() (
// CHECK: {{^grow +- }}
// CHECK: {{^}}Hottest functions
#include "Inputs/known-loop.h"

// Its calls of itself are no tail calls.
__attribute__((noinline)) static int grow(int depth) {
  if (depth == 0)
    return 1;
  load_batch();
  forward();
  int left = grow(depth - 1);
  int right = grow(depth - 1);
  return left + right;
}

int main() { return grow(8) == 256 ? 0 : 1; }
