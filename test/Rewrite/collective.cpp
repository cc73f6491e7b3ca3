// A collective can be wherever a phase can; its bytes are evaluated where it begins.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

[[loopscope::collective("all-reduce", "4 * n")]] static void reduce(long n) { work(n ? "r" : "-"); }
// CHECK: static void reduce(long n) {__LOOPSCOPE_SPAN(1, COLLECTIVE, "all-reduce", [[@LINE-1]], "reduce"); __LOOPSCOPE_BYTES(1, 4 * n); work(n ? "r" : "-"); }

template <typename A, typename B> long both() { return sizeof(A) + sizeof(B); }

int main() {
  long n = 3;
  [[loopscope::collective("barrier")]] work("b");
  // CHECK: {__LOOPSCOPE_SPAN(2, COLLECTIVE, "barrier", [[@LINE-1]], "main"); work("b");}
  [[loopscope::collective]] { work("c"); }
  // CHECK: {__LOOPSCOPE_SPAN_NEXT(3, COLLECTIVE, "collective", [[@LINE-1]], "main"); work("c"); }
  [[loopscope::collective("gather", "both<int, long>()")]] int m = value("g", 1);
  // CHECK: __LOOPSCOPE_SPAN_NEXT(4, COLLECTIVE, "gather", [[@LINE-1]], "main"); __LOOPSCOPE_BYTES(4, (both<int, long>())); int m = value("g", 1); __LOOPSCOPE_END(4);
  [[loopscope::train("m")]] for (int i = 0; i < 1; ++i) {
    [[loopscope::phase("step")]] reduce(n);
    // CHECK: {__LOOPSCOPE_SPAN_NEXT(7, PHASE, "step", [[@LINE-1]], "main"); reduce(n);}
  }
  return m - 1;
}
// TRACE: barrier(b)
// TRACE: ~collective(c)
// TRACE: ~gather(bytes=12 g)
// TRACE: train(step(samples=1 ~step(all-reduce(bytes=12 r))))
