// iterations is evaluated before the loop over batches begins, and at the start of each epoch.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

template <typename A, typename B> long both() { return sizeof(A) + sizeof(B); }
template <unsigned N> void loopOf() {
  [[loopscope::train, loopscope::iterations("N")]] for (unsigned i = 0; i < N; ++i) work("n");
}
int begun;

int main() {
  int epochs = 2, steps = 1;
  [[loopscope::epoch, loopscope::iterations("epochs")]] for (int e = 0; e < epochs; ++e) {
    // CHECK: for (int e = 0; e < epochs; ++e) {__LOOPSCOPE_SPAN(3, EPOCH, "epoch", [[@LINE-1]], "main"); __LOOPSCOPE_ITERATIONS(3, epochs);
    int n = ++steps;
    [[loopscope::iterations("n - 1L")]] [[loopscope::train("1")]] for (int i = 1; i < n; ++i) work("t");
    // CHECK: {__LOOPSCOPE_SPAN(4, TRAIN, "train", [[@LINE-1]], "main"); __LOOPSCOPE_ITERATIONS(4, n - 1L); for (int i = 1; i < n; ++i) {__LOOPSCOPE_STEP(5, 4); __LOOPSCOPE_SAMPLES(5, 1); work("t");}}
  }
  [[loopscope::valid, loopscope::iterations("both<int, long>()"), loopscope::flops("3")]] for (int i = 0; i < 12; ++i) break;
  // CHECK: {__LOOPSCOPE_SPAN(6, VALID, "valid", [[@LINE-1]], "main"); __LOOPSCOPE_ITERATIONS(6, (both<int, long>())); for (int i = 0; i < 12; ++i) {__LOOPSCOPE_STEP(7, 6); __LOOPSCOPE_STEP_AMOUNT(7, flops, 3); break;}}
  // Evaluated once each time, and its side effects stay.
  [[loopscope::epoch, loopscope::iterations("begun++")]] for (int e = 0; e < 2; ++e) work("e");
  [[loopscope::train, loopscope::iterations("begun++ - 3")]] do work("d"); while (value("w", 0));
  loopOf<2>();
}
// TRACE: epoch(iterations=2 train(iterations=1 step(samples=1 t)))
// TRACE: epoch(iterations=2 train(iterations=2 step(samples=1 t) step(samples=1 t)))
// TRACE: valid(iterations=12 step(flops=3))
// TRACE: epoch(iterations=0 e)
// TRACE: epoch(iterations=1 e)
// TRACE: train(iterations=-1 step(d) w)
// TRACE: train(iterations=2 step(n) step(n))
