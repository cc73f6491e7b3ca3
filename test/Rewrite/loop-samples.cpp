// The samples expression is evaluated once per step, after the variables that it names.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

struct Batch { ~Batch() {} int size() const { return 3; } };
template <int A, int B> static int sum() { return A + B; }
static Batch fetch() { work("fetch"); return {}; }

int main() {
  [[loopscope::train("batch.size()")]] for (int i = 0; i < 1; ++i) {
    // CHECK: {__LOOPSCOPE_SPAN(1, TRAIN, "train", [[@LINE-1]], "main"); for (int i = 0; i < 1; ++i) {__LOOPSCOPE_STEP(2, 1);
    work("a");
    auto batch = fetch();
    // CHECK: auto batch = fetch(); __LOOPSCOPE_SAMPLES(2, batch.size());
    (void)batch;
    work("b");
  }
  work("-");
  [[loopscope::valid("sum<4, 5>() * (int)sizeof(char[2])")]] for (int i = 0; i < 1; ++i) work("c");
  // CHECK: {{.*}}__LOOPSCOPE_SAMPLES(4, (sum<4, 5>() * (int)sizeof(char[2]))); work("c");}}
}
// TRACE: train(step(a fetch samples=3 b))
// TRACE: -
// TRACE: valid(step(samples=18 c))
