// A goto past the declaration of the samples' variable is refused; one inside is accepted.
// RUN: %same --spans %s | FileCheck %s
// CHECK: samples-goto.cpp: refused [jumped-into]
// CHECK-NEXT: {{^}}  1 train{{$}}
#include <cstdio>

static int f(int n) { return n + 1; }

int main() {
  [[loopscope::train("w")]] for (int i = 0; i < 3; ++i) {
    if (i == 1) goto past;
    int w;
    w = f(i);
    std::printf("%d\n", w);
  past:;
  }
  [[loopscope::train("w")]] for (int i = 0; i < 3; ++i) {
    int w = f(i);
    if (w == 2) goto behind;
    std::printf("%d\n", w);
  behind:;
  }
}
