// same.py: a program with each form of hook behaves the same, and its phases are counted.
// RUN: %same --spans --modes=phases %s | FileCheck %s --strict-whitespace --match-full-lines
//      CHECK:every-form.cpp: same
// CHECK-NEXT:  1 block
// CHECK-NEXT:  1 declaration
// CHECK-NEXT:  1 declaration/function
// CHECK-NEXT:  1 train
// CHECK-NEXT:  3 train/step
// CHECK-NEXT:  3 train/step/batch
// CHECK-NEXT:  3 train/step/batch/statement
// CHECK-NEXT:  3 train/step/draw
#include <cstdio>

[[loopscope::phase("function")]] static int f(int n) { return n + 1; }

int main() {
  [[loopscope::phase("declaration")]] int n = f(1);
  [[loopscope::phase("block")]] {
    std::puts("block");
  }
  [[loopscope::train]] for (int i = 0; i < 3; ++i)
    [[loopscope::phase("statement")]] std::printf("%d\n", n + i);
}
