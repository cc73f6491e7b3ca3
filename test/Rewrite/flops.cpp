// flops is evaluated where its phase begins, and in each step after the declarations that it uses.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

[[loopscope::phase("product"), loopscope::flops("2.0 * n * n")]] static void product(long n) { work(n ? "p" : "-"); }
// CHECK: static void product(long n) {__LOOPSCOPE_SPAN(1, PHASE, "product", [[@LINE-1]], "product"); __LOOPSCOPE_AMOUNT(1, flops, 2.0 * n * n); work(n ? "p" : "-"); }

template <typename A, typename B> long both() { return sizeof(A) + sizeof(B); }

int main() {
  [[loopscope::flops("both<int, long>()")]] [[loopscope::phase("sum")]] int m = value("s", 1);
  // CHECK: __LOOPSCOPE_SPAN(2, PHASE, "sum", [[@LINE-1]], "main"); __LOOPSCOPE_AMOUNT(2, flops, (both<int, long>())); int m = value("s", 1); __LOOPSCOPE_END(2);
  [[loopscope::train("b"), loopscope::flops("b * 1e20")]] for (int i = 0; i < 2; ++i) {
    // CHECK: {__LOOPSCOPE_SPAN(3, TRAIN, "train", [[@LINE-1]], "main"); for (int i = 0; i < 2; ++i) {__LOOPSCOPE_STEP(4, 3);
    int b = i + m;
    // CHECK: int b = i + m; __LOOPSCOPE_SAMPLES(4, b); __LOOPSCOPE_STEP_AMOUNT(4, flops, b * 1e20);
    product(b);
  }
  [[loopscope::valid, loopscope::flops("m")]] for (int i = 0; i < 1; ++i) { work("v"); }
  // CHECK: {__LOOPSCOPE_SPAN(5, VALID, "valid", [[@LINE-1]], "main"); for (int i = 0; i < 1; ++i) {__LOOPSCOPE_STEP(6, 5); __LOOPSCOPE_STEP_AMOUNT(6, flops, m); work("v"); }}
  return m - 1;
}
// TRACE: sum(flops=12 s)
// TRACE: train(step(samples=1 flops=1e+20 product(flops=2 p)) step(samples=2 flops=2e+20 product(flops=8 p)))
// TRACE: valid(step(flops=1 v))
